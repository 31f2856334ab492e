"""Topics by systems by repeats: scores of one measure where every system ran, or answered, several times."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.score_matrix import LARGEST_SCORE, ScoreMatrix, digest_of
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, eq=False)
class ReplicatedScores:
    """Scores of one measure, complete: each system has as many scores on each topic."""

    scores: NDArray[np.float64]  # (n_topics, n_systems, n_repeats): kept as a copy that cannot be written to
    # Ids along the three axes, unique
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    repeats: tuple[str, ...]
    measure: str
    name: str

    def __post_init__(self) -> None:
        scores = np.array(self.scores, dtype=np.float64)
        expected = (len(self.topics), len(self.systems), len(self.repeats))
        if scores.shape != expected:
            rule = f"must have the shape {expected}, topics x systems x repeats"
            raise InputError("scores", scores.shape, rule)
        if not (np.abs(scores) <= LARGEST_SCORE).all():
            raise InputError("scores", "a value", f"must be finite and within {LARGEST_SCORE:g}")
        for name in ("topics", "systems", "repeats"):
            ids = getattr(self, name)
            if len(set(ids)) != len(ids):
                raise InputError(name, ids, "must be unique")
        if len(self.topics) < 2 or not self.systems or not self.repeats:
            raise InputError("scores", scores.shape, "must have at least 2 topics, 1 system and 1 repeat")
        scores.setflags(write=False)
        object.__setattr__(self, "scores", scores)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of scores, ids and measure, as 64 hexadecimal digits; the name is left out."""
        return digest_of((self.measure, *self.topics, *self.systems, *self.repeats), self.scores)

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return len(self.topics)

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @property
    def n_repeats(self) -> int:
        """Number of repeats."""
        return len(self.repeats)

    def pair(self, first: str, second: str) -> "ReplicatedScores":
        """Return the scores of two systems."""
        for name in (first, second):
            if name not in self.systems:
                raise InputError("pair", name, f"must be one of {', '.join(self.systems)}")
        if first == second:
            raise InputError("pair", first, "must be two systems")
        places = [self.systems.index(first), self.systems.index(second)]
        return ReplicatedScores(
            scores=self.scores[:, places],
            topics=self.topics,
            systems=(first, second),
            repeats=self.repeats,
            measure=self.measure,
            name=self.name,
        )

    def averaged(self) -> ScoreMatrix:
        """Return the means over repeats as a matrix of topics by systems."""
        return ScoreMatrix(
            scores=self.scores.mean(axis=2),
            topics=self.topics,
            systems=self.systems,
            measure=self.measure,
            name=self.name,
        )
