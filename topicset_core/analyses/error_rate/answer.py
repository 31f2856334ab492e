"""The whole analysis of one matrix: a difference judged, the experiment behind it, theory over it."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property

from topicset_core.analyses.error_rate.experiment import (
    DEFAULT_TRIALS,
    ErrorRates,
    ExponentialFit,
    curve_sizes,
    error_rates,
    exponential_fits,
)
from topicset_core.analyses.error_rate.prediction import Prediction, Predictor, predict
from topicset_core.analyses.error_rate.theory import Theory, theory
from topicset_core.analyses.error_rate.two_runs import TwoRuns, two_runs
from topicset_core.collection import ScoreMatrix
from topicset_core.parameters import MAX_ERROR
from topicset_core.progress import ReportProgress, silently

DEFAULT_DIFFERENCE = 0.05


@dataclass(frozen=True, kw_only=True)
class Request:
    """The request for a matrix; checked when it is answered, as limits depend on the matrix.

    Parameters
    ----------
    difference : float
        Difference between two runs, above 0, in units of the measure.
    n_topics : int, optional
        Topics on which it was observed, from 1; by default the topics of the matrix.
    max_error : float
        Error rate that is tolerated, above 0 and below .5.
    cardinalities : sequence of int, optional
        Topics in each set of the experiment; by default 1, 2, ... half the topics, with more than 100 topics
        log-spaced ones and `n_topics`.
    n_trials, seed : int
        Pairs of sets for each cardinality, and the seed.
    with_replacement : bool
        Draw topics with replacement: a bootstrap.
    runs_pair : (str, str), optional
        Two runs to be compared by name.
    """

    difference: float = DEFAULT_DIFFERENCE
    n_topics: int | None = None
    max_error: float = MAX_ERROR.default
    cardinalities: Sequence[int] | None = None
    n_trials: int = DEFAULT_TRIALS
    seed: int = 0
    with_replacement: bool = False
    runs_pair: tuple[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """All that was found for one matrix.

    Parameters
    ----------
    matrix : ScoreMatrix
        The scores.
    prediction : Prediction
        Error rate at the given difference, and the requirements for the tolerated one.
    counted : ErrorRates
        The experiment.
    expected : Theory
        What theory expects of it.
    two_runs : TwoRuns, optional
        Facts about the two runs that were named.
    """

    matrix: ScoreMatrix
    prediction: Prediction
    counted: ErrorRates
    expected: Theory
    two_runs: TwoRuns | None = None

    @cached_property
    def fits(self) -> tuple[ExponentialFit | None, ...]:
        """The exponential of each of the 21 bins; fitted when it is asked for."""
        return exponential_fits(self.counted)


def error_rate(
    matrix: ScoreMatrix,
    request: Request,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> Answer:
    """Answer a request about one matrix.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 runs that are not identical.
    request : Request
        The request.
    report_progress : callable
        Takes the fraction of the experiment that is done; raises to stop the work.
    executor : Executor, optional
        Where the experiment runs; by default this thread.

    Raises
    ------
    InputError
        If a value breaks its rule, there are fewer than 2 runs, or all of them are identical.
    """
    predictor = Predictor(matrix)
    named = None
    if request.runs_pair is not None:
        named = two_runs(predictor, *request.runs_pair, n_topics=request.n_topics)
    prediction = predict(
        predictor,
        n_topics=matrix.n_topics if request.n_topics is None else request.n_topics,
        difference=request.difference,
        max_error=request.max_error,
    )
    sizes = request.cardinalities
    if sizes is None:
        sizes = curve_sizes(matrix.n_topics, always=(prediction.n_topics,))
    counted = error_rates(
        matrix,
        cardinalities=sizes,
        n_trials=request.n_trials,
        seed=request.seed,
        with_replacement=request.with_replacement,
        report_progress=report_progress,
        executor=executor,
    )
    expected = theory(matrix, counted.cardinalities)
    return Answer(matrix=matrix, prediction=prediction, counted=counted, expected=expected, two_runs=named)
