"""Scenario A: a plan that stays next to the present one, in the chart, in a tile, in links and in the dossier."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from pages.parts import frame, link, question
from pages.parts.planned import Settings
from pages.parts.question import SCENARIO as NAME
from topicset_core.designs import PLANNED, Plan
from topicset_core.designs.grouped import (
    GROUP_SIZE,
    GROUP_SIZE_CV,
    INTRACLASS_CORRELATION,
    GroupedPlan,
    in_groups,
)
from topicset_core.errors import InputError, NoSolution

_PINNED, _TAKEN = f"{question.PAGE}/{NAME}", f"frame/{NAME}"
_DESIGN = "design"


class Scenario(NamedTuple):
    """A pinned plan with its answer."""

    plan: Plan
    topics: int
    words: str  # what it has other than the present plan

    @property
    def sentence(self) -> str:
        """The scenario in a sentence."""
        return f"Scenario A ({self.words}): {self.topics:,} {self.plan.unit}s."


def take() -> None:
    """Take the scenario of a link, once."""
    state, linked = st.session_state, st.query_params.get(NAME, "")
    if not linked or state.get(_TAKEN) == linked:
        return
    state[_TAKEN] = linked
    try:
        _read(linked)
    except (InputError, LookupError, ValueError) as error:
        why = str(error) if isinstance(error, InputError) else "it names no design with its values"
        link.complain([link.Complaint(f"{NAME} in this link was not used: {why}.", NAME)])
    else:
        state[_PINNED] = linked


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
        own, grouped, measure = _read(text)
        plan = own if grouped is None else grouped.plan
        topics = int(plan.required_topics().required_topics)
    except (InputError, NoSolution, LookupError, ValueError):  # saved by another version
        return None
    now = settings.planned.plan
    is_alike = (
        measure == settings.measure
        and plan.unit == now.unit
        and plan.design.difference_parameter is now.design.difference_parameter
    )
    return Scenario(plan, topics, _differences(own, _values(own, grouped), settings)) if is_alike else None


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
    everything = _values(settings.plan, settings.planned.grouped)
    values = {name: link.written(value) for name, value in everything.items()}
    return urlencode({_DESIGN: settings.plan.design.slug, link.MEASURE: settings.measure} | values)


def _values(plan: Plan, grouped: GroupedPlan | None) -> dict[str, Any]:
    """Return the values of a plan of topics, and of its groups."""
    if grouped is None:
        return plan.values
    return plan.values | {
        GROUP_SIZE.name: grouped.group_size,
        INTRACLASS_CORRELATION.name: grouped.intraclass_correlation,
        **({GROUP_SIZE_CV.name: grouped.size_cv} if grouped.size_cv else {}),
    }


def _read(text: str) -> tuple[Plan, GroupedPlan | None, str]:
    """Return plan, plan of groups and measure of a scenario; raises where they are not those of a design."""
    values: Mapping[str, Any] = dict(parse_qsl(text, strict_parsing=True))
    design = next((one for one in PLANNED if one.slug == values[_DESIGN]), None)
    if design is None:
        raise InputError(_DESIGN, values[_DESIGN], "must be a design")
    numbers = (*design.parameters, *design.variances, *design.optional)
    given: dict[str, Any] = {
        one.name: link.number(one, values[one.name]) for one in numbers if one.name in values
    }
    words = {one.name: values[one.name] for one in design.choices if one.name in values}
    plan, grouped = design.plan(**given, **words), None
    if GROUP_SIZE.name in values:
        size, rho = (link.number(one, values[one.name]) for one in (GROUP_SIZE, INTRACLASS_CORRELATION))
        cv = link.number(GROUP_SIZE_CV, values.get(GROUP_SIZE_CV.name, "0"))
        grouped = in_groups(plan, rho, group_size=int(size), size_cv=cv)
    return plan, grouped, values[link.MEASURE]


def _differences(plan: Plan, before: Mapping[str, Any], now: Settings) -> str:
    """Return the values in which a plan is not the present one."""
    parts, values = [], _values(now.plan, now.planned.grouped)
    if plan.design is not now.plan.design:
        parts.append(plan.design.name)
    for one in (
        *plan.design.parameters,
        *plan.design.variances,
        GROUP_SIZE,
        GROUP_SIZE_CV,
        INTRACLASS_CORRELATION,
    ):
        value = before.get(one.name)
        if value is not None and value != values.get(one.name):
            parts.append(f"{one.symbol} = {value:.4g}")
    parts += [
        str(before[one.name]) for one in plan.design.choices if before.get(one.name) != values.get(one.name)
    ]
    return ", ".join(parts) or "the same values"
