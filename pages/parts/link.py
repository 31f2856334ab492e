"""Links that carry a question: read at the door with every value checked, written in full precision."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from pages.parts import frame, kept_work
from topicset_core.errors import InputError
from topicset_core.parameters import Parameter
from topicset_core.wording import display_control, visible

MEASURE = "measure"
SOURCE = "variance_from"
DATA = "data"
"""Which data an answer rests on; see `linked_data`."""

SHOWN = "shown"
"""The sender's answer."""

_LONGEST_TEXT = 200
_MOST_COMPLAINTS = 6
_MOST_LISTED = 20

Value = float | str | Sequence[str]


@dataclass(frozen=True)
class Complaint:
    """A complaint about a value of a link or a form."""

    text: str
    parameter: str = ""


@dataclass(frozen=True)
class Link:
    """The address of this page."""

    values: dict[str, float]  # parameters with valid values, by name
    # Source of the variance in the link, as text
    measure: str
    source: str
    complaints: tuple[Complaint, ...]  # one for each value that could not be used, and why


def read(parameters: Sequence[Parameter], others: Collection[str] = (MEASURE, SOURCE)) -> Link:
    """Read this page's address. A value out of range is reported, never replaced in silence."""
    values: dict[str, float] = {}
    complaints: list[Complaint] = []
    known = {parameter.name: parameter for parameter in parameters}
    for name in st.query_params:
        for given in st.query_params.get_all(name):
            if stray := display_control(given):
                rule = f"{stray} controls how text is displayed"
                sentence = f"{shown(name)}={shown(given)} in this link was not used: {rule}."
                complaints.append(Complaint(sentence, name))
        if name in others or name in (DATA, SHOWN):
            continue
        if name not in known:
            complaints.append(Complaint(f"Unknown link parameter {shown(name)} was ignored."))
            continue
        given = st.query_params[name]
        try:
            values[name] = number(known[name], given)
        except InputError as error:
            sentence = f"{name}={shown(given)} in this link was not used: it {error.rule}."
            complaints.append(Complaint(sentence, name))
    return Link(values, text(MEASURE), text(SOURCE), tuple(complaints))


def one_of(name: str, options: Sequence[str]) -> tuple[str, Complaint | None]:
    """Read a choice from the address; return it and None, or the first option and the complaint.

    An option "" means the default, and needs no name.
    """
    text = st.query_params.get(name, options[0])
    if text in options:
        return text, None
    named = [option for option in options if option]
    listed = ", ".join(named) if len(named) <= _MOST_LISTED else f"the {len(named):,} there are"
    sentence = f"{name}={shown(text)} in this link was not used: it must be one of {listed}."
    return options[0], Complaint(sentence, name)


def write(values: Mapping[str, Value]) -> str:
    """Return the full link: every value written out, so that its meaning never changes.

    Numbers are written with as many digits as it takes to read the same number back; a sequence of
    texts is written one by one under the same name.
    """
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode({name: written(value) for name, value in values.items()}, doseq=True)}"


def offer(
    url: str, carries: str = "every value in full precision and shows the same answer anywhere"
) -> None:
    """Show a button that opens the link, ready to be copied, and its contents; the address bar follows it.

    A link that rests on data also carries the headline, for recipients who do not have them.
    """
    headline = frame.plain_headline()
    if headline and f"{DATA}=" in url:
        url = f"{url}&{urlencode({SHOWN: headline[:_LONGEST_TEXT]})}"
    with st.container(key="link", width="content", gap=None):
        kept_work.follow(url)
        with st.popover("Link to this answer", icon=":material/link:"):
            st.markdown(f"It carries {carries}.")
            st.code(url, language=None, wrap_lines=True)


def complain(complaints: Sequence[Complaint], key: str | None = "complaints") -> None:
    """Write the complaints literally: they quote the link, which may hold anything, and any number.

    The first about a parameter has a container with the key ``complaint-<parameter>``.
    """
    if not complaints:
        return
    keyed = {""}
    with st.container(key=key):
        for complaint in complaints[:_MOST_COMPLAINTS]:
            of_its_own = complaint.parameter not in keyed
            keyed.add(complaint.parameter)
            with st.container(key=f"complaint-{complaint.parameter}") if of_its_own else nullcontext():
                st.error(frame.plain(complaint.text))
        left_out = len(complaints) - _MOST_COMPLAINTS
        if left_out > 0:
            st.error(f"And {left_out:,} more of this link was not used.")


def number(parameter: Parameter, text: str) -> float:
    """Return the number of a text."""
    try:
        result = float(text)
    except ValueError:
        raise InputError(parameter.name, text, parameter.rule) from None
    checked = parameter.check(result)
    return int(checked) if parameter.integer else checked


def texts(name: str) -> list[str]:
    """Return the texts under a name of the link, without those that `read` refuses as names in files are."""
    return [text for text in st.query_params.get_all(name) if not display_control(text)]


def text(name: str, default: str = "") -> str:
    """Return the last text under a name of the link, as much of it as fits on screen."""
    return (texts(name) or [default])[-1][:_LONGEST_TEXT]


def shown(text: str) -> str:
    """Shorten text from a link to what fits on screen, on one line."""
    return visible(text).replace("\n", "\\n")[:_LONGEST_TEXT]


def written(value: Value) -> str | Sequence[str]:
    """Return a value as links write it."""
    if isinstance(value, float):
        return repr(float(value))  # a NumPy float would write its type
    return str(value) if isinstance(value, int) else value
