"""The form of the page on pool depth: from the link, from what is typed, from the defaults."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts import link, runs_data
from pages.parts.form import Choice, Form, Number, Text
from pages.parts.offered_measures import BY_INTENT, HELP_BY_INTENT, are_by_intent, offered
from pages.parts.pool_depth.question import ASKED_FOR, OFFERED, Question, check, depths_of, written
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, BUDGET, MAX_WIDTH, MIN_D, N_SYSTEMS, RELEVANCE_LEVEL

PAGE = "pool"
_DESIGN = Choice(
    "design",
    "Topics for",
    list(OFFERED),
    help="The test or interval that the collection is built for.",
)
_GAINS = Choice(
    "gains",
    "Gain of grade x in nDCG and Q",
    {"linear": "x, as trec_eval", "exponential": "2^x - 1, as Sakai 2016"},
)
_LOST = Choice(
    "lost_topics",
    "Topics whose relevant documents are all below the pool",
    {"zero": "keep, at whatever they score", "drop": "leave out"},
    key="lost",
)
_DEPTHS = Text("depths", "Pool depths", placeholder="10, 30, 50, ... as deep as the judgments go")
_BUDGET = Number(BUDGET, format="%.0f", empty="none: the cheapest design")
_FORM = Form(
    PAGE,
    (
        *map(Number, (ALPHA, BETA, MIN_D, N_SYSTEMS, MAX_WIDTH, RELEVANCE_LEVEL)),
        *(_BUDGET, _DESIGN, _GAINS, _LOST),
    ),
    "pressed",
    texts=(link.MEASURE, _DEPTHS.name),
)
_STATE, _KIND = f"{PAGE}/asked", f"{PAGE}/by-intent"


def ask() -> Question:
    """Draw the form and return the last valid question."""
    if _STATE not in st.session_state:
        st.session_state[_STATE] = _from_link()
    by_intent = are_by_intent(runs_data.judged())
    if st.session_state.get(_KIND) != by_intent:
        if _KIND in st.session_state or link.MEASURE not in st.query_params:
            st.session_state[_STATE] = _suited(st.session_state[_STATE], by_intent=by_intent)
        st.session_state[_KIND] = by_intent
    question: Question = st.session_state[_STATE]
    _keep(question)
    design = _FORM.draw(_DESIGN)
    parameters, values = OFFERED[design].parameters, dict(question.values)
    _FORM.keep({one.name: values.get(one.name, one.default) for one in parameters})
    with st.form(f"{PAGE}/form", border=False):
        st.multiselect(
            "Measures; the first is planned with",
            list(dict.fromkeys((*question.measures, *offered(runs_data.judged())))),
            default=question.measures,
            accept_new_options=True,
            key=f"{PAGE}/{_measures_key(by_intent=by_intent)}",
            help=HELP_BY_INTENT if by_intent else None,
        )
        _FORM.number(*parameters)
        _FORM.draw(_BUDGET)
        with st.expander("Depths and conventions"):
            _FORM.draw(_DEPTHS)
            _FORM.number(RELEVANCE_LEVEL)
            help_text = "D-nDCG and D#-nDCG take 2^x - 1 always." if by_intent else None
            _FORM.draw(replace(_GAINS, help=help_text))
            _FORM.draw(_LOST)
        compute = st.form_submit_button("Compute", key=f"{PAGE}/compute", type="primary", width="stretch")
        if compute or design != question.design:
            numbers = [one.name for one in (*parameters, BUDGET, RELEVANCE_LEVEL)]
            others = [_DESIGN.name, _DEPTHS.name, _GAINS.name, _LOST.key]
            keys = [_measures_key(by_intent=by_intent), *numbers, *others]
            taken = _FORM.take(keys, _question)
            if taken is not None:
                st.session_state[_STATE] = taken
                st.session_state.pop(ASKED_FOR, None)
    _FORM.values()
    found: Question = st.session_state[_STATE]
    return found


def _keep(question: Question) -> None:
    """Show the question in fields that are drawn anew."""
    _FORM.keep(
        {
            _DESIGN.name: question.design,
            _GAINS.name: question.gains,
            _LOST.key: question.lost_topics,
            _DEPTHS.name: written(question.depths or ()),
            RELEVANCE_LEVEL.name: question.relevance_level,
            BUDGET.name: question.budget,
        }
    )


def _question(values: dict[str, Any]) -> Question:
    """Return what these values ask for.

    Raises
    ------
    InputError
        If they do not go together.
    """
    design, budget = values[_DESIGN.name], values[BUDGET.name]
    question = Question(
        measures=tuple(values[_measures_key(by_intent=are_by_intent(runs_data.judged()))]),
        design=design,
        values=tuple((one.name, one.check(values[one.name])) for one in OFFERED[design].parameters),
        depths=depths_of(values[_DEPTHS.name]),
        relevance_level=int(RELEVANCE_LEVEL.check(values[RELEVANCE_LEVEL.name])),
        gains=values[_GAINS.name],
        lost_topics=values[_LOST.key],
        budget=None if budget is None else BUDGET.check(budget),
    )
    check(question)
    return question


def _suited(question: Question, *, by_intent: bool) -> Question:
    """Return the question with the measures that such judgments start from, if it had the others' ones."""
    own, other = (BY_INTENT, Question.measures) if by_intent else (Question.measures, BY_INTENT)
    return replace(question, measures=own) if question.measures == other else question


def _measures_key(*, by_intent: bool) -> str:
    """Return the key of the choice of measures; each kind of judgments has its own."""
    return "measures-by-intent" if by_intent else "measures"


def _from_link() -> Question:
    """Start from what the address asks for, where it is valid."""
    _FORM.start()
    design = _FORM.kept(_DESIGN.name)
    start = Question(
        design=design,
        values=tuple((one.name, _FORM.kept(one.name)) for one in OFFERED[design].parameters),
        relevance_level=_FORM.kept(RELEVANCE_LEVEL.name),
        budget=_FORM.kept(BUDGET.name),
        gains=_FORM.kept(_GAINS.name),
        lost_topics=_FORM.kept(_LOST.key),
    )
    measures = st.query_params.get_all(link.MEASURE)
    for changed in ({"measures": tuple(measures)} if measures else {}, _linked_depths()):
        try:
            check(replace(start, **changed))
        except InputError as error:
            said = f"The values in this link were not used: {link.shown(str(error))}."
            _FORM.complain(link.Complaint(said, error.parameter))
        else:
            start = replace(start, **changed)
    try:
        check(start)
    except InputError:
        start = Question()
    return start


def _linked_depths() -> dict[str, Any]:
    try:
        return {_DEPTHS.name: depths_of(st.query_params.get(_DEPTHS.name, ""))}
    except InputError as error:
        said = f"The depths in this link were not used: they {error.rule}."
        _FORM.complain(link.Complaint(said, error.parameter))
        return {}
