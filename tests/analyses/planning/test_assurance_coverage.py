"""How often the limit with a stated certainty is high enough, on real scores: the figures that are printed."""

import math

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from tests.variance.matrices import of
from topicset_core.variance import ONE_WAY, TWO_WAY, Estimate, pooled_interval
from topicset_core.variance.intervals import HOLDS, inflation

MATRICES = (("robust2004_ap", "AP"), ("web2012_err20", "ERR@20"), ("dl2019_passage_ndcg10", "nDCG@10"))
PILOTS = 200


@pytest.mark.slow
@pytest.mark.reference_data
@pytest.mark.parametrize("n_topics", [5, 10, 25, 50])
@pytest.mark.parametrize(("name", "measure"), MATRICES)
@pytest.mark.parametrize("estimate", [ONE_WAY, TWO_WAY], ids=lambda one: one.name)
def test_coverage_of_the_limit_on_real_scores(
    name: str, measure: str, estimate: Estimate, n_topics: int
) -> None:
    scores = reference_matrix(name, measure).scores
    rng, n = np.random.default_rng(20160601), len(scores)
    reference = estimate(of(scores)) * (n - 1) / n  # of a population, from which pilots are drawn
    high_enough = 0
    for _ in range(PILOTS):
        pilot = of(scores[rng.integers(n, size=n_topics)])
        df = pooled_interval([pilot], estimate).effective_df
        high_enough += estimate(pilot) * float(inflation(df, 0.80)) >= reference
    # Three standard errors of 200 pilots beyond the printed ends.
    low, high = HOLDS["sum of squares"]
    beyond = 3 * math.sqrt(low / 100 * (1 - low / 100) / PILOTS)
    assert low / 100 - beyond < high_enough / PILOTS < high / 100 + beyond
