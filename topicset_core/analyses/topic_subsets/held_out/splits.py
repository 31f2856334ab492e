"""Random halves of runs or of topics.

Units (runs, topics, or teams of runs) come in random order, and each goes to the half that has less so far,
to the first where both have as much: so halves of runs or topics are equal, but for one where their number
is odd, and halves by team are nearly so.

Split k draws from its own `numpy.random.SeedSequence(seed, spawn_key=(..., k, ...))`, so that it does not
depend on how many splits, cardinalities or workers there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.held_out.request import HoldOut
from topicset_core.errors import InputError

FEWEST_IN_HALF = 3
"""Runs in each half: any two agree or disagree, and nothing between."""

FEWEST_TEAMS = 4
"""Fewer could be halved in three ways at most."""

_KEYS: dict[HoldOut, int] = {"runs": 2, "topics": 3}  # 0 and 1 are those of the curve of all runs

SPLITTING, WALKING, WALKING_OWN, SEARCHING, SEARCHING_OWN, COUNTING, RANKING = range(7)
"""What a stream of random numbers is for."""

FEWEST_SHOWN = 5
"""Splits; nine in ten of fewer say nothing."""

_QUARTER, _PARTS = 4, 20

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Split:
    """Two disjoint halves, as ascending places counted from 0.

    Parameters
    ----------
    chosen_on : ndarray of int64
        Where subsets are chosen: S1 of the runs, T2 of the topics in the paper's section 5.6.2.
    judged_on : ndarray of int64
        Where they are judged: S2 of the runs, T1 of the topics.
    """

    chosen_on: Places
    judged_on: Places


def stream(seed: int, hold_out: HoldOut, split: int, purpose: int, *more: int) -> np.random.Generator:
    """Return the random numbers of one purpose of one split."""
    key = (_KEYS[hold_out], split, purpose, *more)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def split_of(units: Sequence[object], hold_out: HoldOut, seed: int, number: int) -> Split:
    """Return a random split of runs or topics, of which those of the same unit stay together.

    Parameters
    ----------
    units : sequence
        The unit of each: its team, or something of its own.
    hold_out : {"runs", "topics"}
        What is split.
    seed, number : int
        Of the split.
    """
    members: dict[object, list[int]] = {}
    for place, unit in enumerate(units):
        members.setdefault(unit, []).append(place)
    groups = list(members.values())
    halves: tuple[list[int], list[int]] = ([], [])
    for place in stream(seed, hold_out, number, SPLITTING).permutation(len(groups)).tolist():
        halves[len(halves[0]) > len(halves[1])].extend(groups[place])
    # Of an odd number the second half, on which is judged, has one more.
    judged, chosen = halves
    return Split(np.array(sorted(chosen), dtype=np.int64), np.array(sorted(judged), dtype=np.int64))


def check_runs(n_systems: int, teams: Sequence[str] | None) -> None:
    """Check that runs can be split.

    Raises
    ------
    InputError
        If there are too few runs or teams, or not one team a run.
    """
    fewest = 2 * FEWEST_IN_HALF
    if n_systems < fewest:
        raise InputError("systems", n_systems, f"must be at least {fewest} runs to be split in halves")
    if teams is None:
        return
    if len(teams) != n_systems:
        raise InputError("teams", len(teams), f"must be one a run, {n_systems:,}")
    if len(set(teams)) < FEWEST_TEAMS:
        raise InputError(
            "teams", len(set(teams)), f"must be at least {FEWEST_TEAMS} teams to be split in different halves"
        )


def check_halves(split: Split, number: int) -> None:
    """Check that a split of runs by team left enough in each half.

    Raises
    ------
    InputError
        If it did not.
    """
    fewest = min(len(split.chosen_on), len(split.judged_on))
    if fewest < FEWEST_IN_HALF:
        raise InputError(
            "teams",
            fewest,
            f"must leave at least {FEWEST_IN_HALF} runs in each half; split {number + 1:,} does not, as a team "
            "has most of the runs",
        )


def splits_shown(n_splits: int) -> tuple[int, ...]:
    """Return after how many splits partial results are shown, ascending and each below `n_splits`.

    From one to the next there is a quarter more at most, so that early results, which change most, are shown
    often; and a twentieth of all at most, so that there is something new to see until the end.
    """
    shown, done = [], FEWEST_SHOWN
    while done < n_splits:
        shown.append(done)
        done += max(1, min(done // _QUARTER, n_splits // _PARTS))
    return tuple(shown)
