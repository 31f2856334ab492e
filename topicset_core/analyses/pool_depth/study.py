"""Required topics and cost for every pool depth (Sakai 2016, section 6.3)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.pool_depth.designs import DepthDesign
from topicset_core.analyses.pool_depth.judged_depth import JudgedDepth, judged_depth, usual_depths
from topicset_core.analyses.pool_depth.rank_agreement import kendall_tau, tau_ap
from topicset_core.analyses.pool_depth.remarks import free_depths, remarks
from topicset_core.analyses.pool_depth.scored_collection import AtDepth, LostTopics, ScoredCollection
from topicset_core.analyses.variance_topics import TopicsRule
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.errors import InputError, NoSolution
from topicset_core.measures.measure import Measure
from topicset_core.progress import Report, silently
from topicset_core.variance import Weights, conservative_difference_variance, one_way, pooled

DEEPEST_WITHOUT_POOL = 100  # where the data do not tell how deep they were judged


@dataclass(frozen=True, kw_only=True)
class DepthStudy:
    """All designs of a study.

    Parameters
    ----------
    designs : tuple of DepthDesign
        By depth, shallowest first, and then by measure.
    depths : tuple of int
        Pool depths, ascending.
    measures : tuple of str
        Names of the measures.
    judged : JudgedDepth
        How deep the runs were judged.
    n_topics : int
        Topics of all collections that some run has; others are left out.
    lost_topics : {"zero", "drop"}
        What became of topics without a relevant document.
    said : tuple of str
        What is to be known about the data, in sentences.
    """

    designs: tuple[DepthDesign, ...]
    depths: tuple[int, ...]
    measures: tuple[str, ...]
    judged: JudgedDepth
    n_topics: int
    lost_topics: LostTopics
    said: tuple[str, ...]

    def of(self, measure: str) -> tuple[DepthDesign, ...]:
        """Return the designs of one measure that have an answer, by depth."""
        return tuple(d for d in self.designs if d.measure == measure and d.required_topics is not None)

    @property
    def most_demanding(self) -> tuple[DepthDesign, ...]:
        """For each depth the design that serves every measure: that of the one which needs most topics.

        Depths at which some measure has no answer are left out.
        """
        found = []
        for depth in self.depths:
            here = [design for design in self.designs if design.pool_depth == depth]
            if all(design.required_topics is not None for design in here):
                found.append(max(here, key=lambda design: design.required_topics or 0))
        return tuple(found)


def study(
    collections: Sequence[JudgedRuns],
    measures: Sequence[Measure],
    rule: TopicsRule,
    *,
    depths: Sequence[int] | None = None,
    relevance_level: int = 1,
    lost_topics: LostTopics = "zero",
    weights: Weights = "topics",
    report: Report = silently,
) -> DepthStudy:
    """Re-score the runs at each pool depth, and ask the design how many topics that variance needs.

    Parameters
    ----------
    collections : sequence of JudgedRuns
        Each with its own runs and judgments; variances are pooled over them.
    measures : sequence of Measure
        At least one.
    rule : TopicsRule
        The design with all its requirements but the variance.
    depths : sequence of int, optional
        Pool depths from 1, in any order; by default 10, 30, 50, 70, 90, 100 and on, down to the depth
        of the judgments.
    relevance_level : int, optional
        Lowest grade that makes a topic count as having relevant documents.
    lost_topics : {"zero", "drop"}, optional
        What becomes, at every depth alike, of topics without a relevant document in the pool: they
        score 0 or whatever the measure gives them, or they are left out.
    weights : {"topics", "degrees-of-freedom"}, optional
        How variances are pooled.
    report : Report, optional
        Called once a depth and collection.

    Raises
    ------
    InputError
        If there is no collection, measure or depth, a depth is below 1, measures share a name,
        `lost_topics` is unknown, or no grade of a collection reaches the relevance level.
    """
    if not collections:
        raise InputError("collections", 0, "must be at least one")
    names = tuple(measure.name for measure in measures)
    if not names or len(set(names)) != len(names):
        raise InputError("measures", names, "must be at least one, each once")
    if lost_topics not in get_args(LostTopics):
        raise InputError("lost_topics", lost_topics, f"must be one of {', '.join(get_args(LostTopics))}")
    judged = judged_depth(collections)
    looked_at = _depths(depths, judged, collections)
    scored = [ScoredCollection(runs, measures, relevance_level, lost_topics) for runs in collections]
    designs: list[DepthDesign] = []
    for step, depth in enumerate(looked_at):
        at_depth = []
        for place, collection in enumerate(scored):
            report((step + place / len(scored)) / len(looked_at))
            at_depth.append(collection.at(depth))
        designs += [_design(depth, name, at_depth, scored, weights) for name in names]
    return DepthStudy(
        designs=_with_topics(designs, rule),
        depths=looked_at,
        measures=names,
        judged=judged,
        n_topics=sum(one.n_topics for one in scored),
        lost_topics=lost_topics,
        said=(*remarks(collections, looked_at, judged), *free_depths(designs)),
    )


def _design(
    depth: int,
    measure: str,
    at_depth: Sequence[AtDepth],
    scored: Sequence[ScoredCollection],
    weights: Weights,
) -> DepthDesign:
    """Return a design whose topics are still to be found."""
    matrices = [found for one in at_depth if (found := one.matrices[measure]) is not None]
    variance = pooled(matrices, one_way, weights) if matrices else None
    pairs = [
        (one.means[measure], whole.full.means[measure]) for one, whole in zip(at_depth, scored, strict=True)
    ]
    n_topics = sum(whole.n_topics for whole in scored)
    n_relevant = sum(whole.full.n_relevant for whole in scored)
    return DepthDesign(
        pool_depth=depth,
        measure=measure,
        judged_per_topic=sum(one.n_judged for one in at_depth) / n_topics,
        n_lost_topics=sum(one.n_lost for one in at_depth),
        within_system_variance=variance,
        required_topics=None,
        kendall_tau=_mean(kendall_tau, pairs),
        tau_ap=_mean(tau_ap, pairs),
        relevant_known=sum(one.n_relevant for one in at_depth) / n_relevant if n_relevant else None,
    )


def _with_topics(designs: Sequence[DepthDesign], rule: TopicsRule) -> tuple[DepthDesign, ...]:
    """Ask the design about all variances at once; one by one only where some have no solution."""
    # No variance at all, or no two scores that differ: nothing to plan with.
    asked = [design for design in designs if design.within_system_variance]
    needed = [
        conservative_difference_variance(variance) if rule.takes == "difference" else variance
        for design in asked
        if (variance := design.within_system_variance) is not None
    ]
    try:
        topics: list[int | None] = [int(found) for found in rule.topics(needed)] if needed else []
    except NoSolution:
        topics = [_topics(rule, variance) for variance in needed]
    answers = dict(zip(map(id, asked), topics, strict=True))
    return tuple(replace(design, required_topics=answers.get(id(design))) for design in designs)


def _topics(rule: TopicsRule, variance: float) -> int | None:
    try:
        return int(rule.topics([variance])[0])
    except NoSolution:
        return None


def _mean(
    agreement: Callable[[NDArray[np.float64], NDArray[np.float64]], float | None],
    pairs: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> float | None:
    found = [value for pair in pairs if (value := agreement(*pair)) is not None]
    return sum(found) / len(found) if found else None


def _depths(
    asked: Sequence[int] | None, judged: JudgedDepth, collections: Sequence[JudgedRuns]
) -> tuple[int, ...]:
    if asked is None:
        deepest_run = max(int(runs.n_retrieved.max()) for runs in collections)
        return usual_depths(judged.depth or min(DEEPEST_WITHOUT_POOL, deepest_run))
    if not asked or min(asked) < 1:
        raise InputError("depths", list(asked), "must be whole numbers from 1, at least one")
    return tuple(sorted(set(asked)))
