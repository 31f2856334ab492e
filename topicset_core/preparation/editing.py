"""Scores changed by hand: single cells, rows and columns transposed, another unit."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.collection import ScoreMatrix
from topicset_core.collection.score_matrix import LARGEST_SCORE
from topicset_core.errors import InputError
from topicset_core.wording import counted

MOST_NAMED = 10
"""Changed cells are named up to this many, and counted beyond."""


@dataclass(frozen=True, kw_only=True)
class EditedCell:
    """One score that was changed."""

    topic: str
    system: str
    # The score, in units of the measure
    before: float
    after: float


@dataclass(frozen=True, kw_only=True)
class Edited:
    """What `edit` did: all scores that differ, topic by topic."""

    cells: tuple[EditedCell, ...]  # in the order of the matrix

    @property
    def notes(self) -> tuple[str, ...]:
        """The edit, in a sentence."""
        named = "; ".join(
            f"topic {cell.topic}, run {cell.system}: {cell.before:g} to {cell.after:g}"
            for cell in self.cells[:MOST_NAMED]
        )
        more = f"; and {len(self.cells) - MOST_NAMED:,} more" if len(self.cells) > MOST_NAMED else ""
        return (f"Edited by hand: {counted(len(self.cells), 'cell')} ({named}{more}).",)

    @property
    def summary(self) -> str:
        """The same in a few words, to be shown next to the name of the matrix."""
        return f"{counted(len(self.cells), 'cell')} edited"


def edit(matrix: ScoreMatrix, scores: ArrayLike) -> tuple[ScoreMatrix, Edited]:
    """Replace the scores by others of the same topics and runs."""
    target = np.asarray(scores, dtype=np.float64)
    if target.shape != matrix.scores.shape:
        raise InputError(
            "scores", target.shape, f"must have the shape {matrix.scores.shape}, topics x systems"
        )
    unusable = np.argwhere(~(np.abs(target) <= LARGEST_SCORE)).tolist()
    if unusable:
        topic, system = unusable[0]
        what = "empty" if np.isnan(target[topic, system]) else f"{target[topic, system]:g}"
        more = f", and so must {len(unusable) - 1:,} more" if len(unusable) > 1 else ""
        raise InputError(
            f"score of run {matrix.systems[system]} on topic {matrix.topics[topic]}",
            what,
            f"must be a number{more}",
        )
    changed = np.argwhere(target != matrix.scores).tolist()
    if not changed:
        raise InputError("scores", "as before", "must differ in at least one cell")
    cells = tuple(
        EditedCell(
            topic=matrix.topics[topic],
            system=matrix.systems[system],
            before=float(matrix.scores[topic, system]),
            after=float(target[topic, system]),
        )
        for topic, system in changed
    )
    return replace(matrix, scores=target), Edited(cells=cells)


def transpose(matrix: ScoreMatrix) -> ScoreMatrix:
    """Return the matrix with topics as runs and runs as topics, which have no groups; refuse a single run."""
    return replace(matrix, scores=matrix.scores.T, topics=matrix.systems, systems=matrix.topics, groups=None)


def divide(matrix: ScoreMatrix, divisor: float = 100.0) -> ScoreMatrix:
    """Return the matrix with scores in another unit, as per cent from 0 to 100 as shares from 0 to 1.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores in the old unit.
    divisor : float
        Divisor of every score, finite and above 0.

    Raises
    ------
    InputError
        If the divisor is not a finite number above 0.
    """
    if not 0 < divisor < math.inf:
        raise InputError("divisor", divisor, "must be a finite number above 0")
    return replace(matrix, scores=matrix.scores / divisor)
