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

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels, Run
from topicset_core.collection.qrels import Intents
from topicset_core.samples.simulated import generator

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Grades = NDArray[np.int16]

DEPTH, POOL_DEPTH = 100, 50  # of all simulated runs

TEAM_SIZES = (4, 3, 3, 2, 2, 2, 2, 2)
N_TEAMS, N_RUNS = len(TEAM_SIZES), sum(TEAM_SIZES)

_TEAM_OF_RUN = np.repeat(np.arange(N_TEAMS), TEAM_SIZES)


def run_tags() -> list[str]:
    """Return the names of the runs: a letter for the team, and a number."""
    letters = zip("ABCDEFGH", TEAM_SIZES, strict=True)
    return [f"sim{letter}-{number}" for letter, size in letters for number in range(1, size + 1)]


@dataclass(frozen=True, kw_only=True)
class Teams:
    """How well runs separate relevant documents from others, and how their scores err."""

    mean_separation: float  # how well a run separates them on average
    # Standard deviations of the effects of the topic, the team, the run, and topic and run together on it
    topic_sd: float
    team_sd: float = 0.2
    run_sd: float = 0.25
    interaction_sd: float = 0.35
    # Standard deviations of the errors that all runs, the runs of a team, and no others share
    shared_error_sd: float
    team_error_sd: float = 0.6
    own_error_sd: float = 0.6

    def effects(self, rng: np.random.Generator) -> Floats:
        """Draw the effects of team and run on the separation, the same on all topics, shape (N_RUNS,)."""
        of_teams: Floats = rng.normal(0.0, self.team_sd, N_TEAMS)[_TEAM_OF_RUN]
        return of_teams + rng.normal(0.0, self.run_sd, N_RUNS)

    def separation(self, rng: np.random.Generator, effects: Floats) -> Floats:
        """Draw how well each run separates relevant documents on one topic, shape (N_RUNS,)."""
        on_topic = self.mean_separation + rng.normal(0.0, self.topic_sd) + effects
        return np.asarray(on_topic + rng.normal(0.0, self.interaction_sd, N_RUNS))

    def errors(self, rng: np.random.Generator, n_documents: int) -> Floats:
        """Draw the error in the score of each document in each run, shape (N_RUNS, n_documents)."""
        return np.asarray(
            rng.normal(0.0, self.shared_error_sd, n_documents)
            + rng.normal(0.0, self.team_error_sd, (N_TEAMS, n_documents))[_TEAM_OF_RUN]
            + rng.normal(0.0, self.own_error_sd, (N_RUNS, n_documents))
        )


def drawn_grades(
    rng: np.random.Generator, n_documents: int, *, median: float, fewest: int, most: int
) -> Grades:
    """Draw how many documents of a topic are relevant, and which; a quarter of them is highly relevant."""
    drawn = round(median * float(np.exp(rng.normal(0.0, 0.9))))
    n_relevant = min(max(drawn, fewest), most)
    grades = np.zeros(n_documents, dtype=np.int16)
    grades[:n_relevant] = 1
    grades[: n_relevant // 4] = 2
    return rng.permutation(grades)


def ranked_runs(
    topics: tuple[str, ...],
    tags: Sequence[str],
    scores: Sequence[Floats],  # (n_runs, n_documents)
    *,
    keep_scores: bool = True,
) -> tuple[list[Run], list[Places]]:
    """Return the runs and, for each topic, the pool: documents that one of them has among its best."""
    best = np.stack([np.argsort(-score, axis=1)[:, :DEPTH] for score in scores])  # (n_topics, n_runs, depth)
    names = _documents(topics, scores[0].shape[1])
    rows = np.arange(len(topics))[:, None]
    runs = [
        Run(
            tag=tag,
            topics=topics,
            starts=np.arange(len(topics) + 1, dtype=np.int64) * DEPTH,
            documents=names[rows, best[:, place]].ravel(),
            scores=np.concatenate([score[place, best[row, place]] for row, score in enumerate(scores)])
            if keep_scores
            else None,
        )
        for place, tag in enumerate(tags)
    ]
    return runs, [np.unique(of_topic[:, :POOL_DEPTH]) for of_topic in best]


def pooled_judgments(
    name: str,
    topics: tuple[str, ...],
    pools: Sequence[Places],
    grades: Sequence[Grades],
    intents: Intents | None = None,
) -> Qrels:
    """Return the judgments of pools; grades, (n_documents,) of each topic, of all its documents."""
    names = _documents(topics, grades[0].size)
    return Qrels(
        name=name,
        topics=topics,
        starts=np.cumsum([0, *(pool.size for pool in pools)], dtype=np.int64),
        documents=np.concatenate([names[row, pool] for row, pool in enumerate(pools)]),
        grades=np.concatenate([of_topic[pool] for of_topic, pool in zip(grades, pools, strict=True)]),
        intents=intents,
    )


def _documents(topics: tuple[str, ...], n_documents: int) -> NDArray[np.bytes_]:
    return np.array(
        [[f"{topic}-{number:03d}" for number in range(n_documents)] for topic in topics], dtype=np.bytes_
    )


DEFAULT_SEED = 7
"""Seed of the sample that pages show, one whose variances are in the middle of what seeds give."""

NAME = "Simulated judgments"
N_TOPICS = 50
N_CANDIDATES = 400
GAINS = np.array([0.0, 1.0, 1.9])

TEAMS = Teams(mean_separation=0.95, topic_sd=0.6, shared_error_sd=0.9)


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
    grades: list[Grades] = []
    scores: list[Floats] = []
    for _ in topics:
        grades.append(drawn_grades(rng, N_CANDIDATES, median=30, fewest=5, most=200))
        separation = TEAMS.separation(rng, effects)[:, None]
        scores.append(separation * GAINS[grades[-1]] + TEAMS.errors(rng, N_CANDIDATES))
    runs, pools = ranked_runs(topics, run_tags(), scores)
    return runs, pooled_judgments(NAME, topics, pools, grades)


N_BY_PEOPLE = 17
"""Topics that people judge, too, where a model judges all."""


def simulated_two_sets(seed: int = DEFAULT_SEED) -> tuple[list[Run], Qrels, Qrels]:
    """Simulate runs, the judgments of people for a random third of the topics, and those of a model for all."""
    # The model is lenient: it calls 12 % of the documents that are not relevant relevant, 40 % of the
    # relevant ones highly relevant; 10 % of these it calls not relevant.
    runs, people = simulated_track(seed)
    rng = generator(seed + 1)
    by_people = np.sort(rng.choice(N_TOPICS, N_BY_PEOPLE, replace=False)).tolist()
    chance, true = rng.random(people.grades.size), people.grades
    given = np.where(true == 0, chance < 0.12, np.where(chance < 0.1, 0, np.where(chance > 0.6, 2, true)))
    model = replace(people, name=f"{NAME}, by a model", grades=given.astype(np.int16))
    return runs, replace(people.taken(by_people), name=f"{NAME}, by people"), model
