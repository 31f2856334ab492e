"""Components between and within groups: against plain loops, the textbook's interval, identities and simulation."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from tests.reference_data import reference_matrix
from tests.refusals import refused
from tests.variance.matrices import of
from topicset_core.collection import ScoreMatrix
from topicset_core.variance import ONE_WAY, TWO_WAY, Estimate, group_components
from topicset_core.variance.group_components import _wald, design_effect, of_group_means
from topicset_core.variance.pair_differences import difference_of

SIZES = (3, 2, 4, 1, 5)


def grouped(scores: object, sizes: tuple[int, ...]) -> ScoreMatrix:
    """A matrix whose topics come in consecutive groups of these sizes."""
    matrix = of(scores)
    names = [f"g{place}" for place, size in enumerate(sizes) for _ in range(size)]
    return replace(matrix, groups=tuple(names))


def drawn(sizes: tuple[int, ...], rho: float, n_systems: int = 1, seed: int = 46) -> ScoreMatrix:
    """Normal scores with an intraclass correlation."""
    rng = np.random.default_rng(seed)
    between, within = rng.normal(size=(len(sizes), n_systems)), rng.normal(size=(sum(sizes), n_systems))
    return grouped(np.sqrt(rho) * np.repeat(between, sizes, axis=0) + np.sqrt(1 - rho) * within, sizes)


def plain(values: list[float], sizes: tuple[int, ...]) -> tuple[float, float]:
    """Both components of one column by the formulas of Searle, Casella and McCulloch (1992), section 3.6."""
    groups, start = [], 0
    for size in sizes:
        groups.append(values[start : start + size])
        start += size
    n, mean = sum(sizes), sum(values) / sum(sizes)
    between = sum(len(one) * (sum(one) / len(one) - mean) ** 2 for one in groups) / (len(sizes) - 1)
    within = sum((x - sum(one) / len(one)) ** 2 for one in groups for x in one) / (n - len(sizes))
    n_0 = (n - sum(size**2 for size in sizes) / n) / (len(sizes) - 1)
    return (between - within) / n_0, within


def test_components_of_unequal_groups_against_plain_loops() -> None:
    matrix = drawn(SIZES, 0.3)
    between, within = plain(matrix.scores[:, 0].tolist(), SIZES)
    found = group_components(matrix, "one-way")
    assert (found.between, found.within) == pytest.approx((between, within), rel=1e-12)  # sums of 15 terms
    assert found.intraclass_correlation == pytest.approx(between / (between + within), rel=1e-12)
    k = (9 + 4 + 16 + 1 + 25) / 15
    assert (found.n_groups, found.n_topics, found.group_size) == (5, 15, k)
    assert found.design_effect == pytest.approx(1 + (k - 1) * between / (between + within), rel=1e-12)


def test_an_example_by_hand() -> None:
    # Groups (1, 3) and (5, 7): MS_b = 16, MS_w = 2, so 7 between and 2 within; rho = 7 / 9.
    found = group_components(grouped([[1], [3], [5], [7]], (2, 2)), "one-way")
    assert (found.between, found.within) == (7, 2)
    assert (found.intraclass_correlation, found.design_effect) == pytest.approx((7 / 9, 16 / 9), rel=1e-15)


def test_two_way_is_half_the_mean_over_pairs_and_one_way_the_mean_over_systems() -> None:
    matrix = drawn(SIZES, 0.3, 4)
    pairs = [
        group_components(difference_of(matrix, *pair), "one-way") for pair in combinations(matrix.systems, 2)
    ]
    single = [
        group_components(matrix.taken(range(15), [system]), "one-way") for system in range(matrix.n_systems)
    ]
    for found, parts, share in (
        (group_components(matrix), pairs, 0.5),
        (group_components(matrix, "one-way"), single, 1.0),
    ):
        for name in ("between", "within"):
            mean = share * np.mean([getattr(one, name) for one in parts])
            assert getattr(found, name) == pytest.approx(mean, rel=1e-11)  # sums of squares of four systems


def test_the_interval_of_equal_groups_against_the_textbook() -> None:
    # Searle, Casella and McCulloch (1992), section 3.5: (F / F_u - 1) / (F / F_u - 1 + n) and the same with F_l.
    sizes, level = np.full(6, 4.0), 0.9
    means = np.array([[0.1], [-0.9], [1.4], [0.3], [-0.2], [0.8]])
    within = 0.8
    f = 4 * means.var(ddof=1) / within
    ends = [f / stats.f.ppf(p, 5, 18) - 1 for p in (0.95, 0.05)]
    found = _wald(sizes, means, within, (5, 18), level)
    assert found == pytest.approx(tuple(end / 4 for end in ends), rel=1e-9)  # roots to 1e-12, of quantiles


def test_the_interval_of_unequal_groups_is_where_the_statistic_meets_its_quantiles() -> None:
    sizes, means = np.array([3.0, 2, 4, 1, 5]), np.array([[0.1], [-0.9], [1.4], [0.3], [-0.2]])
    for theta, p in zip(_wald(sizes, means, 0.5, (4, 10), 0.9), (0.95, 0.05), strict=True):
        weights = [size / (1 + size * theta) for size in sizes]
        mean = sum(w * x for w, x in zip(weights, means[:, 0], strict=True)) / sum(weights)
        square = sum(w * (x - mean) ** 2 for w, x in zip(weights, means[:, 0], strict=True)) / 4
        assert square / 0.5 == pytest.approx(stats.f.ppf(p, 4, 10), rel=1e-8)


@pytest.mark.parametrize(("n_systems", "effects"), [(1, "one-way"), (6, "two-way")])
@pytest.mark.parametrize("rho", [0.0, 0.2])
def test_coverage_of_normal_effects(n_systems: int, effects: str, rho: float) -> None:
    sizes = (1, 2, 4, 8, 10) * 2
    collections = [drawn(sizes, rho, n_systems, seed) for seed in range(150)]
    found = [group_components(one, effects) for one in collections]  # type: ignore[arg-type]
    ends = [one.intraclass_correlation_interval for one in found]
    covered = sum(one.low <= rho <= one.high for one in ends)
    # 90 % nominally, 88 to 96 % in long simulations: four standard errors below and above.
    assert 0.78 <= covered / 150 <= 1.0
    assert sum(rho > one.high for one in ends) <= 0.15 * 150  # 5 % nominally
    assert np.mean([one.intraclass_correlation for one in found]) == pytest.approx(rho, abs=0.06)


@pytest.mark.parametrize("estimate", [ONE_WAY, TWO_WAY], ids=lambda one: one.name)
def test_means_of_groups_vary_by_both_components(estimate: Estimate) -> None:
    """Of a sum of squares it is sigma_b^2 + sigma_w^2 / k; of equal groups of k, s^2 of their means."""
    matrix = drawn(SIZES, 0.4, 4)
    found = group_components(matrix, "one-way" if estimate is ONE_WAY else "two-way")
    assert found.between > 0
    for k in (1, 7):
        expected = found.between + found.within / k
        assert of_group_means(estimate, k)(matrix) == pytest.approx(expected, rel=1e-12)
    equal = drawn((6,) * 9, 0.4, 4)
    means = of(equal.scores.reshape(9, 6, 4).mean(axis=1))
    assert of_group_means(estimate, 6)(equal) == pytest.approx(estimate(means), rel=1e-12)


def test_a_hundred_thousand_groups_of_two_by_hand() -> None:
    """A table of topics by groups would have 160 GB. Pairs of a +- 1/2 have MS_w = 1/2 and MS_b = 2 var(a)."""
    means = np.tile([0.0, 4.0], 50_000)
    matrix = grouped((np.repeat(means, 2) + np.tile([0.5, -0.5], 100_000))[:, np.newaxis], (2,) * 100_000)
    found = group_components(matrix, "one-way")
    assert found.within == pytest.approx(0.5)
    assert found.between == pytest.approx((2 * means.var(ddof=1) - 0.5) / 2)


def test_design_effect() -> None:
    assert design_effect(12, 0.2) == pytest.approx(3.2)
    assert design_effect(1, 0.9) == 1


def test_a_scale_changes_components_by_its_square_and_the_correlation_not_at_all() -> None:
    matrix = drawn(SIZES, 0.3, 3)
    own, other = group_components(matrix), group_components(grouped(5 + 8 * matrix.scores, SIZES))
    assert other.between == pytest.approx(64 * own.between, rel=1e-11)  # digits that 5 takes
    ends = [
        (one.intraclass_correlation_interval.low, one.design_effect_interval.high) for one in (own, other)
    ]
    assert ends[1] == pytest.approx(ends[0], rel=1e-9)


def test_groups_that_show_no_variance_are_refused() -> None:
    scores = drawn((4,), 0.3, 2).scores
    flat = np.repeat([[1.0, 2], [3, 1]], 2, axis=0)
    for matrix, parameter, rule in (
        (of(scores), "groups", "have none"),
        (grouped(scores, (4,)), "groups", "at least 2"),
        (grouped(scores, (1, 1, 1, 1)), "groups", "have none"),
        (grouped(flat, (2, 2)), "scores", "vary within groups"),
        (grouped(scores[:, [0, 0]], (2, 2)), "scores", "differences of systems that vary within groups"),
        (grouped(scores[:, :1], (2, 2)), "systems", "at least 2"),
    ):
        error = refused(group_components, matrix)
        assert error.parameter == parameter
        assert rule in error.rule
    assert refused(group_components, grouped(scores, (2, 2)), "three-way").parameter == "effects"


def test_the_estimate_is_not_below_the_least_correlation() -> None:
    # A group of three correlates by at least -1/2. MS_b = 0, MS_w = 1, n_0 = 4 - 10/4 = 1.5: -2/3 / (1/3) = -2.
    found = group_components(grouped([[-1], [0], [1], [0]], (3, 1)), "one-way")
    assert found.between == pytest.approx(-2 / 3)
    assert found.intraclass_correlation == -0.5
    assert found.design_effect == pytest.approx(1 - (10 / 4 - 1) / 2)
    # Differences of .1 but one, which makes the means of both groups differ as much as their topics: MS_b = MS_w.
    equal = group_components(grouped([[0.5]] + [[0.1]] * 9, (5, 5)), "one-way")
    assert equal.intraclass_correlation == 0


@pytest.mark.reference_data
def test_the_five_blocks_of_robust_2004() -> None:
    """Topics 301-350 to 651-700 were made in five years: plain loops over all pairs of runs."""
    matrix = reference_matrix("robust2004_ap")
    blocks = {topic: f"b{sum(int(topic) > last for last in (350, 400, 450, 650))}" for topic in matrix.topics}
    found = group_components(matrix.grouped(blocks))
    some = [
        plain((matrix.scores[:, a] - matrix.scores[:, b]).tolist(), (50, 50, 50, 50, 49)) for a, b in _PAIRS
    ]
    part = group_components(matrix.grouped(blocks).taken(range(249), [0, 1, 2]))
    assert 2 * part.between == pytest.approx(np.mean([between for between, _ in some]), rel=1e-9)
    assert found.design_effect > 1.5


_PAIRS = ((0, 1), (0, 2), (1, 2))
