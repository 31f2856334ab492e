"""From simulated scores of documents to runs, the pool of their best documents, and its judgments.

Twenty runs are of eight teams; `Teams` gives how their scores differ: by topic, by team, by run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels, Run
from topicset_core.collection.intents import Intents
from topicset_core.errors import InputError

Floats = NDArray[np.float64]

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
    team_sd: float
    run_sd: float
    interaction_sd: float
    # Standard deviations of the errors that all runs, the runs of a team, and no others share
    shared_error_sd: float
    team_error_sd: float
    own_error_sd: float

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


Places = NDArray[np.intp]


def generator(seed: int) -> np.random.Generator:
    """Return the generator of a seed."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError("seed", seed, "must be a whole number of at least 0")
    return np.random.Generator(np.random.PCG64(int(seed)))


def ranked_runs(
    topics: tuple[str, ...],
    tags: Sequence[str],
    scores: Sequence[NDArray[np.float64]],  # (n_runs, n_documents)
    *,
    depth: int,
    pool_depth: int,
    keep_scores: bool = True,
) -> tuple[list[Run], list[Places]]:
    """Return the runs and, for each topic, the documents that one of them has among its best."""
    best = np.stack([np.argsort(-one, axis=1)[:, :depth] for one in scores])  # (n_topics, n_runs, depth)
    names = _documents(topics, scores[0].shape[1])
    rows = np.arange(len(topics))[:, None]
    runs = [
        Run(
            tag=tag,
            topics=topics,
            starts=np.arange(len(topics) + 1, dtype=np.int64) * depth,
            documents=names[rows, best[:, place]].ravel(),
            scores=np.concatenate([one[place, best[row, place]] for row, one in enumerate(scores)])
            if keep_scores
            else None,
        )
        for place, tag in enumerate(tags)
    ]
    return runs, [np.unique(of_topic[:, :pool_depth]) for of_topic in best]


def pooled_judgments(
    name: str,
    topics: tuple[str, ...],
    pools: Sequence[Places],
    grades: Sequence[NDArray[np.int16]],
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
