"""Is the answer the smallest number of topics? By brute force, cell by cell, and by a slow search."""

import itertools
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
from topicset_core.designs.search import smallest_integers
from topicset_core.errors import NoSolution
from topicset_core.parameters import MOST_TOPICS

FIRST_TO_LAST = np.arange(2, 400)


def test_search_finds_every_threshold_from_every_start() -> None:
    thresholds = np.array([2, 3, 4, 5, 17, 1000, MOST_TOPICS - 1, MOST_TOPICS])
    starts = [
        -np.inf,
        -3.0,
        0.0,
        1.0,
        2.0,
        2.5,
        16.0,
        17.0,
        18.0,
        999.5,
        1e6,
        9_999_999.0,
        1e7,
        1e30,
        np.inf,
        np.nan,
    ]
    cells = np.array(list(itertools.product(thresholds, range(len(starts)))))
    found = smallest_integers(
        lambda n, which: n >= cells[which, 0], np.array([starts[i] for i in cells[:, 1]])
    )
    np.testing.assert_array_equal(found, cells[:, 0])


def test_search_stays_within_its_limits_and_is_logarithmic() -> None:
    asked: list[int] = []

    def meets(n: np.ndarray, _cells: np.ndarray) -> np.ndarray:
        asked.extend(n.tolist())
        return n >= 1_234_567

    assert smallest_integers(meets, np.array([2.0])).tolist() == [1_234_567]
    assert min(asked) >= 2
    assert max(asked) <= MOST_TOPICS
    assert len(asked) < 50  # 21 doublings up, 20 halvings back


def test_search_without_an_answer_ends_in_no_solution() -> None:
    for start in (2.0, 1e7, np.nan):
        with pytest.raises(NoSolution, match="10,000,000"):
            smallest_integers(lambda n, _cells: np.zeros(n.shape, dtype=bool), np.array([50.0, start]))


def test_search_of_nothing_is_nothing() -> None:
    assert smallest_integers(lambda n, _cells: n > 0, np.array([])).size == 0


@pytest.mark.parametrize("design", [paired_t, two_sample_t], ids=lambda design: design.NAME)
def test_t_topics_by_brute_force(design) -> None:
    rng = np.random.default_rng(7)
    compared = 0
    while compared < 150:
        alpha, beta, delta = rng.uniform(0.001, 0.4), rng.uniform(0.01, 0.59), np.exp(rng.uniform(-1.7, 2))
        enough = design.power(FIRST_TO_LAST, delta, alpha=alpha) >= 1 - beta
        if not enough.any():
            continue
        wanted = design.Requirements(alpha=alpha, beta=beta, min_delta=delta)
        assert design.required_topics(wanted).required_topics == FIRST_TO_LAST[enough][0]
        compared += 1


def test_anova_topics_by_brute_force() -> None:
    rng = np.random.default_rng(8)
    compared = 0
    while compared < 150:
        alpha, beta, m = rng.uniform(0.001, 0.4), rng.uniform(0.01, 0.59), int(rng.integers(2, 60))
        delta = np.exp(rng.uniform(-3, 3))
        enough = one_way_anova.power(FIRST_TO_LAST, delta, alpha=alpha, n_systems=m) >= 1 - beta
        if not enough.any():
            continue
        wanted = one_way_anova.Requirements(alpha=alpha, beta=beta, min_delta=delta, n_systems=m)
        assert one_way_anova.required_topics(wanted).required_topics == FIRST_TO_LAST[enough][0]
        compared += 1


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize(
    ("design", "groups"),
    [(confidence_interval, 1), (two_sample_confidence_interval, 2)],
    ids=["paired", "two-sample"],
)
def test_interval_topics_by_brute_force(design, groups: int, method: str) -> None:
    rng = np.random.default_rng(9)
    alpha = rng.uniform(0.001, 0.5, 60)
    width = np.exp(rng.uniform(-1.5, 3, 60))
    for a, w in zip(alpha, width, strict=True):
        enough = design.width(FIRST_TO_LAST, 0.7, alpha=a, method=method) <= w
        if not enough.any():
            continue
        name = "difference_variance" if groups == 1 else "within_system_variance"
        wanted = design.Requirements(alpha=a, max_width=w, **{name: 0.7})
        assert design.required_topics(wanted, method=method).required_topics == FIRST_TO_LAST[enough][0]
        slow = plain.interval_topics(a, w, 0.7 * groups, groups, gamma=method == "exact")
        assert slow == FIRST_TO_LAST[enough][0]


# Whole grids. Every cell: n is enough and n - 1 is not.

GRID_D = np.geomspace(0.02, 0.5, 200)[:, None]
GRID_VARIANCE = np.linspace(0.01, 0.15, 200)[None, :]


def assert_smallest(n: np.ndarray, power: Callable[[np.ndarray], np.ndarray], beta: float) -> None:
    assert n.shape == (200, 200)
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
    assert n.shape == (200, 200)
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
        for effect in (on, np.nextafter(on, 0), np.nextafter(on, np.inf), on * (1 - 1e-12), on * (1 + 1e-12)):
            grid = one_way_anova.required_topics_grid(effect, alpha=alpha, beta=beta, n_systems=m)
            assert (one_way_anova.power(grid, effect, alpha=alpha, n_systems=m) >= 1 - beta).all()
            fewer = one_way_anova.power(np.maximum(grid - 1, 2), effect, alpha=alpha, n_systems=m)
            assert ((fewer < 1 - beta) | (grid == 2)).all()


@pytest.mark.parametrize("method", ["exact", "published"])
def test_grid_is_the_scalar_answer_in_every_sampled_cell(method: str) -> None:
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


def test_interval_grid_is_the_scalar_answer() -> None:
    rng = np.random.default_rng(11)
    width, variance = np.exp(rng.uniform(-4, 2, 40)), np.exp(rng.uniform(-4, 0, 40))
    grid = confidence_interval.required_topics_grid(width, variance, alpha=0.05)
    assert grid.tolist() == [
        confidence_interval.required_topics(
            confidence_interval.Requirements(alpha=0.05, max_width=w, difference_variance=v)
        ).required_topics
        for w, v in zip(width, variance, strict=True)
    ]
    grid = two_sample_confidence_interval.required_topics_grid(width, variance, alpha=0.05)
    assert grid.tolist() == [
        two_sample_confidence_interval.required_topics(
            two_sample_confidence_interval.Requirements(alpha=0.05, max_width=w, within_system_variance=v)
        ).required_topics
        for w, v in zip(width, variance, strict=True)
    ]


# The published approximations: steps of one topic from the closed form, in either direction.


def test_published_anova_search_against_single_steps() -> None:
    """Over the ten rows of table 2 and effects with n from 2 to thousands, NaN at few topics included."""
    effects = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 40.0, 1000.0)
    wrong, up, down, undefined = [], 0, 0, 0
    for (alpha, beta), m in itertools.product(plain.LINEAR_LAMBDA, (2, 3, 10, 100)):
        table = one_way_anova.required_topics_grid(
            effects, alpha=alpha, beta=beta, n_systems=m, method="published"
        )
        for effect, n in zip(effects, table.tolist(), strict=True):
            start = plain.anova_initial(alpha, beta, m, effect)
            slow = plain.first_n(
                lambda n: plain.anova_power_nagata(n, m, effect, alpha, -1),  # noqa: B023
                1 - beta,
                start,
            )
            up, down = up + (slow > start + 1), down + (slow < start - 1)
            undefined += n > 2 and np.isnan(plain.anova_power_nagata(n - 1, m, effect, alpha, -1))
            if slow != n:
                wrong.append((alpha, beta, m, effect, slow, n))
    assert wrong == []
    assert min(up, down, undefined) >= 10  # the cases that the search could get wrong do occur


def test_published_t_search_against_single_steps() -> None:
    """For beta to .5, as published. Beyond that Eq. 6 is not monotone at two topics, and the two may differ."""
    wrong = []
    for design, groups in ((paired_t, 1), (two_sample_t, 2)):
        for alpha, beta in itertools.product((0.001, 0.01, 0.05, 0.1, 0.3), (0.01, 0.1, 0.2, 0.3, 0.5)):
            for delta in (0.1, 0.2, 0.35, 0.5, 0.8, 1.2, 2.0, 3.0, 5.0):
                wanted = design.Requirements(alpha=alpha, beta=beta, min_delta=delta)
                n = design.required_topics(wanted, method="published").required_topics
                slow = plain.first_n(
                    lambda n: plain.t_power_nagata(n, delta, alpha, groups),  # noqa: B023
                    1 - beta,
                    plain.t_initial(alpha, beta, delta, groups),
                )
                if slow != n:
                    wrong.append((design.NAME, alpha, beta, delta, slow, n))
    assert wrong == []


def test_undefined_published_power_is_not_reported_as_a_number() -> None:
    # alpha .05, minDelta 3, m = 3: Eq. 18 with minus sign has no value at n = 2 and 3 for weak effects.
    found = 0
    for effect in np.linspace(1.5, 6, 40):
        wanted = one_way_anova.Requirements(alpha=0.05, beta=0.20, min_delta=effect, n_systems=3)
        result = one_way_anova.required_topics(wanted, method="published")
        n = result.required_topics
        fewer = plain.anova_power_nagata(n - 1, 3, effect, 0.05, -1) if n > 2 else np.nan
        assert (result.power_one_topic_fewer is None) == bool(np.isnan(fewer))
        found += n > 2 and bool(np.isnan(fewer))
        assert result.attained_power == pytest.approx(
            plain.anova_power_nagata(n, 3, effect, 0.05, -1), abs=1e-12
        )
    assert found > 0


# Inverse questions.


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("design", [paired_t, two_sample_t], ids=lambda design: design.NAME)
def test_detectable_delta_round_trip(design, method: str) -> None:
    n = np.array([2, 3, 5, 10, 34, 75, 96, 97, 105, 120, 147, 1000, 54_321, 10_000_000])
    for alpha, beta in ((0.01, 0.10), (0.05, 0.20), (0.05, 0.50), (1e-12, 1e-3)):
        n = n[n >= 10] if alpha < 1e-9 else n  # fewer do not reach a difference of a thousand deviations
        delta = design.detectable_delta(n, alpha=alpha, beta=beta, method=method)
        assert (np.diff(delta) < 0).all()
        # The root is found to the last digits of delta; power has a slope of at most about 1 in log delta.
        attained = design.power(n, delta, alpha=alpha, method=method)
        np.testing.assert_allclose(attained, 1 - beta, rtol=0, atol=1e-10)
        # A hair more is detected by n topics, a hair less needs another one.
        more = design.required_topics_grid(delta * (1 + 1e-9), alpha=alpha, beta=beta, method=method)
        np.testing.assert_array_equal(more, n)
        less = design.required_topics_grid(delta[:-1] * (1 - 1e-9), alpha=alpha, beta=beta, method=method)
        np.testing.assert_array_equal(less, n[:-1] + 1)


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("m", [2, 3, 10, 100, 1000])
def test_detectable_anova_effect_round_trip(m: int, method: str) -> None:
    # The published form has no value at the fewest topics, so it starts at 8 here.
    n = np.array([2, 3, 5, 10, 34, 96, 97, 147, 1000, 54_321, 1_000_000])
    n = n[n >= 8] if method == "published" else n
    for alpha, beta in ((0.01, 0.10), (0.05, 0.20), (0.05, 0.50)):
        effect = one_way_anova.detectable_delta(n, alpha=alpha, beta=beta, n_systems=m, method=method)
        attained = one_way_anova.power(n, effect, alpha=alpha, n_systems=m, method=method)
        np.testing.assert_allclose(attained, 1 - beta, rtol=0, atol=1e-10)

        def topics(effect: np.ndarray, alpha: float = alpha, beta: float = beta) -> np.ndarray:
            return one_way_anova.required_topics_grid(
                effect, alpha=alpha, beta=beta, n_systems=m, method=method
            )

        np.testing.assert_array_equal(topics(effect * (1 + 1e-9)), n)
        np.testing.assert_array_equal(topics(effect * (1 - 1e-9)), n + 1)


@pytest.mark.parametrize("design", [paired_t, two_sample_t, one_way_anova], ids=lambda design: design.NAME)
def test_units_of_the_measure_round_trip(design) -> None:
    min_d, variance = np.array([0.001, 0.05, 0.1, 2.0]), np.array([1e-6, 0.0471, 0.1206, 40.0])[:, None]
    back = design.min_d_of(design.min_delta_of(min_d, variance), variance)
    np.testing.assert_allclose(back, np.broadcast_to(min_d, back.shape), rtol=1e-15)


@pytest.mark.parametrize("groups", [1, 2])
def test_interval_width_round_trip(groups: int) -> None:
    design = confidence_interval if groups == 1 else two_sample_confidence_interval
    n = np.array([2, 3, 10, 147, 343, 344, 100_000, 10_000_000])
    width = design.width(n, 0.0942, alpha=0.05)
    np.testing.assert_array_equal(design.required_topics_grid(width * (1 + 1e-12), 0.0942, alpha=0.05), n)
    narrower = design.required_topics_grid(width[:-1] * (1 - 1e-12), 0.0942, alpha=0.05)
    np.testing.assert_array_equal(narrower, n[:-1] + 1)
