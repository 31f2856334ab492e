"""Rows of cells, wherever they come from: lines of text, rows of a sheet, JSON records."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


class Row(NamedTuple):
    """The cells of one line; `line` counts from 1 and includes blank lines."""

    line: int
    cells: list[str]


def _by_number(_: int, column: int) -> str:
    return f"column {column + 1}"


@dataclass(frozen=True)
class Table:
    """Rows of cells, the first of them perhaps a header; never empty.

    Parameters
    ----------
    file : str
        The file as the user named it.
    rows : list of Row
        Lines that are not blank; white space around a cell is not part of it.
    layout : str
        How cells are told apart, as a clause: "cells are separated by commas".
    at : callable, optional
        Names a cell by its line and its column, counted from 0: "column 3", "cell C4".
    is_records : bool, optional
        Whether each row is a record that names its own cells, so that the header is no guess.
    """

    file: str
    rows: list[Row]
    layout: str
    at: Callable[[int, int], str] = _by_number
    is_records: bool = False

    @property
    def header(self) -> Row:
        """The first row."""
        return self.rows[0]

    @property
    def body(self) -> list[Row]:
        """The rows below the first."""
        return self.rows[1:]


def plain(name: str) -> str:
    """Reduce a column name to its letters and digits, so that Topic_ID and topicId are one."""
    return "".join(character for character in name.casefold() if character.isalnum())
