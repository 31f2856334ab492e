"""Close systems: the interval allows for the uncertain spread of differences (docs/evidence/error-rate.md)."""

import numpy as np
import pytest
from scipy import stats

from topicset_core.analyses.error_rate.prediction import Predictor
from topicset_core.analyses.error_rate.theory import pairs_of
from topicset_core.collection import ScoreMatrix


def _matrix(scores: np.ndarray) -> ScoreMatrix:
    topics, systems = (
        tuple(f"{kind}{at}" for at in range(n)) for kind, n in zip("ts", scores.shape, strict=True)
    )
    return ScoreMatrix(scores=scores, topics=topics, systems=systems, measure="AP", name="close")


def _close(rng: np.random.Generator, n_topics: int) -> np.ndarray:
    """Six systems with true means .04 apart from worst to best, on topics of very different difficulty."""
    easy = rng.beta(2, 4, (n_topics, 1))
    return np.clip(easy + rng.normal(0, 0.12, (n_topics, 6)) + np.linspace(-0.02, 0.02, 6), 0, 1)


def test_the_statistic_is_f_of_runs_in_two_way_anova() -> None:
    scores = _close(np.random.default_rng(3), 20)
    means, grand = scores.mean(axis=0), scores.mean()
    residual = scores - means - scores.mean(axis=1, keepdims=True) + grand
    f = 20 * np.sum((means - grand) ** 2) / 5 / (np.sum(residual**2) / (5 * 19))
    assert pairs_of(_matrix(scores)).f_statistic == pytest.approx(f, rel=1e-12)


def test_the_limits_of_the_spread_are_those_of_its_f_interval() -> None:
    """With F / (1 + theta) at its 5 and 95 % points, by scipy.stats."""
    predictor = Predictor(_matrix(_close(np.random.default_rng(3), 20)))
    pairs, f = predictor.pairs, predictor.pairs.f_statistic
    for true, share in zip(predictor.limits_of_spread, (0.05, 0.95), strict=True):
        theta = max(f / stats.f.ppf(share, 5, 5 * 19) - 1, 0)
        assert true == pytest.approx(pairs.differences * np.sqrt(theta / f), rel=1e-9)


def test_the_interval_holds_the_true_rate_of_close_systems() -> None:
    """True rate .351 by 3,000 pairs of sets. Of 60 samples 90 % hold it; below 80 % (3 standard errors) fails."""
    rng, held, alone = np.random.default_rng(7), 0, 0
    for _ in range(60):
        predictor = Predictor(_matrix(_close(rng, 25)))
        interval = predictor.error_interval(0.05, 25)
        assert interval is not None
        held += interval.low <= 0.351 <= interval.high
        alone += predictor.error(0.05, 25) > 0.4999
    assert held >= 48
    assert alone > 10  # these once had the interval 50 to 50 %
