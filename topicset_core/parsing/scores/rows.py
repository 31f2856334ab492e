"""Rows of one score each to entries by measure: what long tables and outputs of trec_eval share."""

from collections.abc import Sequence
from typing import NamedTuple

from topicset_core.errors import ParseError
from topicset_core.parsing.numerals import Place, read_numbers
from topicset_core.parsing.scores.entries import Entries
from topicset_core.parsing.scores.summaries import without_summary_topics
from topicset_core.parsing.table import Row, Table, refuse_unequal_rows
from topicset_core.wording import shown


class Columns(NamedTuple):
    """Which column holds what; None for a run that no column names, or measures that none names."""

    topic: int
    system: int | None
    score: int
    measure: int | None


class Sorted(NamedTuple):
    """Entries by measure, in the order in which measures come, and sentences on rows left out."""

    tables: tuple[Entries, ...]
    said: tuple[str, ...]


def sort_rows(table: Table, rows: Sequence[Row], columns: Columns, called: str | None = None) -> Sorted:
    """Sort rows by measure and read their scores; summary rows are left out.

    Parameters
    ----------
    table : Table
        The table that the rows are of.
    rows : sequence of Row
        The rows to sort.
    columns : Columns
        Which of their cells hold what.
    called : str, optional
        The measure of all rows, where no column names it but the header does.

    Raises
    ------
    ParseError
        If a row is not whole, or its score is no number.
    """
    refuse_unequal_rows(table, rows)
    named = [("topic id", columns.topic), ("run name", columns.system), ("measure", columns.measure)]
    for line, cells in rows:
        for role, column in named:
            if column is not None and not cells[column]:
                raise ParseError(
                    table.file, line, f"expected a {role} in {table.at(line, column)}, found an empty cell"
                )
    kept, said = without_summary_topics([row.cells[columns.topic] for row in rows])
    by_measure: dict[str | None, list[Row]] = {}
    for row in (rows[index] for index in kept):
        measure = called if columns.measure is None else row.cells[columns.measure]
        by_measure.setdefault(measure, []).append(row)
    tables = tuple(
        _entries(table, of_measure, columns, measure) for measure, of_measure in by_measure.items()
    )
    return Sorted(tables, said)


def _entries(table: Table, rows: Sequence[Row], columns: Columns, measure: str | None) -> Entries:
    def place(index: int) -> Place:
        line, cells = rows[index]
        run = "" if columns.system is None else f", run {shown(cells[columns.system])}"
        of_measure = "" if measure is None else f", measure {shown(measure)}"
        return Place(table.file, line, f"topic {shown(cells[columns.topic])}{run}{of_measure}")

    numbers = read_numbers([row.cells[columns.score] for row in rows], place)
    return Entries(
        topics=[row.cells[columns.topic] for row in rows],
        systems=["" if columns.system is None else row.cells[columns.system] for row in rows],
        values=numbers.values,
        empty=numbers.empty,
        place=place,
        measure=measure,
        decimal_comma=numbers.decimal_comma,
    )
