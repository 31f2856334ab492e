"""Topics of rank tests where the t test needs 50, of normal differences and of real ones."""

import numpy as np
import pytest
from scipy.special import ndtri

from tests.reference_data import reference_matrix
from topicset_core.analyses.achieved_power.over_pairs import rank_test_topics
from topicset_core.analyses.achieved_power.resampling import choose_sets
from topicset_core.collection import ScoreMatrix


def test_normal_differences() -> None:
    # Noether's formulas at the effect that 50 topics detect, worked out for normal differences: 55.97 and 79.65.
    grid = ndtri((np.arange(20_000) + 0.5) / 20_000)
    scores = np.stack([grid, np.zeros_like(grid)], axis=1)
    topics = tuple(str(place) for place in range(grid.size))
    matrix = ScoreMatrix(scores=scores, topics=topics, systems=("a", "b"), measure="d", name="normal")
    result = rank_test_topics(matrix, [("a", "b")], 50, alpha=0.05, beta=0.20)
    # The grid lacks tails beyond 4 standard deviations.
    assert result.wilcoxon == pytest.approx(55.97, abs=0.02)
    assert result.sign == pytest.approx(79.65, abs=0.02)


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("name", "wilcoxon"),
    [("robust2004_ap", 42), ("trec8_adhoc_ap", 48), ("web2012_err20", 31), ("dl2019_passage_ndcg10", 40)],
)
def test_real_differences(name: str, wilcoxon: float) -> None:
    # Medians of 40 pairs by another program; other 40 pairs differ by up to 5 topics, as three seeds here do.
    matrix = reference_matrix(name)
    pairs = [[matrix.systems[run] for run in one] for one in choose_sets(matrix, 2, 40, 0).members]
    assert rank_test_topics(matrix, pairs, 50, alpha=0.05, beta=0.20).wilcoxon == pytest.approx(
        wilcoxon, abs=5
    )
