"""Simulated runs and judgments: 20 runs of 8 teams, 50 topics, 100 documents a topic, pooled to depth 50.

Model, for each topic: 400 documents that some run might return. The number of relevant ones is
log-normal (median 30, standard deviation of the logarithm 0.9, from 5 to 200); a quarter of them are
highly relevant. A run scores a document with ``s = m g + a + b + c``, where

- g is 0 for a document that is not relevant, 1 for a relevant and 1.9 for a highly relevant one;
- m, how well the run tells them apart on this topic, is 0.95 plus normal effects with standard
  deviations 0.6 (topic), 0.2 (team), 0.25 (run) and 0.35 (topic and run together);
- a, b and c are normal errors with standard deviations 0.9, shared by all runs, 0.6, shared by the
  runs of a team, and 0.6, the run's own.

Each run returns its 100 best documents. Assessors see the union of the 50 best of every run and grade
it without error: 0, 1 or 2. What nobody has among its 50 best is not judged, so about a fifth of the
relevant documents stays unknown, as in real collections.

The numbers were chosen so that AP is like that of TREC ad hoc tracks: its within-system variance is
near .045 and its residual variance near .014 (TREC-8: .0401 and .0136; Robust 2003, new topics: .0480
and .0132), topics account for about 60 % of its sum of squares, and the mean of the runs is near .27.
Teams bring in documents of their own, because their runs share an error.

All of it is made up; no run of a real participant is in it.
"""

from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels, Run
from topicset_core.errors import InputError

DEFAULT_SEED = 7
"""Seed of the sample that pages show, one whose variances are in the middle of what seeds give."""

NAME = "Simulated judgments"
TEAM_SIZES = (4, 3, 3, 2, 2, 2, 2, 2)
N_TOPICS = 50
DEPTH = 100
POOL_DEPTH = 50

N_CANDIDATES = 400
MEDIAN_RELEVANT, LOG_SD_RELEVANT = 30, 0.9
FEWEST_RELEVANT, MOST_RELEVANT = 5, 200
GAINS = np.array([0.0, 1.0, 1.9])

MEAN_SEPARATION = 0.95
TOPIC_SD, TEAM_SD, RUN_SD, INTERACTION_SD = 0.6, 0.2, 0.25, 0.35
SHARED_ERROR_SD, TEAM_ERROR_SD, OWN_ERROR_SD = 0.9, 0.6, 0.6


def simulated_track(seed: int = DEFAULT_SEED) -> tuple[list[Run], Qrels]:
    """Simulate runs and the judgments of their pool.

    Parameters
    ----------
    seed : int
        The same seed gives the same runs.

    Returns
    -------
    list of Run
        Named simA-1 to simH-2: the letter is the team. With their scores.
    Qrels
        Judgments of every document that one of the runs has among its 50 best.

    Raises
    ------
    InputError
        If `seed` is not a whole number of at least 0.
    """
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError("seed", seed, "must be a whole number of at least 0")
    rng = np.random.Generator(np.random.PCG64(int(seed)))
    team_of = np.repeat(np.arange(len(TEAM_SIZES)), TEAM_SIZES)
    effects = rng.normal(0.0, TEAM_SD, len(TEAM_SIZES))[team_of] + rng.normal(0.0, RUN_SD, team_of.size)
    topics = tuple(f"{number:02d}" for number in range(1, N_TOPICS + 1))
    returned = np.empty((N_TOPICS, team_of.size, DEPTH), dtype=np.intp)
    returned_scores = np.empty(returned.shape)
    judged: list[NDArray[np.intp]] = []
    grades: list[NDArray[np.int16]] = []
    for index in range(N_TOPICS):
        grade = _grades(rng)
        scores = _scores(rng, grade, effects, team_of)
        returned[index] = np.argsort(-scores, axis=1)[:, :DEPTH]
        returned_scores[index] = np.take_along_axis(scores, returned[index], axis=1)
        pool = np.unique(returned[index, :, :POOL_DEPTH])
        judged.append(pool)
        grades.append(grade[pool])
    names = np.array(
        [[f"{topic}-{number:03d}" for number in range(N_CANDIDATES)] for topic in topics], dtype=np.bytes_
    )
    rows = np.arange(N_TOPICS)[:, None]
    runs = [
        Run(
            tag=tag,
            topics=topics,
            starts=np.arange(N_TOPICS + 1, dtype=np.int64) * DEPTH,
            documents=names[rows, returned[:, index]].ravel(),
            scores=returned_scores[:, index].ravel(),
        )
        for index, tag in enumerate(run_tags())
    ]
    qrels = Qrels(
        name=NAME,
        topics=topics,
        starts=np.cumsum([0, *(pool.size for pool in judged)], dtype=np.int64),
        documents=np.concatenate([names[index, pool] for index, pool in enumerate(judged)]),
        grades=np.concatenate(grades),
    )
    return runs, qrels


def run_tags() -> list[str]:
    """Return the names of the runs: a letter for the team, and a number."""
    letters = zip("ABCDEFGH", TEAM_SIZES, strict=True)
    return [f"sim{letter}-{number}" for letter, size in letters for number in range(1, size + 1)]


def _grades(rng: np.random.Generator) -> NDArray[np.int16]:
    """Draw how many documents of a topic are relevant, and which."""
    drawn = round(MEDIAN_RELEVANT * float(np.exp(rng.normal(0.0, LOG_SD_RELEVANT))))
    n_relevant = min(max(drawn, FEWEST_RELEVANT), MOST_RELEVANT)
    grades = np.zeros(N_CANDIDATES, dtype=np.int16)
    grades[:n_relevant] = 1
    grades[: n_relevant // 4] = 2
    return rng.permutation(grades)


def _scores(
    rng: np.random.Generator,
    grades: NDArray[np.int16],
    effects: NDArray[np.float64],
    team_of: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Draw the score of each document in each run, shape (n_runs, n_candidates)."""
    n_runs = team_of.size
    separation = (
        MEAN_SEPARATION + rng.normal(0.0, TOPIC_SD) + effects + rng.normal(0.0, INTERACTION_SD, n_runs)
    )
    errors = (
        rng.normal(0.0, SHARED_ERROR_SD, N_CANDIDATES)
        + rng.normal(0.0, TEAM_ERROR_SD, (len(TEAM_SIZES), N_CANDIDATES))[team_of]
        + rng.normal(0.0, OWN_ERROR_SD, (n_runs, N_CANDIDATES))
    )
    scores: NDArray[np.float64] = separation[:, None] * GAINS[grades] + errors
    return scores
