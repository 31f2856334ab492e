"""A plan of McNemar's test from one half of the topics of a TREC task, on the other half."""

import csv
import gzip
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tests.reference_data import reference_file
from topicset_core.designs import mcnemar, paired_t

# Right topics by trec_eval's reciprocal rank: the first relevant document is at rank 1, or at rank 10 or above.
MEASURES = {"P@1": 1.0, "success@10": 0.1}


def right_topics(measure: str) -> Any:
    """Scores of 0 and 1 of all runs, (n_topics, n_systems)."""
    path = reference_file("trec", "dl2019-passage", "trec_eval_per_topic.csv.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [(row["run"], row["topic"], float(row["recip_rank"])) for row in csv.DictReader(file)]
    runs, topics = (sorted({row[place] for row in rows}) for place in (0, 1))
    scores = np.zeros((len(topics), len(runs)))
    for run, topic, rank in rows:
        scores[topics.index(topic), runs.index(run)] = (
            rank >= MEASURES[measure] - 1e-6
        )  # printed with six decimals
    return scores


@pytest.mark.parametrize("measure", MEASURES)
def test_a_plan_from_a_half_has_its_power_on_the_other_half(measure: str) -> None:
    """Pairs of runs that differ by about minD: their mean discordant share in a half plans the topics, and each
    pair's own discordant share in the other half has its exact power with these topics."""
    scores, rng, min_d = right_topics(measure), np.random.default_rng(45), 0.1
    first, second = np.array(list(combinations(range(scores.shape[1]), 2))).T
    achieved: dict[str, list[float]] = {"mcnemar": [], "paired-t": []}
    for _ in range(20):
        shares = []
        for half in np.array_split(rng.permutation(len(scores)), 2):
            difference = scores[half][:, first] - scores[half][:, second]
            near = np.abs(np.abs(difference.mean(axis=0)) - min_d) < 0.03
            shares.append(np.abs(difference[:, near]).mean(axis=0))
        planned, others = shares
        levels: dict[str, Any] = {"alpha": 0.05, "beta": 0.2, "min_d": min_d}
        variance = float(planned.mean()) - min_d**2
        values, counts = np.unique(others.round(9), return_counts=True)
        for design in (mcnemar.DESIGN, paired_t.DESIGN):
            n = design.plan(**levels, difference_variance=variance).topics()
            powers = mcnemar.power(n, min_d, values - min_d**2, alpha=0.05)
            achieved[design.slug].append(float(powers @ counts / counts.sum()))
    # The halves have 21 and 22 topics; the standard deviation over 20 splits is .1.
    assert np.mean(achieved["mcnemar"]) == pytest.approx(0.8, abs=0.05)
    assert np.mean(achieved["paired-t"]) < np.mean(achieved["mcnemar"]) - 0.02
