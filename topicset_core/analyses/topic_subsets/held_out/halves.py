"""One split: choose on one half, judge on the other. Runs anywhere; see `experiment` for the whole."""

import math
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.topic_subsets.held_out.against import Judging, judge_of, judging_against
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.search import random_starts, searched
from topicset_core.analyses.topic_subsets.held_out.splits import (
    SEARCHING,
    SEARCHING_OWN,
    WALKING,
    WALKING_OWN,
    Split,
    check_halves,
    split_of,
    stream,
)
from topicset_core.analyses.topic_subsets.judge import Floats, Judge
from topicset_core.errors import InputError

COLUMNS = ("best", "average", "worst", "own_best", "own_average", "own_worst", "given")
"""Of the table of one split, oriented so that more is better; NaN where there is no correlation."""

_UNDEFINED = -5.0  # judges give -9 or less for "no correlation", and -1 or more else


@dataclass(frozen=True, kw_only=True, eq=False)
class Materials:
    """What all splits share.

    Parameters
    ----------
    chosen, judged : ndarray of float64, shape (n_topics, n_systems)
        Scores by which subsets are chosen, and by which they are judged.
    units : tuple of int
        The team of each run, or a number of its own for each run or topic.
    request : HeldOutRequest
        What was asked.
    given : tuple of int
        A subset to be judged beside them, where runs are held out; none for none.
    """

    chosen: Floats
    judged: Floats
    units: tuple[int, ...]
    request: HeldOutRequest
    given: tuple[int, ...] = ()


@dataclass(frozen=True)
class HalvesTask:
    """Some cardinalities of one split."""

    split: int
    sizes: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Judges:
    """Who chooses and who judges in one split.

    Parameters
    ----------
    choosing : Judge
        Looks for subsets, on the half to choose on.
    judging : Judging
        Judges these on the half that is held out.
    own : Judge
        Looks for subsets on the half that is held out.
    """

    choosing: Judge
    judging: Judging
    own: Judge


def split_number(materials: Materials, number: int) -> Split:
    """Return a split of the units.

    Raises
    ------
    InputError
        If teams leave a half too small.
    """
    request = materials.request
    split = split_of(materials.units, request.hold_out, request.seed, number)
    if request.hold_out == "runs":
        check_halves(split, number)
    return split


def judges_of(materials: Materials, number: int) -> Judges:
    """Return the judges of one split.

    Raises
    ------
    InputError
        If the runs of a half have the same means over all topics, or all runs over the topics of a half.
    """
    request, split = materials.request, split_number(materials, number)
    try:
        if request.hold_out == "runs":
            own = judge_of(materials.judged[:, split.judged_on], request.goodness)
            choosing = judge_of(materials.chosen[:, split.chosen_on], request.chosen_by)
            return Judges(choosing=choosing, judging=own, own=own)
        truth = materials.judged[split.judged_on]
        return Judges(
            choosing=judge_of(materials.chosen[split.chosen_on], request.chosen_by),
            judging=judging_against(materials.judged[split.chosen_on], truth, request.goodness),
            own=judge_of(truth, request.goodness),
        )
    except InputError as error:
        raise InputError(
            error.parameter, error.value, f"{error.rule}, in each half; not so in split {number + 1:,}"
        ) from None


def judge_halves(materials: Materials, task: HalvesTask) -> Floats:
    """Return the goodness of chosen and own subsets in one split, (len(sizes), len(COLUMNS))."""
    request, judges = materials.request, judges_of(materials, task.split)

    def numbers(purpose: int, *more: int) -> np.random.Generator:
        return stream(request.seed, request.hold_out, task.split, purpose, *more)

    def averages(judging: Judging, purpose: int, n_topics: int) -> Floats:
        # The first c topics of a random order are a random subset, for every c.
        orders = numbers(purpose).permuted(np.tile(np.arange(n_topics), (request.n_trials, 1)), axis=1)
        values = judging.walk(orders, np.array(task.sizes, dtype=np.int64))
        defined = values > _UNDEFINED
        count = defined.sum(axis=0)
        total = np.where(defined, values, 0.0).sum(axis=0)
        empty: Floats = np.full(len(task.sizes), np.nan)
        return np.asarray(np.divide(total, count, out=empty, where=count > 0))

    table = np.full((len(task.sizes), len(COLUMNS)), np.nan)
    for row, size in enumerate(task.sizes):
        for purpose, judge, columns in (
            (SEARCHING, judges.choosing, (0, 2)),
            (SEARCHING_OWN, judges.own, (3, 5)),
        ):
            starts = random_starts(numbers(purpose, size), judge.n_topics, size, request.n_starts)
            for column, sign in zip(columns, (1, -1), strict=True):
                found = searched(judge, size, sign, starts)
                if found is not None:
                    judging = judges.judging if purpose == SEARCHING else judges.own
                    table[row, column] = _number(judging.value(found.topics))
    table[:, 4] = averages(judges.own, WALKING_OWN, judges.own.n_topics)
    if request.hold_out == "topics":
        table[:, 1] = averages(judges.judging, WALKING, judges.choosing.n_topics)
    else:
        table[:, 1] = table[:, 4]
    if materials.given:
        table[:, 6] = _number(judges.own.value(materials.given))
    return table


def _number(value: float | None) -> float:
    return math.nan if value is None else value
