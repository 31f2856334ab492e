"""Is a collection fair to systems that were not pooled? Leave each team out and see.

A team's uniquely contributed documents are the documents that only its runs have in the pool. Without them the
team is scored as if it had come after the judgments were made (Zobel 1998): how far does its score fall,
and how many ranks does it lose? Which team made which run is guessed from the names of the runs, for a
person to check and correct.

References
----------
J. Zobel. How reliable are the results of large-scale information retrieval experiments? SIGIR 1998,
307-314. doi:10.1145/290941.291014
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.pool_depth.pools import grades_at
from topicset_core.collection.judged_runs import REMOVED, JudgedRuns
from topicset_core.errors import InputError
from topicset_core.measures.measure import Measure
from topicset_core.progress import ReportProgress, silently


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A run, scored as if its team had not been pooled."""

    pool_depth: int
    # Whose run, and which
    team: str
    system: str
    n_unique: int  # judged documents that only the team's runs have in the pool, over all topics
    n_unique_relevant: int  # relevant ones among them
    # Mean over all topics that some run has, with and without these judgments
    score: float
    score_left_out: float
    # Among all runs, 1 is best
    rank: int
    rank_left_out: int

    @property
    def change(self) -> float:
        """Loss (negative) or gain of the run in mean score."""
        return self.score_left_out - self.score


def leave_teams_out(
    runs: JudgedRuns,
    teams: Sequence[str],
    depths: Sequence[int],
    measure: Measure,
    *,
    relevance_level: int = 1,
    report_progress: ReportProgress = silently,
) -> tuple[LeftOut, ...]:
    """Score the runs of each team without the judgments of its uniquely contributed documents."""
    if len(teams) != runs.n_systems:
        raise InputError("teams", len(teams), f"must be one per run, {runs.n_systems}")
    names = tuple(dict.fromkeys(teams))
    if len(names) < 2:
        raise InputError("teams", names, "must be at least two: without the only team no document is judged")
    returned = runs.n_retrieved.any(axis=1)
    of_others = {name: _best_ranks(runs, [team != name for team in teams]) for name in names}
    left_outs: list[LeftOut] = []
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
                LeftOut(
                    pool_depth=depth,
                    team=team,
                    system=system,
                    n_unique=unique[team][0],
                    n_unique_relevant=unique[team][1],
                    score=float(means[index]),
                    score_left_out=float(without[team][index]),
                    rank=_rank(means, index),
                    rank_left_out=_rank(without[team], index),
                )
            )
    return tuple(left_outs)


def hardest_hit(result: Sequence[LeftOut], depth: int) -> LeftOut:
    """Return the run that loses most at a depth; the first of equal ones."""
    return min((one for one in result if one.pool_depth == depth), key=lambda one: one.change)


def _best_ranks(runs: JudgedRuns, chosen: list[bool]) -> NDArray[np.int32]:
    """Return the best rank of each judged document among some runs; 0 if no run has it."""
    entries = np.asarray(chosen)[runs.cells % runs.n_systems]
    unreturned = np.iinfo(np.int32).max
    best = np.full(runs.qrels.grades.size, unreturned, dtype=np.int32)
    np.minimum.at(best, runs.judgments[entries], runs.ranks[entries])
    best[best == unreturned] = 0
    return best


def _rank(means: NDArray[np.float64], index: int) -> int:
    return int((means > means[index]).sum()) + 1
