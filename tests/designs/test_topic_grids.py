"""Whole grids of answers: in every cell n is enough and n - 1 is not."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.reference import plain_designs as plain
from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import Method

SHAPE = (120, 110)
GRID_D = np.geomspace(0.02, 0.5, SHAPE[0])[:, None]
GRID_VARIANCE = np.linspace(0.01, 0.15, SHAPE[1])[None, :]


def assert_smallest(n: np.ndarray, power: Callable[[np.ndarray], np.ndarray], beta: float) -> None:
    assert n.shape == SHAPE
    assert np.count_nonzero(~(power(n) >= 1 - beta)) == 0
    has_fewer = n > 2
    fewer = power(np.where(has_fewer, n - 1, 2))
    assert np.count_nonzero(has_fewer & (fewer >= 1 - beta)) == 0


@pytest.mark.parametrize(
    ("m", "alpha", "beta"),
    [
        (2, 0.05, 0.20),
        (10, 0.05, 0.20),
        (100, 0.01, 0.10),
        (1000, 0.001, 0.01),
        (3, 1e-9, 1e-4),
        (5, 0.5, 0.45),
    ],
)
def test_every_cell_of_an_anova_grid_is_the_smallest(m: int, alpha: float, beta: float) -> None:
    effect = one_way_anova.min_delta_of(GRID_D, GRID_VARIANCE)
    n = one_way_anova.required_topics_grid(effect, alpha=alpha, beta=beta, n_systems=m)
    assert_smallest(n, lambda n: one_way_anova.power(n, effect, alpha=alpha, n_systems=m), beta)


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.20), (0.001, 0.30), (1e-12, 1e-6), (0.9, 0.05)])
@pytest.mark.parametrize("design", [paired_t, two_sample_t], ids=lambda design: design.NAME)
def test_every_cell_of_a_t_grid_is_the_smallest(design, alpha: float, beta: float) -> None:
    delta = design.min_delta_of(GRID_D, GRID_VARIANCE)
    n = design.required_topics_grid(delta, alpha=alpha, beta=beta)
    assert_smallest(n, lambda n: design.power(n, delta, alpha=alpha), beta)


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize(
    "design", [confidence_interval, two_sample_confidence_interval], ids=lambda design: design.NAME
)
def test_every_cell_of_an_interval_grid_is_the_smallest(design, method: str) -> None:
    n = design.required_topics_grid(GRID_D, GRID_VARIANCE, alpha=0.05, method=method)
    assert n.shape == SHAPE
    assert (design.width(n, GRID_VARIANCE, alpha=0.05, method=method) <= GRID_D).all()
    fewer = design.width(np.maximum(n - 1, 2), GRID_VARIANCE, alpha=0.05, method=method)
    assert ((fewer > GRID_D) | (n == 2)).all()


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


@pytest.mark.slow
@pytest.mark.parametrize("method", ["exact", "published"])
def test_grid_is_the_scalar_answer_in_every_sampled_cell(method: Method) -> None:
    rng = np.random.default_rng(10)
    pairs = list(plain.LINEAR_LAMBDA)
    for alpha, beta in pairs[::3]:
        deltas = np.exp(rng.uniform(np.log(0.01), np.log(30), 40))
        for design in (paired_t, two_sample_t):
            grid = design.required_topics_grid(deltas.reshape(8, 5), alpha=alpha, beta=beta, method=method)
            scalar = [
                design.required_topics(
                    design.Requirements(alpha=alpha, beta=beta, min_delta=delta), method=method
                ).required_topics
                for delta in deltas
            ]
            assert grid.shape == (8, 5)
            assert grid.ravel().tolist() == scalar
        for m in (2, 7, 250):
            grid = one_way_anova.required_topics_grid(
                deltas, alpha=alpha, beta=beta, n_systems=m, method=method
            )
            scalar = [
                one_way_anova.required_topics(
                    one_way_anova.Requirements(alpha=alpha, beta=beta, min_delta=delta, n_systems=m),
                    method=method,
                ).required_topics
                for delta in deltas
            ]
            assert grid.tolist() == scalar
