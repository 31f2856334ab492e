"""Required topics and cost for every pool depth (Sakai 2016, section 6.3)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.pool_depth.depth_grades import grades_at
from topicset_core.analyses.pool_depth.designs import DepthDesign
from topicset_core.analyses.pool_depth.judged_depth import JudgedDepth, judged_depth, usual_depths
from topicset_core.analyses.pool_depth.rank_agreement import kendall_tau, tau_ap
from topicset_core.analyses.variance_topics import TopicsRule
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.judged_runs import Grades, JudgedRuns
from topicset_core.errors import InputError, NoSolution
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import Measure
from topicset_core.progress import Report, silently
from topicset_core.variance import Weights, conservative_difference_variance, one_way, pooled

LostTopics = Literal["zero", "drop"]
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
        Topics of all collections.
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
        If there is no collection, measure or depth, a depth is below 1, measures share a name, or
        `lost_topics` is unknown.
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
    scored = [_Scored(runs, measures, relevance_level, lost_topics) for runs in collections]
    designs: list[DepthDesign] = []
    for step, depth in enumerate(looked_at):
        at_depth = []
        for place, collection in enumerate(scored):
            report((step + place / len(scored)) / len(looked_at))
            at_depth.append(collection.at(depth))
        designs += [_design(depth, name, at_depth, scored, rule, weights) for name in names]
    return DepthStudy(
        designs=tuple(designs),
        depths=looked_at,
        measures=names,
        judged=judged,
        n_topics=sum(runs.n_topics for runs in collections),
        lost_topics=lost_topics,
        said=tuple(_remarks(collections, looked_at, judged)),
    )


@dataclass(frozen=True, eq=False)
class _AtDepth:
    """One collection at one depth."""

    matrices: dict[str, ScoreMatrix | None]
    means: dict[str, NDArray[np.float64]]
    n_judged: int
    n_lost: int
    n_relevant: int


class _Scored:
    """One collection, with its scores by all judgments."""

    def __init__(
        self, runs: JudgedRuns, measures: Sequence[Measure], level: int, lost_topics: LostTopics
    ) -> None:
        self.runs, self._measures, self._level, self._lost_topics = runs, measures, level, lost_topics
        self.full = self._score(runs.qrels.grades, None)

    def at(self, depth: int) -> _AtDepth:
        """Score the runs by the judgments of a pool of this depth."""
        return self._score(grades_at(self.runs, depth), self.full)

    def _score(self, grades: Grades, full: _AtDepth | None) -> _AtDepth:
        graded = GradedRuns(self.runs, grades)
        relevant = graded.n_relevant(self._level)
        had = GradedRuns(self.runs).n_relevant(self._level) if full else relevant
        kept = relevant > 0 if self._lost_topics == "drop" else np.ones(relevant.size, dtype=bool)
        matrices: dict[str, ScoreMatrix | None] = {}
        means: dict[str, NDArray[np.float64]] = {}
        for measure in self._measures:
            scores = measure.scores_of(graded)[kept]
            means[measure.name] = scores.mean(axis=0) if kept.any() else np.zeros(self.runs.n_systems)
            matrices[measure.name] = self._matrix(measure.name, scores, kept) if kept.sum() > 1 else None
        return _AtDepth(
            matrices=matrices,
            means=means,
            n_judged=int((grades >= 0).sum()),
            n_lost=int(((relevant == 0) & (had > 0)).sum()),
            n_relevant=int(relevant.sum()),
        )

    def _matrix(self, measure: str, scores: NDArray[np.float64], kept: NDArray[np.bool_]) -> ScoreMatrix:
        topics = tuple(topic for topic, keep in zip(self.runs.topics, kept, strict=True) if keep)
        return ScoreMatrix(
            scores=scores,
            topics=topics,
            systems=self.runs.systems,
            measure=measure,
            name=self.runs.qrels.name,
        )


def _design(
    depth: int,
    measure: str,
    at_depth: Sequence[_AtDepth],
    scored: Sequence[_Scored],
    rule: TopicsRule,
    weights: Weights,
) -> DepthDesign:
    matrices = [found for one in at_depth if (found := one.matrices[measure]) is not None]
    variance = pooled(matrices, one_way, weights) if matrices else None
    pairs = [
        (one.means[measure], whole.full.means[measure]) for one, whole in zip(at_depth, scored, strict=True)
    ]
    n_topics = sum(whole.runs.n_topics for whole in scored)
    n_relevant = sum(whole.full.n_relevant for whole in scored)
    return DepthDesign(
        pool_depth=depth,
        measure=measure,
        judged_per_topic=sum(one.n_judged for one in at_depth) / n_topics,
        n_lost_topics=sum(one.n_lost for one in at_depth),
        within_system_variance=variance,
        required_topics=_topics(rule, variance),
        kendall_tau=_mean(kendall_tau, pairs),
        tau_ap=_mean(tau_ap, pairs),
        relevant_known=sum(one.n_relevant for one in at_depth) / n_relevant if n_relevant else 1.0,
    )


def _topics(rule: TopicsRule, variance: float | None) -> int | None:
    if not variance:  # none at all, or no two scores that differ: nothing to plan with
        return None
    needed = conservative_difference_variance(variance) if rule.takes == "difference" else variance
    try:
        return int(rule.topics([needed])[0])
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


def _remarks(collections: Sequence[JudgedRuns], depths: Sequence[int], judged: JudgedDepth) -> list[str]:
    """Say what a reader of the numbers has to know about the data."""
    said = []
    if judged.depth is None:
        said.append(
            "The judgments were not made from a pool of just these runs: at every depth some of their documents "
            "are not judged, so the numbers of judged documents are too low for a new pool."
        )
    else:
        reached = judged.n_topics + judged.n_deeper
        said.append(
            f"The judgments reach depth {judged.depth}: so far down every document of these runs is judged for "
            f"{reached} of {reached + judged.n_shallower} topics."
        )
        if judged.n_shallower:
            said.append(
                f"For {judged.n_shallower} topics some documents above that depth are not judged: their judgments "
                "come from a pool of other runs, and a new pool would cost more than is shown."
            )
        if max(depths) > judged.depth:
            said.append(
                f"Depth {max(depths)} goes beyond the judgments, which end at {judged.depth}: deeper documents "
                "are judged only where another run had them higher."
            )
    for runs in collections:
        deepest = runs.n_retrieved.max(axis=0)
        shallow = int((deepest < max(depths)).sum())
        if shallow:
            said.append(
                f"{runs.qrels.name}: {shallow} of {runs.n_systems} runs return fewer documents than depth "
                f"{max(depths)}; they bring to the pool what they have."
            )
        if runs.n_systems == 1:
            said.append(
                f"{runs.qrels.name}: with one run there is no ranking to compare, and its variance is all."
            )
    return said
