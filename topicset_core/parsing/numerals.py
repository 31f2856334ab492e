"""Cells to numbers: what counts as one, decimal commas, and what to say about the rest."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.score_matrix import LARGEST_SCORE
from topicset_core.errors import ParseError
from topicset_core.parsing.text import shown

NUMERAL = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?", re.ASCII)
"""Narrower than `float`, which also takes 1_000, nan, infinity and digits of other scripts."""

WHOLE = re.compile(r"[+-]?\d+", re.ASCII)

NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE | re.ASCII)

MOST_NAMED = 5
"""Missing scores are named up to this many, and counted beyond."""


class Place(NamedTuple):
    """Where a score stands: its line, and the rest in words for a message."""

    line: int
    words: str


class Numbers(NamedTuple):
    """Numbers read from cells; `decimal_comma` says whether they were written with commas."""

    values: NDArray[np.float64]
    decimal_comma: bool


def is_numeral(cell: str) -> bool:
    """Say whether a cell is written as a number."""
    return NUMERAL.fullmatch(cell) is not None


def is_whole(cell: str) -> bool:
    """Say whether a cell is written as a whole number, as topic ids often are."""
    return WHOLE.fullmatch(cell) is not None


def is_fraction(cell: str) -> bool:
    """Say whether a cell is written as a number with a point, comma or exponent; topic ids rarely are."""
    return is_numeral(cell) and not is_whole(cell)


def value_of(numeral: str) -> float:
    """Return the number that a numeral stands for, with a decimal point or a decimal comma."""
    return float(numeral.replace(",", "."))


def read_numbers(cells: Sequence[str], place: Callable[[int], Place], file: str) -> Numbers:
    """Read every cell as a finite number.

    Parameters
    ----------
    cells : sequence of str
        The cells, without white space around them.
    place : callable
        Gives the place of the cell with an index; asked only when something is wrong.
    file : str
        The file as the user named it.

    Raises
    ------
    ParseError
        At the first cell that is not a finite number; if cells are empty, at the first of these.
    """
    for index, cell in enumerate(cells):
        if cell and not NUMERAL.fullmatch(cell):
            _refuse(cell, place(index), file)
    missing = [index for index, cell in enumerate(cells) if not cell]
    if missing:
        _refuse_missing([place(index) for index in missing], file)
    decimal_comma = _decimal_comma(cells, place, file)
    numerals = [cell.replace(",", ".") for cell in cells] if decimal_comma else cells
    values = np.array([float(numeral) for numeral in numerals])
    too_large = np.flatnonzero(~(np.abs(values) <= LARGEST_SCORE))
    if too_large.size:
        index = int(too_large[0])
        where = place(index)
        raise ParseError(
            file,
            where.line,
            f"{where.words}: expected a number within {LARGEST_SCORE:g}, found {shown(cells[index])}",
        )
    return Numbers(values, decimal_comma)


def _refuse(cell: str, where: Place, file: str) -> NoReturn:
    expected = "a finite number" if NOT_FINITE.fullmatch(cell) else "a number"
    raise ParseError(file, where.line, f"{where.words}: expected {expected}, found {shown(cell)}")


def _refuse_missing(places: Sequence[Place], file: str) -> NoReturn:
    named = "; ".join(f"{where.words} (line {where.line})" for where in places[:MOST_NAMED])
    more = len(places) - MOST_NAMED
    rest = f"; and {more:,} more" if more > 0 else ""
    empty = "1 cell is empty" if len(places) == 1 else f"{len(places):,} cells are empty"
    raise ParseError(file, places[0].line, f"expected a score in every cell, but {empty}: {named}{rest}")


def _decimal_comma(cells: Sequence[str], place: Callable[[int], Place], file: str) -> bool:
    """Say whether decimal commas are used; refuse a mixture, where 1,234 could be a thousand."""
    marks = ((index, "," in cell) for index, cell in enumerate(cells) if "," in cell or "." in cell)
    _, first = next(marks, (0, False))
    other = next((index for index, mark in marks if mark != first), None)
    if other is not None:
        usual, found = ("commas", "a point") if first else ("points", "a comma")
        where = place(other)
        raise ParseError(
            file,
            where.line,
            f"{where.words}: expected decimal {usual} as in the scores before, found {found} in "
            f"{shown(cells[other])}",
        )
    return first
