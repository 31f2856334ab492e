"""The request: which subsets of a matrix to evaluate, by which method, and the bounds of its numbers.

`PARAMETERS` are the numbers of a request by the names of its fields. The request checks with them, and the page
and the command line make their fields and options from them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Literal, get_args

from topicset_core.analyses.topic_subsets.goodness import Goodness, measure_of
from topicset_core.errors import InputError
from topicset_core.execution.sizes import default_sizes, log_spaced
from topicset_core.parameters import MOST_TOPICS, SEED, Parameter

Method = Literal["auto", "exact", "exhaustive", "local", "guiver"]

TARGET = Parameter(
    name="target",
    symbol="target",
    label="Target agreement",
    help="Agreement that subsets should reach; r = .95 in Guiver et al.",
    lower=-1.0,
    upper=1.0,
    lower_included=True,
    default=0.95,
    step=0.01,
)

CARDINALITY = Parameter(
    name="cardinality",
    symbol="c",
    label="c, topics in a subset",
    help="Subset size for the 10 best and 10 worst subsets; 12 in Guiver et al.",
    lower=1,
    upper=MOST_TOPICS,
    default=12,
    integer=True,
)

N_TRIALS = Parameter(
    name="n_trials",
    symbol="trials",
    label="Random subsets of each size",
    help="Used for the bands, and for averages that are not exact.",
    lower=2,
    upper=1_000_000,
    default=10_000,
    step=1000,
    integer=True,
)

NODES = Parameter(
    name="nodes",
    symbol="nodes",
    label="Most nodes per proof",
    help="A proof that needs more nodes gives a bound only. Scores with 50 topics have needed up to 19 million.",
    lower=1,
    upper=10**12,
    default=50_000_000,
    step=10_000_000,
    integer=True,
)

PARAMETERS = (N_TRIALS, SEED, NODES)
"""Numbers that the user may set, in the order of the form."""

MOST_PROVED = 128
"""Topics of which subsets are proved; a set-up grows with their fourth power."""

PREVIEW_SECONDS = 0.4
"""That somebody waits without a thought."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One question about the subsets of a matrix.

    Parameters
    ----------
    goodness : {"pearson", "kendall", "error-rate"}
        How subsets are evaluating.
    cardinalities : tuple of int
        Sizes of the subsets, ascending, each once.
    method : {"auto", "exact", "exhaustive", "local", "guiver"}
        ``exhaustive`` evaluates all subsets; ``local`` exchanges topics from many starts; ``guiver`` is the
        paper's heuristic; ``auto`` evaluates all where that is quick, else searches. ``exact`` goes on from
        ``auto`` and proves results of local search by branch and bound, or gives a bound on all sets. That is for
        Pearson's correlation on up to 128 topics; no bound is known for pairs of runs, where ``exact`` is
        ``exhaustive``.
    n_trials : int
        Random subsets of each cardinality behind percentiles, and behind means that are not exact.
    seed : int
        Of random subsets and starts.
    effort : float
        CPU seconds for local search over all cardinalities, about; more means more random starts.
    nodes : int
        With ``exact``: parts of the tree that branch and bound evaluates per proof, for each cardinality and side,
        at most. Sets of fifty topics took up to 19 million on 14 real matrices, at some million a second; the
        best sets of a hundred topics mostly end as a gap.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """

    goodness: Goodness
    cardinalities: tuple[int, ...]
    method: Method = "auto"
    n_trials: int = int(N_TRIALS.default)
    seed: int = int(SEED.default)
    effort: float = 15.0
    nodes: int = int(NODES.default)

    def __post_init__(self) -> None:
        measure_of(self.goodness)
        if self.method not in get_args(Method):
            raise InputError("method", self.method, f"must be one of {', '.join(get_args(Method))}")
        for parameter in PARAMETERS:
            if parameter is SEED:  # Python takes larger ones than links do
                _check_whole(SEED.name, self.seed, SEED.lower)
            else:
                value = parameter.check(getattr(self, parameter.name))
                object.__setattr__(self, parameter.name, int(value))
        if not 0 <= self.effort <= 1e6:
            raise InputError("effort", self.effort, "must be from 0 to 1,000,000 seconds")
        if not self.cardinalities:
            raise InputError("cardinality", self.cardinalities, "must be at least one number of topics")
        for cardinality in self.cardinalities:
            _check_whole(CARDINALITY.name, cardinality, CARDINALITY.lower)
        object.__setattr__(self, "cardinalities", tuple(sorted({int(c) for c in self.cardinalities})))

    def check(self, n_topics: int) -> None:
        """Check against the number of topics of a matrix."""
        replace(CARDINALITY, upper=n_topics).check(self.cardinalities[-1])
        if self.method == "exact" and self.goodness == "pearson" and n_topics > MOST_PROVED:
            rule = f"is for up to {MOST_PROVED} topics, not {n_topics:,}; choose auto"
            raise InputError("method", self.method, rule)


def _check_whole(name: str, value: object, least: float) -> None:
    """Raise where a value is not a whole number of at least that."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or int(value) < least:  # type: ignore[call-overload]
        raise InputError(name, value, f"must be a whole number from {least}")


def default_cardinalities(n_topics: int, *, always: Iterable[int] = ()) -> tuple[int, ...]:
    """Return all cardinalities, or of more than 100 topics log-spaced ones: see `execution.sizes`."""
    return default_sizes(n_topics, n_topics, always=always)


def size_below(limit: int, requested: int) -> int:
    """Return the size asked for, or half of the limit where it is not below: of all there is but one set."""
    return requested if requested < limit else max(1, limit // 2)


def cardinalities_of(text: str) -> tuple[int, ...]:
    """Read "1-50", "5,10,20" or both mixed."""
    result: set[int] = set()
    for part in text.split(","):
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InputError("cardinality", text, 'must be numbers and ranges like "1-10,20,30"')
        low, high = int(first), int(last) if dash else int(first)
        if not 1 <= low <= high <= 1_000_000:
            raise InputError("cardinality", text, "must be ascending ranges of whole numbers from 1")
        result.update(range(low, high + 1))
    return tuple(sorted(result))


_LONGEST_PREVIEW = 4 * PREVIEW_SECONDS  # for a coarse grid, where a finer one takes longer still
_FINE, _COARSE = 1.2, 1.5


def preview_cardinalities(
    seconds_of: Callable[[int], float], n_topics: int, cardinality: int
) -> tuple[int, ...] | None:
    """Return the sizes of a preview, ascending; None where even few of them take too long.

    All of them where that is quick, else fewer and fewer, evenly over the whole range: a curve that is known at
    small sizes only would be read across wrongly.
    """
    for sizes, seconds in (
        (default_cardinalities(n_topics), PREVIEW_SECONDS),
        (log_spaced(n_topics, _FINE), PREVIEW_SECONDS),
        (log_spaced(n_topics, _COARSE), _LONGEST_PREVIEW),
    ):
        cardinalities = tuple(sorted({*sizes, cardinality}))
        if sum(map(seconds_of, cardinalities)) <= seconds:
            return cardinalities
    return None
