"""Simulated runs and judgments: 20 runs of 8 teams, 50 topics, 100 documents per topic, pooled to depth 50.

Model, for each topic: 400 documents that some run might return. The number of relevant ones is
log-normal (median 30, standard deviation of the logarithm 0.9, from 5 to 200); a quarter of them are
highly relevant. A run scores per document with ``s = m g + a + b + c``, where

- g is 0 for a document that is not relevant, 1 for a relevant and 1.9 for a highly relevant one;
- m, how well the run distinguishes them on this topic, is 0.95 plus normal effects with standard
  deviations 0.6 (topic), 0.2 (team), 0.25 (run) and 0.35 (topic and run together);
- a, b and c are normal errors with standard deviations 0.9, shared by all runs, 0.6, shared by the
  runs of a team, and 0.6, the run's own.

Each run returns its 100 best documents. Assessors see the union of the 50 best of every run and grade
it without error: 0, 1 or 2. Documents outside the 50 best of every run are not judged, so about a fifth of
the relevant documents stays unknown, as in real collections.

The numbers were chosen so that AP is like that of TREC ad hoc tracks: its within-system variance is
near .045 and its residual variance near .014 (TREC-8: .0401 and .0136; Robust 2003, new topics: .0480
and .0132), topics account for about 60 % of its sum of squares, and the mean of the runs is near .27.
Teams contribute documents of their own, because their runs share an error.

All of it is made up; no run of a real participant is in it.
"""

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels, Run
from topicset_core.samples.ranked_lists import Teams, generator, pooled_judgments, ranked_runs, run_tags

DEFAULT_SEED = 7
"""Seed of the sample that pages show, one whose variances are in the middle of what seeds give."""

NAME = "Simulated judgments"
N_TOPICS = 50
DEPTH = 100
POOL_DEPTH = 50

N_CANDIDATES = 400
MEDIAN_RELEVANT, LOG_SD_RELEVANT = 30, 0.9
FEWEST_RELEVANT, MOST_RELEVANT = 5, 200
GAINS = np.array([0.0, 1.0, 1.9])

TEAMS = Teams(
    mean_separation=0.95,
    topic_sd=0.6,
    team_sd=0.2,
    run_sd=0.25,
    interaction_sd=0.35,
    shared_error_sd=0.9,
    team_error_sd=0.6,
    own_error_sd=0.6,
)


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
    rng = generator(seed)
    effects = TEAMS.effects(rng)
    topics = tuple(f"{number:02d}" for number in range(1, N_TOPICS + 1))
    grades: list[NDArray[np.int16]] = []
    scores: list[NDArray[np.float64]] = []
    for _ in topics:
        grades.append(_grades(rng))
        separation = TEAMS.separation(rng, effects)[:, None]
        scores.append(separation * GAINS[grades[-1]] + TEAMS.errors(rng, N_CANDIDATES))
    runs, pools = ranked_runs(topics, run_tags(), scores, depth=DEPTH, pool_depth=POOL_DEPTH)
    return runs, pooled_judgments(NAME, topics, pools, grades)


def _grades(rng: np.random.Generator) -> NDArray[np.int16]:
    """Draw how many documents of a topic are relevant, and which."""
    drawn = round(MEDIAN_RELEVANT * float(np.exp(rng.normal(0.0, LOG_SD_RELEVANT))))
    n_relevant = min(max(drawn, FEWEST_RELEVANT), MOST_RELEVANT)
    grades = np.zeros(N_CANDIDATES, dtype=np.int16)
    grades[:n_relevant] = 1
    grades[: n_relevant // 4] = 2
    return rng.permutation(grades)
