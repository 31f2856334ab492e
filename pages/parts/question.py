"""The form of a design page: what the user asks, kept apart from what they are still typing.

A page answers the last valid question. Typing changes nothing until the button is pressed; a wrong
value is named with its rule, stays in its field, and the last answer stays on screen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import frame, link
from pages.parts.fields import kind_of, number_field
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


@dataclass(frozen=True)
class _State:
    """What a page remembers: values, where the variance is from, and what to complain about."""

    values: dict[str, float]
    choice: str
    typed_measure: str = "the measure"
    typed_source: str = "typed in"
    complaints: tuple[link.Complaint, ...] = ()


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
        Raises `InputError` for values that do not go together.
    presets : sequence of Preset
        Buttons above the form.
    """
    state: _State = st.session_state.get(f"{page}/state") or _first_state(parameters, variance, validate)
    choice, chosen = choose(page, variance, kind, state.choice)
    state = replace(state, choice=choice)
    if chosen.value is not None:
        state = replace(state, values=state.values | {variance.name: chosen.value})
    st.session_state[f"{page}/state"] = state
    _offer_presets(page, presets, variance)
    typed = _form(page, (*parameters, variance) if choice == TYPED else parameters, state)
    if typed is not None:
        state = _submitted(state, typed, variance, (*parameters, variance), validate)
        st.session_state[f"{page}/state"] = state
    link.complain(state.complaints)
    try:
        validate(state.values)
    except InputError as error:  # the scores themselves: a variance of 0, or one far too small for minD
        frame.refuse(
            frame.plain(f"These scores cannot be planned with: {_named(error, (*parameters, variance))}.")
        )
        st.stop()
    if choice == TYPED:
        chosen = replace(chosen, measure=state.typed_measure, source=state.typed_source)
    return Question(state.values, chosen)


def _first_state(
    parameters: Sequence[Parameter], variance: Parameter, validate: Callable[[dict[str, float]], Any]
) -> _State:
    """Start from the link, then from what was asked on other pages, then from the defaults."""
    asked = link.read((*parameters, variance))
    shared = st.session_state.get(_SHARED, {})
    start = {p.name: shared.get(p.name, p.default) for p in (*parameters, variance)}
    values, complaints = start | asked.values, list(asked.complaints)
    try:
        validate(values)
    except InputError as error:
        said = f"The values in this link were not used: {error}"
        complaints.append(link.Complaint(said, error.parameter))
        values = start
    if variance.name not in asked.values:
        return _State(values, "", complaints=tuple(complaints))
    source = asked.source or "from the link"
    return _State(values, TYPED, asked.measure or "the measure", source, tuple(complaints))


def _offer_presets(page: str, presets: Sequence[Preset], variance: Parameter) -> None:
    """Draw a button for each preset; it fills fields and answers at once."""
    if not presets:
        return

    def apply(preset: Preset) -> None:
        state: _State = st.session_state[f"{page}/state"]
        values = preset.values(state.values[variance.name])
        st.session_state[f"{page}/state"] = replace(state, values=state.values | values, complaints=())
        st.session_state[_SHARED] = st.session_state.get(_SHARED, {}) | values
        for name, value in values.items():
            st.session_state[f"{page}/{name}"] = value

    with st.container(horizontal=True, gap="xsmall"):
        for place, preset in enumerate(presets):
            st.button(
                preset.label,
                help=preset.help,
                key=f"{page}/preset-{place}",
                on_click=apply,
                args=(preset,),
            )


def _form(page: str, fields: Sequence[Parameter], state: _State) -> dict[str, Any] | None:
    """Draw the fields; return what is in them when the button was pressed, None in an empty one."""
    with st.form(f"{page}/form", border=False):
        typed = {}
        for field in fields:
            key = f"{page}/{field.name}"
            if key not in st.session_state:
                st.session_state[key] = kind_of(field)(state.values[field.name])
            typed[field.name] = number_field(field, key)
        pressed = st.form_submit_button("Compute", key=f"{page}/compute", type="primary", width="stretch")
    return typed if pressed else None


def _submitted(
    state: _State,
    typed: dict[str, Any],
    variance: Parameter,
    parameters: Sequence[Parameter],
    validate: Callable[[dict[str, float]], Any],
) -> _State:
    """Take what was typed if it is a valid question; otherwise keep the last one and say why."""
    values = state.values | typed
    try:
        validate(values)
    except InputError as error:
        said = f"{_named(error, parameters)}. The answer shown is still the last one."
        return replace(state, complaints=(link.Complaint(said, error.parameter),))
    st.session_state[_SHARED] = st.session_state.get(_SHARED, {}) | typed
    retyped = values[variance.name] != state.values[variance.name]
    source = "typed in" if retyped else state.typed_source
    return replace(state, values=values, typed_source=source, complaints=())


def _named(error: InputError, parameters: Sequence[Parameter]) -> str:
    """Return the error with the symbol that stands beside the field."""
    symbol = next((p.symbol for p in parameters if p.name == error.parameter), error.parameter)
    return f"{symbol} = {error.value:g} {error.rule}"
