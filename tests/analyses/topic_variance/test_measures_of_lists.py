"""Scores of simulated lists that their number of relevant documents determines, worked by hand."""

import math

import numpy as np
import pytest

from tests.analyses.topic_variance.plain_simulation import random_list, track
from topicset_core.analyses.topic_variance import Settings, simulate_collections
from topicset_core.analyses.topic_variance.settings import MeasureName, Model

BEST_2 = 1 + 1 / math.log2(3)


@pytest.mark.parametrize(
    ("measure", "depth", "scores"),
    [
        # Three documents, all relevant: r_s of 0, 1, 2, 3 and more are at the top. R is 7, so 4 + r_s in a trial.
        ("P", 2, (0, 1 / 2, 1, 1)),
        ("P", 3, (0, 1 / 3, 2 / 3, 1)),
        ("AP", 2, (0, 1 / 5, 2 / 6, 2 / 7)),
        ("AP", None, (0, 1 / 5, 2 / 6, 3 / 7)),
        ("recall", 2, (0, 1 / 5, 2 / 6, 2 / 7)),
        ("recall", 1, (0, 1 / 5, 1 / 6, 1 / 7)),
        ("RR", 1, (0, 1, 1, 1)),
        ("nDCG", 1, (0, 1, 1, 1)),
        ("nDCG", 2, (0, 1 / BEST_2, 1, 1)),
    ],
)
def test_cutoffs_count_their_own_rank(
    measure: MeasureName, depth: int | None, scores: tuple[float, ...]
) -> None:
    """Means of two topics are means of two of these scores, and every two of them occur.

    The rarest, 0 twice, has the chance exp(-6) = .0025: of 8,000 it is missing once in 500 million seeds.
    """
    three = ([3.0, 2.0, 1.0], [1, 2, 3])
    _, judged = track([[three, three], [three, three]], extra=[1, 1])
    simulation = simulate_collections(
        judged, Settings(model="bst", measure=measure, depth=depth, n_trials=4000)
    )
    expected = {round((one + other) / 2, 10) for one in scores for other in scores}
    assert set(simulation.means.round(10).ravel().tolist()) == expected


def test_a_topic_with_far_more_relevant_documents_than_are_returned() -> None:
    """One document each, and relevant: nDCG is 1 over the ideal gain of 500 in all trials that draw it."""
    one = ([1.0], [1])
    runs, judged = track([[one, one], [one, one]], extra=[498, 498])
    simulation = simulate_collections(
        judged, Settings(model="bst", measure="nDCG", denominator="fixed", n_trials=60), runs
    )
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, 501))
    assert set(np.round(simulation.means * ideal, 10).ravel()) == {0.0, 0.5, 1.0}


@pytest.mark.parametrize("model", ["bst", "kde"])
def test_runs_with_the_same_list_are_simulated_independently(model: Model) -> None:
    """Neighbouring cells, of two runs on one topic, have streams of their own: correlations are those of chance."""
    same = random_list(np.random.default_rng(1), 60, 6)
    runs, judged = track([[same, same], [same, same]], extra=[1, 1])
    simulation = simulate_collections(judged, Settings(model=model, n_trials=2000), runs)
    correlation = np.asarray(np.corrcoef(simulation.means.T))[0, 1]
    assert abs(correlation) < 4.5 / math.sqrt(2000)  # beyond that for one seed in 150,000
    assert simulation.means[:, 0].std() > 0.01
