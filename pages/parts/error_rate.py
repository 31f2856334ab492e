"""The error rate page: its form, its work in the background, its results."""

from dataclasses import dataclass, replace

import streamlit as st

from pages.parts import data, figure, frame, link
from pages.parts.computation import Computation, Job, kept
from pages.parts.form import SCORES, WORST, WORST_QUARTER, Choice, Form, Number, Switch, prepared
from topicset_core.analyses.error_rate import Answer
from topicset_core.analyses.error_rate.charts import error_by_factor
from topicset_core.analyses.error_rate.experiment import (
    N_TRIALS,
    ErrorRates,
    affordable_trials,
    curve_sizes,
    error_rates,
    estimated_seconds,
)
from topicset_core.analyses.error_rate.extrapolation import ExtrapolationCheck, check_extrapolation
from topicset_core.analyses.error_rate.prediction import (
    Prediction,
    Predictor,
    Surface,
    percent,
    predict,
    surface,
)
from topicset_core.analyses.error_rate.report import check_table, wide_table
from topicset_core.analyses.error_rate.theory import Theory, pairs_of, theory
from topicset_core.analyses.error_rate.two_runs import INTERVALS_HELD, TwoRuns, two_runs
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import error_rate
from topicset_core.designs.error_rate import SET_SIZE, factor_curves
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import MAX_ERROR, MIN_D, SEED
from topicset_core.preparation import Steps

PAGE = "error-rate"
DIFFERENCE = replace(
    MIN_D,
    label="Observed difference between two runs",
    help="The observed difference of their mean scores, in units of the measure.",
    default=0.05,
)
TOPICS = replace(
    SET_SIZE,
    label="n, topics on which it was observed",
    help="Checked against an equally large new topic set. May exceed the topics you uploaded.",
)
_WORST = Switch(
    WORST,
    "Drop the worst quarter",
    "Leaves out the runs with the lowest mean scores, as in the literature: their differences from the other "
    "runs are too large to be in doubt.",
)
_BOOTSTRAP = Switch(
    "bootstrap",
    "Bootstrap",
    "Draws each topic set with replacement (Sakai 2006), so sets can be larger than half of the topics. "
    "Topics repeat within and between the sets, so error rates tend to be lower than on new topics.",
)


def _runs() -> list[str]:
    return list(dict.fromkeys(["", *(name for matrix in data.matrices() for name in matrix.systems)]))


_RUN_A = Choice("run_a", "First run", _runs, lambda name: name or "none")
_RUN_B = Choice("run_b", "Second run", _runs, lambda name: name or "none")
_FORM = Form(
    PAGE,
    (
        Number(DIFFERENCE),
        Number(TOPICS, usual=lambda: data.matrices()[0].n_topics),
        *map(Number, (MAX_ERROR, N_TRIALS, SEED)),
        *(_WORST, _BOOTSTRAP, SCORES, _RUN_A, _RUN_B),
    ),
)


@dataclass(frozen=True)
class Settings:
    """A valid question."""

    # The scores in question, without the worst quarter of the runs where that was requested
    matrix: ScoreMatrix
    notes: tuple[str, ...]
    values: dict[str, float]  # number by parameter name, valid all
    bootstrap: bool  # whether topics are drawn with replacement
    pair: tuple[str, str] | None  # two runs that are compared by name
    url: str  # the full link

    @property
    def n_trials(self) -> int:
        """Trials of the whole experiment."""
        return int(self.values[N_TRIALS.name])


def ask() -> Settings:
    """Draw the form and return its values; where a number breaks its rule, its last valid value."""
    _FORM.start()
    matrix = _FORM.draw(SCORES)
    without_worst = _FORM.draw(_WORST)
    _FORM.number(DIFFERENCE, TOPICS, MAX_ERROR)
    with st.expander("The experiment"):
        bootstrap = _FORM.draw(_BOOTSTRAP)
        _FORM.number(N_TRIALS, SEED)
    values = _FORM.values()
    matrix, notes = prepared(matrix, Steps(worst_fraction=WORST_QUARTER if without_worst else None))
    written = values | _FORM.written(_WORST, _BOOTSTRAP, SCORES)
    with st.expander("Two runs by name", expanded=True):
        names = [_FORM.draw(replace(one, options=("", *matrix.systems))) for one in (_RUN_A, _RUN_B)]
    pair = (names[0], names[1]) if all(names) and names[0] != names[1] else None
    chosen = {one.name: name for one, name in zip((_RUN_A, _RUN_B), names, strict=True) if name}
    return Settings(matrix, notes, values, bootstrap, pair, link.write(written | chosen))


def no_answer(error: InputError) -> str:
    """Return why error rates are undefined for these scores, in a sentence."""
    return f"Error rates are undefined for these scores: {error.parameter} {error.rule}."


EXPERIMENT: Computation[ErrorRates] = Computation(PAGE)
CHECK: Computation[ExtrapolationCheck] = Computation("error-rate-check")

_QUICK_SECONDS = 0.1
_CHECK_TRIALS = 1000

Key = tuple[str, tuple[int, ...], int, int, bool]


def sizes_of(settings: Settings) -> tuple[int, ...]:
    """Return the cardinalities of the curves."""
    always = (int(settings.values["n_topics"]),)
    return curve_sizes(settings.matrix.n_topics, with_replacement=settings.bootstrap, always=always)


def predicted(settings: Settings) -> Prediction:
    """Return the answer in a sentence."""
    values = settings.values
    return _predicted(
        settings.matrix.digest,
        settings.matrix.name,
        int(values["n_topics"]),
        values[MIN_D.name],
        values[MAX_ERROR.name],
        _matrix=settings.matrix,
    )


def named(settings: Settings) -> TwoRuns | None:
    """Return the facts about the two runs that were named; None where none were."""
    if settings.pair is None:
        return None
    predictor = _predictor(settings.matrix.digest, _matrix=settings.matrix)
    return two_runs(predictor, *settings.pair, n_topics=int(settings.values["n_topics"]))


def quick(settings: Settings) -> ErrorRates:
    """Return the experiment with as many trials as a tenth of a second allows."""
    sizes = sizes_of(settings)
    trials = affordable_trials(settings.matrix, sizes, _QUICK_SECONDS, settings.n_trials)
    return _counted(_key(settings, trials), settings.matrix.name, _matrix=settings.matrix)


def expected(settings: Settings) -> Theory:
    """Return the theory over the experiment."""
    return _theory(settings.matrix.digest, sizes_of(settings), _matrix=settings.matrix)


def around(settings: Settings) -> Surface:
    """Return error rates over differences and topics around the question."""
    return _surface(
        settings.matrix.digest,
        int(settings.values["n_topics"]),
        settings.values[MIN_D.name],
        _matrix=settings.matrix,
    )


def start(settings: Settings) -> None:
    """Begin the whole experiment; called by its button."""
    matrix, key = settings.matrix, _key(settings, settings.n_trials)
    _, sizes, trials, seed, bootstrap = key

    def work(job: Job) -> ErrorRates:
        return error_rates(
            matrix,
            cardinalities=sizes,
            n_trials=trials,
            seed=seed,
            with_replacement=bootstrap,
            report_progress=job.report_progress,
            executor=job.executor,
        )

    EXPERIMENT.start(key, f"{trials:,} trials for each of {len(sizes)} sizes", work)


def seconds_of(settings: Settings) -> float:
    """Return about how many CPU seconds the whole experiment takes."""
    return estimated_seconds(settings.matrix, sizes_of(settings), settings.n_trials)


def whole(settings: Settings) -> ErrorRates | None:
    """Return the whole experiment where it is known."""
    return EXPERIMENT.result(_key(settings, settings.n_trials))


def start_check(settings: Settings) -> None:
    """Begin the check of the prediction; called by its button."""
    matrix, seed = settings.matrix, int(settings.values[SEED.name])
    CHECK.start(
        matrix.digest,
        "Predicting from a third of the topics",
        lambda job: check_extrapolation(
            matrix,
            n_trials=_CHECK_TRIALS,
            seed=seed,
            report_progress=job.report_progress,
            executor=job.executor,
        ),
    )


def _key(settings: Settings, trials: int) -> Key:
    return (
        settings.matrix.digest,
        sizes_of(settings),
        trials,
        int(settings.values[SEED.name]),
        settings.bootstrap,
    )


@kept(10)
def _predictor(digest: str, *, _matrix: ScoreMatrix) -> Predictor:  # noqa: ARG001 - the key
    return Predictor(_matrix)


@kept(50)
def _predicted(
    digest: str,
    name: str,  # noqa: ARG001 - in the key, as digests leave names out
    n_topics: int,
    difference: float,
    max_error: float,
    *,
    _matrix: ScoreMatrix,
) -> Prediction:
    predictor = _predictor(digest, _matrix=_matrix)
    return predict(predictor, n_topics=n_topics, difference=difference, max_error=max_error)


@kept(20)
def _counted(key: Key, name: str, *, _matrix: ScoreMatrix) -> ErrorRates:  # noqa: ARG001 - the key
    _, sizes, trials, seed, bootstrap = key
    return error_rates(_matrix, cardinalities=sizes, n_trials=trials, seed=seed, with_replacement=bootstrap)


@kept(20)
def _theory(digest: str, sizes: tuple[int, ...], *, _matrix: ScoreMatrix) -> Theory:  # noqa: ARG001 - the key
    return theory(_matrix, sizes)


@kept(20)
def _surface(digest: str, n_topics: int, difference: float, *, _matrix: ScoreMatrix) -> Surface:
    return surface(_predictor(digest, _matrix=_matrix), n_topics=n_topics, difference=difference)


_FACTORS = {"topics": 0, "difference": 1, "variance": 2}
_COUNTED_BINS = 10


def show(prediction: Prediction) -> None:
    """Write the rate with its interval, and the way to the tolerated one."""
    with st.container(key="answer", gap="xxsmall"):
        difference = frame.plain(f"{prediction.difference:g} {prediction.measure}")
        rate, interval = prediction.rate
        text = f"A difference of {difference} is reversed on :primary[{rate}] of other topic sets{interval}"
        frame.headline(text.replace(" %", "\N{NO-BREAK SPACE}%"))
        mark = f" :orange-badge[{prediction.limits}]" if prediction.limits else ""
        st.markdown(frame.plain(prediction.requirements) + mark)


def formula_in_words(answer: Answer) -> str:
    """Return how many topics Eq. 8 requires with the variance of these runs."""
    paired = pairs_of(answer.matrix).mean_paired_variance
    return f"{_topics(answer.prediction, paired)} by Eq. 8" if paired > 0 else "one topic is enough"


def show_two_runs(result: TwoRuns | None) -> None:
    """Write the comparison of two named runs."""
    if result is None:
        return
    with st.container(key="two-runs"):
        st.markdown(frame.plain(result.sentence))
    if result.interval is not None:
        st.markdown(f":small[{INTERVALS_HELD}]")


def how_counted(counted: ErrorRates) -> str:
    """Return the number of trials and the standard errors of the rates, in a sentence."""
    error = counted.largest_standard_error(_COUNTED_BINS)
    errors = "" if error is None else f", standard errors up to {percent(error)}"
    sizes = len(counted.cardinalities)
    text = f"{counted.n_trials:,} trials for each of {sizes} sizes, seed {counted.seed}{errors}."
    return " ".join(filter(None, (text, counted.sizes_in_words)))


def table(counted: ErrorRates) -> None:
    """Show error rates in per cent, one row per size."""
    frame.table(wide_table(counted), ".2f", width="content", alt="Error rates by topics and difference")


def design_by_formula(answer: Answer) -> None:
    """Show how many topics Eq. 8 requires, and its three factors."""
    prediction, pairs = answer.prediction, pairs_of(answer.matrix)
    paired, independent = pairs.mean_paired_variance, pairs.mean_independent_variance
    if paired <= 0:
        st.markdown("The differences between these runs are the same on every topic, so one topic is enough.")
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
        "Vary", list(_FACTORS), default="topics", required=True, key="error-rate/factor"
    )
    curve = factor_curves(**point)[_FACTORS[chosen]]  # type: ignore[arg-type]
    error = float(error_rate.reer(**point))
    drawn = error_by_factor(
        curve,
        value=point[curve.factor],
        error=error,
        measure=prediction.measure,
        mode=frame.chart_mode(),
    )
    figure.show(drawn)


def show_check(result: ExtrapolationCheck) -> None:
    """Show rates predicted from a part of the topics, and those observed on the rest."""
    st.markdown(
        f"Error rates of sets of {result.cardinality:,} topics: predicted from {result.n_topics_used:,} topics, "
        f"observed on the other {result.n_topics_left:,} (random split with seed {result.seed}). Observed rates "
        "have an error, too, so the last column is the difference in standard errors of both, on a log scale. "
        "Bins share topics, so their differences are correlated."
    )
    frame.table(check_table(result), ".3g", width="content", alt="Predicted and observed error rates")


def _topics(prediction: Prediction, variance: float) -> str:
    requirements = error_rate.Requirements(
        max_error=prediction.max_error, min_d=prediction.difference, difference_variance=variance
    )
    try:
        return f"**{error_rate.required_topics(requirements).required_topics:,}** topics"
    except NoSolution:
        return "more than ten million topics"
