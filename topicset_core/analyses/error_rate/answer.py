"""The whole analysis of one matrix: a difference judged, the experiment behind it, theory over it."""

from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property

from topicset_core.analyses.error_rate.experiment import (
    LARGEST_SET,
    N_TRIALS,
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
from topicset_core.designs.error_rate import SET_SIZE
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import MAX_ERROR, MIN_D, SEED, ListParameter, Parameter, SwitchParameter
from topicset_core.progress import ReportProgress, silently

DIFFERENCE = replace(
    MIN_D,
    label="Observed difference between two runs",
    help="The observed difference of their mean scores, in units of the measure.",
    default=0.05,
)

TOPICS = replace(
    SET_SIZE,
    command_name="topics",
    label="n, topics on which it was observed",
    help="Topics on which the difference was observed, compared with as many new topics. May exceed the topics you "
    "uploaded.",
)

BOOTSTRAP = SwitchParameter(
    name="bootstrap",
    command_name="with-replacement",
    label="Bootstrap",
    help="Draws each topic set with replacement (Sakai 2006), so sets can be larger than half of the topics. "
    "Topics repeat within and between the sets, so error rates tend to be lower than on new topics.",
)

CARDINALITIES = ListParameter(
    name="cardinalities",
    label="Topics in a set",
    help="Sizes of the sets of the experiment.",
    placeholder="C",
    item=Parameter(
        name="cardinalities",
        symbol="c",
        label="",
        help="",
        lower=1,
        upper=LARGEST_SET,
        default=1,
        integer=True,
    ),
)

RUNS_PAIR = ListParameter(
    name="runs_pair",
    label="Two runs by name",
    help="Their difference, how often other topics reverse it, and the power of a paired t test with that "
    "number of topics.",
    placeholder="RUN",
    size=2,
)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """What is asked of a matrix; limits that depend on the matrix are checked with it."""

    difference: float = given(DIFFERENCE, read_off=True)
    n_topics: int | None = given(TOPICS, unless="the topics of the scores")
    max_error: float = given(MAX_ERROR, read_off=True)
    n_trials: int = given(N_TRIALS)
    seed: int = given(SEED)
    with_replacement: bool = given(BOOTSTRAP)
    cardinalities: tuple[int, ...] | None = given(
        CARDINALITIES,
        unless="1 to half the topics and 10,000 at most, of more than 100 topics log-spaced sizes",
    )
    runs_pair: tuple[str, str] | None = given(RUNS_PAIR, unless="none", read_off=True)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """All that was found for one matrix.

    Parameters
    ----------
    request : Request
        The complete request.
    predictor : Predictor
        What predictions are made with.
    counted : ErrorRates
        The experiment.
    expected : Theory
        What theory expects of it.
    """

    request: Request
    predictor: Predictor = field(repr=False)
    counted: ErrorRates
    expected: Theory

    def read_off(self, request: Request) -> "Answer":
        """Return the same for another difference, tolerated error rate, or pair of runs."""
        found = replace(self, request=request)
        _ = found.two_runs  # refuses here
        return found

    @property
    def matrix(self) -> ScoreMatrix:
        """The scores."""
        return self.predictor.matrix

    @cached_property
    def prediction(self) -> Prediction:
        """Error rate at the given difference, and the requirements for the tolerated one."""
        request = self.request
        return predict(
            self.predictor,
            n_topics=request.n_topics or self.matrix.n_topics,
            difference=request.difference,
            max_error=request.max_error,
        )

    @cached_property
    def two_runs(self) -> TwoRuns | None:
        """Facts about the two runs that were named."""
        pair = self.request.runs_pair
        return pair and two_runs(self.predictor, *pair, n_topics=self.request.n_topics)

    @cached_property
    def fits(self) -> tuple[ExponentialFit | None, ...]:
        """The exponential of each of the 21 bins; fitted when it is asked for."""
        return exponential_fits(self.counted)


def complete(matrix: ScoreMatrix, request: Request) -> Request:
    """Return the request with the topics and the sizes that follow from the scores."""
    n_topics = matrix.n_topics if request.n_topics is None else request.n_topics
    sizes = request.cardinalities
    if sizes is None:
        sizes = curve_sizes(matrix.n_topics, with_replacement=request.with_replacement, always=(n_topics,))
    return replace(request, n_topics=n_topics, cardinalities=sizes)


def compute(
    matrix: ScoreMatrix,
    request: Request,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> Answer:
    """Answer a complete request about one matrix, but for what is read off."""
    predictor = Predictor(matrix)
    counted = error_rates(
        matrix,
        cardinalities=request.cardinalities or (),
        n_trials=request.n_trials,
        seed=request.seed,
        with_replacement=request.with_replacement,
        report_progress=report_progress,
        executor=executor,
    )
    expected = theory(matrix, counted.cardinalities)
    return Answer(request=request, predictor=predictor, counted=counted, expected=expected)


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
    request = complete(matrix, request)
    found = compute(matrix, request.computed(), report_progress=report_progress, executor=executor)
    return found.read_off(request)
