"""Error rates by the size of a difference, of sets that were chosen on other topics.

Guiver et al. (2009), section 5.6.3 and algorithm 1, after Voorhees and Buckley (2002). Topics are split in
halves. For each cardinality c the best, a random and the worst set of c topics of one half are compared with
random sets of c topics of the other, the reference: each pair of runs falls into the bin of its
absolute mean difference there, (0.01 (k - 1), 0.01 k], and counts as an error if the set orders it in the
opposite order. Ties are no errors; a difference of 0 on the reference belongs to no bin.

At the largest cardinality, half the topics, there is only one set to choose: the three curves meet.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.error_rate.units import N_BINS, UPPER_EDGES, WholeScores, whole_scores
from topicset_core.analyses.topic_subsets.criterion import Floats
from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure, measure_of
from topicset_core.analyses.topic_subsets.held_out.halves import (
    HalvesTask,
    Materials,
    criterion_of,
    grouped,
    materials_of,
    random_starts,
    searched,
    seconds_of,
    split_number,
)
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.splits import (
    COUNTING,
    INTERVALS,
    SEARCHING,
    BestAverageWorst,
    Gain,
    gain_of,
    matched,
    splits_shown,
    spread_of,
    stream,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.progress import Report, silently
from topicset_core.samples import simulated_task

THREE_BINS = (0, 4, 9)
"""Bins to show where all are too many: differences up to .01, about .05 and about .1."""

_PAIR_SECONDS = 3e-9  # of a pair of runs in a trial; only sizes batches


@dataclass(frozen=True, kw_only=True)
class ErrorRatePoint:
    """Error rates at one cardinality, from 0 to 1; levels without a pair in any split have None."""

    cardinality: int  # topics in the set and in the reference
    # By difference on the reference, `UPPER_EDGES` of `error_rate.units`: 20 bins and one for all above
    bins: tuple[BestAverageWorst, ...]
    all_pairs: BestAverageWorst  # over all pairs with a difference
    average_of_bins: BestAverageWorst  # mean of the rates of the paper's 20 bins, without empty ones
    gain: Gain | None  # how much lower the rate over all pairs is with the best set than with random ones
    n_pairs: tuple[int, ...]  # pairs behind each bin, over splits and trials


@dataclass(frozen=True, kw_only=True)
class HeldOutErrorRates:
    """Error rates of chosen sets against cardinality."""

    request: HeldOutRequest
    choose_by: GoodnessMeasure  # how best and worst are chosen
    judged_scores: str
    chosen_scores: str
    matched: str
    n_topics: int
    n_systems: int
    decimals: int  # decimals of the scores as they were compared
    scores_are_exact: bool  # whether the scores have no more decimals
    points: tuple[ErrorRatePoint, ...]  # by ascending cardinality

    def record(self) -> dict[str, Any]:
        """Return the error rates as plain values for JSON."""
        return {
            **self.request.record(),
            "intervals": dict(INTERVALS),
            "judged_scores": self.judged_scores,
            "chosen_scores": self.chosen_scores,
            "matched": self.matched,
            "n_topics": self.n_topics,
            "n_systems": self.n_systems,
            "decimals": self.decimals,
            "scores_are_exact": self.scores_are_exact,
            "status": "heuristic",
            "cardinalities": [
                {
                    "cardinality": point.cardinality,
                    "all_pairs": asdict(point.all_pairs),
                    "average_of_bins": asdict(point.average_of_bins),
                    "gain": None if point.gain is None else asdict(point.gain),
                    "bins": [
                        {"up_to": edge, "n_pairs": pairs, **asdict(rates)}
                        for edge, pairs, rates in zip(UPPER_EDGES, point.n_pairs, point.bins, strict=True)
                    ],
                }
                for point in self.points
            ],
        }


def held_out_error_rates(
    matrix: ScoreMatrix,
    request: HeldOutRequest,
    *,
    judged: ScoreMatrix | None = None,
    report_progress: Report = silently,
    executor: Executor | None = None,
    show_partial: Callable[[HeldOutErrorRates], None] | None = None,
) -> HeldOutErrorRates:
    """Return the error rates of sets chosen on one half of the topics; references are sets of the other half."""
    if request.hold_out != "topics":
        raise InputError("hold_out", request.hold_out, "must be topics: error rates need a reference half")
    if request.goodness != "error-rate":
        raise InputError("goodness", request.goodness, "must be error-rate; choose_by may be another")
    materials, matching_note = materials_of(matrix, request, judged)
    comparing = matrix if judged is None else matched(matrix, judged)[0]
    sizes = request.sizes(matrix.n_topics)
    whole = whole_scores(comparing, sizes[-1])
    groups, seconds = _groups(materials, sizes)
    tasks = [HalvesTask(number, group) for number in range(request.n_splits) for group in groups]
    counts = np.zeros((request.n_splits, len(sizes), N_BINS + 2, 4), dtype=np.int64)
    absent = np.zeros((request.n_splits, len(sizes)), dtype=bool)
    rows = {size: row for row, size in enumerate(sizes)}

    def rates_of(done: int) -> HeldOutErrorRates:
        return HeldOutErrorRates(
            request=replace(request, n_splits=done),
            choose_by=measure_of(request.chosen_by),
            judged_scores=f"{comparing.measure} of {comparing.name}",
            chosen_scores=f"{matrix.measure} of {matrix.name}",
            matched=matching_note,
            n_topics=matrix.n_topics,
            n_systems=matrix.n_systems,
            decimals=whole.decimals,
            scores_are_exact=whole.exact,
            points=tuple(
                point_of(size, counts[:done, row], absent[:done, row]) for row, size in enumerate(sizes)
            ),
        )

    shown = set(splits_shown(request.n_splits))
    work = in_batches(
        partial(_count_halves, materials, whole), tasks, seconds * request.n_splits, report_progress, executor
    )
    for task, (counted, lacking) in work:
        places = [rows[size] for size in task.sizes]
        counts[task.split, places] = counted
        absent[task.split, places] = lacking
        done = task.split + 1
        if show_partial is not None and task.sizes[-1] == sizes[-1] and done in shown:
            show_partial(rates_of(done))
    return rates_of(request.n_splits)


def _groups(materials: Materials, sizes: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[float]]:
    """Cut the cardinalities of a split into parts of a quarter of a second, with the seconds of each."""
    request = materials.request
    criterion = criterion_of(materials.chosen[split_number(materials, 0).chosen_on], request.chosen_by)
    n_systems = materials.chosen.shape[1]
    counting = request.n_trials * n_systems * (n_systems - 1) / 2 * _PAIR_SECONDS
    costs = [counting + seconds_of(criterion, size, request.n_starts) for size in sizes]
    return grouped(sizes, costs)


def _count_halves(
    materials: Materials, whole: WholeScores, task: HalvesTask
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the counts of some cardinalities of a split, (len(sizes), N_CELLS, 4), and which lack a set."""
    from topicset_core.analyses.topic_subsets.held_out.kernels import count_against

    request, split = materials.request, split_number(materials, task.split)
    try:
        criterion = criterion_of(materials.chosen[split.chosen_on], request.chosen_by)
    except InputError as error:
        rule = f"{error.rule}, in each half; not so in split {task.split + 1:,}"
        raise InputError(error.parameter, error.value, rule) from None

    def orders(places: NDArray[np.int64], side: int) -> NDArray[np.int64]:
        rng = stream(request.seed, request.hold_out, task.split, COUNTING, side)
        return rng.permuted(np.tile(places, (request.n_trials, 1)), axis=1)

    drawn, reference = orders(split.chosen_on, 0), orders(split.judged_on, 1)
    scores = whole.scores
    counts = np.zeros((len(task.sizes), N_BINS + 2, 4), dtype=np.int64)
    lacking = np.zeros(len(task.sizes), dtype=bool)
    for row, size in enumerate(task.sizes):
        rng = stream(request.seed, request.hold_out, task.split, SEARCHING, size)
        starts = random_starts(rng, criterion.n_topics, size, request.n_starts)
        ends = [searched(criterion, size, sign, starts) for sign in (1, -1)]
        lacking[row] = None in ends
        best, worst = (
            np.zeros(scores.shape[1])
            if end is None
            else scores[split.chosen_on[list(end.topics)]].sum(axis=0)
            for end in ends
        )
        counts[row] = count_against(
            scores[reference[:, :size]].sum(axis=1),
            best,
            scores[drawn[:, :size]].sum(axis=1),
            worst,
            whole.slack(size),
            whole.bins_per_unit(size),
        )
    return counts, lacking


def point_of(size: int, counts: NDArray[np.int64], absent: NDArray[np.bool_]) -> ErrorRatePoint:
    """Return the rates from counts by split, cell and sum, (n_splits, N_CELLS, 4)."""
    pairs, reversals = counts[:, 1:, 0], counts[:, 1:, 1:]
    rates = _ratio(reversals, pairs[:, :, None])  # (n_splits, 21, 3)
    everywhere = _ratio(reversals.sum(axis=1), pairs.sum(axis=1)[:, None])  # (n_splits, 3)
    binned = rates[:, :N_BINS]
    there = ~np.isnan(binned)
    average = _ratio(np.where(there, binned, 0.0).sum(axis=1), there.sum(axis=1))
    for table in (rates, everywhere, average):
        table[absent, ..., 0] = np.nan
        table[absent, ..., 2] = np.nan
    return ErrorRatePoint(
        cardinality=size,
        bins=tuple(_levels(rates[:, place]) for place in range(rates.shape[1])),
        all_pairs=_levels(everywhere),
        average_of_bins=_levels(average),
        gain=gain_of(-everywhere[:, 0], -everywhere[:, 1]),
        n_pairs=tuple(pairs.sum(axis=0).tolist()),
    )


def _levels(rates: Floats) -> BestAverageWorst:
    """Return the spread of each column of rates, (n_splits, 3)."""
    best, average, worst = (spread_of(column) for column in rates.T)
    return BestAverageWorst(best=best, average=average, worst=worst)


def _ratio(above: NDArray[np.int64] | Floats, below: NDArray[np.int64]) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    empty: Floats = np.full(above.shape, np.nan)
    return np.asarray(np.divide(above, below, out=empty, where=np.broadcast_to(below > 0, above.shape)))


def warm_up() -> None:
    """Compile the kernels by a small question."""
    whole = simulated_task()[0]
    small = replace(whole, scores=whole.scores[:20], topics=whole.topics[:20])
    request = HeldOutRequest(
        hold_out="topics", goodness="error-rate", cardinalities=(2,), n_splits=2, n_starts=1, n_trials=2
    )
    held_out_error_rates(small, request)
