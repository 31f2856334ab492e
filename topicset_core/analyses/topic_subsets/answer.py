"""The answer about one matrix: its curve, and which topics are in good sets, which in bad ones.

Guiver, Mizzaro and Robertson (2009), sections 5.4, 5.5, 6.2: for each topic, how often it is in the best and in
the worst set over cardinalities (figure 5) and in the ten best and ten worst of one (figure 6), how good it is
alone, and its mean score over runs as its hardness. A topic is one to keep where at least eight of the ten best
sets have it and at most two of the ten worst, one to exclude if the reverse holds.

Section 5.4 measures as `stability` whether the best set of one cardinality contains that of the one below:

    "For each topic in a set of a given size, a counter is incremented if the topic is in the set next size
    up. [...] The stability value (expressed as a percentage) is given by the ratio (counter actual - counter min) /
    (counter max - counter min)"

A set of c of n topics and one of d > c share at most c of them, and at least c + d - n.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from topicset_core.analyses.topic_subsets import enumeration
from topicset_core.analyses.topic_subsets.by_measure import criterion_for
from topicset_core.analyses.topic_subsets.criterion import MOST_SWAPPED
from topicset_core.analyses.topic_subsets.curve import Side, Subset, SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import Goodness, measure_of
from topicset_core.analyses.topic_subsets.request import Request, preview_cardinalities, size_below
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.execution.sizes import log_spaced
from topicset_core.exports.tables import Row

OFTEN, SELDOM = 0.8, 0.2
"""Shares of the ten sets that make a topic one to keep or to exclude."""

Advice = Literal["keep", "exclude", ""]


@dataclass(frozen=True, kw_only=True)
class TopicTable:
    """All topics, in the order of the matrix."""

    rows: tuple[Row, ...]
    cardinality: int  # of the ten best and ten worst
    # How many sets that are
    n_best: int
    n_worst: int
    # Pearson's correlation over topics of goodness alone with the mean score
    hardness_correlation: float | None


def topic_table(
    matrix: ScoreMatrix, curve: SubsetCurve, cardinality: int, alone: Sequence[float | None] | None = None
) -> TopicTable:
    """Return how topics fare in the sets of a curve; `alone` is how good each is alone, where that is known."""
    point = curve.at(cardinality)
    if point is None:
        raise InputError("cardinality", cardinality, "must be a size that was evaluated")
    half = [point for point in curve.points if 2 * point.cardinality <= curve.n_topics]
    best = _counts([point.best for point in half if point.best])
    worst = _counts([point.worst for point in half if point.worst])
    ten_best, ten_worst = _counts(point.ten_best), _counts(point.ten_worst)
    n_best, n_worst = len(point.ten_best), len(point.ten_worst)
    alone = goodness_alone(matrix, curve.measure.key) if alone is None else alone
    means = matrix.scores.mean(axis=1).tolist()
    rows = tuple(
        {
            "topic": topic,
            # Cardinalities of up to half the topics with it in the best (worst) set
            "in_best": best[topic],
            "in_worst": worst[topic],
            # Of the ten best (worst) sets at one cardinality
            "in_ten_best": ten_best[topic],
            "in_ten_worst": ten_worst[topic],
            "alone": value,  # goodness of the topic alone, None where all runs score the same on it
            "mean_score": mean,  # over runs: low for a hard topic
            "advice": advice_of(ten_best[topic], n_best, ten_worst[topic], n_worst),
        }
        for topic, value, mean in zip(matrix.topics, alone, means, strict=True)
    )
    return TopicTable(
        rows=rows,
        cardinality=cardinality,
        n_best=n_best,
        n_worst=n_worst,
        hardness_correlation=_correlation([(row["alone"], row["mean_score"]) for row in rows]),
    )


def _counts(subsets: Sequence[Subset]) -> Counter[str]:
    """Return how many of the subsets have each topic."""
    return Counter(topic for subset in subsets for topic in subset.topics)


def goodness_alone(matrix: ScoreMatrix, goodness: Goodness) -> tuple[float | None, ...]:
    """Return how good each topic is alone, None where all runs score the same on it."""
    criterion = criterion_for(matrix, goodness)
    values = (criterion.value((topic,)) for topic in range(matrix.n_topics))
    return tuple(map(measure_of(goodness).in_units, values))


def advice_of(good: int, n_good: int, bad: int, n_bad: int) -> Advice:
    """Return whether to keep or to exclude a topic in this number of the best and of the worst sets."""
    if n_good == 0 or n_bad == 0:
        return ""
    if good >= OFTEN * n_good and bad <= SELDOM * n_bad:
        return "keep"
    return "exclude" if bad >= OFTEN * n_bad and good <= SELDOM * n_good else ""


def _correlation(pairs: list[tuple[float | None, float]]) -> float | None:
    both = np.array([(first, second) for first, second in pairs if first is not None])
    if len(both) < 3:
        return None
    centred = both - both.mean(axis=0)
    # Deviations of a millionth of a millionth are rounding.
    spread = np.sqrt(np.square(centred).sum(axis=0))
    if np.any(spread <= 1e-12 * math.sqrt(len(both)) * np.maximum(np.abs(both).max(axis=0), 1e-300)):
        return None
    return float(centred[:, 0] @ centred[:, 1] / (spread[0] * spread[1]))


def stability(curve: SubsetCurve, side: Side) -> float | None:
    """Return the stability of the best (worst) sets, from 0 to 1; None where no neighbours leave room to change."""
    both = [point.best if side == "best" else point.worst for point in curve.points]
    return shared_of_possible([subset.topics for subset in both if subset is not None], curve.n_topics)


def shared_of_possible(sets: Sequence[Collection[Hashable]], n_topics: int) -> float | None:
    """Return how much of what can stay from one set to the next, larger one does stay, from 0 to 1."""
    actual = least = most = 0
    for smaller, larger in itertools.pairwise(sets):
        actual += len(set(smaller) & set(larger))
        least += max(0, len(smaller) + len(larger) - n_topics)
        most += len(smaller)
    return (actual - least) / (most - least) if most > least else None


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
    def known(self) -> SubsetCurve:
        """The curve as far as it is searched."""
        return self.so_far or self.curve

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
        return self.request.target_value

    @property
    def is_certain(self) -> bool:
        """Whether nothing was searched for or drawn at random, so that a longer search changes nothing."""
        n = self.matrix.n_topics
        return self.request.method in ("auto", "exact", "exhaustive") and all(
            enumeration.are_few(n, point.cardinality, self.searched.n_trials)
            and all(subset is None or subset.status == "exhaustive" for subset in (point.best, point.worst))
            for point in self.curve.points
        )

    def answers(self, request: Request) -> bool:
        """Return whether it is the whole answer to a complete request."""
        if self.so_far is not None or request.cardinalities != self.curve.cardinalities:
            return False
        return self.is_certain or self.searched.computed() == request.computed()

    def read_at(self, request: Request) -> "Answer":
        """Return the same, read at the target and size of a request."""
        answer = replace(self, request=request)
        if answer.is_certain and answer.answers(request):
            return replace(answer, curve=replace(self.curve, n_trials=request.n_trials))
        return answer

    def laid_over(self, preview: "Answer") -> "Answer":
        """Return the answer of a search under way with the points of a preview where it has none yet."""
        return replace(self, curve=self.curve.laid_over(preview.curve), so_far=self.curve)


def complete(matrix: ScoreMatrix, request: Request) -> Request:
    """Return the request with the sizes and the target that follow from the scores and the measure."""
    return replace(request, cardinalities=request.sizes(matrix.n_topics), target=request.target_value)


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
    return replace(request, cardinalities=sizes, method="local", n_trials=_QUICK_TRIALS, effort=seconds / 4)
