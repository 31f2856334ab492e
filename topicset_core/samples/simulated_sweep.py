"""A simulated parameter sweep with a known optimum: 21 runs, 60 topics, 100 documents a topic.

One system with one parameter b, after the length normalisation of BM25, swept from 0 to 1 in steps of
0.05. Model, for each topic: 300 documents that the system might return; the number of relevant ones is
log-normal (median 20, standard deviation of the logarithm 0.9, from 4 to 120), a quarter of them highly
relevant. Under setting b a document scores ``s = g + m + k (b - b_t) l``, where

- g is 0 for a document that is not relevant, 1.1 for a relevant and 1.8 for a highly relevant one;
- m, what the words of the topic say by chance, and l, the logarithm of its length in standard deviations,
  are independent standard normal, and so independent of relevance;
- k = 2.5 is how much length counts for;
- b_t, the setting that would be right for the topic, is 0.5 plus a normal effect of standard deviation 0.1.

Away from b_t lengths are but noise of standard deviation k |b - b_t|. Every measure expects the same of
b_t + d and of b_t - d, and less the larger d is; b_t is symmetric around 0.5, and so is the sweep that
is pooled. So by every measure 0.5 is the best setting over all topics, and effectiveness falls on both
sides of it alike.

Each run returns its 100 best documents. Assessors see the 50 best of every run and grade them without
error: 0, 1 or 2.

All of it is made up; no run of a real participant is in it.
"""

from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels, Run
from topicset_core.collection.settings import Settings
from topicset_core.errors import InputError

DEFAULT_SEED = 8
"""Seed of the sample that pages show."""

NAME = "Simulated sweep"
PARAMETER = "b"
VALUES = tuple(number / 20 for number in range(21))
OPTIMUM = 0.5

N_TOPICS = 60
N_DOCUMENTS = 300
DEPTH = 100
POOL_DEPTH = 50

MEDIAN_RELEVANT, LOG_SD_RELEVANT = 20, 0.9
FEWEST_RELEVANT, MOST_RELEVANT = 4, 120
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

    Raises
    ------
    InputError
        If `seed` is not a whole number of at least 0, or `n_topics` not one of at least 2.
    """
    for parameter, value, lowest in (("seed", seed, 0), ("n_topics", n_topics, 2)):
        if isinstance(value, bool) or not isinstance(value, Integral) or value < lowest:
            raise InputError(parameter, value, f"must be a whole number of at least {lowest}")
    rng = np.random.Generator(np.random.PCG64(int(seed)))
    values = np.array(VALUES)
    topics = tuple(f"{number:0{len(str(n_topics))}}" for number in range(1, n_topics + 1))
    returned = np.empty((n_topics, values.size, DEPTH), dtype=np.intp)
    judged: list[NDArray[np.intp]] = []
    grades: list[NDArray[np.int16]] = []
    for index in range(n_topics):
        grade = _grades(rng)
        right = rng.normal(OPTIMUM, OPTIMUM_SD)
        matching = GAINS[grade] + rng.normal(0.0, 1.0, N_DOCUMENTS)
        lengths = rng.normal(0.0, 1.0, N_DOCUMENTS)
        scores = matching + LENGTH_EFFECT * (values[:, None] - right) * lengths
        returned[index] = np.argsort(-scores, axis=1)[:, :DEPTH]
        pool = np.unique(returned[index, :, :POOL_DEPTH])
        judged.append(pool)
        grades.append(grade[pool])
    names = np.array(
        [[f"{topic}-{number:03d}" for number in range(N_DOCUMENTS)] for topic in topics], dtype=np.bytes_
    )
    rows = np.arange(n_topics)[:, None]
    systems = tuple(f"sim_{PARAMETER}{value:.2f}" for value in VALUES)
    runs = [
        Run(
            tag=system,
            topics=topics,
            starts=np.arange(n_topics + 1, dtype=np.int64) * DEPTH,
            documents=names[rows, returned[:, index]].ravel(),
        )
        for index, system in enumerate(systems)
    ]
    qrels = Qrels(
        name=NAME,
        topics=topics,
        starts=np.cumsum([0, *(pool.size for pool in judged)], dtype=np.int64),
        documents=np.concatenate([names[index, pool] for index, pool in enumerate(judged)]),
        grades=np.concatenate(grades),
    )
    return runs, qrels, Settings(parameters=(PARAMETER,), systems=systems, values=values[:, None])


def _grades(rng: np.random.Generator) -> NDArray[np.int16]:
    """Draw how many documents of a topic are relevant, and which."""
    drawn = round(MEDIAN_RELEVANT * float(np.exp(rng.normal(0.0, LOG_SD_RELEVANT))))
    n_relevant = min(max(drawn, FEWEST_RELEVANT), MOST_RELEVANT)
    grades = np.zeros(N_DOCUMENTS, dtype=np.int16)
    grades[:n_relevant] = 1
    grades[: n_relevant // 4] = 2
    return rng.permutation(grades)
