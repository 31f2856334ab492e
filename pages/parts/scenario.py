"""Scenario A: a plan that stays next to the present one, in the chart, in a tile, in links and in the dossier."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from pages.parts import frame, link, question
from pages.parts.form import Form
from pages.parts.planned import Settings
from pages.parts.question import SCENARIO as NAME
from topicset_core.analyses.planning import Planned, PlanRequest, Stated, planned
from topicset_core.analyses.planning.spelled import further_values
from topicset_core.designs import PLANNED, Design, Plan, slug_of
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import EFFECTIVE_DF, Parameter

_PINNED, _TAKEN = f"{question.PAGE}/{NAME}", f"frame/{NAME}"
_DESIGN = "design"
_FURTHER = tuple(field.parameter for field in PlanRequest.further())


class Scenario(NamedTuple):
    """A pinned plan with its answer."""

    plan: Plan  # which counts topics, or groups
    topics: int
    counted: str  # with its interval, as "44 topics (22 to 147)"
    words: str  # what it has other than the present plan

    @property
    def sentence(self) -> str:
        """The scenario in a sentence."""
        return f"Scenario A ({self.words}): {self.counted}."


def take() -> None:
    """Take the scenario of a link, once."""
    state, linked = st.session_state, st.query_params.get(NAME, "")
    if not linked or state.get(_TAKEN) == linked:
        return
    state[_TAKEN] = linked
    try:
        answer = _read(linked)
        _ = answer.topics
    except (InputError, NoSolution, LookupError, ValueError) as error:
        why = "it names no design with its values"
        if isinstance(error, InputError | NoSolution):
            why = f"it has no answer: {error}" if isinstance(error, NoSolution) else str(error)
        complaints = [link.Complaint(f"{NAME} in this link was not used: {link.shortened(why)}.", NAME)]
    else:
        state[_PINNED] = linked
        complaints = _ignored(linked, answer.design)
    Form(question.PAGE, ()).complain(*complaints)  # with those about the values of the link


def written() -> dict[str, str]:
    """Return what links carry of it."""
    pinned = st.session_state.get(_PINNED)
    return {NAME: pinned} if pinned else {}


def pinned(settings: Settings) -> Scenario | None:
    """Return the pinned plan, where its difference is of the same kind, in units of the same measure."""
    text = st.session_state.get(_PINNED)
    if not text:
        return None
    try:
        before = _read(text)
        topics = before.topics
    except (InputError, NoSolution, LookupError, ValueError):  # saved by another version
        return None
    now = settings.planned.plan
    is_alike = (
        before.measure == settings.measure
        and before.plan.unit == now.unit
        and before.design.difference_parameter is now.design.difference_parameter
    )
    if not is_alike:
        return None
    return Scenario(before.plan, topics, before.counted, _differences(before, settings.planned))


def offer(settings: Settings) -> None:
    """Draw the button that pins the present plan, or forgets the pinned one."""
    pinned = st.session_state.get(_PINNED)
    with frame.head("pin"):
        st.button(
            "Forget A" if pinned else "Pin as A",
            key=f"{NAME}/pin",
            icon=":material/keep_off:" if pinned else ":material/keep:",
            help="Scenario A stays in the chart, in links and in the dossier while you change values.",
            on_click=_keep,
            args=("" if pinned else _written(settings),),
        )


def _keep(text: str) -> None:
    st.session_state[_PINNED] = text


def _written(settings: Settings) -> str:
    answer = settings.planned
    values = {name: link.written(value) for name, value in _values(answer).items()}
    if answer.uncertain is not None:
        values[EFFECTIVE_DF.name] = link.written(answer.uncertain.interval.effective_df)
    return urlencode({_DESIGN: settings.plan.design.slug, link.MEASURE: settings.measure} | values)


def _values(answer: Planned) -> dict[str, Any]:
    """Return the values of a plan of topics, and what its request has beyond its design."""
    return answer.of_topics.values | further_values(answer)


def _read(text: str) -> Planned:
    """Return the answer of a scenario; raises where it is not that of a design."""
    values: Mapping[str, Any] = dict(parse_qsl(text, strict_parsing=True))
    design = next((one for one in PLANNED if one.slug == slug_of(values[_DESIGN])), None)
    if design is None:
        raise InputError(_DESIGN, values[_DESIGN], "must be a design")
    variances = (*design.variances, *design.optional)
    numbers = {
        one.name: link.number(one, values[one.name]) for one in _numbers_of(design) if one.name in values
    }
    df = numbers.pop(EFFECTIVE_DF.name, None)
    further = {number.name: numbers.pop(number.name) for number in _FURTHER if number.name in numbers}
    of_variances = {
        variance.name: numbers.pop(variance.name) for variance in variances if variance.name in numbers
    }
    words = {choice.name: values.get(choice.name, choice.default) for choice in design.choices}
    request = PlanRequest.of(further, design=design, values=numbers | words)
    return planned(request, Stated(values=of_variances, measure=values[link.MEASURE], effective_df=df))


def _ignored(text: str, design: Design) -> list[link.Complaint]:
    """Return complaints about values of a scenario that its design does not take, and about repeated ones."""
    known = {_DESIGN, link.MEASURE, *(one.name for one in (*_numbers_of(design), *design.choices))}
    names = [name for name, _ in parse_qsl(text)]
    reasons = [
        f"Unknown parameter {link.shortened(name)} of the {NAME} in this link was ignored."
        for name in dict.fromkeys(names)
        if name not in known
    ]
    reasons += [
        f"The {NAME} in this link has several values of {name}, and the last one is used."
        for name in dict.fromkeys(names)
        if name in known and names.count(name) > 1
    ]
    return [link.Complaint(reason, NAME) for reason in reasons]


def _numbers_of(design: Design) -> tuple[Parameter, ...]:
    """Return the numbers that a scenario of a design may have."""
    return (*design.parameters, *design.variances, *design.optional, *_FURTHER, EFFECTIVE_DF)


def _differences(before: Planned, now: Planned) -> str:
    """Return the values in which a plan is not the present one."""
    parts, design = [], before.design
    given, values = _values(before), _values(now)
    if design is not now.design:
        parts.append(design.name)
    for one in (*design.parameters, *design.variances, *_FURTHER):
        value = given.get(one.name)
        if value is not None and value != values.get(one.name):
            parts.append(f"{one.symbol} = {value:.4g}")
    chosen = {choice: given.get(choice.name, choice.default) for choice in design.choices}
    parts += [str(word) for one, word in chosen.items() if word != values.get(one.name, one.default)]
    return ", ".join(parts) or "the same values"
