"""Required topics and cost for every pool depth (Sakai 2016, section 6.3).

Runs are scored again by the judgments that each shallower pool would have left; the variance of these
scores gives how many topics a test or interval needs.

References
----------
M. G. Kendall. A new measure of rank correlation. Biometrika 30 (1938), 81-93; tau-b for ties: 33 (1945), 239-251.
E. Yilmaz, J. A. Aslam, S. Robertson. A new rank correlation coefficient for information retrieval.
SIGIR 2008, 587-594. doi:10.1145/1390334.1390435
J. Urbano, M. Marrero. The treatment of ties in AP correlation. ICTIR 2017, 321-324. doi:10.1145/3121050.3121106
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topicset_core.analyses.pool_depth.designs import MIN_JUDGED_SHARE, DepthDesign
from topicset_core.analyses.pool_depth.pools import JudgedDepth, grades_at, judged_depth, usual_depths
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.judged_runs import Grades, JudgedRuns
from topicset_core.collection.run import Pool, Run, pooled_documents
from topicset_core.designs import Plan
from topicset_core.errors import InputError
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import Measure
from topicset_core.parameters import ChoiceParameter
from topicset_core.progress import ReportProgress, silently
from topicset_core.variance import ONE_WAY, TWO_WAY, Weights, pooled
from topicset_core.wording import counted

LostTopics = Literal["zero", "drop"]
"""What becomes of topics without a relevant document in the pool."""

LOST_TOPICS = ChoiceParameter(
    name="lost_topics",
    label="Topics without relevant documents in the pool",
    help="What becomes of topics without a relevant document in the pool.",
    options={"zero": "keep, with their scores", "drop": "leave out"},
    default="zero",
)

DEEPEST_WITHOUT_POOL = 100
"""Deepest pool that is studied where the data do not show how deep they were judged."""

_NEARLY_ALL = 0.95  # of a pool: judged, so that the judgments may come from a larger pool of the same depth
_CLEARLY_MORE = 1.05  # judgments than that pool has documents, so that other runs were pooled too


@dataclass(frozen=True, kw_only=True)
class Request:
    """What to study.

    Parameters
    ----------
    measures : sequence of Measure
        At least one, each name once.
    rule : Plan
        The test or interval with all its requirements but the variance.
    depths : sequence of int, optional
        Pool depths from 1, in any order; by default 10, 30, 50, 70, 90, 100 and on, down to the depth
        of the judgments, and steps of 5 or 10 where the judged share of a pool falls below 80 %.
    relevance_level : int, optional
        Lowest grade that makes a topic count as having relevant documents.
    lost_topics : {"zero", "drop"}, optional
        What becomes, at every depth, of topics without a relevant document in the pool: they score 0, or as
        the measure defines, or they are left out.
    weights : {"topics", "degrees-of-freedom"}, optional
        How variances are pooled.

    Raises
    ------
    InputError
        If there is no measure or depth, a depth is below 1, measures share a name, or `lost_topics` is
        unknown.
    """

    measures: Sequence[Measure]
    rule: Plan
    depths: Sequence[int] | None = None
    relevance_level: int = 1
    lost_topics: LostTopics = "zero"
    weights: Weights = "topics"

    def __post_init__(self) -> None:
        if not self.measures or len(set(self.names)) != len(self.measures):
            raise InputError("measures", self.names, "must be at least one, each once")
        LOST_TOPICS.check(self.lost_topics)
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
    judged : JudgedDepth or None
        How deep the runs were judged; None before anything is judged.
    n_topics : int
        Topics of all collections that some run has; others are left out.
    n_judgments, n_unexplained : int
        Judged documents of these topics, and how many of them no given run has down to `explained_to`.
    explained_to : int
        The depth of the judgments; the deepest depth of the study without judgments.
    full_pool_factor : float or None
        How many times larger the pool of all runs that made the judgments is than that of the given runs:
        judgments over documents of the given runs' pool at the depth of the judgments. None unless that pool
        is judged nearly completely and there are clearly more judgments. That the factor is the same at every depth
        is an assumption, and that all judgments come from one pool.
    lost_topics : {"zero", "drop"}
        What became of topics without a relevant document.
    notes : tuple of str
        Notes on the data for the reader.
    """

    designs: tuple[DepthDesign, ...]
    depths: tuple[int, ...]
    measures: tuple[str, ...]
    judged: JudgedDepth | None
    n_topics: int
    n_judgments: int = 0
    n_unexplained: int = 0
    explained_to: int = 0
    full_pool_factor: float | None = None
    lost_topics: LostTopics = "zero"
    notes: tuple[str, ...] = ()

    def planned_by(self, rule: Plan) -> "DepthStudy":
        """Return the study with the topics that another design with variances of the same kind needs."""
        return replace(self, designs=_with_topics(self.designs, rule))

    @property
    def with_full_pool(self) -> "DepthStudy":
        """The study with the estimated pool of all runs as the cost of a design; itself without an estimate."""
        designs = tuple(
            design
            if design.full_pool_per_topic is None
            else replace(design, pooled_per_topic=design.full_pool_per_topic)
            for design in self.designs
        )
        return replace(self, designs=designs)

    def of(self, measure: str) -> tuple[DepthDesign, ...]:
        """Return the designs of one measure that have an answer, by depth."""
        return tuple(d for d in self.designs if d.measure == measure and d.required_topics is not None)

    @property
    def most_demanding(self) -> tuple[DepthDesign, ...]:
        """For each depth at which every measure has an answer, the design of the measure that needs most topics."""
        results = []
        for depth in self.depths:
            here = [design for design in self.designs if design.pool_depth == depth]
            if all(design.required_topics is not None for design in here):
                results.append(max(here, key=lambda design: design.required_topics or 0))
        return tuple(results)

    def lowest_tau(self, depth: int) -> DepthDesign | None:
        """Return the design at a depth whose measure ranks the runs least as all judgments do; None without τ."""
        here = [one for one in self.designs if one.pool_depth == depth and one.kendall_tau is not None]
        return min(here, key=lambda one: one.kendall_tau or 0.0, default=None)


def depth_study(
    collections: Sequence[JudgedRuns],
    runs: Sequence[Run],
    request: Request,
    *,
    report_progress: ReportProgress = silently,
) -> DepthStudy:
    """Score the runs at each pool depth, and give the topics that the variance at that depth needs.

    Parameters
    ----------
    collections : sequence of JudgedRuns
        Each with its own runs and judgments; variances are pooled over them.
    runs : sequence of Run
        The runs themselves, of all collections: pools are counted from these, as judgments may not cover
        them.
    request : Request
        Measures, requirements, depths and conventions.
    report_progress : ReportProgress, optional
        Called once per depth and collection.

    Raises
    ------
    InputError
        If there is no collection, a run of a collection is missing, or no grade of a collection reaches the
        relevance level.
    """
    if not collections:
        raise InputError("collections", 0, "must be at least one")
    judged = judged_depth(collections)
    deepest_run = max(int(runs.n_retrieved.max()) for runs in collections)
    depths = _requested_or_usual(request.depths, judged.depth or min(DEEPEST_WITHOUT_POOL, deepest_run))
    deepest = max(depths[-1], judged.depth or 0)
    pools = [_pool(one, runs, deepest) for one in collections]
    scored = [_ScoredCollection(one, request) for one in collections]
    if request.depths is None:
        sizes = np.sum([pool.sizes[:, : depths[-1]].sum(axis=0) for pool in pools], axis=0)
        depths = finer_where_coverage_falls(depths, sum(one.n_judged(depths[-1]) for one in scored) / sizes)
    n_topics = sum(one.n_topics for one in scored)
    explained_to = judged.depth or depths[-1]
    n_judgments = sum(one.n_judgments() for one in scored)
    n_explained = sum(one.n_judgments(explained_to) for one in scored)
    n_pooled = _n_pooled(pools, explained_to)
    factor = None
    if judged.depth and n_explained >= _NEARLY_ALL * n_pooled and n_judgments > _CLEARLY_MORE * n_pooled:
        factor = n_judgments / n_pooled
    designs: list[DepthDesign] = []
    for step, depth in enumerate(depths):
        at_depth = []
        for place, collection in enumerate(scored):
            report_progress((step + place / len(scored)) / len(depths))
            at_depth.append(collection.at(depth))
        pooled = _n_pooled(pools, depth)
        designs += [_design(depth, name, at_depth, scored, pooled, factor, request) for name in request.names]
    return DepthStudy(
        designs=_with_topics(designs, request.rule),
        depths=depths,
        measures=request.names,
        judged=judged,
        n_topics=n_topics,
        n_judgments=n_judgments,
        n_unexplained=n_judgments - n_explained,
        explained_to=explained_to,
        full_pool_factor=factor,
        lost_topics=request.lost_topics,
        notes=_notes(collections, depths, judged, request.rule),
    )


def study_before_judging(
    runs: Sequence[Run],
    depths: Sequence[int] | None,
    rule: Plan,
    *,
    within_system_variance: float,
    measure: str,
) -> DepthStudy:
    """Return the designs of runs without judgments, by depth: pools are counted, the variance is given."""
    # The variance is the same at every depth, although shallow pools make scores vary more: their costs are a
    # little too low.
    pool = pool_of(runs, depths)
    topics = int(rule.topics(variance=rule.variance_for(within_system_variance)))
    designs = tuple(
        DepthDesign(
            pool_depth=depth,
            measure=measure,
            pooled_per_topic=pool.documents_per_topic(depth),
            judged_per_topic=None,
            judged_share=None,
            n_lost_topics=0,
            within_system_variance=within_system_variance,
            required_topics=topics,
            kendall_tau=None,
            tau_ap=None,
            relevant_known=None,
        )
        for depth in _requested_or_usual(depths, pool.deepest)
    )
    return DepthStudy(
        designs=designs,
        depths=tuple(design.pool_depth for design in designs),
        measures=(measure,),
        judged=None,
        n_topics=len(pool.topics),
        notes=(
            "Nothing is judged yet: pools are counted from the runs, and the variance is the same at every depth. "
            "Shallow pools make scores vary more, so they need somewhat more topics than shown.",
        ),
    )


def pool_of(runs: Sequence[Run], depths: Sequence[int] | None = None) -> Pool:
    """Count the pools of runs without judgments, down to the deepest depth to study."""
    if depths is not None and (not depths or min(depths) < 1):
        raise InputError("depths", list(depths), "must be whole numbers from 1, at least one")
    longest = max((int(run.depths.max()) for run in runs), default=1)
    return pooled_documents(runs, max(depths) if depths else min(DEEPEST_WITHOUT_POOL, longest))


@dataclass(frozen=True, eq=False)
class _AtDepth:
    """One collection at one depth."""

    matrices: dict[str, ScoreMatrix | None]  # scores by measure
    means: dict[str, NDArray[np.float64]]  # (n_systems,): mean scores by measure
    # Documents of the pool that are judged, and that are relevant
    n_judged: int
    n_relevant: int
    n_lost: int  # topics with relevant documents, but without one in the pool


class _ScoredCollection:
    """One collection with its scores by all judgments, without topics that no run has, as they have no pool."""

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

    def n_judgments(self, depth: int | None = None) -> int:
        """Return the judged documents of topics that some run has; of a pool's depth, where one is given."""
        grades = self.runs.qrels.grades if depth is None else grades_at(self.runs, depth)
        topics = np.repeat(self._returned, np.diff(self.runs.qrels.starts))
        return int(((grades >= 0) & topics).sum())

    def n_judged(self, deepest: int) -> NDArray[np.int64]:
        """Return how many documents of a pool are judged, at every depth from 1."""
        best = self.runs.best_ranks[self.runs.qrels.grades >= 0]
        counts = np.bincount(best[(best >= 1) & (best <= deepest)], minlength=deepest + 1)
        return np.cumsum(counts[1:])

    def _n_relevant(self, graded: GradedRuns) -> NDArray[np.int64]:
        """Return the relevant documents of each topic, 0 for topics without any run."""
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


def _requested_or_usual(requested: Sequence[int] | None, deepest: int) -> tuple[int, ...]:
    return usual_depths(deepest) if requested is None else tuple(sorted(set(requested)))


def finer_where_coverage_falls(depths: tuple[int, ...], shares: NDArray[np.float64]) -> tuple[int, ...]:
    """Return the depths, with the last one whose pool is judged enough, and steps up to the next that is not."""
    low = np.flatnonzero(shares < MIN_JUDGED_SHARE.default)
    last = int(low[0]) if low.size else depths[-1]  # of depth 1 is the first share
    before, after = ([one for one in depths if (one <= last) is covered] for covered in (True, False))
    if not before or not after:
        return depths
    step = 5 if after[0] - before[-1] <= 20 else 10
    return tuple(sorted({*depths, last, *range(before[-1] + step, after[0], step)}))


def _pool(collection: JudgedRuns, runs: Sequence[Run], deepest: int) -> Pool:
    """Count the pools of a collection's runs on its judged topics."""
    by_tag = {run.tag: run for run in runs}
    missing = [tag for tag in collection.systems if tag not in by_tag]
    if missing:
        raise InputError(
            "runs", missing[0], f"must be given, as the collection {collection.qrels.name!r} has it"
        )
    return pooled_documents([by_tag[tag] for tag in collection.systems], deepest, collection.topics)


def _n_pooled(pools: Sequence[Pool], depth: int) -> int:
    return sum(int(pool.sizes[:, depth - 1].sum()) for pool in pools)


def _design(
    depth: int,
    measure: str,
    at_depth: Sequence[_AtDepth],
    scored: Sequence[_ScoredCollection],
    n_pooled: int,
    factor: float | None,
    request: Request,
) -> DepthDesign:
    """Return a design without its required topics, which are computed later."""
    matrices = [result for one in at_depth if (result := one.matrices[measure]) is not None]
    by = request.rule.measured_by
    alone = by is TWO_WAY and any(matrix.n_systems == 1 for matrix in matrices)  # which has no residual
    if alone and request.rule.takes == "difference":  # Sakai's 2 sigma^2
        by, alone = ONE_WAY, False
    variance = pooled(matrices, by, request.weights) if matrices and not alone else None
    pairs = [
        (one.means[measure], whole.full.means[measure]) for one, whole in zip(at_depth, scored, strict=True)
    ]
    n_judged, n_topics = sum(one.n_judged for one in at_depth), sum(whole.n_topics for whole in scored)
    n_relevant = sum(whole.full.n_relevant for whole in scored)
    return DepthDesign(
        pool_depth=depth,
        measure=measure,
        pooled_per_topic=n_pooled / n_topics,
        judged_per_topic=n_judged / n_topics,
        judged_share=n_judged / n_pooled,
        full_pool_per_topic=None if factor is None else factor * n_pooled / n_topics,
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
    results = [value for pair in pairs if (value := agreement(*pair)) is not None]
    return sum(results) / len(results) if results else None


def _with_topics(designs: Sequence[DepthDesign], rule: Plan) -> tuple[DepthDesign, ...]:
    """Compute the topics of all variances at once; without a variance, or a solution, there are none."""
    variances = [rule.variance_for(design.within_system_variance or 0.0) for design in designs]
    answers = zip(designs, rule.topics_of_variances(variances), strict=True)
    return tuple(replace(design, required_topics=topics) for design, topics in answers)


def _notes(
    collections: Sequence[JudgedRuns], depths: Sequence[int], judged: JudgedDepth, rule: Plan
) -> tuple[str, ...]:
    """Return sentences on how deep was judged, on runs that are shallow or alone, and on σ² of shared topics."""
    notes = []
    if judged.depth is None:
        notes.append(
            "The judgments are not from a pool of these runs alone: at every depth some of their documents are "
            "unjudged."
        )
    else:
        reached = judged.n_topics + judged.n_deeper
        notes.append(
            f"The judgments reach depth {judged.depth}: every document of these runs down to there is judged for "
            f"{reached} of {counted(reached + judged.n_shallower, 'topic')}."
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
                f"{runs.qrels.name}: {counted(absent, 'topic')} of {runs.n_topics} with no document of any "
                "run; left out, as they have no pool."
            )
        deepest = runs.n_retrieved.max(axis=0)
        shallow = int((deepest < max(depths)).sum())
        if shallow:
            notes.append(
                f"{runs.qrels.name}: {shallow} of {counted(runs.n_systems, 'run')} return fewer documents than "
                f"depth {max(depths)} on every topic; they contribute all their documents to the pool."
            )
        if runs.n_systems == 1:
            notes.append(
                f"{runs.qrels.name}: with one run there is no ranking to compare, and its variance is all."
            )
    if rule.measured_by is TWO_WAY:
        notes.append("All systems share the topics, so that σ² is the residual variance of two-way ANOVA.")
    return tuple(notes)


def kendall_tau(first: ArrayLike, second: ArrayLike) -> float | None:
    """Return Kendall's tau-b; None where it is not defined."""
    signs, other = _signs(first, second)
    untied = float((signs**2).sum()), float((other**2).sum())
    if not all(untied):
        return None
    return float((signs * other).sum()) / math.sqrt(untied[0] * untied[1])


def tau_ap(estimated: ArrayLike, true: ArrayLike) -> float | None:
    """Return the AP correlation of an estimated ranking with the true one: errors at the top weigh more."""
    # Of each system but the first of the estimated ranking, the share of systems above it that belong there,
    # averaged and scaled to -1 to 1 (Yilmaz et al. 2008, Eq. 3). A pair tied in either list counts as half
    # right, and tied systems are in any order with equal probability, as in tau_ap,a of Urbano and Marrero
    # (2017).
    signs, other = _signs(estimated, true)
    if not signs.any() or not other.any():
        return None
    scores = np.asarray(estimated, dtype=np.float64)
    n_systems = scores.size
    total = 0.0
    for score in np.unique(scores):
        tied = np.flatnonzero(scores == score)
        above = np.flatnonzero(scores > score)
        # A mean over the tied systems of how many above them, less how many not, belong there.
        agreed = float((other[np.ix_(above, tied)]).sum()) / tied.size
        # Each of these is at each of their ranks; i - 1 systems are above rank i.
        total += sum(agreed / (above.size + place) for place in range(tied.size) if above.size)
    return total / (n_systems - 1)


def _signs(first: ArrayLike, second: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for both lists which of each pair of systems is better: 1, -1, or 0 for a tie."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise InputError("second", b.shape, f"must be one list of the same length as the first, {a.shape}")
    return np.sign(a[:, None] - a[None, :]), np.sign(b[:, None] - b[None, :])
