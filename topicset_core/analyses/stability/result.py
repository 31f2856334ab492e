"""How stable are scores over topics: variance components, E rho^2, Phi, and topics for a wanted value."""

from dataclasses import dataclass, replace
from functools import cached_property

from topicset_core.analyses.stability.intervals import Resamples, Signal, for_other_systems, topic_bootstrap
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import N_TOPICS, SEED, Parameter
from topicset_core.variance.components import Coefficient, Components, without_rounding
from topicset_core.variance.sums_of_squares import mean_squares

STABILITY = Parameter(
    name="stability",
    symbol="r",
    label="Required stability",
    help="E ρ² for the ranking, Φ for the means; .95 is usual.",
    lower=0.0,
    upper=1.0,
    upper_included=False,
    default=0.95,
    step=0.01,
)

LEVEL = Parameter(
    name="level",
    symbol="1 − α",
    label="Level of intervals",
    help="Confidence level of the intervals of both coefficients.",
    lower=0.0,
    upper=1.0,
    upper_included=False,
    default=0.95,
    step=0.01,
)

N_TRIALS = Parameter(
    name="n_trials",
    command_name="trials",
    symbol="trials",
    label="Resamples of topics",
    help="For the bootstrap intervals.",
    lower=100,
    upper=1_000_000,
    default=2000,
    step=1000,
    integer=True,
)


TOPICS = replace(
    N_TOPICS, command_name="topics", label="Topics", help="Topics that the coefficients are for."
)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """What is asked of a matrix."""

    stability: float = given(STABILITY)
    level: float = given(LEVEL)
    n_trials: int = given(N_TRIALS)
    seed: int = given(SEED)
    n_topics: int | None = given(TOPICS, unless="as scored")


@dataclass(frozen=True, kw_only=True)
class CoefficientStudy:
    """One coefficient."""

    name: Coefficient  # E rho^2 or Phi
    value: float  # estimate, 0 to 1
    # Interval for other systems too, by jackknife
    low: float
    high: float
    # Interval for these systems on other topics, by bootstrap
    low_of_these: float
    high_of_these: float
    topics: int | None  # fewest topics that reach the required value
    # The same by the ends of the first interval
    topics_low: int | None
    topics_high: int | None
    # The same by the ends of the bootstrap interval
    topics_low_of_these: int | None
    topics_high_of_these: int | None


@dataclass(frozen=True, kw_only=True)
class Stability:
    """A generalizability study of one matrix.

    Parameters
    ----------
    matrix : ScoreMatrix
        The scores.
    request : Request
        The request.
    components : Components
        Variance components.
    relative_signal, absolute_signal : Signal
        Intervals of s / e and s / (q + e) for other systems too.
    resamples : Resamples
        Components in resamples of the topics.
    """

    matrix: ScoreMatrix
    request: Request
    components: Components
    relative_signal: Signal
    absolute_signal: Signal
    resamples: Resamples

    @property
    def n_topics(self) -> int:
        """Topics that the coefficients are for."""
        return self.matrix.n_topics if self.request.n_topics is None else int(self.request.n_topics)

    @cached_property
    def relative(self) -> CoefficientStudy:
        """E rho^2: the ranking."""
        return self._study("relative", self.relative_signal, self.resamples.relative(self.request.level))

    @cached_property
    def absolute(self) -> CoefficientStudy:
        """Phi: the means themselves."""
        return self._study("absolute", self.absolute_signal, self.resamples.absolute(self.request.level))

    def _study(self, name: Coefficient, sampled: Signal, bootstrap: Signal) -> CoefficientStudy:
        target = self.request.stability
        (low, high), (own_low, own_high) = (_cut(one, self.n_topics) for one in (sampled, bootstrap))
        fewest, most = sampled.topics(target)
        own_fewest, own_most = bootstrap.topics(target)
        return CoefficientStudy(
            name=name,
            value=self.components.coefficient(self.n_topics, name),
            low=low,
            high=high,
            low_of_these=own_low,
            high_of_these=own_high,
            topics=self.components.topics_for(target, name),
            topics_low=fewest,
            topics_high=most,
            topics_low_of_these=own_fewest,
            topics_high_of_these=own_most,
        )


def _cut(signal: Signal, n_topics: int) -> tuple[float, float]:
    low, high = signal.coefficients(n_topics)
    return min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)


def stability(matrix: ScoreMatrix, request: Request | None = None) -> Stability:
    """Study how stable the scores of a matrix are over topics.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems.
    request : Request, optional
        The request; by default a stability of .95 and 95 % intervals.

    Raises
    ------
    InputError
        If there are fewer than 2 systems, or all scores are equal.

    Examples
    --------
    >>> from topicset_core.samples import simulated_task
    >>> found = stability(simulated_task()[0])
    >>> found.components.n_systems, found.relative.value > found.absolute.value
    (20, True)
    """
    request = Request() if request is None else request
    squares = without_rounding(mean_squares(matrix))
    if squares.total_sum == 0:
        raise InputError("scores", "all equal", "must differ: equal scores have no variance components")
    relative, absolute = for_other_systems(matrix, squares, request.level)
    return Stability(
        matrix=matrix,
        request=request,
        components=Components.from_mean_squares(squares),
        relative_signal=relative,
        absolute_signal=absolute,
        resamples=topic_bootstrap(matrix, n_trials=request.n_trials, seed=request.seed),
    )
