"""Close systems: the interval allows for the uncertain spread of differences."""

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
