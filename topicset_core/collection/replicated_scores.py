"""Topics by systems by repeats: scores of systems that ran several times, or by a judge next to people's."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.score_matrix import LARGEST_SCORE, ScoreMatrix, digest_of, pair_of
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
    groups: tuple[str, ...] | None = None  # the group of each topic

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
        if self.groups is not None and len(set(self.groups)) == len(self.topics):  # as of a `ScoreMatrix`
            object.__setattr__(self, "groups", None)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of scores, ids, groups and measure, as 64 hexadecimal digits; the name is left out."""
        return digest_of(
            (self.measure, *self.topics, *self.systems, *self.repeats, *(self.groups or ())), self.scores
        )

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
        places = pair_of(self.systems, first, second)
        return replace(self, scores=self.scores[:, places], systems=(first, second))


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
    notes: tuple[str, ...] = ()  # on what was not read of their files

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

    @classmethod
    def of(cls, human: ScoreMatrix, judge: ScoreMatrix) -> "PairedLabels":
        """Return two matrices as one: the topics of the judge, and the systems of both, best by the judge first."""
        common = [system for system in judge.systems if system in set(human.systems)]
        if len(common) < 2:
            rule = f"must have 2 systems of {judge.name} at least"
            raise InputError("human", f"{len(common)} of {human.n_systems} systems", rule)
        best = sorted(common, key=lambda system: -judge.scores[:, judge.systems.index(system)].mean())
        labels = np.full((judge.n_topics, len(best)), np.nan)
        rows = {topic: row for row, topic in enumerate(judge.topics)}
        known = [place for place, topic in enumerate(human.topics) if topic in rows]
        columns = [human.systems.index(system) for system in best]
        labels[[rows[human.topics[place]] for place in known]] = human.scores[np.ix_(known, columns)]
        return cls(
            judge=judge.scores[:, [judge.systems.index(system) for system in best], None],
            human=labels,
            topics=judge.topics,
            systems=tuple(best),
            name=judge.name,
        )

    @cached_property
    def is_labelled(self) -> NDArray[np.bool_]:
        """Whether people scored all systems on a topic, (n_topics,)."""
        return np.asarray(~np.isnan(self.human).any(axis=1))

    @cached_property
    def judge_equals_people(self) -> bool:
        """Whether every score by people is that of each call of the judge, as where both are of one file."""
        known = ~np.isnan(self.human)
        return bool(known.any() and (self.judge[known] == self.human[known][:, np.newaxis]).all())

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all scores and ids, as 64 hexadecimal digits; the name is left out."""
        return digest_of((*self.topics, *self.systems), self.judge, self.human)

    def differences(self, first: str, second: str) -> tuple[Floats, Floats]:
        """Return per-topic differences by judge, (n_topics, n_calls), and by people, NaN where one is missing."""
        one, other = pair_of(self.systems, first, second)
        return self.judge[:, one] - self.judge[:, other], self.human[:, one] - self.human[:, other]
