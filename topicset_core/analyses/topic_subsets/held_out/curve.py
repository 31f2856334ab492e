"""Choose subsets on one random half of the runs or topics, evaluate them on the other, many times.

- Hold out runs (Guiver et al. 2009, section 5.6.1): subsets of all topics are chosen on S1 and evaluated on S2, the
  reference being S2 over all topics; next to the best, average and worst by S2 itself, as in figure 7.
- Hold out topics (5.6.2): subsets of T2 are chosen by all of T2 and evaluated with all runs, the reference being
  all of T1; next to random subsets of T2 and the best, average and worst of T1 itself, as in figure 8. Even
  all of T2 does not agree with T1, so the curve ends below 1.

Choosing may go by another measure of goodness (5.6.4), or by another metric's scores, than evaluating.
"""

import itertools
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from topicset_core.analyses.topic_subsets.criterion import MOST_SWAPPED, Floats
from topicset_core.analyses.topic_subsets.curve import SubsetCurve
from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure, measure_of
from topicset_core.analyses.topic_subsets.held_out.splits import (
    FEWEST_UNITS,
    INTERVALS,
    BestAverageWorst,
    BothScores,
    Gain,
    Spread,
    criteria_of,
    gain_of,
    in_words,
    materials_of,
    seconds_of,
    sizes_in_halves,
    split_number,
    split_tables,
    spread_of,
)
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.exports.records import attributes
from topicset_core.progress import ReportProgress, silently

# Of a preview: few sizes, few splits, a search from two starts each.
_STEPS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
_N_TRIALS = 20
_SPLITS = (4, 20)
_SECONDS_A_SIZE = 1e-3  # in addition to its search
_NEAR = 50  # topics for which estimates hold
_OTHER_SECONDS = 5e-3  # a split, in addition to its sizes


@dataclass(frozen=True, kw_only=True)
class HeldOutPoint:
    """One cardinality; everything evaluated on the same half, the one that is held out."""

    cardinality: int  # topics in a subset
    chosen: BestAverageWorst
    # Chosen on the half they are evaluated on, so that best and worst are too good and too bad
    own: BestAverageWorst
    gain: Gain | None  # of the best chosen over the average of `chosen`
    # Of the best chosen over the average of `own`: where topics are held out, random subsets of the very
    # topics of the reference half
    gain_over_own: Gain | None
    # `Agreement.share_reversed` of the best chosen subset there
    reversed_pairs: Spread | None

    @property
    def is_better_than_random(self) -> bool:
        """Whether the best chosen subsets are better than random ones in at least 95 % of the splits."""
        return self.gain is not None and self.gain.difference.low > 0


@dataclass(frozen=True, kw_only=True)
class HeldOutCurve:
    """Goodness on the held-out half against cardinality."""

    request: HeldOutRequest  # the request, with the splits that are done
    both: BothScores  # the scores that choose and those that evaluate
    units: tuple[int, ...]  # the unit of each run, where runs are held out at random; else empty
    # Fewest and most runs (topics) in the half chosen on, and in the half evaluated on, over splits
    half_sizes: tuple[int, int, int, int]
    points: tuple[HeldOutPoint, ...]  # by ascending cardinality

    @property
    def evaluated_by(self) -> GoodnessMeasure:
        """How subsets are evaluated."""
        return measure_of(self.request.goodness)

    @property
    def choose_by(self) -> GoodnessMeasure:
        """How they are chosen."""
        return measure_of(self.request.chosen_by)

    @property
    def n_topics(self) -> int:
        """Topics in all."""
        return self.both.chosen.n_topics

    @property
    def n_systems(self) -> int:
        """Runs in all."""
        return self.both.chosen.n_systems

    @property
    def n_units(self) -> int:
        """Units of similar runs kept together; 0 where topics are held out, or a split is given."""
        return len(set(self.units))

    @property
    def target(self) -> float:
        """Goodness at which the curve is read across."""
        return self.request.target_value

    @property
    def shown(self) -> HeldOutPoint:
        """The point that the answer is about."""
        return self.nearest(self.request.shown_size(self.n_topics))

    def at(self, cardinality: int) -> HeldOutPoint | None:
        """Return the point of a cardinality, None where it was not evaluated."""
        return next((point for point in self.points if point.cardinality == cardinality), None)

    def nearest(self, cardinality: int) -> HeldOutPoint:
        """Return the point of the size next to the one asked for."""
        return min(self.points, key=lambda point: abs(point.cardinality - cardinality))

    def record(self) -> dict[str, Any]:
        """Return the curve for a record."""
        names = ("fewest_chosen_on", "most_chosen_on", "fewest_evaluated_on", "most_evaluated_on")
        return {
            **self.request.record(),
            "target": self.target,
            "choose_by": self.request.chosen_by,
            "n_trials": self.request.n_trials,
            "intervals": INTERVALS,
            "evaluated_scores": in_words(self.both.evaluating),
            "chosen_scores": in_words(self.both.chosen),
            "matched": self.both.note,
            **attributes(self, "n_topics n_systems n_units"),
            "half_sizes": dict(zip(names, self.half_sizes, strict=True)),
            "status": "heuristic",  # sets of halves are found by local search, never proved
            "cardinalities": self.points,
        }

    def read_at(self, request: HeldOutRequest) -> "HeldOutCurve":
        """Return the same, read at the target and size of a request."""
        return replace(self, request=self.request.reading(request))


def held_out_curve(
    matrix: ScoreMatrix,
    request: HeldOutRequest,
    *,
    evaluating: ScoreMatrix | None = None,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
    show_partial: Callable[[HeldOutCurve], None] | None = None,
) -> HeldOutCurve:
    """Return goodness on held-out runs or topics against cardinality."""
    # 100 splits of TREC-8's 96 runs at all of 50 cardinalities take about 20 CPU seconds by correlation.
    both = BothScores(matrix, evaluating)
    materials = materials_of(both, request)
    sizes = sizes_in_halves(both, request)
    sign = measure_of(request.goodness).sign
    halves = [split_number(materials, number) for number in range(request.n_splits)]

    def curve_of(tables: Floats) -> HeldOutCurve:
        counts = [(len(half.chosen_on), len(half.evaluated_on)) for half in halves[: len(tables)]]
        chosen_on, evaluated_on = zip(*counts, strict=True)
        return HeldOutCurve(
            request=replace(request, n_splits=len(tables)),
            both=both,
            units=materials.units if request.hold_out == "runs" else (),
            half_sizes=(min(chosen_on), max(chosen_on), min(evaluated_on), max(evaluated_on)),
            points=tuple(_point(size, tables[:, place], sign) for place, size in enumerate(sizes)),
        )

    after = None if show_partial is None else lambda tables: show_partial(curve_of(tables))
    return curve_of(split_tables(materials, sizes, report_progress, executor, after))


def headline_request(curve: SubsetCurve, target: float) -> HeldOutRequest | None:
    """Return the request for sets of as many topics as reach a target, chosen on one half of the runs."""
    size = curve.crossings(target).best
    if size is None or curve.n_units < FEWEST_UNITS:
        return None
    request = HeldOutRequest(goodness=curve.measure.key, cardinalities=(size,), seed=curve.seed)
    return replace(request, n_starts=0) if curve.n_topics > MOST_SWAPPED else request


def headline_curve(both: BothScores, request: HeldOutRequest, **how: Any) -> HeldOutCurve | None:
    """Return the curve of a `headline_request`; None where runs of a half all have the same mean."""
    try:
        return held_out_curve(both.chosen, request, **how)
    except InputError:
        return None


def _point(size: int, table: Floats, sign: float) -> HeldOutPoint:
    """Return the spread over splits, (n_splits, len(COLUMNS)), in units of the measure."""
    best, average, worst, own_best, own_average, own_worst, _, share_reversed = table.T

    def levels(*columns: Floats) -> BestAverageWorst:
        high, middle, low = (spread_of(column, sign) for column in columns)
        return BestAverageWorst(best=high, average=middle, worst=low)

    return HeldOutPoint(
        cardinality=size,
        chosen=levels(best, average, worst),
        own=levels(own_best, own_average, own_worst),
        gain=gain_of(best, average),
        gain_over_own=gain_of(best, own_average),
        reversed_pairs=spread_of(share_reversed),
    )


def preview_request(both: BothScores, request: HeldOutRequest, seconds: float) -> HeldOutRequest | None:
    """Return a smaller request that is answered in some CPU seconds; None where even the smallest is not."""
    materials, n_topics = materials_of(both, request), both.chosen.n_topics
    cardinality = request.shown_size(n_topics)
    most = sizes_in_halves(both, replace(request, cardinalities=None))[-1]
    sizes = tuple(sorted({min(size, most) for size in (*_STEPS, cardinality, most)}))
    criteria = criteria_of(materials, 0)
    # Estimates are of starts near their end; those from nothing and everything take one step per topic.
    longer = max(1.0, n_topics / _NEAR) ** 2 * (2.0 if request.hold_out == "topics" else 1.0)
    costs = {size: _SECONDS_A_SIZE + longer * seconds_of(criteria, size, 0) for size in sizes}
    fewest, usual = (min(splits, request.n_splits) for splits in _SPLITS)
    sizes = _affordable(costs, min(cardinality, most), seconds / fewest - _OTHER_SECONDS)
    if not sizes:
        return None
    a_split = _OTHER_SECONDS + sum(costs[size] for size in sizes)
    n_splits = max(fewest, min(int(seconds / a_split), usual))
    return replace(
        request,
        cardinalities=sizes,
        n_splits=n_splits,
        n_starts=0,
        n_trials=min(_N_TRIALS, request.n_trials),
    )


def _affordable(costs: dict[int, float], needed: int, seconds: float) -> tuple[int, ...]:
    """Return the size that is needed and as many of the cheapest as there is time for; may be empty."""
    order = sorted(costs, key=lambda size: (size != needed, costs[size]))
    spent = itertools.accumulate(costs[size] for size in order)
    return tuple(sorted(size for size, so_far in zip(order, spent, strict=True) if so_far <= seconds))
