"""The whole answer about one matrix: its curve, its topics, and what is known of both by other searches."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from topicset_core.analyses.topic_subsets import enumeration
from topicset_core.analyses.topic_subsets.curve import SubsetCurve, criterion_for, subset_curve
from topicset_core.analyses.topic_subsets.request import (
    Request,
    preview_cardinalities,
    size_below,
)
from topicset_core.analyses.topic_subsets.searches import MOST_SWAPPED
from topicset_core.analyses.topic_subsets.topic_counts import TopicTable, goodness_alone, topic_table
from topicset_core.collection import ScoreMatrix
from topicset_core.execution.sizes import log_spaced

_QUICK_TRIALS = 300
_MOST_PREVIEWED = 1_000_000  # scores
_STARTS = 6  # of a size in a preview, about: from either end, and random ones, for the best and the worst


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The curve of a matrix, and how it is read."""

    matrix: ScoreMatrix = field(repr=False)
    request: Request  # complete
    searched: Request  # the request of the search, which a preview has instead
    curve: SubsetCurve
    alone: tuple[float | None, ...] = field(repr=False)  # how good each topic is alone
    so_far: SubsetCurve | None = None  # of a search under way, without the preview below it

    @property
    def size(self) -> int:
        """Size of the ten best and ten worst subsets."""
        return size_below(self.matrix.n_topics, self.request.cardinality)

    @cached_property
    def table(self) -> TopicTable:
        """How topics fare in the sets of the curve."""
        size = self.curve.nearest(self.size).cardinality
        return topic_table(self.matrix, self.curve, size, self.alone)

    @property
    def target(self) -> float:
        """Goodness at which the curve is read across, in units of its measure."""
        return self.request.reach

    @property
    def is_certain(self) -> bool:
        """Whether nothing was searched for or drawn at random, so that a longer search changes nothing."""
        n = self.matrix.n_topics
        return self.request.method in ("auto", "exact", "exhaustive") and all(
            enumeration.are_few(n, point.cardinality, self.searched.n_trials)
            and all(one is None or one.status == "exhaustive" for one in (point.best, point.worst))
            for point in self.curve.points
        )

    def answers(self, request: Request) -> bool:
        """Return whether it is the whole answer to a complete request."""
        if self.so_far is not None or request.cardinalities != self.curve.cardinalities:
            return False
        return self.is_certain or self.searched.computed() == request.computed()

    def read_at(self, request: Request) -> "Answer":
        """Return the same, read at the target and size of a request."""
        found = replace(self, request=request)
        if found.is_certain and found.answers(request):
            return replace(found, curve=replace(self.curve, n_trials=request.n_trials))
        return found

    def laid_over(self, preview: "Answer") -> "Answer":
        """Return the answer of a search under way with the points of a preview where it has none yet."""
        return replace(self, curve=self.curve.laid_over(preview.curve), so_far=self.curve)


def complete(matrix: ScoreMatrix, request: Request) -> Request:
    """Return the request with the sizes and the target that follow from the scores and the measure."""
    return replace(request, cardinalities=request.sizes(matrix.n_topics), target=request.reach)


def compute(
    matrix: ScoreMatrix,
    request: Request,
    *,
    show_partial: Callable[[Answer], None] | None = None,
    **how: Any,
) -> Answer:
    """Answer a complete request about one matrix."""
    request.sizes(matrix.n_topics)  # refuses sizes before runs
    alone = goodness_alone(matrix, request.goodness)

    def answer(curve: SubsetCurve) -> Answer:
        return Answer(matrix=matrix, request=request, searched=request, curve=curve, alone=alone)

    after = None if show_partial is None else lambda curve: show_partial(answer(curve))
    return answer(subset_curve(matrix, request, show_partial=after, **how))


def preview(matrix: ScoreMatrix, request: Request, seconds: float) -> Request | None:
    """Return a local search of few sizes that takes about some CPU seconds; None if even that takes too long."""
    criterion, size = (
        criterion_for(matrix, request.goodness),
        size_below(matrix.n_topics, request.cardinality),
    )
    sizes = preview_cardinalities(
        lambda size: _STARTS * criterion.seconds_per_start(size), matrix.n_topics, size
    )
    # With many topics, sizes share the steps of a search: 7,000 x 100 take 2 CPU seconds.
    is_stepwise = matrix.n_topics > MOST_SWAPPED and request.goodness == "pearson"
    if sizes is None and is_stepwise and matrix.scores.size <= _MOST_PREVIEWED:
        sizes = tuple(sorted({*log_spaced(matrix.n_topics, 2.0), size}))
    if sizes is None:
        return None
    few = {"n_trials": _QUICK_TRIALS, "effort": seconds / 4}
    return replace(request, cardinalities=sizes, method="local", **few)  # type: ignore[arg-type]
