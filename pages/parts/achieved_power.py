"""The form of the page that checks a test on scores."""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import data, design_page, link
from pages.parts.form import (
    ERROR_PROBABILITIES,
    SCORES,
    USUAL,
    Choice,
    Form,
    Number,
    by_group,
    fields_of,
)
from pages.parts.job import Answers
from topicset_core.analyses.achieved_power import AchievedPower, Request
from topicset_core.analyses.achieved_power.answer import (
    CHECKED_TOPICS,
    EFFECT,
    N_PERMUTATIONS,
)
from topicset_core.analyses.achieved_power.report import QUESTION
from topicset_core.analyses.achieved_power.significance_tests import (
    NULL,
    SHIFT,
    TEST,
    TESTS,
    test_named,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, MIN_D, N_SYSTEMS, TOPICS, AnyParameter

PAGE = "check-scores"
_APPLIED = f"{PAGE}-planned"
_SYSTEMS = Number(
    N_SYSTEMS, usual=lambda: min(N_SYSTEMS.default, max(2, data.matrices()[0].n_systems)), is_short=True
)
_N_TOPICS = Number(CHECKED_TOPICS, empty="as the design requires", is_short=True)
_SHIFT = Choice(  # the third way is the usual one of its tests, which are not asked for it
    SHIFT.name,
    SHIFT.label,
    {USUAL: "as is usual for the test"} | {name: SHIFT.options[name] for name in ("additive", "bounded")},
    help=SHIFT.help,
)
_FORM = Form(
    PAGE,
    (*fields_of(Request, _SYSTEMS, _N_TOPICS, _SHIFT, is_short=True), SCORES),
    together=ERROR_PROBABILITIES,
)
ANSWERS: Answers[Request, AchievedPower] = Answers(QUESTION, PAGE)


@dataclass(frozen=True, kw_only=True)
class Check:
    """A valid question."""

    matrix: ScoreMatrix  # the scores that topics are drawn from
    notes: tuple[str, ...]  # how groups of topics were treated
    request: Request
    url: str  # the full link


def ask() -> Check:
    """Draw the form; it starts from the design page that was shown last."""
    linked = _FORM.start()
    if linked is None or not linked.values:
        _take_planned()
    place = st.container()  # the tests that are offered depend on the scores
    matrix, notes = by_group(_FORM.draw(SCORES))
    form = replace(_FORM, unit=matrix.unit)
    with place:
        test = test_named(form.draw(_tests(matrix)))
    for place, parameter in zip(st.columns(2, gap="small"), (ALPHA, BETA), strict=True):
        with place:
            form.ask(parameter)
    placed = [MIN_D, CHECKED_TOPICS, *([N_SYSTEMS] if test.compares == "sets" else [])]
    form.ask(*placed)
    left_out: list[AnyParameter] = [] if len(test.topics) > 1 else [TOPICS]
    left_out += [NULL, SHIFT] if test.is_of_shares else []
    with st.expander("How trials are made"):
        unused = [N_SYSTEMS, *left_out, *([] if test.is_randomised else [N_PERMUTATIONS])]
        form.ask_rest(Request, TEST, ALPHA, BETA, *placed, *unused)
    values = form.values()
    unasked = {parameter.name: None for parameter in left_out}
    return Check(
        matrix=matrix,
        notes=notes,
        request=_FORM.request(Request, values, **unasked),
        url=_FORM.url(values, **unasked),
    )


def _tests(matrix: ScoreMatrix) -> Choice[str]:
    """Return the choice of tests that suit scores of 0 and 1, or others."""
    chosen = st.session_state[f"{PAGE}/{TEST.name}"]  # as by a link: it is refused in words
    suiting = [test for test in TESTS if test.suits(is_binary=matrix.is_binary) or test.name == chosen]
    options = {test.name: test.label for test in suiting}
    return Choice(TEST.name, TEST.label, options, help=TEST.help)


def _take_planned() -> None:
    """Take the values of the design page that was shown last, once for each answer it showed."""
    state = st.session_state
    planned: dict[str, Any] = state.get(design_page.PLANNED, {})
    if not planned or state.get(_APPLIED) == planned:
        return
    state[_APPLIED] = planned
    numbers = [field for field in _FORM.numbers if field.name in planned]
    _FORM.keep({field.name: field.typed(planned[field.name]) for field in numbers}, shown=True)
    test = test_named(planned[TEST.name])
    state[f"{PAGE}/{TEST.name}"] = test.name
    topics = planned[TOPICS.name]
    state[f"{PAGE}/{TOPICS.name}"] = USUAL if topics == test.topics[0] else topics
    measures = [matrix.measure for matrix in data.matrices()]
    if planned[link.MEASURE] in measures:
        state[f"{PAGE}/{SCORES.name}"] = measures.index(planned[link.MEASURE])


def no_answer(error: InputError) -> str:
    """Return why this cannot be checked, in a sentence."""
    known = {field.name: field.parameter.symbol for field in _FORM.numbers}
    known |= {choice.name: f"“{choice.label}”" for choice in (TEST, EFFECT, TOPICS, NULL, SHIFT)}
    field = known.get(error.parameter, error.parameter)
    return f"This cannot be checked on these scores: {field} {error.rule}."
