"""The page that checks a test on scores: its form, and the check, in the background where it takes long.

Keys of what is kept here are scalars and the digest of the scores.
"""

from dataclasses import astuple, dataclass, field
from typing import Any

import streamlit as st

from pages.parts import data, design_page, link
from pages.parts.computation import Computation, Job, kept
from pages.parts.form import ERROR_PROBABILITIES, SCORES, Choice, Form, Number
from topicset_core.analyses.achieved_power import AchievedPower, Request, achieved_power
from topicset_core.analyses.achieved_power.answer import (
    EFFECT,
    N_PAIRS,
    N_PERMUTATIONS,
    N_TRIALS,
    affordable,
    estimated_seconds,
)
from topicset_core.analyses.achieved_power.significance_tests import NULL, SHIFT, TEST, test_named
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import (
    ALPHA,
    BETA,
    MIN_D,
    N_SYSTEMS,
    N_TOPICS,
    SEED,
    TOPICS,
    ChoiceParameter,
)

PAGE = "check-scores"
_APPLIED = f"{PAGE}-planned"
_USUAL = {"usual": "as is usual for the test"}


def _choice(parameter: ChoiceParameter, *, has_usual: bool = False) -> Choice[str]:
    options = (_USUAL if has_usual else {}) | dict(parameter.options)
    return Choice(parameter.name, parameter.label, options, help=parameter.help)


_TEST, _EFFECT, _SHIFT = _choice(TEST), _choice(EFFECT), _choice(SHIFT)
_TOPICS, _NULL = _choice(TOPICS, has_usual=True), _choice(NULL, has_usual=True)
_ERRORS = [Number(one, is_short=True) for one in (ALPHA, BETA)]
_MIN_D = Number(MIN_D, is_short=True)
_SYSTEMS = Number(
    N_SYSTEMS, usual=lambda: min(N_SYSTEMS.default, max(2, data.matrices()[0].n_systems)), is_short=True
)
_N_TOPICS = Number(N_TOPICS, empty="as the design requires", is_short=True)
_HOW = [Number(one, is_short=True) for one in (N_PAIRS, N_TRIALS, N_PERMUTATIONS, SEED)]
_FORM = Form(
    PAGE,
    (*_ERRORS, _MIN_D, _N_TOPICS, _SYSTEMS, *_HOW, _TEST, _EFFECT, _TOPICS, _NULL, _SHIFT, SCORES),
    together=ERROR_PROBABILITIES,
)


@dataclass(frozen=True)
class Settings:
    """A valid question."""

    matrix: ScoreMatrix = field(repr=False)  # the scores that topics are drawn from
    request: Request
    url: str = field(repr=False)  # the full link


def ask() -> Settings:
    """Draw the form; it starts from the design page that was shown last."""
    linked = _FORM.start()
    if linked is None or not linked.values:
        _take_planned()
    test = test_named(_FORM.draw(_TEST))
    matrix = _FORM.draw(SCORES)
    for place, one in zip(st.columns(2, gap="small"), _ERRORS, strict=True):
        with place:
            _FORM.draw(one)
    for one in (_MIN_D, _N_TOPICS, *([_SYSTEMS] if test.compares == "sets" else [])):
        _FORM.draw(one)
    with st.expander("How trials are made"):
        words = {_EFFECT.name: _FORM.draw(_EFFECT), _SHIFT.name: _FORM.draw(_SHIFT)}
        several = [(_TOPICS, len(test.topics) > 1), (_NULL, True)]
        words |= {one.name: _FORM.draw(one) for one, is_drawn in several if is_drawn}
        for number in _HOW:
            if number.parameter is not N_PERMUTATIONS or test.is_randomised:
                _FORM.draw(number)
    numbers: dict[str, Any] = {
        name: int(value) if _is_whole(name) and value is not None else value
        for name, value in _FORM.values().items()
    }
    chosen: dict[str, Any] = {name: word for name, word in words.items() if word not in _USUAL}
    url = link.write(
        {name: value for name, value in numbers.items() if value is not None}
        | {TEST.name: test.name}
        | chosen
        | _FORM.written(SCORES)
    )
    return Settings(matrix, Request(test=test.name, **numbers, **chosen), url)


def _is_whole(name: str) -> bool:
    return next(one.parameter.integer for one in _FORM.numbers if one.name == name)


def _take_planned() -> None:
    """Take the values of the design page that was shown last, once for each answer it showed."""
    state = st.session_state
    planned: dict[str, Any] = state.get(design_page.PLANNED, {})
    if not planned or state.get(_APPLIED) == planned:
        return
    state[_APPLIED] = planned
    numbers = {one.name: planned[one.name] for one in _FORM.numbers if one.name in planned}
    _FORM.keep({name: _typed(name, value) for name, value in numbers.items()}, shown=True)
    test = test_named(planned[TEST.name])
    state[f"{PAGE}/{TEST.name}"] = test.name
    topics = planned[TOPICS.name]
    state[f"{PAGE}/{TOPICS.name}"] = "usual" if topics == test.topics[0] else topics
    measures = [matrix.measure for matrix in data.matrices()]
    if planned[link.MEASURE] in measures:
        state[f"{PAGE}/{SCORES.name}"] = measures.index(planned[link.MEASURE])


def _typed(name: str, value: float) -> float | None:
    return next(one for one in _FORM.numbers if one.name == name).typed(value)


def no_answer(error: InputError) -> str:
    """Return why this cannot be checked, in a sentence."""
    known = {one.name: one.parameter.symbol for one in _FORM.numbers}
    known |= {one.name: f"“{one.label}”" for one in (TEST, EFFECT, TOPICS, NULL, SHIFT)}
    return (
        f"This cannot be checked on these scores: {known.get(error.parameter, error.parameter)} {error.rule}."
    )


TRIALS: Computation[AchievedPower] = Computation(PAGE)

_QUICK_SECONDS = 0.4
_POLL_SECONDS = 1.0  # between two looks at trials done

Key = tuple[Any, ...]


def best_known(settings: Settings) -> AchievedPower:
    """Return the whole check, or what there is of it: trials done by now, or a preview."""
    key = _key(settings.matrix, settings.request)
    result = TRIALS.result(key) or TRIALS.partial(key)
    if result is not None:
        return result
    request = affordable(settings.matrix, settings.request, _QUICK_SECONDS)
    return _computed(_key(settings.matrix, request), _matrix=settings.matrix, _request=request)


def is_whole(settings: Settings, result: AchievedPower) -> bool:
    """Return whether all trials on all pairs are done."""
    return result.request == settings.request and result.n_trials == settings.request.n_trials


def is_done(settings: Settings) -> bool:
    """Return whether the answer from all trials is known, by now."""
    return TRIALS.result(_key(settings.matrix, settings.request)) is not None


def seconds_of(settings: Settings) -> float:
    """Return about how many CPU seconds all trials take."""
    return estimated_seconds(settings.matrix, settings.request)


def start(settings: Settings) -> None:
    """Begin all trials; called by its button."""
    matrix, request = settings.matrix, settings.request

    def work(job: Job) -> AchievedPower:
        return achieved_power(
            matrix,
            request,
            report_progress=job.report_progress,
            executor=job.executor,
            show_partial=job.show_partial,
        )

    TRIALS.start(_key(matrix, request), f"{request.n_trials:,} trials", work)


@st.fragment(run_every=_POLL_SECONDS)
def watch(settings: Settings, seen: int) -> None:
    """Run the page again as soon as more trials are done than are on screen."""
    if progress(settings) > seen:
        st.rerun()


def progress(settings: Settings) -> int:
    """Return how many trials the answer of the running work contains so far."""
    result = TRIALS.partial(_key(settings.matrix, settings.request))
    return 0 if result is None else result.n_trials


def _key(matrix: ScoreMatrix, request: Request) -> Key:
    return (matrix.digest, matrix.name, *astuple(request))


@kept(20, spinner="Drawing topics")
def _computed(key: Key, *, _matrix: ScoreMatrix, _request: Request) -> AchievedPower:  # noqa: ARG001 - the key
    return achieved_power(_matrix, _request)
