"""Runs and judgments small enough to be counted by hand."""

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from tests.measures.plain_reader import qrels_of, run_of
from topicset_core.analyses.pool_depth import DepthDesign, DepthStudy, Request, depth_study
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.run import Run
from topicset_core.designs import Plan
from topicset_core.exports.tables import Row
from topicset_core.measures import Measure

_RANKED: WeakKeyDictionary[JudgedRuns, dict[str, dict[str, str]]] = WeakKeyDictionary()
"""The runs of each collection that was joined here, as they were given."""


def judged(
    runs: dict[str, dict[str, str]], qrels: dict[str, dict[str, int]], name: str = "small"
) -> JudgedRuns:
    """Join runs, given as letters in rank order for each topic, with grades of letters."""
    joined = join([run(tag, ranked) for tag, ranked in runs.items()], qrels_of(qrels, name))
    _RANKED[joined] = runs
    return joined


def runs_of(collections: Sequence[JudgedRuns]) -> list[Run]:
    """Return the runs of collections that were joined here, each with its topics of all of them."""
    ranked: dict[str, dict[str, str]] = {}
    for one in collections:
        for tag, topics in _RANKED[one].items():
            ranked[tag] = ranked.get(tag, {}) | topics
    return [run(tag, topics) for tag, topics in ranked.items()]


def run(tag: str, ranked: Mapping[str, str]) -> Run:
    """Return a run, given as letters in rank order for each topic."""
    return run_of(ranked, tag)


def study(
    collections: Sequence[JudgedRuns],
    measures: Sequence[Measure],
    rule: Plan,
    runs: Sequence[Run] | None = None,
    **choices: Any,
) -> DepthStudy:
    """Study the depths of these collections; by default with the runs they were joined from here."""
    given = runs_of(collections) if runs is None else runs
    return depth_study(collections, given, Request(measures=measures, rule=rule, **choices))


def design(depth: int, judged: float, topics: int, **more: Any) -> DepthDesign:
    """Return a design whose pool is judged."""
    values: dict[str, Any] = {
        "measure": "AP",
        "judged_per_topic": judged,
        "judged_share": 1.0,
        "n_lost_topics": 0,
        "within_system_variance": 0.05,
        "kendall_tau": None,
        "tau_ap": None,
        "relevant_known": 1.0,
    }
    return DepthDesign(pool_depth=depth, pooled_per_topic=judged, required_topics=topics, **(values | more))


def left_out(depth: int, system: str, score_left_out: float) -> Row:
    """Return a run that lost a rank without the unique documents of its team."""
    return {
        "pool_depth": depth,
        "team": "team",
        "system": system,
        "n_unique": 5,
        "n_unique_relevant": 2,
        "score": 0.5,
        "score_left_out": score_left_out,
        "change": score_left_out - 0.5,
        "rank": 1,
        "rank_left_out": 2,
    }
