"""Error rates by the size of a difference, of sets that were chosen on other topics.

Guiver et al. (2009), section 5.6.3 and algorithm 1, after Voorhees and Buckley (2002). Topics are split in
halves. For each cardinality c the best, a random and the worst set of c topics of one half are compared with
random sets of c topics of the other, which are the truth: each pair of runs falls into the bin of its
absolute mean difference there, (0.01 (k - 1), 0.01 k], and counts as an error if the set orders it the other
way round. Ties are no errors; a difference of 0 on the truth belongs to no bin.

At the largest cardinality, half the topics, there is only one set to choose: the three curves meet.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.error_rate.units import N_BINS, WholeScores, whole_scores
from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.held_out.against import judge_of
from topicset_core.analyses.topic_subsets.held_out.error_rates_result import HeldOutErrorRates, point_of
from topicset_core.analyses.topic_subsets.held_out.experiment import materials_of
from topicset_core.analyses.topic_subsets.held_out.halves import HalvesTask, Materials, split_number
from topicset_core.analyses.topic_subsets.held_out.looks import looks
from topicset_core.analyses.topic_subsets.held_out.matching import matched
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.search import grouped, random_starts, searched, seconds_of
from topicset_core.analyses.topic_subsets.held_out.splits import COUNTING, SEARCHING, stream
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.progress import Report, silently

Show = Callable[[HeldOutErrorRates], None]
"""Takes what the first splits come to, while others are still to come."""

_PAIR_SECONDS = 3e-9  # of a pair of runs in a trial; only sizes batches


def held_out_error_rates(
    matrix: ScoreMatrix,
    request: HeldOutRequest,
    *,
    judged: ScoreMatrix | None = None,
    report: Report = silently,
    executor: Executor | None = None,
    show: Show | None = None,
) -> HeldOutErrorRates:
    """Return the error rates of sets chosen on one half of the topics, the truth being sets of the other.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores by which sets are chosen, and compared where no others are given.
    request : HeldOutRequest
        Must hold out topics and judge by the error rate; `n_trials` pairs of sets a split and size.
    judged : ScoreMatrix, optional
        Scores of another metric to compare by, matched by id.
    report, executor, show
        As `held_out_curve`.

    Raises
    ------
    InputError
        As `held_out_curve`, and if the request is not for topics and error rates, or scores are too large
        for bins of a hundredth.
    """
    if request.hold_out != "topics":
        raise InputError("hold_out", request.hold_out, "must be topics: error rates need a truth of others")
    if request.goodness != "error-rate":
        raise InputError("goodness", request.goodness, "must be error-rate; choose_by may be another")
    materials, said = materials_of(matrix, request, judged)
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
            matched=said,
            n_topics=matrix.n_topics,
            n_systems=matrix.n_systems,
            decimals=whole.decimals,
            scores_are_exact=whole.exact,
            points=tuple(
                point_of(size, counts[:done, row], absent[:done, row]) for row, size in enumerate(sizes)
            ),
        )

    shown = set(looks(request.n_splits))
    work = in_batches(
        partial(_count_halves, materials, whole), tasks, seconds * request.n_splits, report, executor
    )
    for task, (counted, lacking) in work:
        places = [rows[size] for size in task.sizes]
        counts[task.split, places] = counted
        absent[task.split, places] = lacking
        done = task.split + 1
        if show is not None and task.sizes[-1] == sizes[-1] and done in shown:
            show(rates_of(done))
    return rates_of(request.n_splits)


def _groups(materials: Materials, sizes: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[float]]:
    """Cut the cardinalities of a split into parts of a quarter of a second, with the seconds of each."""
    request = materials.request
    judge = judge_of(materials.chosen[split_number(materials, 0).chosen_on], request.chosen_by)
    n_systems = materials.chosen.shape[1]
    counting = request.n_trials * n_systems * (n_systems - 1) / 2 * _PAIR_SECONDS
    costs = [counting + seconds_of(judge, size, request.n_starts) for size in sizes]
    return grouped(sizes, costs)


def _count_halves(
    materials: Materials, whole: WholeScores, task: HalvesTask
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the counts of some cardinalities of a split, (len(sizes), N_CELLS, 4), and which lack a set."""
    from topicset_core.analyses.topic_subsets.held_out.kernels import count_against

    request, split = materials.request, split_number(materials, task.split)
    try:
        judge = judge_of(materials.chosen[split.chosen_on], request.chosen_by)
    except InputError as error:
        rule = f"{error.rule}, in each half; not so in split {task.split + 1:,}"
        raise InputError(error.parameter, error.value, rule) from None

    def orders(places: NDArray[np.int64], side: int) -> NDArray[np.int64]:
        rng = stream(request.seed, request.hold_out, task.split, COUNTING, side)
        return rng.permuted(np.tile(places, (request.n_trials, 1)), axis=1)

    drawn, truth = orders(split.chosen_on, 0), orders(split.judged_on, 1)
    scores = whole.scores
    counts = np.zeros((len(task.sizes), N_BINS + 2, 4), dtype=np.int64)
    lacking = np.zeros(len(task.sizes), dtype=bool)
    for row, size in enumerate(task.sizes):
        rng = stream(request.seed, request.hold_out, task.split, SEARCHING, size)
        starts = random_starts(rng, judge.n_topics, size, request.n_starts)
        ends = [searched(judge, size, sign, starts) for sign in (1, -1)]
        lacking[row] = None in ends
        best, worst = (
            np.zeros(scores.shape[1])
            if end is None
            else scores[split.chosen_on[list(end.topics)]].sum(axis=0)
            for end in ends
        )
        counts[row] = count_against(
            scores[truth[:, :size]].sum(axis=1),
            best,
            scores[drawn[:, :size]].sum(axis=1),
            worst,
            whole.slack(size),
            whole.bins_per_unit(size),
        )
    return counts, lacking
