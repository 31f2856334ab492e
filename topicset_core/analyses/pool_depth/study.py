"""Required topics and cost for every pool depth (Sakai 2016, section 6.3).

Runs are scored again by the judgments that each shallower pool would have left; the variance of these
scores says how many topics a test or interval needs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.pool_depth.designs import DepthDesign
from topicset_core.analyses.pool_depth.pools import JudgedDepth, grades_at, judged_depth, usual_depths
from topicset_core.analyses.pool_depth.rank_agreement import kendall_tau, tau_ap
from topicset_core.analyses.sizing import TopicsRule
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.judged_runs import Grades, JudgedRuns
from topicset_core.collection.pool import pooled_documents
from topicset_core.collection.run import Run
from topicset_core.errors import InputError, NoSolution
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import Measure
from topicset_core.progress import Report, silently
from topicset_core.variance import Weights, conservative_difference_variance, one_way, pooled
from topicset_core.wording import counted

LostTopics = Literal["zero", "drop"]
"""What becomes of topics without a relevant document in the pool."""

DEEPEST_WITHOUT_POOL = 100  # where the data do not tell how deep they were judged


@dataclass(frozen=True, kw_only=True)
class Request:
    """What to study.

    Parameters
    ----------
    measures : sequence of Measure
        At least one, each name once.
    rule : TopicsRule
        The test or interval with all its requirements but the variance.
    depths : sequence of int, optional
        Pool depths from 1, in any order; by default 10, 30, 50, 70, 90, 100 and on, down to the depth
        of the judgments.
    relevance_level : int, optional
        Lowest grade that makes a topic count as having relevant documents.
    lost_topics : {"zero", "drop"}, optional
        What becomes, at every depth, of topics without a relevant document in the pool: they score 0
        or whatever the measure gives them, or they are left out.
    weights : {"topics", "degrees-of-freedom"}, optional
        How variances are pooled.

    Raises
    ------
    InputError
        If there is no measure or depth, a depth is below 1, measures share a name, or `lost_topics` is
        unknown.
    """

    measures: Sequence[Measure]
    rule: TopicsRule
    depths: Sequence[int] | None = None
    relevance_level: int = 1
    lost_topics: LostTopics = "zero"
    weights: Weights = "topics"

    def __post_init__(self) -> None:
        if not self.measures or len(set(self.names)) != len(self.measures):
            raise InputError("measures", self.names, "must be at least one, each once")
        if self.lost_topics not in get_args(LostTopics):
            rule = f"must be one of {', '.join(get_args(LostTopics))}"
            raise InputError("lost_topics", self.lost_topics, rule)
        if self.depths is not None and (not self.depths or min(self.depths) < 1):
            raise InputError("depths", list(self.depths), "must be whole numbers from 1, at least one")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(measure.name for measure in self.measures)


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
    notes : tuple of str
        What a reader has to know about the data, in sentences.
    """

    designs: tuple[DepthDesign, ...]
    depths: tuple[int, ...]
    measures: tuple[str, ...]
    judged: JudgedDepth
    n_topics: int
    lost_topics: LostTopics
    notes: tuple[str, ...]

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


def depth_study(
    collections: Sequence[JudgedRuns], request: Request, *, report_progress: Report = silently
) -> DepthStudy:
    """Score the runs at each pool depth, and give the topics that the variance at that depth needs.

    Parameters
    ----------
    collections : sequence of JudgedRuns
        Each with its own runs and judgments; variances are pooled over them.
    request : Request
        Measures, requirements, depths and conventions.
    report_progress : Report, optional
        Called once per depth and collection.

    Raises
    ------
    InputError
        If there is no collection, or no grade of a collection reaches the relevance level.
    """
    if not collections:
        raise InputError("collections", 0, "must be at least one")
    judged = judged_depth(collections)
    depths = _depths(request.depths, judged, collections)
    scored = [_ScoredCollection(runs, request) for runs in collections]
    designs: list[DepthDesign] = []
    for step, depth in enumerate(depths):
        at_depth = []
        for place, collection in enumerate(scored):
            report_progress((step + place / len(scored)) / len(depths))
            at_depth.append(collection.at(depth))
        designs += [_design(depth, name, at_depth, scored, request.weights) for name in request.names]
    return DepthStudy(
        designs=_with_topics(designs, request.rule),
        depths=depths,
        measures=request.names,
        judged=judged,
        n_topics=sum(one.n_topics for one in scored),
        lost_topics=request.lost_topics,
        notes=(*_notes(collections, depths, judged), *_note_on_free_depths(designs)),
    )


def designs_before_judging(
    runs: Sequence[Run],
    depths: Sequence[int],
    rule: TopicsRule,
    *,
    within_system_variance: float,
    measure: str,
) -> tuple[DepthDesign, ...]:
    """Return the designs of runs without judgments, by depth: pools are counted, the variance is given.

    The variance is that of other scores and the same at every depth, although shallow pools make
    scores vary more: costs of shallow pools are a little too low.

    Parameters
    ----------
    runs : sequence of Run
        At least one.
    depths : sequence of int
        Pool depths from 1.
    rule : TopicsRule
        The test or interval with all its requirements but the variance.
    within_system_variance : float
        Above 0; of similar systems on a similar task.
    measure : str
        What it was measured on.

    Raises
    ------
    InputError
        If there is no run, or a depth is below 1.
    NoSolution
        If no topic set size within the limits is enough.
    """
    pool = pooled_documents(runs, max(depths))
    topics = int(rule.topics([_variance_for(rule, within_system_variance)])[0])
    return tuple(
        DepthDesign(
            pool_depth=depth,
            measure=measure,
            judged_per_topic=pool.documents_per_topic(depth),
            n_lost_topics=0,
            within_system_variance=within_system_variance,
            required_topics=topics,
            kendall_tau=None,
            tau_ap=None,
            relevant_known=None,
        )
        for depth in sorted(set(depths))
    )


@dataclass(frozen=True, eq=False)
class _AtDepth:
    """One collection at one depth.

    Parameters
    ----------
    matrices : dict of str to ScoreMatrix or None
        Scores by measure; None where fewer than two topics are left.
    means : dict of str to ndarray of float64, shape (n_systems,)
        Mean scores by measure.
    n_judged, n_relevant : int
        Documents of the pool that are judged, and that are relevant.
    n_lost : int
        Topics that have relevant documents, but none in the pool.
    """

    matrices: dict[str, ScoreMatrix | None]
    means: dict[str, NDArray[np.float64]]
    n_judged: int
    n_lost: int
    n_relevant: int


class _ScoredCollection:
    """One collection, with its scores by all judgments.

    Topics that no run has are left out: nothing of theirs can be pooled, so that they would only dilute
    the documents per topic and add rows of equal scores.
    """

    def __init__(self, runs: JudgedRuns, request: Request) -> None:
        self.runs, self._request = runs, request
        largest = int(runs.qrels.grades.max())
        if request.relevance_level > largest:
            rule = f"must be at most {largest}, the largest grade in the qrels {runs.qrels.name!r}"
            raise InputError("relevance_level", request.relevance_level, rule)
        self._returned: NDArray[np.bool_] = runs.n_retrieved.max(axis=1) > 0
        self._had = self._n_relevant(GradedRuns(runs))
        self.full = self._score(runs.qrels.grades)

    @property
    def n_topics(self) -> int:
        """Topics that some run has."""
        return int(self._returned.sum())

    def at(self, depth: int) -> _AtDepth:
        """Score the runs by the judgments of a pool of this depth."""
        return self._score(grades_at(self.runs, depth))

    def _n_relevant(self, graded: GradedRuns) -> NDArray[np.int64]:
        """Return the relevant documents of each topic, 0 for those that no run has."""
        relevant: NDArray[np.int64] = graded.n_relevant(self._request.relevance_level) * self._returned
        return relevant

    def _score(self, grades: Grades) -> _AtDepth:
        graded = GradedRuns(self.runs, grades)
        relevant = self._n_relevant(graded)
        kept: NDArray[np.bool_] = relevant > 0 if self._request.lost_topics == "drop" else self._returned
        matrices: dict[str, ScoreMatrix | None] = {}
        means: dict[str, NDArray[np.float64]] = {}
        for measure in self._request.measures:
            scores = measure.scores_of(graded)[kept]
            means[measure.name] = scores.mean(axis=0) if kept.any() else np.zeros(self.runs.n_systems)
            matrices[measure.name] = self._matrix(measure.name, scores, kept) if kept.sum() > 1 else None
        return _AtDepth(
            matrices=matrices,
            means=means,
            n_judged=int((grades >= 0).sum()),
            n_lost=int(((relevant == 0) & (self._had > 0)).sum()),
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


def _depths(
    requested: Sequence[int] | None, judged: JudgedDepth, collections: Sequence[JudgedRuns]
) -> tuple[int, ...]:
    if requested is not None:
        return tuple(sorted(set(requested)))
    deepest_run = max(int(runs.n_retrieved.max()) for runs in collections)
    return usual_depths(judged.depth or min(DEEPEST_WITHOUT_POOL, deepest_run))


def _design(
    depth: int,
    measure: str,
    at_depth: Sequence[_AtDepth],
    scored: Sequence[_ScoredCollection],
    weights: Weights,
) -> DepthDesign:
    """Return a design whose required topics are not computed yet."""
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


def _mean(
    agreement: Callable[[NDArray[np.float64], NDArray[np.float64]], float | None],
    pairs: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> float | None:
    found = [value for pair in pairs if (value := agreement(*pair)) is not None]
    return sum(found) / len(found) if found else None


def _with_topics(designs: Sequence[DepthDesign], rule: TopicsRule) -> tuple[DepthDesign, ...]:
    """Compute the topics of all variances at once; one by one only where some have no solution."""
    # No variance at all, or no two scores that differ: nothing to plan with.
    with_variance = [design for design in designs if design.within_system_variance]
    needed = [_variance_for(rule, design.within_system_variance or 0.0) for design in with_variance]
    try:
        topics: list[int | None] = [int(found) for found in rule.topics(needed)] if needed else []
    except NoSolution:
        topics = [_topics(rule, variance) for variance in needed]
    answers = dict(zip(map(id, with_variance), topics, strict=True))
    return tuple(replace(design, required_topics=answers.get(id(design))) for design in designs)


def _topics(rule: TopicsRule, variance: float) -> int | None:
    try:
        return int(rule.topics([variance])[0])
    except NoSolution:
        return None


def _variance_for(rule: TopicsRule, within_system_variance: float) -> float:
    """Return the variance of the kind that the rule takes."""
    if rule.takes == "difference":
        return conservative_difference_variance(within_system_variance)
    return within_system_variance


def _notes(collections: Sequence[JudgedRuns], depths: Sequence[int], judged: JudgedDepth) -> tuple[str, ...]:
    """Return sentences on how deep was judged, and on runs that are shallow or alone."""
    notes = []
    if judged.depth is None:
        notes.append(
            "The judgments were not made from a pool of just these runs: at every depth some of their documents "
            "are not judged, so the numbers of judged documents are too low for a new pool."
        )
    else:
        reached = judged.n_topics + judged.n_deeper
        notes.append(
            f"The judgments reach depth {judged.depth}: so far down every document of these runs is judged for "
            f"{reached} of {counted(reached + judged.n_shallower, 'topic')}."
        )
        if judged.n_shallower:
            notes.append(
                f"For {counted(judged.n_shallower, 'topic')} some documents above that depth are not judged, as "
                "where judgments come from a pool of other runs: a new pool would cost more than is shown."
            )
        if max(depths) > judged.depth:
            notes.append(
                f"Depth {max(depths)} goes beyond the judgments, which end at {judged.depth}: deeper documents "
                "are judged only where another run had them higher."
            )
    for runs in collections:
        absent = int((~runs.n_retrieved.any(axis=1)).sum())
        if absent:
            notes.append(
                f"{runs.qrels.name}: {counted(absent, 'topic')} of {runs.n_topics} with no document of any run; "
                "left out, as nothing of theirs can be pooled."
            )
        deepest = runs.n_retrieved.max(axis=0)
        shallow = int((deepest < max(depths)).sum())
        if shallow:
            notes.append(
                f"{runs.qrels.name}: {shallow} of {counted(runs.n_systems, 'run')} return fewer documents than "
                f"depth {max(depths)} on every topic; they bring to the pool what they have."
            )
        if runs.n_systems == 1:
            notes.append(
                f"{runs.qrels.name}: with one run there is no ranking to compare, and its variance is all."
            )
    return tuple(notes)


def _note_on_free_depths(designs: Sequence[DepthDesign]) -> tuple[str, ...]:
    """Return a sentence on depths that seem to cost nothing, as so little of their pools was judged."""
    free = sorted({design.pool_depth for design in designs if design.judged_per_topic < 0.5})
    if not free:
        return ()
    return (
        f"At depth {', '.join(map(str, free))} less than half a document a topic is judged: the cost rounds to 0, "
        "and tells nothing of what a new pool would cost.",
    )
