"""Whole grids of answers: in every cell n is enough and n - 1 is not; and the search by itself."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from tests.reference import plain_designs as plain
from topicset_core.designs import (
    Plan,
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.search import root_below, roots, smallest_integers
from topicset_core.errors import NoSolution
from topicset_core.parameters import MOST_TOPICS

SHAPE = (120, 110)
GRID_D = np.geomspace(0.02, 0.5, SHAPE[0])[:, None]
GRID_VARIANCE = np.linspace(0.01, 0.15, SHAPE[1])[None, :]
FIRST_TO_LAST = np.arange(2, 400)

LEVELS = [(0.05, 0.20), (0.001, 0.30), (1e-12, 1e-6), (0.9, 0.05)]
POWER = [design.DESIGN.plan(alpha=a, beta=b) for design in (paired_t, two_sample_t) for a, b in LEVELS] + [
    one_way_anova.DESIGN.plan(alpha=alpha, beta=beta, n_systems=m)
    for m, alpha, beta in [
        (2, 0.05, 0.20),
        (10, 0.05, 0.20),
        (100, 0.01, 0.10),
        (1000, 0.001, 0.01),
        (3, 1e-9, 1e-4),
        (5, 0.5, 0.45),
    ]
]
BETAS = [beta for _ in range(2) for _, beta in LEVELS] + [0.20, 0.20, 0.10, 0.01, 1e-4, 0.45]


@pytest.mark.parametrize(("plan", "beta"), list(zip(POWER, BETAS, strict=True)))
def test_every_cell_of_a_grid_is_the_smallest(plan: Plan, beta: float) -> None:
    n = plan.topics(GRID_D, GRID_VARIANCE)
    assert n.shape == SHAPE
    assert (plan.power(n, GRID_D, GRID_VARIANCE) >= 1 - beta).all()
    fewer = plan.power(np.maximum(n - 1, 2), GRID_D, GRID_VARIANCE)
    assert ((fewer < 1 - beta) | (n == 2)).all()


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize(
    "design", [confidence_interval, two_sample_confidence_interval], ids=lambda one: one.DESIGN.slug
)
def test_every_cell_of_an_interval_grid_is_the_smallest(design, method: str) -> None:
    n = design.required_topics_grid(GRID_D, GRID_VARIANCE, alpha=0.05, method=method)
    assert n.shape == SHAPE
    assert (design.width(n, GRID_VARIANCE, alpha=0.05, method=method) <= GRID_D).all()
    fewer = design.width(np.maximum(n - 1, 2), GRID_VARIANCE, alpha=0.05, method=method)
    assert ((fewer > GRID_D) | (n == 2)).all()


@pytest.mark.parametrize("design", [paired_t, two_sample_t, one_way_anova], ids=lambda one: one.DESIGN.slug)
def test_topics_by_brute_force(design) -> None:
    """Against the power of all numbers of topics below 400."""
    rng = np.random.default_rng(7)
    compared = 0
    while compared < 150:
        alpha, beta, delta = rng.uniform(0.001, 0.4), rng.uniform(0.01, 0.59), np.exp(rng.uniform(-1.7, 2))
        systems = {"n_systems": int(rng.integers(2, 60))} if design is one_way_anova else {}
        enough = design.power(FIRST_TO_LAST, delta, alpha=alpha, **systems) >= 1 - beta
        if not enough.any():
            continue
        requirements = design.Requirements(alpha=alpha, beta=beta, min_delta=delta, **systems)
        assert design.required_topics(requirements).required_topics == FIRST_TO_LAST[enough][0]
        compared += 1


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize(
    ("design", "groups"), [(confidence_interval, 1), (two_sample_confidence_interval, 2)], ids=str
)
def test_interval_topics_against_plain_designs(design, groups: int, method: str) -> None:
    rng = np.random.default_rng(9)
    for a, w in zip(rng.uniform(0.001, 0.5, 60), np.exp(rng.uniform(-1.5, 3, 60)), strict=True):
        slow = plain.interval_topics(a, w, 0.7 * groups, groups, gamma=method == "exact")
        requirements = design.Requirements(alpha=a, max_width=w, **{design.DESIGN.variance.name: 0.7})
        assert design.required_topics(requirements, method=method).required_topics == slow


def test_extreme_cells_of_a_grid_are_the_smallest() -> None:
    # From two topics to nearly ten million, and on both sides of where the polynomial takes over, n = 96.
    delta = np.concatenate([np.geomspace(8.9e-4, 1000, 3000), np.linspace(0.27, 0.30, 2000)])
    n = paired_t.required_topics_grid(delta, alpha=0.05, beta=0.20)
    assert n.min() == 2
    assert n.max() > 9_900_000
    assert set(range(90, 103)) <= set(n.tolist())
    assert (paired_t.power(n, delta, alpha=0.05) >= 0.80).all()
    fewer = paired_t.power(np.maximum(n - 1, 2), delta, alpha=0.05)
    assert ((fewer < 0.80) | (n == 2)).all()


def test_cells_on_a_threshold_are_decided_by_the_power_itself() -> None:
    """Effects that are detected by exactly n topics, and those a rounding away on either side."""
    n = np.array([2, 3, 4, 10, 95, 96, 97, 98, 500, 12_345, 1_000_000])
    for m, alpha, beta in ((2, 0.05, 0.2), (10, 0.01, 0.1), (300, 0.05, 0.2)):
        on = one_way_anova.detectable_delta(n, alpha=alpha, beta=beta, n_systems=m)
        near = [on * (1 + sign * step) for sign in (-1, 1) for step in (1e-15, 1e-14, 3e-14, 1e-13, 1e-12)]
        for effect in (on, np.nextafter(on, 0), np.nextafter(on, np.inf), *near):
            grid = one_way_anova.required_topics_grid(effect, alpha=alpha, beta=beta, n_systems=m)
            assert (one_way_anova.power(grid, effect, alpha=alpha, n_systems=m) >= 1 - beta).all()
            fewer = one_way_anova.power(np.maximum(grid - 1, 2), effect, alpha=alpha, n_systems=m)
            assert ((fewer < 1 - beta) | (grid == 2)).all()


def test_search_finds_every_threshold_from_every_start() -> None:
    thresholds = np.array([2, 3, 4, 5, 17, 1000, MOST_TOPICS - 1, MOST_TOPICS])
    starts = [-np.inf, 0.0, 2.0, 2.5, 16.0, 17.0, 18.0, 999.5, 9_999_999.0, 1e7, 1e30, np.nan]
    cells = np.array(list(itertools.product(thresholds, range(len(starts)))))
    result = smallest_integers(
        lambda n, which: n >= cells[which, 0], np.array([starts[i] for i in cells[:, 1]])
    )
    np.testing.assert_array_equal(result, cells[:, 0])


def test_search_stays_within_its_limits_and_is_logarithmic() -> None:
    requested: list[int] = []

    def meets(n: np.ndarray, _cells: np.ndarray) -> np.ndarray:
        requested.extend(n.tolist())
        return n >= 1_234_567

    assert smallest_integers(meets, np.array([2.0])).tolist() == [1_234_567]
    assert min(requested) >= 2
    assert max(requested) <= MOST_TOPICS
    assert len(requested) < 50  # 21 doublings up, 20 halvings back


def test_search_without_an_answer_ends_in_no_solution() -> None:
    for start in (2.0, 1e7, np.nan):
        with pytest.raises(NoSolution, match="10,000,000"):
            smallest_integers(lambda n, _cells: np.zeros(n.shape, dtype=bool), np.array([50.0, start]))


def test_roots_against_closed_forms() -> None:
    """x^3 = c, exp(x) = c and 1 - exp(-x) = 1 - c: flat, steep and saturating at the ends of the bracket."""
    values = 10.0 ** np.random.default_rng(44).uniform(-6, 0, 300)
    kind, n_evaluations = np.arange(300) % 3, 0

    def excess(x: np.ndarray, cells: np.ndarray) -> np.ndarray:
        nonlocal n_evaluations
        n_evaluations += x.size
        c = values[cells]
        return np.choose(kind[cells], [x**3 - c, np.expm1(x) - c, c - np.exp(-x)])

    expected = np.choose(kind, [np.cbrt(values), np.log1p(values), -np.log(values)])
    found = roots(excess, np.zeros(300), np.full(300, 40.0), 1e-14)
    np.testing.assert_allclose(found, expected, rtol=5e-14)  # the least c - exp(-x) is 1e-16 of c near 1
    assert n_evaluations < 16 * 300  # halving takes 51 steps to 1e-14
    falling = root_below(lambda x: -(x**3), -0.2, low=0.0, high=1.0)
    assert falling == pytest.approx(0.2 ** (1 / 3), rel=1e-13)
    assert root_below(lambda x: 1.0 - x, 0.0, low=0.0, high=1.0) == 1.0  # at an end of the bracket


@pytest.mark.parametrize(
    "falling",
    [lambda x: -(x**3) + x, lambda x: math.exp(-5 * x), math.erfc, lambda x: -math.floor(5 * x), math.cos],
    ids=["cubic", "steep", "tail", "steps", "flat at an end"],
)
@pytest.mark.parametrize("absolute", [1e-13, 1e-4])
def test_one_root_is_that_of_arrays_to_the_bit(falling: Callable[[float], float], absolute: float) -> None:
    """Both compute the same operations in the same order."""
    low, high = sorted((falling(0.0), falling(2.0)))
    for target in np.random.default_rng(7).uniform(low, high, 20):

        def missing(at: np.ndarray, _: object, target: float = target) -> np.ndarray:
            return np.array([falling(float(at[0])) - target])

        expected = roots(missing, np.zeros(1), np.full(1, 2.0), 1e-14, absolute)
        assert root_below(falling, target, low=0.0, high=2.0, absolute=absolute) == expected[0]


def test_search_of_an_empty_array_is_empty() -> None:
    assert smallest_integers(lambda n, _cells: n > 0, np.array([])).size == 0
