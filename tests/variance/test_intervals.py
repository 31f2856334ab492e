"""Intervals of variances against a plain jackknife, SciPy's chi-square, theory, and their coverage."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from tests.reference_data import reference_matrix
from tests.variance.matrices import of
from tests.variance.test_group_components import drawn, grouped
from topicset_core.collection import ScoreMatrix
from topicset_core.variance import (
    CONSERVATIVE_DIFFERENCE,
    ESTIMATES,
    MEAN_PAIR_DIFFERENCE,
    ONE_WAY,
    PAIR_PERCENTILE,
    TWO_WAY,
    Estimate,
    pooled,
    pooled_interval,
)
from topicset_core.variance.choices import chosen_pair
from topicset_core.variance.group_components import of_group_means
from topicset_core.variance.intervals import (
    COVERS,
    COVERS_IN_GROUPS,
    COVERS_ONE,
    HOLDS_IN_GROUPS,
    inflation,
)

RNG = np.random.default_rng(12)
SKEWED = of(RNG.exponential(size=(20, 4)) + RNG.exponential(size=(20, 1)))
OTHER = of(RNG.exponential(size=(9, 3)))


def plain_error(matrix: ScoreMatrix, estimate: Estimate) -> float:
    """The jackknife standard error of log v, with a loop."""
    n = matrix.n_topics
    logs = [math.log(estimate(of(np.delete(matrix.scores, topic, axis=0)))) for topic in range(n)]
    return math.sqrt((n - 1) ** 2 / n * float(np.var(logs, ddof=1)))


@pytest.mark.parametrize("level", [0.5, 0.9])
@pytest.mark.parametrize("estimate", [*ESTIMATES, chosen_pair("s0", "s1")], ids=lambda one: one.name)
def test_limits_against_a_plain_jackknife(estimate: Estimate, level: float) -> None:
    result = pooled_interval([SKEWED], estimate, level=level)
    df = 0.8 * 17 / 19 * 2 / plain_error(SKEWED, estimate) ** 2
    if estimate is PAIR_PERCENTILE:
        df = min(df, 19)
    if estimate.name == "chosen-pair":
        df = 2 / (1 / df + 5 / 20)  # one pair: with that of a kurtosis of 11
    assert result.effective_df == pytest.approx(df, rel=1e-10)  # sums of 20 logarithms
    v, tails = estimate(SKEWED), ((1 - level) / 2, (1 + level) / 2)
    assert result.low == pytest.approx(v * df / stats.chi2.ppf(tails[1], df), rel=1e-9)
    assert result.high == pytest.approx(v * df / stats.chi2.ppf(tails[0], df), rel=1e-9)


@pytest.mark.parametrize("weights", ["topics", "degrees-of-freedom"])
def test_the_interval_of_a_pool(weights: str) -> None:
    """The relative variance of a weighted sum of independent variances, and 19 + 8 degrees of freedom of t."""
    result = pooled_interval([SKEWED, OTHER], TWO_WAY, weights)  # type: ignore[arg-type]
    shares = (19, 8) if weights == "topics" else (57, 16)
    parts = [share * TWO_WAY(one) for share, one in zip(shares, (SKEWED, OTHER), strict=True)]
    errors = [part * plain_error(one, TWO_WAY) for part, one in zip(parts, (SKEWED, OTHER), strict=True)]
    squared = (errors[0] ** 2 + errors[1] ** 2) / sum(parts) ** 2
    assert result.effective_df == pytest.approx(0.8 * 25 / 27 * 2 / squared, rel=1e-10)
    variance = pooled([SKEWED, OTHER], TWO_WAY, weights)  # type: ignore[arg-type]
    df = result.effective_df
    assert result.low == pytest.approx(variance * df / stats.chi2.ppf(0.95, df), rel=1e-9)


def test_degrees_of_freedom_of_normal_scores_against_theory() -> None:
    """log v of n - 1 normal squares varies by nearly 2 / (n - 1); of m unrelated runs by 2 / (m (n - 1))."""
    rng, n = np.random.default_rng(3), 2000
    for m in (1, 5):
        found = [pooled_interval([of(rng.normal(size=(n, m)))]).effective_df for _ in range(30)]
        # A fourth moment from m n values has an error of sqrt(96 / (m n)) / 2 at most, 11 %; the mean of 30: 2 %.
        expected = 0.8 * m * (n - 1) if m > 1 else 2 / (1 / (0.8 * (n - 1)) + 5 / n)
        assert np.mean(found) == pytest.approx(expected, rel=0.08)


@pytest.mark.parametrize(("df", "factors"), [(9, (1.672846, 2.706675)), (499, (1.056674, 1.113345))])
def test_factors_against_r(df: int, factors: tuple[float, float]) -> None:
    # R 4.2.2: nu / qchisq(1 - gamma, nu) for gamma .80 and .95.
    assert [float(inflation(df, gamma)) for gamma in (0.80, 0.95)] == pytest.approx(factors, abs=6e-7)


def test_edges() -> None:
    flat = pooled_interval([of(np.ones((30, 3)) * [0.1, 0.5, 0.9])])
    assert (flat.low, flat.high) == (0, 0)
    for n in (2, 3):  # too few for a jackknife, or for the variance of t
        assert pooled_interval([of(RNG.random((n, 3)))]).effective_df == 1
    lonely = np.zeros((50, 2))
    lonely[7, 0] = 0.4  # all variance is of one topic: without it the logarithm is none
    assert pooled_interval([of(lonely)]).effective_df == 1
    # One pair: the mean of 1 / 1 and 5 / 50.
    assert pooled_interval([of(lonely)], TWO_WAY).effective_df == pytest.approx(2 / 1.1, rel=1e-12)
    even = of(np.tile([[0.0], [1.0]], (10, 1)))  # every topic has the same square
    assert pooled_interval([even]).effective_df == pytest.approx(
        2 / (1 / 19 + 5 / 20), rel=1e-12
    )  # m (n - 1)
    for pair in (CONSERVATIVE_DIFFERENCE, MEAN_PAIR_DIFFERENCE):
        one = pooled_interval([SKEWED], ONE_WAY if pair is CONSERVATIVE_DIFFERENCE else TWO_WAY)
        assert pooled_interval([SKEWED], pair).low == pytest.approx(2 * one.low, rel=1e-13)


def test_one_pair_has_a_range_of_its_own_by_every_estimate() -> None:
    two, three = (of(RNG.exponential(size=(20, m))) for m in (2, 3))
    by_pair = (MEAN_PAIR_DIFFERENCE, PAIR_PERCENTILE, TWO_WAY, chosen_pair("s0", "s1"))
    assert all(pooled_interval([two], estimate).covers is COVERS_ONE for estimate in by_pair)
    assert all(pooled_interval([two, two], estimate).is_of_one for estimate in by_pair)
    assert [pooled_interval([three], estimate).is_of_one for estimate in by_pair] == [
        False,
        False,
        False,
        True,
    ]
    assert not pooled_interval([two], ONE_WAY).is_of_one  # the mean of two variances
    df = {
        pooled_interval([two], estimate).effective_df
        for estimate in by_pair
        if estimate is not PAIR_PERCENTILE
    }
    assert max(df) == pytest.approx(min(df), rel=1e-9)


def test_copies_of_topics_are_as_uncertain_as_the_topics() -> None:
    """Three copies of each topic, in groups of copies: the variance is known as well as from one copy of each."""
    copies = grouped(np.repeat(SKEWED.scores, 3, axis=0), (3,) * SKEWED.n_topics)
    for estimate in (ONE_WAY, TWO_WAY, PAIR_PERCENTILE):
        df = 0.8 * 17 / 19 * 2 / plain_error(SKEWED, estimate) ** 2
        assert pooled_interval([copies], estimate).effective_df == pytest.approx(df, rel=1e-10)
        assert pooled_interval([copies.grouped(None)], estimate).effective_df > df
    pool, parts = pooled_interval([copies, OTHER], TWO_WAY), (59 * TWO_WAY(copies), 8 * TWO_WAY(OTHER))
    errors = [part * plain_error(one, TWO_WAY) for part, one in zip(parts, (SKEWED, OTHER), strict=True)]
    squared = (errors[0] ** 2 + errors[1] ** 2) / sum(parts) ** 2
    assert pool.effective_df == pytest.approx(0.8 * 25 / 27 * 2 / squared, rel=1e-10)  # 19 + 8 of t
    assert (pool.covers, pool.holds) == tuple(
        of["sum of squares"] for of in (COVERS_IN_GROUPS, HOLDS_IN_GROUPS)
    )


def test_coverage_in_groups() -> None:
    """Groups of 1 to 10 topics, rho = .5: 90 %, less four standard errors; ignoring groups fewer."""
    held = dict.fromkeys(("means", "topics", "ignored"), 0)
    for seed in range(150):
        matrix = drawn((1, 2, 4, 8, 10) * 4, 0.5, 4, seed)
        for name, scores, estimate, reference in (
            ("means", matrix, of_group_means(ONE_WAY, 6), 0.5 + 0.5 / 6),
            ("topics", matrix, ONE_WAY, 1.0),
            ("ignored", matrix.grouped(None), ONE_WAY, 1.0),
        ):
            interval = pooled_interval([scores], estimate)
            held[name] += interval.low <= reference <= interval.high
    assert min(held["means"], held["topics"]) >= 0.8 * 150 > held["ignored"]


def test_the_interval_in_words(golden: SnapshotAssertion) -> None:
    sentences = [
        pooled_interval([SKEWED]).sentence,
        pooled_interval([SKEWED], PAIR_PERCENTILE).sentence,
        pooled_interval([SKEWED], level=0.95).sentence,  # no simulation of this level
    ]
    assert sentences == golden


def covered(draw: Callable[[], tuple[ScoreMatrix, Estimate, float]], n_pilots: int) -> float:
    """The share of pilots whose interval holds the variance of their population."""
    held = 0
    for _ in range(n_pilots):
        pilot, estimate, reference = draw()
        interval = pooled_interval([pilot], estimate)
        held += interval.low <= reference <= interval.high
    return held / n_pilots


@pytest.mark.slow
@pytest.mark.reference_data
@pytest.mark.parametrize("n_topics", [5, 10, 25, 50])
@pytest.mark.parametrize("kind", ["one-way", "two-way", "95th percentile of pairs", "one pair"])
@pytest.mark.parametrize(
    ("name", "measure"),
    [("robust2004_ap", "AP"), ("web2012_err20", "ERR@20"), ("dl2019_passage_p10", "P@10")],
)
def test_the_printed_coverage_on_real_scores(name: str, measure: str, kind: str, n_topics: int) -> None:
    """Topics are drawn with replacement from those of a matrix, which are the population; 12 of its runs."""
    matrix = reference_matrix(name, measure)
    rng = np.random.default_rng(np.random.SeedSequence(41, spawn_key=(n_topics, len(kind))))
    scores = matrix.scores[:, rng.choice(matrix.n_systems, 12, replace=False)]
    by_kind = {"one-way": ONE_WAY, "two-way": TWO_WAY, "95th percentile of pairs": PAIR_PERCENTILE}
    n = matrix.n_topics

    def draw() -> tuple[ScoreMatrix, Estimate, float]:
        estimate, columns = by_kind.get(kind), scores
        while estimate is None or np.ptp(columns[:, 0] - columns[:, 1]) == 0:
            estimate = chosen_pair("s0", "s1")
            columns = matrix.scores[:, rng.choice(matrix.n_systems, 2, replace=False)]
        # The variance of a population divides by n.
        return of(columns[rng.integers(n, size=n_topics)]), estimate, estimate(of(columns)) * (n - 1) / n

    low, high = COVERS["percentile" if "percentile" in kind else "sum of squares"]
    if kind == "one pair":  # the mean over pairs
        low, high = COVERS_ONE
    n_pilots = 150
    # Three standard errors of 150 pilots beyond the printed ends; the largest is at 75 %: 3.5 points.
    beyond = 3 * math.sqrt(low / 100 * (1 - low / 100) / n_pilots)
    assert low / 100 - beyond < covered(draw, n_pilots) < high / 100 + beyond


@pytest.mark.reference_data
@pytest.mark.parametrize("n_groups", [5, 20])
def test_the_printed_coverage_in_groups_on_real_scores(n_groups: int) -> None:
    """Effects of groups and of topics are drawn from one matrix, so that its variance is that of the scores."""
    scores = reference_matrix("robust2004_ap").scores[:, ::12]
    rng, n, rho, size = np.random.default_rng(47), len(scores), 0.2, 12
    deviations, reference = scores - scores.mean(axis=0), ONE_WAY(of(scores)) * (n - 1) / n
    estimates = {ONE_WAY: reference, of_group_means(ONE_WAY, size): reference * (rho + (1 - rho) / size)}
    held = dict.fromkeys(estimates, 0)
    for _ in range(60):
        effects = deviations[rng.integers(n, size=n_groups)]
        own = deviations[rng.integers(n, size=n_groups * size)]
        drawn_scores = math.sqrt(rho) * np.repeat(effects, size, axis=0) + math.sqrt(1 - rho) * own
        matrix = grouped(drawn_scores, (size,) * n_groups)
        for estimate, expected in estimates.items():
            interval = pooled_interval([matrix], estimate)
            held[estimate] += interval.low <= expected <= interval.high
    low, high = (end / 100 for end in COVERS_IN_GROUPS["sum of squares"])
    beyond = 3 * math.sqrt(low * (1 - low) / 60)  # three standard errors of 60 collections
    assert all(low - beyond < one / 60 <= high + beyond for one in held.values())
