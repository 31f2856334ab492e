"""Runs and judgments small enough to be counted by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from topicset_core.analyses.pool_depth import DepthStudy, Request, depth_study
from topicset_core.analyses.sizing import TopicsRule
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.qrels import Qrels
from topicset_core.collection.run import Run
from topicset_core.measures import Measure


def judged(
    runs: dict[str, dict[str, str]], qrels: dict[str, dict[str, int]], name: str = "small"
) -> JudgedRuns:
    """Join runs, given as letters in rank order for each topic, with grades of letters."""
    return join([run(tag, ranked) for tag, ranked in runs.items()], _qrels(qrels, name))


def run(tag: str, ranked: dict[str, str]) -> Run:
    """Return a run, given as letters in rank order for each topic."""
    return Run(
        tag=tag,
        topics=tuple(ranked),
        starts=_starts([len(letters) for letters in ranked.values()]),
        documents=np.array([letter.encode() for letters in ranked.values() for letter in letters]),
    )


def study(
    collections: Sequence[JudgedRuns], measures: Sequence[Measure], rule: TopicsRule, **choices: Any
) -> DepthStudy:
    """Study the depths of these collections."""
    return depth_study(collections, Request(measures=measures, rule=rule, **choices))


def _qrels(grades: dict[str, dict[str, int]], name: str) -> Qrels:
    return Qrels(
        name=name,
        topics=tuple(grades),
        starts=_starts([len(of_topic) for of_topic in grades.values()]),
        documents=np.array([letter.encode() for of_topic in grades.values() for letter in of_topic]),
        grades=np.array([g for of_topic in grades.values() for g in of_topic.values()], dtype=np.int16),
    )


def _starts(lengths: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
