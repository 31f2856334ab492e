"""Rows of cells, wherever they come from: lines of text, rows of a sheet, JSON records."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.parsing.names import Source, refuse_long
from topicset_core.parsing.text import refuse_display_controls
from topicset_core.wording import display_control, listed, quoted


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as a set to look names up in."""
    return frozenset(text.split())


# As `plain` leaves them.
TOPIC_WORDS = words(
    "topic topics topicid topicno topicnumber topicnum topicnr "
    "query queries queryid queryno querynumber qid qno question questionid"
)
RUN_WORDS = words(
    "run runs runid runname runtag tag system systems systemid systemname model models modelid modelname"
)
REPEAT_WORDS = words(
    "repeat repeats repetition replicate replicates rep seed seeds randomseed trial trials sample samples fold "
    "folds variant variants variation formulation querytext call calls iteration attempt generation"
)
"""Names of a column of repeats, as `plain` leaves them."""
# The empty word also remains of "#"; pandas writes "Unnamed: 0".
ID_WORDS = words("id ids no nr number index item unnamed0") | {""}
"""Names of a column of ids that leave open whose ids they are."""
SCORE_WORDS = words("score scores value values")

TEXT_WORDS = words(
    "userinput response reference retrievedcontexts referencecontexts retrievedcontextids referencecontextids "
    "multiresponses rubrics referencetopics referencetoolcalls answer contexts groundtruth groundtruths "
    "personaname querystyle querylength synthesizername"
)
"""Names of columns of a sample of ragas, of version 0.4 and of those before 0.2, that are no scores."""

TOPIC_ID = re.compile(r"(?:topic|query|qid|q|t)?[_ -]?\d+(?:[_-]\d+)*", re.IGNORECASE | re.ASCII)
"""Forms of topic ids in TREC, NTCIR and CLEF: 401, t001, Q12, 1-07."""


class Row(NamedTuple):
    """The cells of one line; `line` counts from 1 and includes blank lines."""

    line: int
    cells: list[str]


@dataclass(frozen=True)
class Table:
    """Rows of cells, the first of them perhaps a header; never empty."""

    source: Source
    rows: list[Row]  # lines that are not blank
    layout: str  # how cells are separated, as a clause: "cells are separated by commas"
    # Names a cell by its line and its column, counted from 0: "column 3", "cell C4"
    at: Callable[[int, int], str] = lambda _, column: f"column {column + 1}"
    # Whether each row is a record that names its own cells, so that the header is no guess
    is_records: bool = False
    # What rows are counted in: lines of a file, rows of a frame, samples of a log; a header above them is 0
    unit: str = "line"
    # The objects of a file in JSON with lists in them, which cells do not show, each with its line
    records: Sequence[tuple[int, "Pairs"]] = ()

    @property
    def file(self) -> str:
        """The file as the user named it, with its sheet."""
        return self.source.place

    def refuse(self, line: int | None, expected: str) -> NoReturn:
        """Refuse a line of the table, or all of it."""
        raise ParseError(self.file, line or None, expected, self.unit)

    @property
    def header(self) -> Row:
        """The first row."""
        return self.rows[0]

    @property
    def body(self) -> list[Row]:
        """The rows below the first."""
        return self.rows[1:]


class Pairs(list[tuple[str, Any]]):
    """The keys and values of one object in JSON; a list, so that a repeated key is seen. Numbers are texts."""


class Opened(NamedTuple):
    """The tables in a file, errors for invalid parts, and notes on omitted parts."""

    tables: tuple[Table, ...]
    errors: tuple[ParseError, ...]
    notes: tuple[str, ...]


def refuse_no_rows(table: Table) -> None:
    """Refuse a header with nothing below it."""
    if not table.body:
        table.refuse(table.header.line, "expected rows of scores below the header, found none")


def plain(name: str) -> str:
    """Reduce a column name to its letters and digits, so that Topic_ID and topicId are one."""
    return "".join(character for character in name.casefold() if character.isalnum())


def refuse_odd_names(table: Table, what: str, names: Iterable[str]) -> None:
    """Refuse names that are too long, or that control how text is displayed, with the line that has them."""
    for name in set(names):
        if len(name.encode()) > LONGEST_ID or display_control(name):
            line = next((line for line, cells in table.rows if name in cells), None)
            try:
                refuse_long(name, table.file, line, what)
                refuse_display_controls(name, table.file, line, what)
            except ParseError as error:
                table.refuse(line, error.expected)


def refuse_unequal_rows(table: Table, rows: Sequence[Row]) -> None:
    """Refuse rows with more or fewer cells than the first row of the table."""
    width = len(table.header.cells)
    for line, cells in rows:
        if len(cells) != width:
            table.refuse(
                line,
                f"expected {width} cells, as in line {table.header.line}, found {len(cells)} ({table.layout})",
            )


def unread(table: Table, read: Collection[int]) -> tuple[str, ...]:
    """Return a note on the columns other than those that were read."""
    others = [cell for at, cell in enumerate(table.header.cells) if at not in read]
    return (f"Columns of {table.file} that were not read: {listed(others)}.",) if others else ()


def refuse_header_again(table: Table) -> None:
    """Refuse a header that comes again among the rows below it, as where two tables were put together."""
    header = table.header.cells
    again = next((row for row in table.body if row.cells == header), None)
    if again is not None and not table.is_records:
        of_line = f" of line {table.header.line}" if table.header.line else ""
        table.refuse(
            again.line,
            f"expected scores, found the header{of_line} again: "
            f"{quoted(', '.join(header))}; remove it, or save each table to a separate file",
        )
