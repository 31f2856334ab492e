"""Tables of kernel densities against SciPy's gaussian_kde, which sums over all scores."""

import numpy as np
import pytest
import scipy

from topicset_core.analyses.topic_variance.densities import bandwidth, densities
from topicset_core.analyses.topic_variance.kernels import upper_tail
from topicset_core.analyses.topic_variance.settings import Bandwidth


def _scores(kind: str, rng: np.random.Generator) -> np.ndarray:
    if kind == "outlier":  # as far out as one of n scores can be
        return np.concatenate([rng.normal(0, 1e-3, 999), [50.0]])
    if kind == "two":
        return np.array([3.0, 4.0])
    if kind == "ties":
        return rng.integers(0, 3, 500).astype(np.float64)
    return np.exp(rng.normal(0, 0.6, 950))


@pytest.mark.parametrize("rule", ["scott", "silverman"])
@pytest.mark.parametrize("kind", ["plain", "outlier", "two", "ties"])
def test_upper_tail_against_scipy(kind: str, rule: Bandwidth) -> None:
    rng = np.random.default_rng(1)
    others, relevant = _scores(kind, rng), rng.normal(1, 2, 30)
    result = densities(relevant, others, rule)
    assert result is not None
    theirs = scipy.stats.gaussian_kde(others, bw_method=rule)
    unit = bandwidth(others, rule)
    # Both densities are linear in the score, so two relevant scores determine the x of a score.
    slope = (result.relevant[1] - result.relevant[0]) / (relevant[1] - relevant[0])
    assert slope == pytest.approx(1 / unit, rel=1e-9)  # outliers leave 1e-10 of a score's own digits
    for score in np.linspace(others.min() - 8 * unit, others.max() + 8 * unit, 801):
        x = result.relevant[0] + (score - relevant[0]) / unit
        ours = upper_tail(result.table, 0, result.table.shape[0] - 1, x)
        # Interpolation over a quarter of a bandwidth errs by up to (1/4)^6 max|Phi^(6)| / (6! 64), and
        # |Phi^(6)| is at most 2.31: 1.23e-8.
        assert ours == pytest.approx(theirs.integrate_box_1d(score, np.inf), abs=1.3e-8)
    assert result.width == pytest.approx(bandwidth(relevant, rule) / unit, rel=1e-9)


@pytest.mark.parametrize("kind", ["plain", "outlier", "ties", "two"])
def test_knots_against_sums_of_kernels(kind: str) -> None:
    """Tail, slope and curvature by the number of the knot, a quarter of a bandwidth, from every score itself.

    Values within an eighth of a bandwidth of a knot are moved by a Taylor series of eight terms: the ninth is
    (1/8)^8 / 8! of the 7th, 8th and 9th derivative of the normal density, at most 14.2, 41.9 and 115. Points
    from 6.375 bandwidths off are left out, where the tail has 9.2e-11, the density 6e-10.
    """
    rng = np.random.default_rng(5)
    others, relevant = _scores(kind, rng), rng.normal(1, 2, 30)
    result = densities(relevant, others, "scott")
    assert result is not None
    unit = bandwidth(others, "scott")
    first = relevant[0] / unit - result.relevant[0]
    knots = np.arange(result.table.shape[0]) / 4
    chosen = rng.choice(knots.size, min(knots.size, 300), replace=False)
    away = (others / unit - first)[:, None] - knots[chosen]
    kernels = np.exp(-0.5 * away**2) / np.sqrt(2 * np.pi)
    exact = scipy.special.ndtr(away), -kernels / 4, -away * kernels / 16
    for column, values, close in zip((0, 1, 2), exact, (1.2e-10, 1.7e-10, 2.6e-10), strict=True):
        assert result.table[chosen, column] == pytest.approx(values.mean(axis=0), abs=close)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_bandwidths_against_scipy(rule: Bandwidth) -> None:
    scores = np.random.default_rng(2).normal(0, 3, 40)
    assert bandwidth(scores, rule) == pytest.approx(
        np.sqrt(scipy.stats.gaussian_kde(scores, rule).covariance[0, 0]), rel=1e-12
    )


def test_unit_and_zero_of_scores_make_no_difference() -> None:
    rng = np.random.default_rng(3)
    relevant, others = rng.normal(1, 1, 20), rng.normal(0, 1, 300)
    plain = densities(relevant, others, "scott")
    assert plain is not None
    for scale, shift in ((1e300, 0.0), (1e-300, 0.0), (-0.0 + 3.0, 1e6)):
        again = densities(scale * relevant + shift, scale * others + shift, "scott")
        assert again is not None
        assert again.relevant == pytest.approx(
            plain.relevant, abs=1e-7
        )  # a shift of 1e6 costs 6 digits of 16
        # The number of knots may differ by one where the last lies next to the edge.
        assert again.table[:50] == pytest.approx(plain.table[:50], abs=1e-7)


@pytest.mark.parametrize(
    ("relevant", "others"),
    [
        ([1.0], [1.0, 2.0]),
        ([1.0, 2.0], [1.0]),
        ([2.0, 2.0], [1.0, 2.0]),
        ([1.0, 2.0], [0.1] * 7),
        ([0.0, 0.0], [0.0] * 3),
        ([1.0, 2.0], [0.3, 0.1 + 0.2, 0.3]),  # differ by 5.6e-17, which is rounding
    ],
)
def test_scores_that_do_not_vary_have_no_density(relevant: list[float], others: list[float]) -> None:
    assert densities(np.array(relevant), np.array(others), "scott") is None
