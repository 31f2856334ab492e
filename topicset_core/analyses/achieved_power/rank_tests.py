"""How many topics rank tests need where the t test needs n, if the systems differ by a pure shift.

Rank tests have no design: their power depends on the shape of the differences, not on minD and a variance alone.
For given scores, with each pair's differences made symmetric around a shift, Noether's formulas give their topics.
Differences are centred by their mean. Centred by their median, the sign test needs fewer topics.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.designs import paired_t
from topicset_core.designs.distributions import upper_normal
from topicset_core.designs.search import Floats


class RankTestTopics(NamedTuple):
    """Median over pairs of the topics that rank tests need."""

    wilcoxon: float
    sign: float


def rank_test_topics(
    matrix: ScoreMatrix, pairs: Sequence[Sequence[str]], n_topics: int, *, alpha: float, beta: float
) -> RankTestTopics:
    """Return the topics of rank tests where the paired t test needs n.

    References
    ----------
    .. [1] G. E. Noether. Sample size determination for some common nonparametric tests. Journal of the American
       Statistical Association 82, 645-647 (1987). https://doi.org/10.1080/01621459.1987.10478478
    """
    effect = float(paired_t.detectable_delta(n_topics, alpha=alpha, beta=beta))
    place = {system: column for column, system in enumerate(matrix.systems)}
    results = []
    for first, second in pairs:
        differences = matrix.scores[:, place[first]] - matrix.scores[:, place[second]]
        results.append(_topics(differences - differences.mean(), effect, alpha, beta))
    return RankTestTopics(*np.median(results, axis=0).tolist())


def _topics(centred: Floats, effect: float, alpha: float, beta: float) -> tuple[float, float]:
    """Return the topics of both tests for differences around 0, made symmetric, plus `effect` deviations."""
    values = np.sort(np.concatenate([centred, -centred]))
    shift = effect * float(np.sqrt(np.mean(values**2)))
    both, one = _share_above(values, -2 * shift - values), _share_above(values, np.array([-shift]))
    deviates = float(upper_normal(alpha / 2) + upper_normal(beta)) ** 2
    with np.errstate(divide="ignore"):
        return float(deviates / np.float64(3 * (both - 0.5) ** 2)), float(
            deviates / np.float64(4 * (one - 0.5) ** 2)
        )


def _share_above(values: Floats, bounds: Floats) -> float:
    """Return the share of values above bounds, over all of both; one that equals a bound counts half."""
    below = np.searchsorted(values, bounds, "left") + np.searchsorted(values, bounds, "right")
    return float(1 - below.mean() / (2 * values.size))
