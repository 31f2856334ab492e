"""Links that carry a question: read at the door with every value checked, written in full precision."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from topicset_core.errors import InputError
from topicset_core.parameters import Parameter

MEASURE = "measure"
SOURCE = "variance_from"
_LONGEST_TEXT = 200


@dataclass(frozen=True)
class Link:
    """What the address of this page asks for.

    Parameters
    ----------
    values : dict
        Parameters with valid values, by name.
    measure, source : str
        What the variance in the link was measured on, as text; "" if not given.
    complaints : tuple of str
        One sentence for each value that could not be used, and why.
    """

    values: dict[str, float]
    measure: str
    source: str
    complaints: tuple[str, ...]


def read(parameters: Sequence[Parameter]) -> Link:
    """Read this page's address. A value out of range is reported, never replaced in silence."""
    values, complaints = {}, []
    known = {parameter.name: parameter for parameter in parameters}
    for name in st.query_params:
        if name in (MEASURE, SOURCE):
            continue
        if name not in known:
            complaints.append(f"{_shown(name)} in this link means nothing on this page.")
            continue
        text = st.query_params[name]
        try:
            values[name] = _number(known[name], text)
        except InputError as error:
            complaints.append(f"{name}={_shown(text)} in this link was not used: it {error.rule}.")
    return Link(values, _text(MEASURE), _text(SOURCE), tuple(complaints))


def write(values: dict[str, float], measure: str, source: str) -> str:
    """Return the full link: every value written out, so that it means the same anywhere, any time."""
    written = {name: repr(value) for name, value in values.items()}
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(written | {MEASURE: measure, SOURCE: source})}"


def offer(url: str) -> None:
    """Show a button that opens the link, ready to be copied."""
    with st.popover("Link to this answer", icon=":material/link:"):
        st.markdown("It carries every value in full precision and shows the same answer anywhere.")
        st.code(url, language=None, wrap_lines=True)


def _number(parameter: Parameter, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise InputError(parameter.name, text, parameter.rule) from None
    checked = parameter.check(number)
    return int(checked) if parameter.integer else checked


def _text(name: str) -> str:
    return _shown(st.query_params.get(name, ""))


def _shown(text: str) -> str:
    """Shorten text from a link to what fits on screen, on one line."""
    return "".join(character for character in text if character.isprintable())[:_LONGEST_TEXT]
