"""Scores of systems by a judge on all topics, and by people on some of them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.score_matrix import digest_of
from topicset_core.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedLabels:
    """Judge scores, complete, and human scores of the same topics and systems, some or all missing."""

    judge: Floats  # (n_topics, n_systems, n_calls): scores by the judge, all finite
    human: Floats  # (n_topics, n_systems): scores by people
    # Ids along the axes
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    name: str

    def __post_init__(self) -> None:
        judge, human = np.array(self.judge, dtype=np.float64), np.array(self.human, dtype=np.float64)
        expected = (len(self.topics), len(self.systems))
        if judge.ndim != 3 or judge.shape[:2] != expected or not judge.shape[2]:
            raise InputError("judge", judge.shape, f"must have the shape {expected} and calls")
        if human.shape != expected:
            raise InputError("human", human.shape, f"must have the shape {expected}")
        if not np.isfinite(judge).all() or np.isinf(human).any():
            raise InputError("judge", "a value", "must be finite")
        if len(self.topics) < 2 or len(self.systems) < 2:
            raise InputError("judge", expected, "must have at least 2 topics and 2 systems")
        for name, array in (("judge", judge), ("human", human)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all scores and ids, as 64 hexadecimal digits; the name is left out."""
        return digest_of((*self.topics, *self.systems), self.judge, self.human)

    def differences(self, first: str, second: str) -> tuple[Floats, Floats]:
        """Return per-topic differences by judge, (n_topics, n_calls), and by people, NaN where one is missing."""
        for name in (first, second):
            if name not in self.systems:
                raise InputError("pair", name, f"must be one of {', '.join(self.systems)}")
        if first == second:
            raise InputError("pair", first, "must be two systems")
        one, other = self.systems.index(first), self.systems.index(second)
        return self.judge[:, one] - self.judge[:, other], self.human[:, one] - self.human[:, other]
