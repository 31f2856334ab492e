"""Choose subsets on one random half of the runs or topics, judge them on the other, many times.

- Hold out runs (section 5.6.1): subsets of all topics are chosen on S1 and judged on S2, the truth being S2
  over all topics; beside the best, average and worst by S2 itself, as figure 7 has it.
- Hold out topics (5.6.2): subsets of T2 are chosen by all of T2 and judged with all runs, the truth being
  all of T1; beside random subsets of T2 and the best, average and worst of T1 itself, as in figure 8. Even
  all of T2 does not agree with T1, so the curve ends below 1.

Choosing may go by another measure of goodness (5.6.4), or by another metric's scores, than judging. The
paper has one split; here are many, with how far they differ.

References
----------
J. Guiver, S. Mizzaro, S. Robertson. A few good topics: Experiments in topic set reduction for retrieval
evaluation. ACM TOIS 27(4), article 21 (2009). doi:10.1145/1629096.1629099
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial

import numpy as np

from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.held_out.halves import (
    COLUMNS,
    HalvesTask,
    Materials,
    judge_halves,
    judges_of,
    split_number,
)
from topicset_core.analyses.topic_subsets.held_out.looks import looks
from topicset_core.analyses.topic_subsets.held_out.matching import matched
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.result import (
    HeldOutCurve,
    HeldOutPoint,
    Levels,
    gain_of,
    spread_of,
)
from topicset_core.analyses.topic_subsets.held_out.search import grouped, seconds_of
from topicset_core.analyses.topic_subsets.held_out.splits import check_runs
from topicset_core.analyses.topic_subsets.judge import Floats
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.progress import Report, silently

FEWEST_TOPICS = 4
"""Topics that can be split so that each half has two."""

Show = Callable[[HeldOutCurve], None]
"""Takes what the first splits come to, while others are still to come."""

_OVERHEAD = 3e-4  # seconds of a size besides its search


def held_out_curve(
    matrix: ScoreMatrix,
    request: HeldOutRequest,
    *,
    judged: ScoreMatrix | None = None,
    report: Report = silently,
    executor: Executor | None = None,
    show: Show | None = None,
) -> HeldOutCurve:
    """Return goodness on held-out runs or topics against cardinality.

    100 splits of TREC-8's 96 runs at all of 50 cardinalities take about 20 CPU seconds by correlation.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores by which subsets are chosen, and judged where no others are given.
    request : HeldOutRequest
        What is held out, goodness, cardinalities, splits, seed.
    judged : ScoreMatrix, optional
        Scores of another metric by which subsets are judged; of the same runs and topics, matched by id.
    report : callable, optional
        Takes the fraction done; raising from it ends the work.
    executor : Executor, optional
        Where splits run; here by default. It changes no number.
    show : callable, optional
        Takes the curve of the first splits, now and then: the very curve of a request for so many.

    Raises
    ------
    InputError
        If there are too few runs, teams or topics, a cardinality is too large, the runs of a half all have
        the same mean, or the two matrices differ in runs or topics.
    """
    materials, said = materials_of(matrix, request, judged)
    sizes = request.sizes(matrix.n_topics)
    judging = matrix if judged is None else judged
    higher = measure_of(request.goodness).higher_is_better
    halves = [split_number(materials, number) for number in range(request.n_splits)]

    def curve_of(tables: Floats) -> HeldOutCurve:
        counts = [(len(one.chosen_on), len(one.judged_on)) for one in halves[: len(tables)]]
        chosen_on, judged_on = zip(*counts, strict=True)
        return HeldOutCurve(
            request=replace(request, n_splits=len(tables)),
            judge_by=measure_of(request.goodness),
            choose_by=measure_of(request.chosen_by),
            judged_scores=f"{judging.measure} of {judging.name}",
            chosen_scores=f"{matrix.measure} of {matrix.name}",
            matched=said,
            n_topics=matrix.n_topics,
            n_systems=matrix.n_systems,
            n_teams=None if request.teams is None else len(set(request.teams)),
            half_sizes=(min(chosen_on), max(chosen_on), min(judged_on), max(judged_on)),
            points=tuple(
                _point(size, tables[:, place], 1.0 if higher else -1.0) for place, size in enumerate(sizes)
            ),
        )

    after = None if show is None else lambda tables: show(curve_of(tables))
    return curve_of(split_tables(materials, sizes, report, executor, after))


def materials_of(
    matrix: ScoreMatrix,
    request: HeldOutRequest,
    judged: ScoreMatrix | None = None,
    given: Sequence[int] = (),
) -> tuple[Materials, str]:
    """Check scores against what is asked; return what the splits share, and how matrices were matched.

    Raises
    ------
    InputError
        As `held_out_curve`.
    """
    said, scores = "", matrix.scores
    if judged is not None:
        other, said = matched(matrix, judged)
        scores = other.scores
    if request.hold_out == "runs":
        check_runs(matrix.n_systems, request.teams)
    elif matrix.n_systems < 2:
        raise InputError(
            "systems", matrix.n_systems, "must be at least 2 runs: one has nothing to agree with"
        )
    elif matrix.n_topics < FEWEST_TOPICS:
        raise InputError(
            "topics", matrix.n_topics, f"must be at least {FEWEST_TOPICS} topics to be split in halves"
        )
    names = request.teams or (matrix.systems if request.hold_out == "runs" else matrix.topics)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    units = tuple(numbers[name] for name in names)
    return Materials(
        chosen=matrix.scores, judged=scores, units=units, request=request, given=tuple(given)
    ), said


def split_tables(
    materials: Materials,
    sizes: tuple[int, ...],
    report: Report,
    executor: Executor | None,
    after: Callable[[Floats], None] | None = None,
) -> Floats:
    """Return oriented goodness, (n_splits, len(sizes), len(COLUMNS)); NaN where there is no correlation.

    `after` takes the tables of the first splits, now and then.
    """
    n_splits = materials.request.n_splits
    groups, seconds = _groups(materials, sizes)
    tasks = [HalvesTask(number, group) for number in range(n_splits) for group in groups]
    costs = seconds * n_splits
    rows = {size: row for row, size in enumerate(sizes)}
    tables = np.full((n_splits, len(sizes), len(COLUMNS)), np.nan)
    shown = set(looks(n_splits))
    work = in_batches(partial(judge_halves, materials), tasks, costs, report, executor)
    for task, table in work:
        tables[task.split, [rows[size] for size in task.sizes]] = table
        done = task.split + 1
        if after is not None and task.sizes[-1] == sizes[-1] and done in shown:
            after(tables[:done])
    return tables


def _groups(materials: Materials, sizes: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[float]]:
    """Cut the cardinalities of a split into parts of a quarter of a second, with the seconds of each.

    The first split stands for all; grouping changes no number.
    """
    judges = judges_of(materials, 0)
    n_starts = materials.request.n_starts
    costs = [
        _OVERHEAD + sum(seconds_of(judge, size, n_starts) for judge in (judges.choosing, judges.own))
        for size in sizes
    ]
    return grouped(sizes, costs)


def _point(size: int, table: Floats, turn: float) -> HeldOutPoint:
    """Return the spread over splits, (n_splits, len(COLUMNS)), in units of the measure."""
    best, average, worst, own_best, own_average, own_worst, _ = table.T

    def levels(*columns: Floats) -> Levels:
        high, middle, low = (spread_of(column, turn) for column in columns)
        return Levels(best=high, average=middle, worst=low)

    return HeldOutPoint(
        cardinality=size,
        chosen=levels(best, average, worst),
        own=levels(own_best, own_average, own_worst),
        gain=gain_of(best, average),
        gain_over_own=gain_of(best, own_average),
    )
