"""How often intervals from resampling contain the true variance, by simulation and by theory.

The expected shares are the rows of `topicset_core.variance.coverage`, which came from other seeds and
more collections; tolerances are 4 standard errors of the shares found here.
"""

from collections.abc import Callable

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from tests.variance.matrices import of
from topicset_core.collection import ScoreMatrix
from topicset_core.variance import (
    COVERAGE,
    ESTIMATES,
    ONE_WAY,
    PAIR_PERCENTILE,
    TWO_WAY,
    Estimate,
    SimulatedCoverage,
    percentile_interval,
    resampled_variances,
)
from topicset_core.variance.coverage import NORMAL, ROBUST_2004

TOPIC, INTERACTION = 0.0342, 0.0129  # of TREC robust AP: .0471 one-way, .0129 two-way (notes, 8.1)
COLLECTIONS = 1500
TRIALS = 250  # of each: with twice or four times as many, shares differ by less than their own error


def normal(rng: np.random.Generator, n_topics: int, n_systems: int) -> ScoreMatrix:
    topics = rng.normal(0, TOPIC**0.5, (n_topics, 1))
    return of(topics + rng.normal(0, INTERACTION**0.5, (n_topics, n_systems)))


def shares(
    draw: Callable[[np.random.Generator], ScoreMatrix],
    estimate: Estimate,
    reference: float,
    collections: int = COLLECTIONS,
) -> tuple[float, float]:
    """The shares of intervals that contain the true value, and that it is above."""
    rng = np.random.default_rng(99)
    held = above = 0
    for seed in range(collections):
        values = resampled_variances([draw(rng)], estimate, n_trials=TRIALS, seed=seed)[:, 0]
        interval = percentile_interval(values)
        held += interval.low <= reference <= interval.high
        above += reference > interval.high
    return held / collections, above / collections


def within(share: float, collections: int = COLLECTIONS) -> object:
    return pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / collections))


def row_name(row: SimulatedCoverage) -> str:
    return f"{row.estimate} {row.n_topics} x {row.n_systems}"


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in COVERAGE if row.population == NORMAL], ids=row_name)
def test_coverage_against_normal_simulation(row: SimulatedCoverage) -> None:
    estimate, reference = (
        (TWO_WAY, INTERACTION) if row.estimate == "two-way" else (ONE_WAY, TOPIC + INTERACTION)
    )
    result = shares(lambda rng: normal(rng, row.n_topics, row.n_systems), estimate, reference)
    assert result[0] == within(row.covers)
    assert result[1] == within(row.above)


@pytest.mark.slow
@pytest.mark.reference_data
@pytest.mark.parametrize(
    "row", [row for row in COVERAGE if row.population == ROBUST_2004 and row.n_topics == 50], ids=row_name
)
def test_coverage_against_robust_2004_as_the_population(row: SimulatedCoverage) -> None:
    """Skewed real scores: topics drawn from the 249, which make up the population."""
    scores = reference_matrix("robust2004_ap").scores
    assert scores.shape[1] == row.n_systems
    (estimate,) = (estimate for estimate in ESTIMATES if estimate.name == row.estimate)
    collections = 25 if estimate is PAIR_PERCENTILE else 400  # pairs take 200 ms per collection
    # The variance of a population divides by n; so does that of each pair of runs.
    reference = estimate(of(scores)) * 248 / 249
    result = shares(
        lambda rng: of(scores[rng.integers(249, size=row.n_topics)]), estimate, reference, collections
    )
    assert result[0] == within(row.covers, collections)
    assert result[1] == within(max(row.above, 0.02), collections)  # a share of 0 has no tolerance


@pytest.mark.slow  # with the import of scipy.stats
@pytest.mark.parametrize("n_topics", [50, 100])
def test_coverage_of_a_single_normal_run_is_below_the_chi_square_value(n_topics: int) -> None:
    """Of a single run the exact interval is (phi s^2 / b', phi s^2 / a'), chi-square quantiles a', b'.

    A percentile interval with resamples distributed as s^2 chi^2 / phi would be (s^2 a, s^2 b)
    instead and hold sigma^2 where phi / b <= chi^2 <= phi / a. The real one lies below that by the
    amount that a sample's kurtosis falls short of the population's, a few points.
    """
    from scipy.stats import chi2

    phi = n_topics - 1
    low, high = chi2.ppf(np.array([0.05, 0.95]), phi) / phi
    reckoned = chi2.cdf(phi / low, phi) - chi2.cdf(phi / high, phi)
    if n_topics == 50:
        assert reckoned == pytest.approx(0.890, abs=5e-4)  # as in the docstring of `coverage`
    rng = np.random.default_rng(7)
    exact = [ONE_WAY(normal(rng, n_topics, 1)) / (TOPIC + INTERACTION) for _ in range(COLLECTIONS)]
    exact_share = np.mean([1 / high <= ratio <= 1 / low for ratio in exact])
    assert exact_share == within(reckoned)  # the reckoning itself, by simulation
    result, _ = shares(lambda rng: normal(rng, n_topics, 1), ONE_WAY, TOPIC + INTERACTION)
    assert reckoned - 0.06 < result < reckoned + 0.02  # 2 points: some 2 standard errors


@pytest.mark.slow
def test_two_collections_pooled_are_covered_like_one_of_twice_the_size() -> None:
    reference, collections = TOPIC + INTERACTION, 1000
    rng = np.random.default_rng(5)
    held = 0
    for seed in range(collections):
        matrices = [normal(rng, 50, 20), normal(rng, 50, 20)]
        values = resampled_variances(matrices, n_trials=TRIALS, seed=seed).mean(axis=1)
        interval = percentile_interval(values)
        held += interval.low <= reference <= interval.high
    (row,) = (row for row in COVERAGE if row_name(row) == "one-way 100 x 20")
    assert held / collections == within(row.covers, collections)
