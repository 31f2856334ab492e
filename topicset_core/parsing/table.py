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


def shown(cell: str) -> str:
    """Quote a cell for a message, at most 40 characters of it."""
    return repr(cell if len(cell) <= 40 else cell[:40] + "…")


def plain(name: str) -> str:
    """Reduce a column name to its letters and digits, so that Topic_ID and topicId are one."""
    return "".join(character for character in name.casefold() if character.isalnum())


def counted(count: int, noun: str) -> str:
    """Write a count with its noun, for example "1 topic" or "1,153 topics"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(names: list[str] | tuple[str, ...], at_most: int = 5) -> str:
    """Quote the first few names and count the rest: "'a', 'b' and 3 more"."""
    first = ", ".join(map(shown, names[:at_most]))
    return f"{first} and {len(names) - at_most:,} more" if len(names) > at_most else first
