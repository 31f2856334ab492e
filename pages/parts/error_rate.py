"""The error rate page: its form, and the sections of its answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages.parts import data, figure, frame
from pages.parts.computation import Computation
from pages.parts.form import (
    SCORES,
    WORST,
    WORST_QUARTER,
    Choice,
    Form,
    Number,
    Switch,
    by_group,
    fields_of,
    prepared,
)
from pages.parts.job import Answers
from topicset_core.analyses.error_rate import Answer, Request
from topicset_core.analyses.error_rate.answer import DIFFERENCE, TOPICS
from topicset_core.analyses.error_rate.experiment import ErrorRates
from topicset_core.analyses.error_rate.prediction import (
    FEWEST_TO_CUT,
    ExtrapolationCheck,
    Prediction,
    check_extrapolation,
    percent,
)
from topicset_core.analyses.error_rate.report import QUESTION, check_table, error_by_factor, rate_columns
from topicset_core.analyses.error_rate.theory import pairs_of
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import error_rate
from topicset_core.designs.error_rate import factor_curves
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import MAX_ERROR
from topicset_core.preparation import Steps
from topicset_core.wording import in_units

PAGE = "error-rate"
_WORST = Switch(
    WORST,
    "Drop the worst quarter",
    "Leaves out the runs with the lowest mean scores, as in the literature: their differences from the other "
    "runs are too large to be in doubt.",
)


_PAIR = [
    Choice(name, label, data.systems, lambda one: one or "none")
    for name, label in (("run_a", "First run"), ("run_b", "Second run"))
]
_FORM = Form(
    PAGE,
    (
        *fields_of(Request, Number(TOPICS, usual=lambda: data.n_units(data.matrices()[0]))),
        _WORST,
        SCORES,
        *_PAIR,
    ),
)
ANSWERS: Answers[Request, Answer] = Answers(QUESTION, PAGE)
CHECK: Computation[ExtrapolationCheck] = Computation("error-rate-check")
_CHECK_TRIALS = 1000


@dataclass(frozen=True)
class Asked:
    """A valid question."""

    matrix: ScoreMatrix  # without the worst quarter of the runs where that was requested
    notes: Sequence[str]  # how it was prepared
    request: Request
    url: str  # the full link


def ask() -> Asked:
    """Draw the form and return its values; where a number breaks its rule, its last valid value."""
    _FORM.start()
    matrix = _FORM.draw(SCORES)
    without_worst = _FORM.draw(_WORST)
    matrix, notes = prepared(matrix, Steps(worst_fraction=WORST_QUARTER if without_worst else None))
    matrix, notes = by_group(matrix, notes)
    form = replace(_FORM, unit=matrix.unit)
    form.ask(DIFFERENCE, TOPICS, MAX_ERROR)
    with st.expander("The experiment"):
        form.ask_rest(Request, DIFFERENCE, TOPICS, MAX_ERROR)
    values = form.values()
    is_named = any(st.session_state.get(f"{PAGE}/{one.name}") for one in _PAIR)
    with st.expander("Two runs by name", expanded=is_named):
        first, second = (_FORM.draw(replace(one, options=("", *matrix.systems))) for one in _PAIR)
    pair = (first, second) if first and second and first != second else None
    request = _FORM.request(Request, values, runs_pair=pair)
    return Asked(matrix, notes, request, _FORM.url(values, run_a=first or None, run_b=second or None))


def no_answer(error: InputError) -> str:
    """Return why error rates are undefined for these scores, in a sentence."""
    return f"Error rates are undefined for these scores: {error.parameter} {error.rule}."


def show_check(matrix: ScoreMatrix, seed: int) -> None:
    """Show the check of the prediction by a part of the topics, or the button that starts it."""
    if matrix.n_topics < FEWEST_TO_CUT:
        st.markdown(f"There are too few {matrix.unit}s to split them.")
        return
    CHECK.follow()
    check = CHECK.result(matrix.digest)
    if check is None and not CHECK.is_running():
        st.button(
            f"Predict from a third of the {matrix.unit}s",
            key=f"{CHECK.name}/run",
            on_click=_start_check,
            args=(matrix, seed),
        )
    if check is None:
        return
    unit = matrix.unit
    st.markdown(
        f"Error rates of sets of {check.cardinality:,} {unit}s: predicted from {check.n_topics_used:,} {unit}s, "
        f"observed on the other {check.n_topics_left:,} (random split with seed {check.seed}). Observed rates "
        "have an error, too, so the last column is the difference in standard errors of both, on a log scale. "
        f"Bins share {unit}s, so their differences are correlated."
    )
    frame.table(check_table(check), ".3g", width="content", alt="Predicted and observed error rates")


def _start_check(matrix: ScoreMatrix, seed: int) -> None:
    CHECK.start(
        matrix.digest,
        f"Predicting from a third of the {matrix.unit}s",
        lambda job: check_extrapolation(
            matrix,
            n_trials=_CHECK_TRIALS,
            seed=seed,
            report_progress=job.report_progress,
            executor=job.executor,
        ),
    )


_FACTORS = {"topics": 0, "difference": 1, "variance": 2}
_COUNTED_BINS = 10


def set_topics(n_topics: float) -> None:
    """Ask for another number of topics, as by a click on the curve."""
    _FORM.keep({TOPICS.name: int(n_topics)}, shown=True)


def how_counted(counted: ErrorRates) -> str:
    """Return the number of trials and the standard errors of the rates, in a sentence."""
    error = counted.largest_standard_error(_COUNTED_BINS)
    errors = "" if error is None else f", standard errors up to {percent(error)}"
    sizes = len(counted.cardinalities)
    text = f"{counted.n_trials:,} trials for each of {sizes} sizes, seed {counted.seed}{errors}."
    return " ".join(filter(None, (text, counted.sizes_in_words)))


def table(counted: ErrorRates) -> None:
    """Show error rates in per cent, one row per size."""
    alt = f"Error rates by {counted.matrix.unit}s and difference"
    frame.table(*rate_columns(counted).screen(range(len(counted.cardinalities))), width="content", alt=alt)


def design_by_formula(answer: Answer) -> None:
    """Show how many topics Eq. 8 requires, and its three factors."""
    prediction, pairs = answer.prediction, pairs_of(answer.matrix)
    paired, independent = pairs.mean_paired_variance, pairs.mean_independent_variance
    if paired <= 0:
        text = "The differences between these runs are the same on every topic, so one topic is enough."
        st.markdown(in_units(text, prediction.unit))
        return
    measure = frame.plain(prediction.measure)
    st.markdown(
        f"If two systems **truly** differ by {prediction.difference:g} {measure}, an error rate of "
        f"{100 * prediction.max_error:g} % by Eq. 8 of Lin and Hauptmann requires {_topics(prediction, paired)} "
        f"with the variance of these runs' paired differences (σₜ² = {paired:.4g}), and "
        f"{_topics(prediction, independent)} with the sum of two systems' variances, as in the paper "
        f"({independent:.4g}). The headline is about an **observed** difference, so it needs other numbers."
    )
    point = {
        "difference": prediction.difference,
        "difference_variance": paired,
        "n_topics": prediction.n_topics,
    }
    chosen = st.segmented_control(
        "Vary",
        list(_FACTORS),
        default="topics",
        required=True,
        key="error-rate/factor",
        format_func=frame.labelled("error-rate/factor", _FACTORS, lambda one: in_units(one, prediction.unit)),
    )
    curve = factor_curves(**point)[_FACTORS[chosen]]  # type: ignore[arg-type]
    error = float(error_rate.reer(**point))
    drawn = error_by_factor(
        curve,
        value=point[curve.factor],
        error=error,
        measure=prediction.measure,
        unit=prediction.unit,
    )
    figure.show(drawn)


def _topics(prediction: Prediction, variance: float) -> str:
    requirements = error_rate.Requirements(
        max_error=prediction.max_error, min_d=prediction.difference, difference_variance=variance
    )
    try:
        needed = error_rate.required_topics(requirements).required_topics
        return f"**{needed:,}** {prediction.unit}s"
    except NoSolution:
        return f"more than ten million {prediction.unit}s"
