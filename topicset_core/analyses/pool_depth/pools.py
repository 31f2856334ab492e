"""The pools behind judgments: how deep they are, and what shallower ones would have left judged.

For each topic the runs are read rank by rank until one has a document that the qrels do not name. If the
runs were pooled to some depth, most topics end just there: below it a document is judged only where
another run has it higher.

Is a collection fair to systems that were not pooled? A team's uniquely contributed documents are the documents that
only its runs have in the pool. Without them the team is scored as if it had come after the judgments were made
(Zobel, SIGIR 1998, 307-314): how far does its score fall, and how many ranks does it lose?
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.judged_runs import REMOVED, Grades, JudgedRuns
from topicset_core.errors import InputError
from topicset_core.exports.tables import Row
from topicset_core.measures.measure import Measure
from topicset_core.progress import ReportProgress, silently

USUAL_DEPTHS = (10, 30, 50, 70, 90, 100)
"""Depths of Sakai 2016, table 8; deeper pools are studied in steps of 50."""

_SHALLOW_DEPTHS = (3, 5, 7)  # where the judgments reach no deeper than 10, so that there is a choice at all
_SHARE_OF_TOPICS = 0.25  # that a depth must be common to, to be that of a pool and not of chance
_SHALLOWEST = 2  # a pool of depth 1 may be due to chance


@dataclass(frozen=True, kw_only=True)
class JudgedDepth:
    """To which depth all documents of a topic are judged, for most topics."""

    depth: int | None  # the most common depth
    n_topics: int
    # Topics that are judged deeper by chance, and topics with an unjudged document above the depth
    n_deeper: int
    n_shallower: int


def judged_depth(collections: Sequence[JudgedRuns]) -> JudgedDepth:
    """Find the depth to which these runs were judged."""
    complete = np.concatenate([complete_depths(runs) for runs in collections])
    complete = complete[complete >= 0]
    counted = Counter(complete.tolist())
    if not counted:
        return JudgedDepth(depth=None, n_topics=0, n_deeper=0, n_shallower=0)
    depth, n_topics = max(counted.items(), key=lambda item: (item[1], item[0]))
    if n_topics < _SHARE_OF_TOPICS * complete.size or depth < _SHALLOWEST:
        return JudgedDepth(depth=None, n_topics=0, n_deeper=0, n_shallower=complete.size)
    return JudgedDepth(
        depth=depth,
        n_topics=n_topics,
        n_deeper=int((complete > depth).sum()),
        n_shallower=int((complete < depth).sum()),
    )


def complete_depths(runs: JudgedRuns) -> NDArray[np.int64]:
    """Return for each topic the depth to which the qrels name every document of every run."""
    nth = np.arange(runs.ranks.size) - np.repeat(runs.starts[:-1], np.diff(runs.starts)) + 1
    # A cell is complete as long as its nth named document is at rank n.
    unbroken = np.bincount(runs.cells[runs.ranks == nth], minlength=runs.n_cells)
    retrieved = runs.n_retrieved.reshape(-1)
    deepest = np.iinfo(np.int64).max
    ends = np.where(unbroken < retrieved, unbroken, deepest).reshape(runs.n_topics, runs.n_systems)
    first_gap = ends.min(axis=1)
    full = runs.n_retrieved.max(axis=1).astype(np.int64)
    depths: NDArray[np.int64] = np.where(first_gap == deepest, full, first_gap)
    depths[full == 0] = -1
    return depths


def usual_depths(deepest: int) -> tuple[int, ...]:
    """Return the depths to study by default, up to and with the deepest."""
    usual = [*USUAL_DEPTHS, *range(150, deepest, 50)] if deepest > USUAL_DEPTHS[0] else _SHALLOW_DEPTHS
    return (*(depth for depth in usual if depth < deepest), deepest)


def grades_at(runs: JudgedRuns, depth: int, best_ranks: NDArray[np.int32] | None = None) -> Grades:
    """Return the grades without documents that no run has among its first `depth` (Sakai 2016, section 6.3)."""
    if depth < 1:
        raise InputError("pool_depth", depth, "must be at least 1")
    ranks = runs.best_ranks if best_ranks is None else best_ranks
    return np.where((ranks >= 1) & (ranks <= depth), runs.qrels.grades, REMOVED)


def leave_teams_out(
    runs: JudgedRuns,
    teams: Sequence[str],
    depths: Sequence[int],
    measure: Measure,
    *,
    relevance_level: int = 1,
    report_progress: ReportProgress = silently,
) -> tuple[Row, ...]:
    """Score the runs of each team without the judgments of its uniquely contributed documents: a row per run."""
    if len(teams) != runs.n_systems:
        raise InputError("teams", len(teams), f"must be one per run, {runs.n_systems}")
    names = tuple(dict.fromkeys(teams))
    if len(names) < 2:
        raise InputError("teams", names, "must be at least two: without the only team no document is judged")
    returned = runs.n_retrieved.any(axis=1)
    of_others = {name: _best_ranks(runs, [team != name for team in teams]) for name in names}
    left_outs = []
    for step, depth in enumerate(depths):
        full = grades_at(runs, depth)
        means = measure.scores(runs, full)[returned].mean(axis=0)
        without: dict[str, NDArray[np.float64]] = {}
        unique: dict[str, tuple[int, int]] = {}
        for place, name in enumerate(names):
            report_progress((step + place / len(names)) / len(depths))
            left = grades_at(runs, depth, of_others[name])
            own = (full >= 0) & (left == REMOVED)
            unique[name] = int(own.sum()), int((own & (full >= relevance_level)).sum())
            without[name] = measure.scores(runs, left)[returned].mean(axis=0)
        for index, (system, team) in enumerate(zip(runs.systems, teams, strict=True)):
            left_outs.append(
                {
                    "pool_depth": depth,
                    "team": team,
                    "system": system,
                    # Judged documents that only the team's runs have in the pool, over all topics
                    "n_unique": unique[team][0],
                    "n_unique_relevant": unique[team][1],
                    # Mean over all topics that some run has, with and without these judgments
                    "score": float(means[index]),
                    "score_left_out": float(without[team][index]),
                    "change": float(without[team][index] - means[index]),
                    # Among all runs, 1 is best
                    "rank": int((means > means[index]).sum()) + 1,
                    "rank_left_out": int((without[team] > without[team][index]).sum()) + 1,
                }
            )
    return tuple(left_outs)


def hardest_hit(result: Sequence[Row], depth: int) -> Row:
    """Return the run that loses most at a depth; the first of equal ones."""
    return min((one for one in result if one["pool_depth"] == depth), key=itemgetter("change"))


def _best_ranks(runs: JudgedRuns, chosen: list[bool]) -> NDArray[np.int32]:
    """Return the best rank of each judged document among some runs; 0 if no run has it."""
    entries = np.asarray(chosen)[runs.cells % runs.n_systems]
    unreturned = np.iinfo(np.int32).max
    best = np.full(runs.qrels.grades.size, unreturned, dtype=np.int32)
    np.minimum.at(best, runs.judgments[entries], runs.ranks[entries])
    best[best == unreturned] = 0
    return best
