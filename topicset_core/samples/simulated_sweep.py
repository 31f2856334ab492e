"""A simulated parameter sweep with a known optimum: 21 runs, 60 topics, 100 documents per topic.

One system with one parameter b, after the length normalisation of BM25, swept from 0 to 1 in steps of
0.05. Model, for each topic: 300 documents that the system might return; the number of relevant ones is
log-normal (median 20, standard deviation of the logarithm 0.9, from 4 to 120), a quarter of them highly
relevant. Under setting b a document scores ``s = g + m + k (b - b_t) l``, where

- g is 0 for a document that is not relevant, 1.1 for a relevant and 1.8 for a highly relevant one;
- m, a match of the words by chance, and l, the logarithm of its length in standard deviations,
  are independent standard normal, and so independent of relevance;
- k = 2.5 is how much length counts for;
- b_t, the setting that would be right for the topic, is 0.5 plus a normal effect of standard deviation 0.1.

Away from b_t lengths are but noise of standard deviation k |b - b_t|. Every measure expects the same of
b_t + d and of b_t - d, and less the larger d is; b_t is symmetric around 0.5, and so is the sweep that
is pooled. So by every measure 0.5 is the best setting over all topics, and effectiveness falls equally
on both sides of it.

Each run returns its 100 best documents. Assessors see the 50 best of every run and grade them without
error: 0, 1 or 2.

All of it is made up; no run of a real participant is in it.
"""

from numbers import Integral

import numpy as np

from topicset_core.collection import Qrels, Run
from topicset_core.collection.run import Settings
from topicset_core.errors import InputError
from topicset_core.samples.simulated import generator
from topicset_core.samples.simulated_runs import Floats, Grades, drawn_grades, pooled_judgments, ranked_runs

DEFAULT_SEED = 8
"""Seed of the sample that pages show."""

NAME = "Simulated sweep"
PARAMETER = "b"
VALUES = tuple(number / 20 for number in range(21))
OPTIMUM = 0.5

N_TOPICS = 60
N_DOCUMENTS = 300
GAINS = np.array([0.0, 1.1, 1.8])
LENGTH_EFFECT = 2.5
OPTIMUM_SD = 0.1


def simulated_sweep(seed: int = DEFAULT_SEED, n_topics: int = N_TOPICS) -> tuple[list[Run], Qrels, Settings]:
    """Simulate the runs of a sweep, the judgments of their pool, and the settings.

    Parameters
    ----------
    seed : int
        The same seed gives the same runs.
    n_topics : int
        At least 2.

    Returns
    -------
    (list of Run, Qrels, Settings)
        The runs, the judgments of their pool, and the parameter value of each run.

    Raises
    ------
    InputError
        If `seed` is not a whole number of at least 0, or `n_topics` not one of at least 2.
    """
    rng = generator(seed)
    if isinstance(n_topics, bool) or not isinstance(n_topics, Integral) or n_topics < 2:
        raise InputError("n_topics", n_topics, "must be a whole number of at least 2")
    values = np.array(VALUES)
    topics = tuple(f"{number:0{len(str(n_topics))}}" for number in range(1, n_topics + 1))
    systems = tuple(f"sim_{PARAMETER}{value:.2f}" for value in VALUES)
    grades: list[Grades] = []
    scores: list[Floats] = []
    for _ in topics:
        grades.append(drawn_grades(rng, N_DOCUMENTS, median=20, fewest=4, most=120))
        right = rng.normal(OPTIMUM, OPTIMUM_SD)
        matching = GAINS[grades[-1]] + rng.normal(0.0, 1.0, N_DOCUMENTS)
        lengths = rng.normal(0.0, 1.0, N_DOCUMENTS)
        scores.append(matching + LENGTH_EFFECT * (values[:, None] - right) * lengths)
    runs, pools = ranked_runs(topics, systems, scores, keep_scores=False)
    settings = Settings(parameters=(PARAMETER,), systems=systems, values=values[:, None])
    return runs, pooled_judgments(NAME, topics, pools, grades), settings
