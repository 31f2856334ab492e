"""More topics, or more repeats? Topics, repeats and their cost for a difference of two systems.

Systems that run several times per topic: repeats of an answer or a judge call, formulations of a query, or
seeds of a trained system (`topicset_core.variance.replicates` has the models). A paired t test on means over
repeats is right for repeats and query variations; seeds need the test of `compare`, with Satterthwaite's
degrees of freedom.

With the variances s_ab of systems by topics, s_w within a cell (s_e, s_av, or s_bc of seeds by topics) and s_c of
seeds, n topics and r repeats of m systems cost ``c_t n + m (c_s r + c_x n r)``.
Least number of seeds, whatever n is: ``r > 2 s_c (z_{a/2} + z_b)^2 / D^2``. Without seeds the optimum is at
``r = sqrt((s_w / s_ab) c_t / (m c_x))``.
"""

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs import paired_t
from topicset_core.designs.distributions import critical_t, noncentral_f_tail, upper_normal
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import MIN_D, N_SYSTEMS, Parameter, check_error_probabilities
from topicset_core.variance.replicates import Kind

COST_TOPIC = Parameter(
    name="cost_topic",
    symbol="cₜ",
    label="Cost of a topic",
    help="In any unit, such as money or hours; the other costs are in the same unit.",
    lower_included=True,
    default=0.1,
    step=0.1,
)
COST_SEED = Parameter(
    name="cost_seed",
    symbol="cₛ",
    label="Cost of a seed",
    help="Cost of one more seed of one system, such as a training run; 0 if a seed adds no cost.",
    lower_included=True,
    default=5.0,
)
COST_CELL = Parameter(
    name="cost_cell",
    symbol="cₓ",
    label="Cost of a score",
    help="Cost per score of one system on one topic, such as an answer and its judge call.",
    lower_included=True,
    default=0.02,
    step=0.01,
)
"""The costs of topics and repeats."""

MOST_REPEATS = 1000
"""Repeats that are tried."""

_MOST_SCANNED = 100_000
"""Topics up to which designs with seeds are searched: their power need not rise with topics."""


@dataclass(frozen=True, kw_only=True)
class Requirements:
    """What a comparison of two systems must detect, what varies, and what everything costs."""

    # Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha
    alpha: float
    beta: float
    min_d: float  # smallest difference of means to detect, in units of the measure
    # s_ab, s_w and s_c, from 0
    interaction: float
    within: float
    seed: float = 0.0
    n_systems: int = 2  # m, systems that are scored and paid for, from 2
    # Costs in one unit, from 0
    cost_topic: float = 1.0
    cost_seed: float = 0.0
    cost_cell: float = 0.0
    kind: Kind = "repeats"

    def __post_init__(self) -> None:
        check_error_probabilities(self.alpha, self.beta)
        MIN_D.check(self.min_d)
        N_SYSTEMS.check(self.n_systems)
        for name in ("interaction", "within", "seed", "cost_topic", "cost_seed", "cost_cell"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
                raise InputError(name, value, "must be a number of at least 0")
        if self.kind not in get_args(Kind):
            raise InputError("kind", self.kind, f"must be one of {', '.join(get_args(Kind))}")
        if self.seed > 0 and self.kind != "seeds":
            raise InputError("seed", self.seed, "must be 0 unless seeds are repeated")
        if self.interaction + self.within <= 0:
            raise InputError("interaction", self.interaction, "must be above 0, or within")

    def cost(self, n_topics: float, n_repeats: float) -> float:
        """Return the cost of these topics and repeats: ``c_t n + m (c_s r + c_x n r)``."""
        per_system = self.cost_seed * n_repeats + self.cost_cell * n_topics * n_repeats
        return self.cost_topic * n_topics + self.n_systems * per_system


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Topics for one number of repeats."""

    n_repeats: int
    n_topics: int | None  # the fewest topics with the wanted power
    # Power with these topics, their cost, and the expected half width of the interval of the difference
    power: float | None
    cost: float | None
    half_width: float | None


@dataclass(frozen=True, kw_only=True)
class Optimum:
    """The cheapest design, and what other numbers of repeats need."""

    best: Choice
    choices: tuple[Choice, ...]  # by repeats, from the fewest up to beyond the best
    least_seeds: int  # fewest seeds with which some number of topics could do


def power(n_topics: ArrayLike, n_repeats: int, requirements: Requirements) -> Floats:
    """Return the power for a difference of `min_d`; arrays of topics broadcast."""
    # The noncentral t distribution at expected mean squares, with Satterthwaite's degrees of freedom for seeds.
    n = np.asarray(n_topics, dtype=np.float64)
    h, df = _expected(n, n_repeats, requirements)
    noncentrality = requirements.min_d**2 * n * n_repeats / (2 * h)
    return noncentral_f_tail(critical_t(df, requirements.alpha) ** 2, 1, df, noncentrality)


def least_seeds(requirements: Requirements) -> int:
    """Return the fewest seeds with which the difference can be detected at all, ``r > 2 s_c (z + z)^2 / D^2``."""
    z = upper_normal(requirements.alpha / 2) + upper_normal(requirements.beta)
    bound = 2 * requirements.seed * z**2 / requirements.min_d**2
    return max(math.floor(bound) + 1, _fewest_repeats(requirements))


def required_topics(requirements: Requirements, n_repeats: int) -> Choice:
    """Return the fewest topics for one number of repeats."""
    if isinstance(n_repeats, bool) or n_repeats != int(n_repeats) or n_repeats < 1:
        raise InputError("repeats", n_repeats, "must be a whole number of at least 1")
    if n_repeats < _fewest_repeats(requirements):
        raise InputError("repeats", n_repeats, "must be at least 2: one seed shows no variance of seeds")
    n = _fewest(requirements, int(n_repeats))
    if n is None:
        return Choice(n_repeats=n_repeats, n_topics=None, power=None, cost=None, half_width=None)
    h, df = _expected(np.asarray(float(n)), n_repeats, requirements)
    return Choice(
        n_repeats=n_repeats,
        n_topics=n,
        power=float(power(n, n_repeats, requirements)),
        cost=requirements.cost(n, n_repeats),
        half_width=float(critical_t(df, requirements.alpha) * np.sqrt(2 * h / (n * n_repeats))),
    )


def optimum(requirements: Requirements) -> Optimum:
    """Return the cheapest topics and repeats."""
    least = least_seeds(requirements)
    choices: list[Choice] = []
    best: Choice | None = None
    for r in range(least, MOST_REPEATS + 1):
        result = required_topics(requirements, r)
        choices.append(result)
        if result.cost is not None and (best is None or best.cost is None or result.cost < best.cost):
            best = result
        # Far beyond the cheapest so far, more repeats cost more than the topics that they save.
        if best is not None and best.cost is not None and r >= 2 * best.n_repeats + 4:
            break
    if best is None:
        raise NoSolution(f"no number of topics with up to {MOST_REPEATS:,} repeats detects this difference")
    return Optimum(best=best, choices=tuple(choices), least_seeds=least)


def _fewest_repeats(requirements: Requirements) -> int:
    return 2 if requirements.kind == "seeds" else 1


def _expected(n: Floats, r: int, requirements: Requirements) -> tuple[Floats, Floats]:
    """Return H, the expected mean square of a difference, and its degrees of freedom."""
    if requirements.seed == 0:
        return np.full_like(n, r * requirements.interaction + requirements.within), n - 1
    ab = requirements.within + r * requirements.interaction
    c = requirements.within + n * requirements.seed
    bc = np.full_like(n, requirements.within)
    h = ab + c - bc
    parts = ab**2 / (n - 1) + c**2 / (2 * (r - 1)) + bc**2 / (2 * (n - 1) * (r - 1))
    return h, h**2 / parts


def _fewest(requirements: Requirements, r: int) -> int | None:
    """Return the fewest topics; with seeds the power need not rise with topics, so that all are scanned."""
    required = 1 - requirements.beta
    if requirements.seed == 0:
        variance = 2 * (requirements.interaction + requirements.within / r)
        effect = requirements.min_d / math.sqrt(variance)
        return int(paired_t.required_topics_grid(effect, alpha=requirements.alpha, beta=requirements.beta))
    sizes = np.unique(np.concatenate([np.arange(2, 65), np.geomspace(65, _MOST_SCANNED, 60).astype(int)]))
    enough = np.flatnonzero(power(sizes, r, requirements) >= required)
    if not enough.size:
        return None
    first = int(enough[0])
    between = range(int(sizes[first - 1]) + 1 if first else int(sizes[0]), int(sizes[first]))
    return between.start + bisect_left(
        between, True, key=lambda n: float(power(n, r, requirements)) >= required
    )
