"""Which ranks of a leaderboard are real: pairs resolved with one error probability, and the ranks they leave.

The true rank of a system is 1 plus the number of systems with a higher true mean. Of all ordered hypotheses "i is
not better than k", those are rejected whose step-down adjusted p value is at most alpha; then system i is in rank

    1 + number of systems resolved as better  ...  m - number of systems resolved as worse

and all these intervals hold at once with probability 1 - alpha (Mogstad, Romano, Shaikh and Wilhelm 2024). The
marginal interval of a system takes only the pairs that it is part of, and holds for this system alone.

**Reference distribution.** The signs of a whole topic's differences are flipped, for all pairs together (for two
systems this is Fisher's randomisation test). If the differences of truly equal systems are symmetric about 0 on
each topic, it is exact for any statistic. Step-down (Romano and Wolf 2005) removes only the direction that was
rejected: the opposite one stays in the maximum, which is what bounds the probability of a wrong direction. Where
2^n flips are few, all are enumerated. Else random ones are drawn, and the observed scores count as one more, p =
(1 + count) / (flips + 1): drawing never raises the error probability, but another seed gives slightly other p
values. Differences of scores of 0 and 1 are symmetric wherever means are equal. A flip has one sign per topic for
all pairs, so even there only the flips of two systems alone have a closed form (`chosen_systems`). Where topics
have groups, whole groups have signs: rows are sums over groups, and what holds of topics holds of groups, of any
sizes (simulation: docs/evidence/leaderboard.md). Few groups have few flips: with 5 no p value is below 2 / 2^5, and
nothing is resolved.

**Means.** Where topics have groups, systems are compared by the mean over topics, whose rows are sums over groups,
or by the mean of group means, whose rows are these means (`topicset_core.preparation.means`).

Seeds: flips come in blocks of `BLOCK_FLIPS`, and block b draws from its own
``numpy.random.SeedSequence(seed, spawn_key=(0, b))``. Counts are whole numbers, and each mean is added in the order
of the topics. Therefore the result is the same, bit for bit, for any number of workers.
"""

import math
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.rank_resolution.pairs import FEW_TOPICS, Floats, Pairs, Places, pairs_of, student
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.score_matrix import pair_of
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.exports.tables import Row
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import ALPHA, LOWER_IS_BETTER, SEED, ListParameter, Parameter, number_of_trials
from topicset_core.preparation.means import MEAN, USUAL_MEAN, mean_of, rows_of, system_means
from topicset_core.progress import ReportProgress, silently
from topicset_core.samples import simulated_task
from topicset_core.variance.clustered_differences import clustered_differences

N_TRIALS = number_of_trials(
    "How often the signs of topics are flipped at random; few topics are enumerated instead.",
    label="Sign flips",
    lower=100,
    default=20_000,
)

FLOOR = Parameter(
    name="floor",
    symbol="f",
    label="f, floor of the variance",
    help="Share of the mean variance that every pair gets in addition; 0 is Student's t.",
    upper=10.0,
    lower_included=True,
    default=0.5,
    step=0.1,
)

BLOCK_FLIPS = 1000
"""Flips that share a stream of random numbers."""

MOST_ENUMERATED = 20
"""Topics whose sign flips may be enumerated."""

_MOST_EVALUATIONS = 1_000_000_000  # flips x pairs of an enumeration: some seconds
_ENUMERATED_BLOCK = 4096
_PAIR_SECONDS, _SCORE_SECONDS = 1.7e-9, 4e-11  # per flip, on a core of 2026; only sizes previews
_ROUNDING = 1e-12
"""On the scale of w: flips that miss the statistic by less reach it."""

Family = tuple[Places, Places, Floats, Floats]
"""Winners, losers, c and thresholds of pairs by ascending statistic."""


FAMILYWISE = replace(
    ALPHA,
    label="α, familywise error rate",
    help="Probability of any wrong order among all pairs of systems.",
)

FAMILYWISE_ACHIEVED = 0.02, 0.17
"""How often systems with equal means had a resolved pair, nominally 5 %: least and most of all data."""

FAMILYWISE_NOTE = (
    "The rate is exact for systems whose scores could be exchanged. For 10 and 20 systems with equal means, but "
    f"different shapes of scores, it was {100 * FAMILYWISE_ACHIEVED[0]:g} to {100 * FAMILYWISE_ACHIEVED[1]:g} % "
    "on 10 to 50 topics, nominally 5 %."
)

TOP_K = Parameter(
    name="top_k",
    symbol="k",
    label="k, chosen before the scores were known",
    help="Another test: are the observed top k better than all other systems? Not valid for a k chosen afterwards.",
    lower=1,
    upper=1000,
    default=1,
    integer=True,
)

PAIR = ListParameter(
    name="pair",
    label="Two systems",
    help="Two systems by name: was that difference real?",
    placeholder="SYSTEM",
    size=2,
)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """What is asked of a matrix."""

    alpha: float = given(FAMILYWISE)
    n_trials: int = given(N_TRIALS)
    seed: int = given(SEED)
    floor: float = given(FLOOR)
    lower_is_better: bool = given(LOWER_IS_BETTER)
    mean: str | None = given(MEAN, unless=USUAL_MEAN)
    top_k: int | None = given(TOP_K, unless="none was chosen", read_off=True)
    pair: tuple[str, str] | None = given(PAIR, unless="none", read_off=True)

    def check_together(self) -> None:
        """Refuse so few flips that no pair could be resolved."""
        if (self.n_trials + 1) * self.alpha < 1:
            least = math.ceil(1 / self.alpha) - 1
            rule = f"must be at least {least:,} for alpha = {self.alpha:g}: p is never below 1 / (trials + 1)"
            raise InputError(N_TRIALS.name, self.n_trials, rule)


@dataclass(frozen=True, kw_only=True, eq=False)
class Resolution:
    """Ranks with their uncertainty. Systems are in the order of their means, the best first.

    Parameters
    ----------
    matrix : ScoreMatrix
        The scores, columns in that order.
    upright : ScoreMatrix
        What is flipped: these scores, or a row per whole group; negative ones where lower is better.
    request : Request
        The request, complete.
    n_flips : int
        Sign flips that were computed.
    enumerated : bool
        Whether these are all there are.
    pairs : Pairs
        Of the ordered matrix: `first` is the better or an equal one.
    statistic, adjusted_p : ndarray of float64, shape (n_pairs,)
        u of each pair, and its p value adjusted for all pairs.
    own_adjusted_p : ndarray of float64, shape (n_systems, n_systems)
        p values of row i adjusted for the pairs of system i only; 1 on the diagonal.
    critical : float
        u above which a pair is resolved in one step; step-down may go below it.
    """

    matrix: ScoreMatrix
    upright: ScoreMatrix = field(repr=False)
    request: Request
    n_flips: int
    enumerated: bool
    pairs: Pairs = field(repr=False)
    statistic: Floats = field(repr=False)
    adjusted_p: Floats = field(repr=False)
    own_adjusted_p: Floats = field(repr=False)
    critical: float

    @property
    def systems(self) -> tuple[str, ...]:
        """Names, the best first."""
        return self.matrix.systems

    @cached_property
    def means(self) -> Floats:
        """Mean score of each system, the best first, (n_systems,)."""
        return system_means(self.matrix, self.request.mean)

    @property
    def unit(self) -> str:
        """What has a sign of its own: a topic or, where topics have groups, a whole group."""
        return self.upright.unit

    @cached_property
    def standard_errors(self) -> tuple[Floats, float]:
        """Standard error of each difference and its degrees of freedom: of rows, or CR2 of a mean over topics."""
        if self.matrix.groups is None or self.request.mean == "groups":
            return np.sqrt(self.pairs.variance / self.pairs.n_topics), self.pairs.n_topics - 1
        clustered = clustered_differences(self.matrix)
        return np.where(self.pairs.is_constant, 0.0, clustered.standard_errors), clustered.df

    @property
    def n_pairs(self) -> int:
        """Pairs of systems."""
        return self.pairs.n_pairs

    @cached_property
    def is_resolved(self) -> NDArray[np.bool_]:
        """Whether the order of each pair is resolved, (n_pairs,)."""
        return self.adjusted_p <= self.request.alpha

    @property
    def n_resolved(self) -> int:
        """Resolved pairs."""
        return int(self.is_resolved.sum())

    @property
    def n_resolved_in_one_step(self) -> int:
        """Pairs with a statistic above the critical value."""
        return int(
            (np.abs(self.statistic) > self.critical).sum() + (self.is_resolved & self.pairs.is_constant).sum()
        )

    @cached_property
    def resolved(self) -> NDArray[np.bool_]:
        """Whether system i is resolved as better than k, (n_systems, n_systems)."""
        m = self.matrix.n_systems
        result = np.zeros((m, m), dtype=bool)
        result[self.pairs.first, self.pairs.second] = self.is_resolved
        return result

    @cached_property
    def ranks(self) -> Places:
        """Observed ranks from 1; equal means share the better one."""
        means = self.means
        step = np.r_[True, np.abs(np.diff(means)) > _ROUNDING * max(float(np.abs(means).max()), 1e-300)]
        return np.asarray(np.maximum.accumulate(np.where(step, np.arange(1, means.size + 1), 1)))

    @cached_property
    def lower(self) -> Places:
        """Best rank of each system, all systems together."""
        return np.asarray(1 + self.resolved.sum(axis=0))

    @cached_property
    def upper(self) -> Places:
        """Worst rank of each system, all systems together."""
        return np.asarray(self.matrix.n_systems - self.resolved.sum(axis=1))

    @cached_property
    def marginal_lower(self) -> Places:
        """Best rank of each system by itself."""
        return np.asarray(1 + np.tril(self._own_resolved, -1).sum(axis=1))

    @cached_property
    def marginal_upper(self) -> Places:
        """Worst rank of each system by itself."""
        return np.asarray(self.matrix.n_systems - np.triu(self._own_resolved, 1).sum(axis=1))

    @property
    def _own_resolved(self) -> NDArray[np.bool_]:
        return self.own_adjusted_p <= self.request.alpha

    def candidates(self, k: int = 1) -> tuple[str, ...]:
        """Return the systems that can be among the k best: they hold the true k best with probability 1 - alpha."""
        checked_k(self.matrix, k)
        return tuple(name for name, best in zip(self.systems, self.lower, strict=True) if best <= k)

    @cached_property
    def lines(self) -> tuple[tuple[int, int], ...]:
        """First and last place, from 1, of each longest run of systems without a resolved pair."""
        return lines_of(self.resolved)

    @cached_property
    def letters(self) -> tuple[str, ...] | None:
        """Letters of each system: two share one if they are not resolved; None where 26 letters are too few."""
        return letters_of(self.resolved)

    @cached_property
    def tied(self) -> tuple[tuple[str, str], ...]:
        """Pairs of systems with equal scores on every topic."""
        return self._named(self.pairs.tied)

    @cached_property
    def rests_on_few(self) -> tuple[Row, ...]:
        """Resolved pairs with a difference that rests on fewer than 8 topics, fewest first, with that number."""
        few = np.flatnonzero(self.is_resolved & (self.pairs.concentration < FEW_TOPICS))
        order = few[np.argsort(self.pairs.concentration[few], kind="stable")]
        return tuple(
            {"better": better, "worse": worse, "topics": float(self.pairs.concentration[place])}
            for (better, worse), place in zip(self._named(order), order, strict=True)
        )

    @property
    def smallest_p(self) -> float:
        """The smallest p value that these flips can give."""
        return 2 / self.n_flips if self.enumerated else 1 / (self.n_flips + 1)

    def place_of(self, first: str, second: str) -> int:
        """Return the place of a pair of systems among the pairs."""
        i, k = sorted(pair_of(self.systems, first, second))
        return i * self.matrix.n_systems - i * (i + 1) // 2 + k - i - 1

    def _named(self, which: NDArray[np.bool_] | Places) -> tuple[tuple[str, str], ...]:
        names = self.systems
        chosen = zip(self.pairs.first[which], self.pairs.second[which], strict=True)
        return tuple((names[i], names[k]) for i, k in chosen)


def checked_k(matrix: ScoreMatrix, k: int, most: int | None = None) -> int:
    """Return k, the number of best systems."""
    most = matrix.n_systems if most is None else most
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= most:
        raise InputError("top_k", k, f"must be a whole number from 1 to {most:,}")
    return int(k)


def resolve(
    matrix: ScoreMatrix,
    request: Request | None = None,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> Resolution:
    """Resolve the ranks of the systems of a matrix.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems; where topics have groups, whole groups are flipped.
    request : Request, optional
        The request; by default all pairs at alpha = .05 by 20,000 flips with the floor .5.
    report_progress : callable
        Takes the fraction done; raises to stop the work.
    executor : Executor, optional
        Where blocks of flips run; by default this thread.

    Raises
    ------
    InputError
        If there are fewer than 2 systems.

    Examples
    --------
    >>> from topicset_core.samples import simulated_task
    >>> resolution = resolve(simulated_task()[0], Request(n_trials=2000))
    >>> resolution.n_pairs, len(resolution.systems)
    (190, 20)
    """
    request = Request() if request is None else request
    request = replace(request, mean=mean_of(matrix, request.mean))
    order = np.argsort(-system_means(_upright(matrix, request), request.mean), kind="stable")
    named = matrix.taken(range(matrix.n_topics), order.tolist())
    ordered = _upright(rows_of(named, request.mean), request)
    pairs = pairs_of(ordered)
    scales = pairs.scales(request.floor)
    w = pairs.difference * scales
    all_pairs, places = _family(pairs, scales, w, np.flatnonzero(~pairs.is_constant))
    own, own_places = _own_families(pairs, scales, w)
    n, m = ordered.scores.shape
    enumerated = n <= MOST_ENUMERATED and 2**n * m * (m - 1) // 2 <= _MOST_EVALUATIONS
    n_flips = 2**n if enumerated else request.n_trials
    size = _ENUMERATED_BLOCK if enumerated else BLOCK_FLIPS
    values = ordered.scores - ordered.scores.mean(axis=1, keepdims=True)
    work = partial(_count, values, (*all_pairs, *own), None if enumerated else request.seed)
    tasks = [(block, min(size, n_flips - start)) for block, start in enumerate(range(0, n_flips, size))]
    counts, own_counts = np.zeros(places.size, np.int64), np.zeros(own_places.shape, np.int64)
    largest = []
    for _, result in in_batches(work, tasks, [float(n) for _, n in tasks], report_progress, executor):
        counts += result[0]
        own_counts += result[1]
        largest.append(result[2])
    add = 0 if enumerated else 1
    sign_test = np.minimum(1.0, pairs.n_pairs * 2.0 ** (1 - pairs.n_topics))
    adjusted = np.where(pairs.shifted, sign_test, 1.0)
    adjusted[places] = _monotone((add + counts) / (add + n_flips))
    return Resolution(
        matrix=named,
        upright=ordered,
        request=request,
        n_flips=n_flips,
        enumerated=enumerated,
        pairs=pairs,
        statistic=pairs.statistic(request.floor),
        adjusted_p=adjusted,
        own_adjusted_p=_own_p(pairs, own_counts, own_places, add, n_flips),
        critical=_critical(np.concatenate(largest), request.alpha, add, pairs.n_topics),
    )


def affordable_flips(matrix: ScoreMatrix, request: Request, seconds: float) -> int:
    """Return about how many flips `seconds` of CPU allow, at least 1,000 and at most those asked for."""
    per_flip = seconds_of_flips(matrix, 1)
    least = max(BLOCK_FLIPS, math.ceil(2 / request.alpha))
    return int(min(max(seconds / per_flip, least), request.n_trials))


def seconds_of_flips(matrix: ScoreMatrix, n_flips: int) -> float:
    """Return about how many CPU seconds flips of all pairs take."""
    n, m = matrix.n_topics, matrix.n_systems
    return n_flips * (_PAIR_SECONDS * m * (m - 1) / 2 + _SCORE_SECONDS * n * m)


def warm_up() -> None:
    """Compile the kernels by a small question."""
    from topicset_core.analyses.rank_resolution.discriminative_power import PowerRequest, randomised_ranges

    matrix = simulated_task()[0]
    resolve(matrix, Request(n_trials=100))
    randomised_ranges(matrix, PowerRequest(n_trials=1))


def _upright(matrix: ScoreMatrix, request: Request) -> ScoreMatrix:
    return replace(matrix, scores=-matrix.scores) if request.lower_is_better else matrix


def _signs(n_topics: int, seed: int | None, block: int, n_flips: int) -> NDArray[np.uint8]:
    """Return the signs of a block, eight topics per byte; all enumerated signs without a seed."""
    n_bytes = -(-n_topics // 8)
    if seed is None:
        patterns = np.arange(block * _ENUMERATED_BLOCK, block * _ENUMERATED_BLOCK + n_flips)
        return np.stack([(patterns >> 8 * byte & 255).astype(np.uint8) for byte in range(n_bytes)], axis=1)
    stream = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, block)))
    # Drawn whole and cut, so that the first flips do not depend on how many there are.
    return stream.integers(0, 256, size=(BLOCK_FLIPS, n_bytes), dtype=np.uint8)[:n_flips]


def _count(
    values: Floats, families: tuple[NDArray[np.generic], ...], seed: int | None, task: tuple[int, int]
) -> tuple[Places, Places, Floats]:
    """Return the counts of one block."""
    from topicset_core.analyses.rank_resolution.kernels import count_flips, flipped_means

    block, n_flips = task
    means = flipped_means(values, _signs(len(values), seed, block, n_flips))
    counts, own_counts, largest = count_flips(means, *families)
    return counts, own_counts, largest


def _family(pairs: Pairs, scales: Floats, w: Floats, which: Places) -> tuple[Family, Places]:
    """Return pairs by ascending statistic, the better system first, and their places."""
    order = which[np.argsort(np.abs(w[which]), kind="stable")]
    better = w[order] >= 0
    winners = np.where(better, pairs.first[order], pairs.second[order])
    losers = np.where(better, pairs.second[order], pairs.first[order])
    return (winners, losers, scales[order], np.abs(w[order]) - _ROUNDING), order


def _own_families(pairs: Pairs, scales: Floats, w: Floats) -> tuple[Family, Places]:
    """Return the same for the pairs of each system, one row per system; unused places have winner and place -1."""
    m = pairs.n_systems
    winners, losers, places = (np.full((m, m - 1), -1) for _ in range(3))
    own_scales, thresholds = np.zeros((m, m - 1)), np.zeros((m, m - 1))
    usable = np.flatnonzero(~pairs.is_constant)
    of_system: list[list[int]] = [[] for _ in range(m)]
    for place in usable[np.argsort(np.abs(w[usable]), kind="stable")].tolist():
        of_system[pairs.first[place]].append(place)
        of_system[pairs.second[place]].append(place)
    for system, result in enumerate(of_system):
        n = len(result)
        family, order = _family(pairs, scales, w, np.array(result, dtype=np.int64))
        winners[system, :n], losers[system, :n], own_scales[system, :n], thresholds[system, :n] = family
        places[system, :n] = order
    return (winners, losers, own_scales, thresholds), places


def _monotone(p: Floats) -> Floats:
    """Return p values of ascending statistics so that a larger statistic never has a larger one."""
    return np.asarray(np.maximum.accumulate(p[::-1])[::-1])


def _own_p(pairs: Pairs, counts: Places, places: Places, add: int, n_flips: int) -> Floats:
    """Return the p values within the family of each system, (n_systems, n_systems)."""
    m = pairs.n_systems
    result = np.ones((m, m))
    sign_test = min(1.0, (m - 1) * 2.0 ** (1 - pairs.n_topics))
    for i, k in zip(pairs.first[pairs.shifted], pairs.second[pairs.shifted], strict=True):
        result[i, k] = result[k, i] = sign_test
    for system in range(m):
        used = places[system][places[system] >= 0]
        p = _monotone((add + counts[system, : used.size]) / (add + n_flips))
        other = np.where(pairs.first[used] == system, pairs.second[used], pairs.first[used])
        result[system, other] = p
    return result


def _critical(largest: Floats, alpha: float, add: int, n_topics: int) -> float:
    """Return the largest statistic that is not resolved in one step: all above it have a p value up to alpha."""
    allowed = math.floor(alpha * (largest.size + add) * (1 + 1e-12)) - add
    w = float(np.sort(largest)[::-1][min(allowed, largest.size - 1)])
    return float(student(np.asarray(w + 0.0), n_topics))  # no largest statistic is -0


MOST_LETTERS = 26

_MOST_STEPS = 20_000
"""Of the search for cliques; beyond it there are far more than 26."""

Resolved = NDArray[np.bool_]


def lines_of(resolved: Resolved) -> tuple[tuple[int, int], ...]:
    """Return the longest runs of consecutive places without a resolved pair."""
    either = resolved | resolved.T
    m = len(either)
    lines: list[tuple[int, int]] = []
    last = 0
    for first in range(m):
        last = max(last, first)
        while last + 1 < m and not either[last + 1, first : last + 1].any():
            last += 1
        if not lines or last + 1 > lines[-1][1]:
            lines.append((first + 1, last + 1))
    return tuple(lines)


def letters_of(resolved: Resolved) -> tuple[str, ...] | None:
    """Return a compact letter display (Piepho 2004), of the maximal cliques of pairs that are not resolved."""
    m = len(resolved)
    if m > MOST_LETTERS:
        return None
    open_ = ~(resolved | resolved.T)
    near = [{k for k in range(m) if k != i and open_[i, k]} for i in range(m)]
    cliques = _cliques(near)
    if cliques is None or len(cliques) > MOST_LETTERS:
        return None
    ordered = sorted(sorted(clique) for clique in cliques)
    return tuple(
        "".join(chr(ord("a") + place) for place, clique in enumerate(ordered) if system in clique)
        for system in range(m)
    )


def _cliques(near: list[set[int]]) -> list[set[int]] | None:
    """Return all maximal cliques of a graph; None where the search is too long."""
    results: list[set[int]] = []
    waiting: list[tuple[set[int], set[int], set[int]]] = [(set(), set(range(len(near))), set())]
    steps = 0
    while waiting:
        steps += 1
        if steps > _MOST_STEPS:
            return None
        clique, may, done = waiting.pop()
        if not may and not done:
            results.append(clique)
            continue
        if not may:
            continue
        pivot = max(may | done, key=lambda system: len(near[system] & may))
        for system in sorted(may - near[pivot]):
            waiting.append((clique | {system}, may & near[system], done & near[system]))
            may = may - {system}
            done = done | {system}
    return results
