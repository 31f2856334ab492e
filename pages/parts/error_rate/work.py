"""Error rates of the chosen scores: a quick preview, the whole experiment in the background.

Keys of what is kept are scalars and the digest of the scores.
"""

from pages.parts.computation import Computation, Job, kept
from pages.parts.error_rate.form import PAGE, Settings
from topicset_core.analyses.error_rate.experiment import (
    ErrorRates,
    affordable_trials,
    curve_sizes,
    error_rates,
    estimated_seconds,
)
from topicset_core.analyses.error_rate.extrapolation import (
    FEWEST_TOPICS,
    ExtrapolationCheck,
    check_extrapolation,
)
from topicset_core.analyses.error_rate.prediction import Prediction, Predictor, Surface, predict, surface
from topicset_core.analyses.error_rate.theory import Theory, theory
from topicset_core.analyses.error_rate.two_runs import TwoRuns, two_runs
from topicset_core.collection import ScoreMatrix
from topicset_core.parameters import MAX_ERROR, MIN_D, SEED

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


def can_be_checked(settings: Settings) -> bool:
    """Return whether there are topics enough to cut in two."""
    return settings.matrix.n_topics >= FEWEST_TOPICS


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
