"""Percentile intervals against counting, the binomial distribution and repeated seeds."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.errors import InputError
from topicset_core.variance import percentile_interval
from topicset_core.variance.intervals import rank_of

SHUFFLED = np.random.default_rng(1).permutation(np.arange(1.0, 2001.0))


def test_the_ends_are_order_statistics() -> None:
    result = percentile_interval(SHUFFLED)
    assert (result.level, result.low, result.high) == (0.90, 100.0, 1900.0)
    inside = ((result.low <= SHUFFLED) & (result.high >= SHUFFLED)).sum()
    assert inside >= 1800  # at least 90 %


@pytest.mark.parametrize("level", [0.01, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize("n_values", [1, 2, 3, 10, 99, 1000, 2000, 12345])
def test_the_interval_covers_at_least_its_level_on_each_side(level: float, n_values: int) -> None:
    values = np.arange(float(n_values))
    result = percentile_interval(values, level)
    assert ((values >= result.low) & (values <= result.high)).mean() >= level - 1e-12
    tail = (1 - level) / 2 + 1e-12
    assert (values < result.low).mean() <= tail
    assert (values > result.high).mean() <= tail


def test_ranks_survive_the_rounding_of_shares() -> None:
    for n_values in (20, 200, 2000, 20_000):
        for hundredths in range(1, 101):
            exact = -(-hundredths * n_values // 100)
            assert rank_of(hundredths / 100, n_values) == exact
            assert rank_of(1 - (1 - hundredths / 100), n_values) == exact


def test_standard_errors_against_repeated_seeds() -> None:
    """The spread of the ends over 400 seeds, for values whose quantiles are known to move."""
    rng = np.random.default_rng(2)
    results = [percentile_interval(rng.chisquare(9, 1000)) for _ in range(400)]
    for end in ("low", "high"):
        spread = np.std([getattr(interval, end) for interval in results])
        stated = np.mean([getattr(interval, f"{end}_standard_error") for interval in results])
        # A standard deviation of 400 has an error of 3.5 %, each stated one one of some 10 % bias at most.
        assert stated == pytest.approx(spread, rel=0.15)


@pytest.mark.parametrize("level", [0, 1, -0.5, 90, float("nan"), True, "0.9"])
def test_invalid_levels_are_refused(level: object, golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        percentile_interval(SHUFFLED, level)  # type: ignore[arg-type]
    assert caught.value.parameter == "level"
    assert caught.value.value is level
    assert str(caught.value) == golden
