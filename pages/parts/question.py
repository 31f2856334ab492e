"""The form of a design page: what the user asks, kept apart from what they are still typing.

A page answers the last valid question. Typing changes nothing until the button is pressed; a wrong
value is named with its rule, stays in its field, and the last answer stays on screen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from pages.parts import frame, link
from pages.parts.form import Form, Number, Together
from pages.parts.variance_choice import TYPED, Chosen, choose
from topicset_core.errors import InputError
from topicset_core.parameter import Parameter
from topicset_core.variance.choices import Kind

_SHARED = "last_values"


@dataclass(frozen=True)
class Question:
    """A complete, valid question.

    Parameters
    ----------
    values : dict
        Value by parameter name, the variance among them.
    variance : Chosen
        Where the variance comes from.
    """

    values: dict[str, float]
    variance: Chosen

    @property
    def measure(self) -> str:
        """Unit of the difference."""
        return self.variance.measure

    @property
    def variance_source(self) -> str:
        """Where the variance comes from, in words."""
        return self.variance.source


@dataclass(frozen=True)
class Preset:
    """A convention that fills some fields at the press of a button.

    Parameters
    ----------
    label, help : str
        What the button says, and where the convention comes from.
    values : callable
        From the variance in use to the values of fields.
    """

    label: str
    help: str
    values: Callable[[float], dict[str, float]]


def ask(
    page: str,
    parameters: Sequence[Parameter],
    variance: Parameter,
    kind: Kind,
    validate: Callable[[dict[str, float]], Any],
    presets: Sequence[Preset] = (),
) -> Question:
    """Draw the form and return the question to answer.

    Parameters
    ----------
    page : str
        Prefix of this page's keys.
    parameters : sequence of Parameter
        Fields, in order.
    variance : Parameter
        The variance that the design takes.
    kind : {"within-system", "difference"}
        What that variance is of.
    validate : callable
        From values to what is asked; raises `InputError` for values that do not go together.
    presets : sequence of Preset
        Buttons above the form.
    """
    everything = (*parameters, variance)
    form = Form(
        page,
        [Number(one, usual=partial(_last, one)) for one in everything],
        "pressed",
        Together([one.name for one in everything], validate, end=""),
        texts=(link.MEASURE, link.SOURCE),
    )
    key = f"{page}/variance-from"
    linked = form.start()
    if linked is not None:
        measure, source = linked.measure or _Typed.measure, linked.source or "from the link"
        is_linked = variance.name in linked.values
        st.session_state[key] = _Typed(TYPED, measure, source) if is_linked else _Typed()
    typed: _Typed = st.session_state[key]
    choice, chosen = choose(page, variance, kind, typed.choice)
    st.session_state[key] = typed = replace(typed, choice=choice)
    if chosen.value is not None:
        form.keep({variance.name: chosen.value})
    _offer_presets(form, presets, variance)
    fields = everything if choice == TYPED else tuple(parameters)
    with st.form(f"{page}/form", border=False):
        form.number(*fields)
        if st.form_submit_button("Compute", key=f"{page}/compute", type="primary", width="stretch"):
            before = form.kept(variance.name)
            names = [one.name for one in fields]
            if form.take(names, validate, lambda error: _named(error, everything)) is not None:
                _remember({name: form.kept(name) for name in names})
                if form.kept(variance.name) != before:
                    st.session_state[key] = typed = replace(typed, source="typed in")
    values = form.values()
    try:
        validate(values)
    except InputError as error:  # the scores themselves: a variance of 0, or one far too small for minD
        frame.refuse(frame.plain(f"These scores cannot be planned with: {_named(error, everything)}."))
        st.stop()
    if choice == TYPED:
        chosen = replace(chosen, measure=typed.measure, source=typed.source)
    return Question(values, chosen)


@dataclass(frozen=True)
class _Typed:
    """Where the variance is from, and what is known of one that is typed in or linked."""

    choice: str = ""
    measure: str = "the measure"
    source: str = "typed in"


def _last(parameter: Parameter) -> float:
    """Return what was asked on another page, else the default."""
    value: float = st.session_state.get(_SHARED, {}).get(parameter.name, parameter.default)
    return value


def _remember(values: dict[str, float]) -> None:
    st.session_state[_SHARED] = st.session_state.get(_SHARED, {}) | values


def _offer_presets(form: Form, presets: Sequence[Preset], variance: Parameter) -> None:
    """Draw a button for each preset; it fills fields and answers at once."""
    if not presets:
        return

    def apply(preset: Preset) -> None:
        values = preset.values(form.kept(variance.name))
        form.keep(values, shown=True)
        form.settle()
        _remember(values)

    with st.container(horizontal=True, gap="xsmall"):
        for place, preset in enumerate(presets):
            st.button(
                preset.label,
                help=preset.help,
                key=f"{form.page}/preset-{place}",
                on_click=apply,
                args=(preset,),
            )


def _named(error: InputError, parameters: Sequence[Parameter]) -> str:
    """Return the error with the symbol that stands beside the field."""
    symbol = next((p.symbol for p in parameters if p.name == error.parameter), error.parameter)
    return f"{symbol} = {error.value:g} {error.rule}"
