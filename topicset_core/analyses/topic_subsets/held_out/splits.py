"""Random halves of runs or of topics, matrices matched by id, and numbers over splits.

Units (topics, or `collection.units_of` runs) come in random order, and each goes to the half that has less so
far, to the first where both have as much. Split k draws from random numbers of its own, so that it does not
depend on how many splits, cardinalities or workers there are.

Choosing by one metric and evaluating by another takes the same rows and columns: the second matrix is put in the
order of the first, with a note; a run or topic that only one of them has is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.criterion import Floats, generator
from topicset_core.analyses.topic_subsets.request import HoldOut
from topicset_core.collection import ScoreMatrix, units_of
from topicset_core.errors import InputError
from topicset_core.wording import listed

FEWEST_IN_HALF = 3
"""Runs in each half: any two agree or disagree, and nothing between."""

FEWEST_TOPICS_IN_HALF = 2
"""Topics in each half."""

FEWEST_UNITS = 2 * FEWEST_IN_HALF
"""Of runs to be split: then each half has `FEWEST_IN_HALF` runs, and there are at least ten splits."""

_KEYS: dict[HoldOut, int] = {"runs": 2, "topics": 3}  # 0 and 1 belong to the curve of all runs

SPLITTING, WALKING, WALKING_OWN, SEARCHING, SEARCHING_OWN, _, RANKING = range(7)
"""The use of a stream of random numbers; 5 was another's in earlier versions."""

FEWEST_SHOWN = 5
"""Splits; nine in ten of fewer are no evidence."""

_QUARTER, _PARTS = 4, 20

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Split:
    """Two disjoint halves, as ascending places counted from 0."""

    # Where subsets are chosen: S1 of the runs, T2 of the topics in the paper's section 5.6.2
    chosen_on: Places
    evaluated_on: Places  # where they are evaluated: S2 of the runs, T1 of the topics


def stream(seed: int, hold_out: HoldOut, split: int, purpose: int, *more: int) -> np.random.Generator:
    """Return the random numbers of one purpose of one split."""
    return generator(seed, _KEYS[hold_out], split, purpose, *more)


def split_of(units: Sequence[object], hold_out: HoldOut, seed: int, number: int) -> Split:
    """Return a random split of runs or topics; members of the same unit stay together."""
    members: dict[object, list[int]] = {}
    for place, unit in enumerate(units):
        members.setdefault(unit, []).append(place)
    groups = list(members.values())
    halves: tuple[list[int], list[int]] = ([], [])
    for place in stream(seed, hold_out, number, SPLITTING).permutation(len(groups)).tolist():
        halves[len(halves[0]) > len(halves[1])].extend(groups[place])
    # Of an odd number the second half, on which is evaluating, has one more.
    evaluating, chosen = halves
    return Split(np.array(sorted(chosen), dtype=np.int64), np.array(sorted(evaluating), dtype=np.int64))


def given_split(matrix: ScoreMatrix, hold_out: HoldOut, chosen_on: Sequence[str]) -> Split:
    """Return the split with the first half named by ids."""
    ids, fewest = (
        (matrix.systems, FEWEST_IN_HALF) if hold_out == "runs" else (matrix.topics, FEWEST_TOPICS_IN_HALF)
    )
    unknown = sorted(set(chosen_on) - set(ids))
    if unknown:
        raise InputError(
            "chosen_on", listed(unknown, at_most=3), f"must be {hold_out} of {matrix.name} ({matrix.measure})"
        )
    first_half = set(chosen_on)
    halves = [
        np.array([place for place, one in enumerate(ids) if (one in first_half) is first], dtype=np.int64)
        for first in (True, False)
    ]
    if min(map(len, halves)) < fewest:
        raise InputError(
            "chosen_on",
            f"{len(halves[0]):,} of {len(ids):,}",
            f"must leave at least {fewest} {hold_out} in each half",
        )
    return Split(*halves)


def checked_units(matrix: ScoreMatrix, units: Sequence[int] | None) -> tuple[int, ...]:
    """Return the unit of each run, those of `units_of` if none are given."""
    units = units_of(matrix) if units is None else tuple(units)
    if len(units) != matrix.n_systems:
        raise InputError("units", len(units), f"must be one per run, {matrix.n_systems:,}")
    if len(set(units)) < FEWEST_UNITS:
        raise InputError(
            "systems",
            len(set(units)),
            f"must be at least {FEWEST_UNITS} runs, similar ones counted once, to be split in halves",
        )
    return units


@contextmanager
def in_split(number: int) -> Iterator[None]:
    """Let what scores break in a half name the split."""
    try:
        yield
    except InputError as error:
        rule = f"{error.rule}, in each half; not so in split {number + 1:,}"
        raise InputError(error.parameter, error.value, rule) from None


def splits_shown(n_splits: int) -> tuple[int, ...]:
    """Return after how many splits partial results are shown, ascending and each below `n_splits`."""
    # A quarter more at most, as early results change most; a twentieth of all at most, to show progress to the end.
    shown, done = [], FEWEST_SHOWN
    while done < n_splits:
        shown.append(done)
        done += max(1, min(done // _QUARTER, n_splits // _PARTS))
    return tuple(shown)


def matched(matrix: ScoreMatrix, other: ScoreMatrix) -> tuple[ScoreMatrix, str]:
    """Return the other matrix with its rows and columns in the order of the first, and a note on it."""
    _check_same("systems", "runs", matrix.systems, other.systems, other)
    _check_same("topics", "topics", matrix.topics, other.topics, other)
    note = f"{matrix.n_systems:,} runs and {matrix.n_topics:,} topics matched by id"
    reordered = [
        what
        for what, same in (
            ("runs", matrix.systems == other.systems),
            ("topics", matrix.topics == other.topics),
        )
        if not same
    ]
    if not reordered:
        return other, f"{note}, in the same order"
    rows = [other.topics.index(topic) for topic in matrix.topics]
    columns = [other.systems.index(system) for system in matrix.systems]
    ordered = ScoreMatrix(
        scores=other.scores[rows][:, columns],
        topics=matrix.topics,
        systems=matrix.systems,
        measure=other.measure,
        name=other.name,
    )
    return (
        ordered,
        f"{note}; {' and '.join(reordered)} of {other.measure} put in the order of {matrix.measure}",
    )


def _check_same(
    parameter: str, what: str, first: Sequence[str], second: Sequence[str], other: ScoreMatrix
) -> None:
    missing = [one for one in first if one not in set(second)]
    extra = [one for one in second if one not in set(first)]
    if not missing and not extra:
        return
    parts = [
        f"{how} {listed(names, at_most=3)}" for how, names in (("without", missing), ("with", extra)) if names
    ]
    raise InputError(
        parameter,
        f"{other.measure} of {other.name}",
        f"must have the same {what} as the other scores, but comes {' and '.join(parts)}",
    )


def same_runs_and_topics(matrix: ScoreMatrix, other: ScoreMatrix) -> bool:
    """Return whether two matrices have the same runs and topics, in any order."""
    return set(matrix.systems) == set(other.systems) and set(matrix.topics) == set(other.topics)


def select_runs(matrix: ScoreMatrix, runs: Sequence[str]) -> ScoreMatrix:
    """Return the columns of some runs, in the order given."""
    place_of = {system: place for place, system in enumerate(matrix.systems)}
    return ScoreMatrix(
        scores=matrix.scores[:, [place_of[run] for run in runs]],
        topics=matrix.topics,
        systems=tuple(runs),
        measure=matrix.measure,
        name=matrix.name,
    )


@dataclass(frozen=True)
class BothScores:
    """The scores that choose, and the scores of another metric that evaluate, where they are others."""

    chosen: ScoreMatrix
    other: ScoreMatrix | None = None

    @cached_property
    def _matched(self) -> tuple[ScoreMatrix, str]:
        return (self.chosen, "") if self.other is None else matched(self.chosen, self.other)

    @property
    def evaluating(self) -> ScoreMatrix:
        """The scores that evaluate, in the order of the others."""
        return self._matched[0]

    @property
    def note(self) -> str:
        """How rows and columns were matched; "" with one matrix."""
        return self._matched[1]

    @property
    def matrices(self) -> list[ScoreMatrix]:
        """All scores."""
        return [self.chosen, *([] if self.other is None else [self.other])]

    @property
    def digest(self) -> str:
        """Digests of all scores."""
        return " ".join(one.digest for one in self.matrices)

    @property
    def name(self) -> str:
        """Measures and names of all scores."""
        return ", ".join(f"{one.measure} of {one.name}" for one in self.matrices)


LOW, HIGH = 5, 95
"""Percentiles over splits that make an interval: nine splits in ten lie between them."""

MEANING = (
    "The mean is over random splits; the interval contains 90 % of the splits. The standard error is for the "
    "mean over all splits of these runs and topics. Interval and standard error do not show the result for "
    "other runs or topics, because all splits share the same ones."
)
"""The meaning of the intervals, in words."""

INTERVALS: Mapping[str, Any] = {"low": LOW, "high": HIGH, "meaning": MEANING}
"""How a record describes them."""

_ROUNDING = 1e-12  # goodness that differs by less is the same


@dataclass(frozen=True, kw_only=True)
class Spread:
    """A number over splits."""

    mean: float  # over the splits that have it
    standard_error: float
    # 5th and 95th percentile over splits
    low: float
    high: float
    n_splits: int  # splits that have it: on others all runs tie on the subset


@dataclass(frozen=True, kw_only=True)
class BestAverageWorst:
    """The best, the average and the worst subset; None where no split has a value."""

    # In units of the measure
    best: Spread | None
    average: Spread | None
    worst: Spread | None


@dataclass(frozen=True, kw_only=True)
class Gain:
    """How much better the best chosen subset is than the average, split by split."""

    difference: Spread  # in units of the measure, above 0 where the chosen subset is better
    share_better: float  # of the splits, those in which it is better


def spread_of(values: Floats, sign: float = 1.0) -> Spread | None:
    """Return the spread of values over splits, (n_splits,); NaN values are left out."""
    defined = sign * values[~np.isnan(values)]
    if not defined.size:
        return None
    low, high = np.percentile(defined, (LOW, HIGH)).tolist()
    error = float(defined.std(ddof=1)) / defined.size**0.5 if defined.size > 1 else 0.0
    return Spread(
        mean=float(defined.mean()) + 0.0,  # no negative zeros
        standard_error=error,
        low=low + 0.0,
        high=high + 0.0,
        n_splits=int(defined.size),
    )


def gain_of(best: Floats, average: Floats) -> Gain | None:
    """Return the gain of oriented goodness over another, (n_splits,) each."""
    difference = best - average
    difference = np.where(np.abs(difference) <= _ROUNDING, 0.0, difference)  # NaN stays
    spread = spread_of(difference)
    if spread is None:
        return None
    return Gain(difference=spread, share_better=float(np.sum(difference > 0)) / spread.n_splits)
