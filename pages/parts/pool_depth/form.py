"""The form of the page on pool depth: from the link, from what is typed, from the defaults."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts import link, runs_data
from pages.parts.fields import kind_of, number_field
from pages.parts.offered_measures import BY_INTENT, HELP_BY_INTENT, are_by_intent, offered
from pages.parts.pool_depth.question import ASKED_FOR, OFFERED, Question, check, depths_of, written
from topicset_core.analyses.pool_depth import LostTopics
from topicset_core.errors import InputError
from topicset_core.measures.gains import Gains
from topicset_core.parameter import Parameter
from topicset_core.parameters import ALPHA, BETA, BUDGET, MAX_WIDTH, MIN_D, N_SYSTEMS, RELEVANCE_LEVEL

PAGE = "pool"
_NUMBERS = (ALPHA, BETA, MIN_D, N_SYSTEMS, MAX_WIDTH, BUDGET, RELEVANCE_LEVEL)
_TEXTS = ("measure", "design", "gains", "lost_topics", "depths")
_GAINS: tuple[Gains, ...] = ("linear", "exponential")
_LOST: tuple[LostTopics, ...] = ("zero", "drop")
_STATE, _COMPLAINTS, _KIND = f"{PAGE}/asked", f"{PAGE}/complaints", f"{PAGE}/by-intent"


def ask() -> Question:
    """Draw the form and return the last valid question."""
    if _STATE not in st.session_state:
        st.session_state[_STATE], st.session_state[_COMPLAINTS] = _from_link()
    by_intent = are_by_intent(runs_data.judged())
    if st.session_state.get(_KIND) != by_intent:
        if _KIND in st.session_state or link.MEASURE not in st.query_params:
            st.session_state[_STATE] = _suited(st.session_state[_STATE], by_intent=by_intent)
        st.session_state[_KIND] = by_intent
    question: Question = st.session_state[_STATE]
    design = st.selectbox(
        "Topics for",
        list(OFFERED),
        index=list(OFFERED).index(question.design),
        key=f"{PAGE}/design",
        help="The test or interval that the collection is built for.",
    )
    values = dict(question.values)
    with st.form(f"{PAGE}/form", border=False):
        st.multiselect(
            "Measures; the first is planned with",
            list(dict.fromkeys((*question.measures, *offered(runs_data.judged())))),
            default=question.measures,
            accept_new_options=True,
            key=_measures_key(by_intent=by_intent),
            help=HELP_BY_INTENT if by_intent else None,
        )
        for parameter in OFFERED[design].parameters:
            _number(parameter, values.get(parameter.name, parameter.default))
        _number(BUDGET, question.budget, "none: the cheapest design")
        with st.expander("Depths and conventions"):
            st.text_input(
                "Pool depths",
                value=written(question.depths or ()),
                placeholder="10, 30, 50, ... as deep as the judgments go",
                key=f"{PAGE}/depths",
            )
            _number(RELEVANCE_LEVEL, question.relevance_level)
            st.selectbox(
                "Gain of grade x in nDCG and Q",
                _GAINS,
                index=_GAINS.index(question.gains),
                format_func=lambda gains: (
                    "x, as trec_eval" if gains == "linear" else "2^x - 1, as Sakai 2016"
                ),
                key=f"{PAGE}/gains",
                help="D-nDCG and D#-nDCG take 2^x - 1 always." if by_intent else None,
            )
            st.selectbox(
                "Topics whose relevant documents are all below the pool",
                _LOST,
                index=_LOST.index(question.lost_topics),
                format_func=lambda lost: "keep, at whatever they score" if lost == "zero" else "leave out",
                key=f"{PAGE}/lost",
            )
        compute = st.form_submit_button("Compute", key=f"{PAGE}/compute", type="primary", width="stretch")
        if compute or design != question.design:
            _submit(design)
    link.complain(st.session_state[_COMPLAINTS])
    found: Question = st.session_state[_STATE]
    return found


def _suited(question: Question, *, by_intent: bool) -> Question:
    """Return the question with the measures that such judgments start from, if it had the others' ones."""
    own, other = (BY_INTENT, Question.measures) if by_intent else (Question.measures, BY_INTENT)
    return replace(question, measures=own) if question.measures == other else question


def _measures_key(*, by_intent: bool) -> str:
    """Return the key of the choice of measures; each kind of judgments has its own."""
    return f"{PAGE}/measures-by-intent" if by_intent else f"{PAGE}/measures"


def _number(parameter: Parameter, value: float | None, placeholder: str | None = None) -> None:
    shown = {"format": "%.0f"} if parameter is BUDGET else {}
    value = None if value is None else kind_of(parameter)(value)
    number_field(parameter, f"{PAGE}/{parameter.name}", value=value, placeholder=placeholder, **shown)


def _submit(design: str) -> None:
    """Take what the form says if it is a valid question; otherwise keep the last one and say why."""
    state = st.session_state
    try:
        question = Question(
            measures=tuple(state[_measures_key(by_intent=are_by_intent(runs_data.judged()))]),
            design=design,
            values=tuple((p.name, p.check(state[f"{PAGE}/{p.name}"])) for p in OFFERED[design].parameters),
            depths=depths_of(state[f"{PAGE}/depths"]),
            relevance_level=int(RELEVANCE_LEVEL.check(state[f"{PAGE}/{RELEVANCE_LEVEL.name}"])),
            gains=state[f"{PAGE}/gains"],
            lost_topics=state[f"{PAGE}/lost"],
            budget=_budget(state[f"{PAGE}/{BUDGET.name}"]),
        )
        check(question)
    except InputError as error:
        said = f"{error}. The answer shown is still the last one."
        state[_COMPLAINTS] = (link.Complaint(said, error.parameter),)
    else:
        state[_STATE], state[_COMPLAINTS] = question, ()
        state.pop(ASKED_FOR, None)


def _from_link() -> tuple[Question, tuple[link.Complaint, ...]]:
    """Start from what the address asks for, where it is valid."""
    found = link.read(_NUMBERS, texts=_TEXTS)
    complaints = list(found.complaints)
    design, wrong = (
        link.one_of("design", list(OFFERED)) if "design" in st.query_params else (Question.design, None)
    )
    complaints += [wrong] if wrong else []
    start = Question(
        design=design,
        values=tuple((p.name, found.values.get(p.name, p.default)) for p in OFFERED[design].parameters),
        relevance_level=int(found.values.get(RELEVANCE_LEVEL.name, RELEVANCE_LEVEL.default)),
        budget=found.values.get(BUDGET.name),
    )
    for name, options in (("gains", _GAINS), ("lost_topics", _LOST)):
        value, wrong = link.one_of(name, options)
        complaints += [wrong] if wrong else []
        chosen: dict[str, Any] = {name: value}
        start = replace(start, **chosen)
    measures = st.query_params.get_all("measure")
    for changed in ({"measures": tuple(measures)} if measures else {}, _linked_depths(complaints)):
        try:
            check(replace(start, **changed))
        except InputError as error:
            said = f"The values in this link were not used: {link.shown(str(error))}."
            complaints.append(link.Complaint(said, error.parameter))
        else:
            start = replace(start, **changed)
    try:
        check(start)
    except InputError:
        start = Question()
    return start, tuple(complaints)


def _linked_depths(complaints: list[link.Complaint]) -> dict[str, tuple[int, ...] | None]:
    try:
        return {"depths": depths_of(st.query_params.get("depths", ""))}
    except InputError as error:
        said = f"The depths in this link were not used: they {error.rule}."
        complaints.append(link.Complaint(said, error.parameter))
        return {}


def _budget(typed: float | None) -> float | None:
    return None if typed is None else BUDGET.check(typed)
