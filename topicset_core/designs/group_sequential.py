"""How many topics for a paired t test that may be made several times on a growing topic set?

Two systems run on the same topics. The test is made at K looks planned beforehand and stops at the first
significant one, so that on average fewer topics are scored. The error probability over all looks is alpha.

Model: as of `paired_t`. At look k with n_k topics the test is significant if |t| >= t_inv(n_k - 1; p_k),
where p_k = 2 (1 - Phi(c_k)) is the nominal p value of the normal boundary c_k of `boundaries`. (Comparing t
itself with c_k gives a Type I error probability of .06 to .09 instead of .05.)

The last look is at the least N whose power reaches 1 - beta, searched from R times the topics of the paired
t test (R as in Jennison and Turnbull, Group Sequential Methods with Applications to Clinical Trials, 2000); look k
is at the fraction t_k of N, rounded up. No look is made at fewer than 5 topics, except the last. The boundaries
are those of the fractions planned; with looks rounded up, the error is alpha at most.

The power at each look alone is exact (noncentral t). How looks depend on each other is as of normal
statistics with the topics as rounded, which in simulations gives 0 to .7 points less power than the t tests have.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs import paired_t
from topicset_core.designs.boundaries import (
    Crossing,
    Spending,
    boundaries_of,
    crossing,
    drift_alone,
    drift_for,
)
from topicset_core.designs.design import detects
from topicset_core.designs.distributions import critical_t, noncentral_f_tail, normal_cdf, upper_normal
from topicset_core.designs.power_search import PowerDesign
from topicset_core.designs.requirements import PowerRequirements, checked_topics, counted_topics
from topicset_core.designs.results import Method, PowerResult, check_exact
from topicset_core.designs.search import (
    Booleans,
    Floats,
    Integers,
    equal_groups,
    fewest_groups,
    fewest_topics,
    root_below,
    smallest_integers,
)
from topicset_core.errors import InputError
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    LOOKS,
    MIN_D,
    SPENDING,
    check_error_probabilities,
)
from topicset_core.references import LAN_DEMETS_1983, OBRIEN_FLEMING_1979, POCOCK_1977
from topicset_core.wording import counted, joined

SMALLEST_ALPHA = 1e-6
"""Below it the boundaries of early looks lie where the quadrature has no digits left."""
N_TRIALS, SEED = 100_000, 0
"""Simulated evaluations that check a plan, and their seed."""
FEWEST_AT_LOOK, FEWEST_AT_FIRST = 5, 20
"""Looks at fewer topics are left out; a first look at fewer gets a note."""
_ON_REAL_RUNS = {5: (8.8, 10.4), 7: (8.0, 9.4), 10: (7.3, 8.4), 15: (6.7, 7.6)}
"""Per cent of pairs significant without a difference, at alpha = 5 %: by topics at the first of three equal
looks, with O'Brien and Fleming's boundary and with Pocock's (docs/evidence/designs.md)."""


def fractions_of(looks: object) -> tuple[float, ...]:
    """Return the fractions of the topics at which the looks are."""
    if not isinstance(looks, tuple | list):
        n_looks = int(LOOKS.check(looks))
        return tuple((k + 1) / n_looks for k in range(n_looks))
    rule = "must be 2 to 5 rising fractions above 0, the last of them 1"
    numbers = [look for look in looks if isinstance(look, int | float) and not isinstance(look, bool)]
    result = tuple(map(float, numbers))
    rising = all(first < second for first, second in zip((0.0, *result), result, strict=False))
    if len(result) != len(looks) or not (
        LOOKS.lower <= len(result) <= LOOKS.upper and rising and result[-1] == 1
    ):
        raise InputError(LOOKS.name, looks, rule)
    return result


@dataclass(frozen=True, kw_only=True)
class Requirements(PowerRequirements):
    """Requirements of the test, with its looks.

    Parameters
    ----------
    alpha, beta : float
        Error probabilities over all looks, 1e-6 <= alpha < 1 and 0 < beta < 1 - alpha.
    looks : int or tuple of float
        2 to 5 looks at equal distances, or the fractions of the topics at which they are, the last of them 1.
    spending : {"obrien-fleming", "pocock", "lan-demets-of", "lan-demets-pocock"}
        How alpha is divided over the looks.
    """

    difference_variance: float | None = None
    looks: int | tuple[float, ...] = 3
    spending: Spending = "obrien-fleming"

    def __post_init__(self) -> None:
        super().__post_init__()
        fractions_of(self.looks)
        SPENDING.check(self.spending)
        _check_alpha(self.alpha)

    @property
    def fractions(self) -> tuple[float, ...]:
        """The fractions of the topics at which the looks are."""
        return fractions_of(self.looks)


@dataclass(frozen=True, kw_only=True)
class Looks(PowerResult):
    """The topics at each look and the critical values there.

    Attributes
    ----------
    topics : tuple of int
        Topics at each look; the last are `required_topics`. Planned looks at fewer than 5 topics are left out.
    critical_t : tuple of float
        The test stops with a significant difference at the first look with ``abs(t)`` at or above this.
    nominal_p : tuple of float
        The same as a two-sided p value.
    boundaries : tuple of float
        The same for a normal statistic, as in printed tables.
    fixed_topics : int
        Topics of the paired t test without looks.
    inflation : float
        R, topics of the last look over those of a fixed design with known variance.
    expected_topics, expected_topics_null : float
        Expected topics if the true difference is minDelta, and if it is 0.
    attained_power : float
        Probability of a significant result in either direction.
    power_upper : float
        The same in the direction of the difference only, which Jennison and Turnbull call the power.
    simulated_alpha, simulated_power : float
        Share of simulated evaluations with a significant result, without a difference and with minDelta.
    n_trials, seed : int
        Simulated evaluations, and the seed of their random numbers.
    """

    topics: tuple[int, ...]
    critical_t: tuple[float, ...]
    nominal_p: tuple[float, ...]
    boundaries: tuple[float, ...]
    fixed_topics: int
    inflation: float
    expected_topics: float
    expected_topics_null: float
    power_upper: float
    simulated_alpha: float
    simulated_power: float
    n_trials: int
    seed: int

    @property
    def in_words(self) -> str:
        """The looks, a line each, and the expected topics."""
        lines = [
            f"look {k} at {n} {self.unit}s: stop if |t| >= {t:.4f} (p <= {p:.6f})"
            for k, (n, t, p) in enumerate(zip(self.topics, self.critical_t, self.nominal_p, strict=True), 1)
        ]
        lines.append(
            f"expected {self.unit}s {self.expected_topics:.1f} (without a difference "
            f"{self.expected_topics_null:.1f}); without looks {self.fixed_topics}"
        )
        lines.append(
            f"{self.n_trials:,} simulated evaluations: Type I error {self.simulated_alpha:.4f}, power "
            f"{self.simulated_power:.4f} (standard errors {self.standard_error(self.simulated_alpha):.4f}, "
            f"{self.standard_error(self.simulated_power):.4f})"
        )
        return "\n".join(lines)

    @property
    def about_test(self) -> str:
        """The looks and their critical values."""
        requirements: Requirements = self.requirements
        reached = joined([f"{t:.3f}" for t in self.critical_t])
        error, power = (
            f"{100 * share:.2f} % (standard error {100 * self.standard_error(share):.2f} points)"
            for share in (self.simulated_alpha, self.simulated_power)
        )
        return (
            f"The test is made with {joined([f'{n:,}' for n in self.topics])} {self.unit}s and stops where |t| "
            f"reaches {reached} ({SPENDING.options[requirements.spending]} boundary, "
            f"nominal p values as critical values of t); {self.expected_topics:.1f} {self.unit}s are expected "
            f"if the difference is minD, {self.expected_topics_null:.1f} if the difference is 0; one test at the "
            f"end takes {self.fixed_topics:,}. In {self.n_trials:,} simulated evaluations the Type I error was "
            f"{error}, the power {power}."
        )

    @property
    def rounds(self) -> dict[str, tuple[float, ...]]:
        """A row per look."""
        return {
            "look": tuple(range(1, len(self.topics) + 1)),
            f"{self.unit}s": self.topics,
            "critical |t|": self.critical_t,
            "nominal p": self.nominal_p,
            "normal boundary": self.boundaries,
        }

    def standard_error(self, share: float) -> float:
        """Return the standard error of a simulated share."""
        return math.sqrt(share * (1 - share) / self.n_trials)


def required_topics(requirements: Requirements, *, method: Method = "exact", size_cv: float = 0.0) -> Looks:
    """Return the topics of each look, the last of which meet the requirements.

    Parameters
    ----------
    requirements : Requirements
        Requirements of the test, with its looks.
    method : {"exact"}
        There is no other.
    size_cv : float
        Coefficient of variation of the sizes of groups, where topics are groups of unequal size.

    Raises
    ------
    InputError
        For another method.
    NoSolution
        If more than ten million topics would be needed.

    Examples
    --------
    >>> found = required_topics(Requirements(alpha=0.05, beta=0.20, min_delta=0.3, looks=2))
    >>> found.topics, [round(t, 3) for t in found.critical_t], round(found.inflation, 4)
    ((45, 90), [2.943, 2.005], 1.0078)
    """
    effect = requirements.effect_size
    given: dict[str, Any] = {"looks": requirements.looks, "spending": requirements.spending}
    errors: dict[str, Any] = {"alpha": requirements.alpha, "beta": requirements.beta}
    last = int(required_topics_grid(effect, **errors, **given))
    fixed = int(paired_t.required_topics_grid(effect, **errors))
    tests = _test(requirements.alpha, method, **given, size_cv=size_cv)
    if size_cv:
        target, alpha = 1 - requirements.beta, requirements.alpha

        def meets(n: Integers, _: Integers) -> Booleans:
            return np.asarray([tests.power(int(n[0]), effect) >= target], dtype=np.bool_)

        def meets_once(n: Integers, _: Integers) -> Booleans:
            return paired_t.power(n, effect, alpha=alpha, size_cv=size_cv) >= target

        last, fixed = (
            int(fewest_groups(*search, size_cv)) for search in ((meets, last), (meets_once, fixed))
        )
    looks = tests.up_to(last)
    crossed = looks.crossing(effect)
    critical = tuple(looks.critical.tolist())
    counted_as = looks.counted_as if size_cv else looks.topics
    null, true = (simulate(counted_as, critical, drift) for drift in (0.0, effect))
    return Looks(
        design=requirements.design.name,
        method=method,
        requirements=requirements,
        required_topics=last,
        attained_power=tests.power(last, effect),
        power_one_topic_fewer=tests.power(last - 1, effect) if last > fewest_topics(size_cv) else None,
        effect_size=effect,
        notes=_notes(requirements, looks, float(crossed.upper.sum())),
        topics=looks.topics,
        critical_t=critical,
        nominal_p=tuple(looks.nominal.tolist()),
        boundaries=looks.boundaries,
        fixed_topics=fixed,
        inflation=inflation(**given, **errors),
        expected_topics=_expected(looks.topics, crossed.stopped),
        expected_topics_null=_expected(looks.topics, looks.crossing(0.0).stopped),
        power_upper=float(crossed.upper.sum()),
        simulated_alpha=null,
        simulated_power=true,
        n_trials=N_TRIALS,
        seed=SEED,
    )


def inflation(
    looks: int | tuple[float, ...] = 3, spending: Spending = "obrien-fleming", *, alpha: float, beta: float
) -> float:
    """Return R, the largest topics of a test with looks over those of one without, at known variance."""
    check_error_probabilities(alpha, beta)
    _check_alpha(alpha)
    SPENDING.check(spending)
    fractions = fractions_of(looks)
    boundaries = boundaries_of(fractions, spending, alpha)
    fixed = drift_for((1.0,), (upper_normal(alpha / 2),), 1 - beta)
    return (drift_for(fractions, boundaries, 1 - beta) / fixed) ** 2


def _caution(topics: tuple[int, ...], spending: Spending, size_cv: float = 0.0) -> str:
    """Return a sentence on a first look with few topics; "" without."""
    first = int(equal_groups(topics[0], size_cv))
    if not FEWEST_AT_LOOK <= first < FEWEST_AT_FIRST:
        return ""
    highest = _ON_REAL_RUNS[max(n for n in _ON_REAL_RUNS if n <= first)]["pocock" in spending]
    many = f"{first}" if size_cv else "as many"
    return (
        f"A first look at {topics[0]} is early: with {many} independent topics of real runs the Type I error at "
        f"α = 5 % was at most 5.4 % for AP, but up to {highest:g} % for ERR@20."
    )


def _notes(requirements: Requirements, looks: "_Schedule", upper: float) -> tuple[str, ...]:
    notes = [
        "Power counts significant results in either direction; in the direction of the difference alone, as "
        f"Jennison and Turnbull and gsDesign count, it is {100 * upper:.2f} %.",
        "Looks and α are fixed before the first look; topics, or groups of them, come in random order.",
        "Mean differences of tests that stopped early are too large on average.",
    ]
    n_left_out = len(requirements.fractions) - len(looks.topics)
    if n_left_out:
        least = math.ceil(FEWEST_AT_LOOK * (1 + looks.size_cv**2))
        notes.append(f"{counted(n_left_out, 'look')} at fewer than {least} left out.")
    caution = _caution(looks.topics, requirements.spending, looks.size_cv)
    return (*notes, caution) if caution else tuple(notes)


def simulate(
    topics: tuple[float, ...],
    critical: tuple[float, ...],
    effect_size: float,
    *,
    n_trials: int = N_TRIALS,
    seed: int = SEED,
) -> float:
    """Return the share of simulated evaluations that are significant at some look, of normal differences."""
    # Of groups of unequal size `topics` are the groups of equal size that they count as, also fractions.
    rng = np.random.default_rng(seed)
    total, squares = np.zeros(n_trials), np.zeros(n_trials)
    rejected, before = np.zeros(n_trials, dtype=bool), 0.0
    for n, bound in zip(topics, critical, strict=True):
        new = n - before
        mean = effect_size + rng.standard_normal(n_trials) / math.sqrt(new)
        within = rng.chisquare(new - 1, n_trials) if new > 1 else 0.0
        total, squares, before = total + new * mean, squares + within + new * mean**2, n
        variance = (squares - total**2 / n) / (n - 1)
        rejected |= np.abs(total) / math.sqrt(n) >= bound * np.sqrt(variance)
    return float(rejected.mean())


def required_topics_grid(
    min_delta: ArrayLike, *, alpha: float, beta: float, method: Method = "exact", **given: Any
) -> Integers:
    """Return the topics of the last look for effect sizes of any shape."""
    tests = _test(alpha, method, **given)
    fixed = paired_t.required_topics_grid(min_delta, alpha=alpha, beta=beta)
    start = inflation(**given, alpha=alpha, beta=beta) * fixed
    effects = np.asarray(min_delta, dtype=np.float64)
    falling = np.argsort(-effects, axis=None)
    result = np.zeros(effects.size, dtype=np.int64)

    def enough(n: int, place: int) -> bool:
        return tests.power(n, float(effects.flat[place])) >= 1 - beta

    def search(place: int) -> None:
        def meets(n: Integers, _: Integers) -> Booleans:
            return np.asarray([enough(int(n[0]), place)], dtype=np.bool_)

        result[place] = smallest_integers(meets, np.asarray([start.flat[place]]))[0]

    def fill(first: int, last: int) -> None:
        """Search between two answers; a smaller effect never needs fewer topics."""
        low, high = result[falling[first]], result[falling[last]]
        if low == high:
            result[falling[first:last]] = low
        elif last - first > 1:
            middle = (first + last) // 2
            if high - low > 1:
                search(falling[middle])
            else:
                result[falling[middle]] = low if enough(int(low), falling[middle]) else high
            fill(first, middle)
            fill(middle, last)

    if result.size:
        search(falling[0])
        search(falling[-1])
        fill(0, result.size - 1)
    return result.reshape(effects.shape)


def _detectable(
    n_topics: ArrayLike, *, alpha: float, beta: float, method: Method = "exact", **given: Any
) -> Floats:
    """Return the smallest effect that looks up to n topics detect; the inverse of `required_topics_grid`."""
    tests = _test(alpha, method, **given)
    sizes, place = np.unique(checked_topics(n_topics), return_inverse=True)
    fixed = paired_t.detectable_delta(sizes, alpha=alpha, beta=beta, size_cv=tests.size_cv)
    deltas = [tests.effect(int(n), 1 - beta, float(least)) for n, least in zip(sizes, fixed, strict=True)]
    return np.asarray(deltas)[place].reshape(np.shape(n_topics))


def _power_at(
    n_topics: ArrayLike, min_delta: ArrayLike, *, alpha: float, method: Method = "exact", **given: Any
) -> Floats:
    """Return the power of looks up to n topics; arrays broadcast."""
    tests = _test(alpha, method, **given)
    counted_topics(n_topics, tests.size_cv)  # refuses too few
    n, effects = np.broadcast_arrays(checked_topics(n_topics), min_delta)
    results = [
        tests.power(int(size), float(effect)) for size, effect in zip(n.ravel(), effects.ravel(), strict=True)
    ]
    return np.asarray(results, dtype=np.float64).reshape(n.shape)


@dataclass(frozen=True)
class _Schedule:
    """Topics and normal boundary of each look."""

    topics: tuple[int, ...]
    boundaries: tuple[float, ...]
    size_cv: float = 0.0

    @property
    def counted_as(self) -> tuple[float, ...]:
        """The groups of equal size that these count as."""
        return tuple(equal_groups(self.topics, self.size_cv).tolist())

    @property
    def nominal(self) -> Floats:
        return 2 * normal_cdf(-np.asarray(self.boundaries))

    @property
    def critical(self) -> Floats:
        return critical_t(np.asarray(self.counted_as) - 1, self.nominal)

    def crossing(self, effect: float) -> Crossing:
        """Return the probabilities of stopping at each look, of a true effect."""
        # At each look alone the noncentral t distribution is exact. The drift of a normal test with the same
        # probabilities is taken from there.
        n = np.asarray(self.counted_as)
        fractions = tuple((n / n[-1]).tolist())
        alone = noncentral_f_tail(np.square(self.critical), 1, n - 1, n * effect**2)
        drifts = tuple(
            drift_alone(fraction, boundary, float(power))
            for fraction, boundary, power in zip(fractions, self.boundaries, alone, strict=True)
        )
        return crossing(fractions, self.boundaries, drifts)


@dataclass(frozen=True)
class _Test:
    """A test with looks at fractions of its topics, whatever their number."""

    fractions: tuple[float, ...]
    boundaries: tuple[float, ...]
    size_cv: float = 0.0

    def up_to(self, last: int) -> _Schedule:
        """Return the looks up to this number of topics."""
        at = [math.ceil(fraction * last - 1e-9) for fraction in self.fractions]
        least = FEWEST_AT_LOOK * (1 + self.size_cv**2)
        kept = {n: c for n, c in zip(at, self.boundaries, strict=True) if n >= least or n == last}
        return _Schedule(tuple(kept), tuple(kept.values()), self.size_cv)

    def power(self, last: int, effect: float) -> float:
        """Return the probability of a significant result in either direction."""
        return min(float(self.up_to(last).crossing(effect).stopped.sum()), 1.0)

    def effect(self, last: int, power: float, least: float) -> float:
        """Return the effect size with this power, which is not below `least`."""
        high = least
        while self.power(last, high) < power:
            high *= 1.25
        return root_below(lambda effect: -self.power(last, effect), -power, low=least / 1.25, high=high)


def _test(
    alpha: float,
    method: Method,
    looks: int | tuple[float, ...] = 3,
    spending: Spending = "obrien-fleming",
    size_cv: float = 0.0,
) -> _Test:
    check_exact(method)
    fractions = fractions_of(looks)
    return _Test(fractions, boundaries_of(fractions, spending, alpha), size_cv)


def _expected(topics: tuple[int, ...], stopped: Floats) -> float:
    """Return the expected topics from the probabilities of stopping at each look."""
    early = stopped[:-1]
    return float(early @ np.asarray(topics[:-1]) + (1 - early.sum()) * topics[-1])


def _check_alpha(alpha: float) -> None:
    if alpha < SMALLEST_ALPHA:
        raise InputError(ALPHA.name, alpha, f"must be at least {SMALLEST_ALPHA:g} where a test has looks")


class _Sequential(PowerDesign):
    required_topics = staticmethod(required_topics)
    required_topics_grid = staticmethod(required_topics_grid)
    detectable_delta = staticmethod(_detectable)
    power_of = staticmethod(_power_at)


DESIGN = _Sequential(
    slug="looks",
    name="Paired t test with looks",
    label="paired t test, {looks} looks",
    parameters=(ALPHA, BETA, MIN_D, LOOKS),
    variance=DIFFERENCE_VARIANCE,
    requirements=Requirements,
    choices=(SPENDING,),
    claim=detects(
        "a two-sided paired t test with up to {looks} looks ({spending} boundary)",
        "a difference of minD = {min_d:g} in {measure}",
    ),
    works=(),
    works_by_choice={
        "obrien-fleming": (OBRIEN_FLEMING_1979,),
        "pocock": (POCOCK_1977,),
        "lan-demets-of": (LAN_DEMETS_1983, OBRIEN_FLEMING_1979),
        "lan-demets-pocock": (LAN_DEMETS_1983, POCOCK_1977),
    },
    is_published=False,
)
