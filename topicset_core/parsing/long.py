"""Long tables: one row a score, with columns for topic, system, score and perhaps measure.

Columns are told by their names, in any order. Without a header row only three columns in the order
topic, system, score are read, and only where the first holds topic ids beyond doubt.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from topicset_core.errors import ParseError
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.numerals import MOST_NAMED, Place, is_numeral, read_numbers
from topicset_core.parsing.reading import Reading, Scores, counted, refuse_one_topic
from topicset_core.parsing.text import Row, Table, plain, shown

ROLE_WORDS = {
    "topic": (
        *("topic", "topicid", "topicno", "topicnumber", "topicnum"),
        *("query", "queryid", "queryno", "querynumber", "qid", "qno", "question", "questionid"),
    ),
    "system": (
        *("system", "systemid", "systemname", "run", "runid", "runname", "runtag", "tag"),
        *("model", "modelid", "modelname"),
    ),
    "score": ("score", "scores", "value", "values"),
    "measure": ("measure", "measureid", "measurename", "metric", "metricname"),
}
"""Names of columns, as `plain` leaves them, by what the column holds."""

ROLE_OF = {word: role for role, words in ROLE_WORDS.items() for word in words}

TOPIC_ID = re.compile(r"(?:topic|query|qid|q|t)?[_ -]?\d+(?:[_-]\d+)*", re.IGNORECASE | re.ASCII)
"""What topic ids look like in TREC, NTCIR and CLEF: 401, t001, Q12, 1-07."""


class _Columns(NamedTuple):
    """Which column holds what; `measure` is None where no column names measures."""

    topic: int
    system: int
    score: int
    measure: int | None


class _Entry(NamedTuple):
    """One score still in writing, and its line."""

    line: int
    topic: str
    system: str
    cell: str


def has_long_header(table: Table) -> bool:
    """Say whether the first row names columns for topic, system and score."""
    roles = {ROLE_OF.get(plain(cell)) for cell in table.header.cells}
    return {"topic", "system", "score"} <= roles


def is_headerless_long(table: Table) -> bool:
    """Say whether all rows are topic, system, score beyond doubt, the first one included."""
    first = table.header.cells
    if len(first) != 3 or not is_numeral(first[2]):
        return False
    # A ragged row does not unmake the format: it is refused later, with its line.
    topics = [row.cells[0] for row in table.rows]
    systems = [row.cells[1] for row in table.rows if len(row.cells) > 1]
    looks_like_topics = all(TOPIC_ID.fullmatch(topic) for topic in topics)
    # Where the second column holds topic ids too the order is open; where it names measures this is
    # another format, topic, measure, value, without a column for systems.
    order_is_open = all(TOPIC_ID.fullmatch(system) or is_numeral(system) for system in systems)
    names_measures = all(measure_name(system) for system in systems)
    return looks_like_topics and not order_is_open and not names_measures


def read_long(table: Table) -> Reading:
    """Read a long table whose header names its columns.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    columns = _columns(table)
    names = [shown(table.header.cells[column]) for column in (columns.topic, columns.system, columns.score)]
    origin = f"Topics come from the column {names[0]}, runs from {names[1]}, scores from {names[2]}."
    if not table.body:
        raise ParseError(
            table.file, table.header.line, "expected rows of scores below the header, found none"
        )
    return _read(table, table.body, columns, origin)


def read_headerless_long(table: Table) -> Reading:
    """Read a long table of topic, system, score that has no header.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    origin = "There is no header row: the columns were taken as topic, run, score."
    return _read(table, table.rows, _Columns(0, 1, 2, None), origin)


def _columns(table: Table) -> _Columns:
    """Find the column of each role; refuse names that are unknown or used for the same role."""
    found: dict[str, int] = {}
    for column, cell in enumerate(table.header.cells):
        role = ROLE_OF.get(plain(cell))
        if role is None:
            raise ParseError(
                table.file,
                table.header.line,
                "expected no columns but topic, system, score and measure in a long table, found "
                f"{shown(cell)} in column {column + 1}; remove it, or it could hide that scores are repeats",
            )
        if role in found:
            both = f"{shown(table.header.cells[found[role]])} and {shown(cell)}"
            raise ParseError(
                table.file, table.header.line, f"expected one column for the {role}, found {both}"
            )
        found[role] = column
    return _Columns(found["topic"], found["system"], found["score"], found.get("measure"))


def _read(table: Table, rows: Sequence[Row], columns: _Columns, origin: str) -> Reading:
    entries = _entries_by_measure(table, rows, columns)
    recognised = [f"A long table of {counted(len(rows), 'score')}, one a row.", origin]
    tables = []
    decimal_comma = False
    for measure, entries_of_measure in entries.items():
        scores, comma = _fill(entries_of_measure, measure, table.file)
        decimal_comma = decimal_comma or comma
        tables.append(scores)
        shape = f"{counted(len(scores.topics), 'topic')} by {counted(len(scores.systems), 'run')}"
        recognised.append(f"{shape}{'' if measure is None else f', measure {shown(measure)}'}.")
    if decimal_comma:
        recognised.append("Scores are written with decimal commas.")
    source = ""
    if columns.measure is not None:
        source = f"the column {shown(table.header.cells[columns.measure])}"
    return Reading(tables=tuple(tables), recognised=tuple(recognised), measure_source=source)


def _entries_by_measure(
    table: Table, rows: Iterable[Row], columns: _Columns
) -> dict[str | None, list[_Entry]]:
    """Sort the rows by measure, after making sure that each is whole."""
    width = len(table.header.cells)
    entries: dict[str | None, list[_Entry]] = {}
    for line, cells in rows:
        if len(cells) != width:
            raise ParseError(
                table.file,
                line,
                f"expected {width} cells, as in line {table.header.line}, found {len(cells)} (cells are "
                f"separated by {table.delimiter.name})",
            )
        topic, system = cells[columns.topic], cells[columns.system]
        measure = None if columns.measure is None else cells[columns.measure]
        for role, cell, column in (
            ("topic id", topic, columns.topic),
            ("run name", system, columns.system),
            ("measure", measure, columns.measure),
        ):
            if column is not None and not cell:
                raise ParseError(
                    table.file, line, f"expected a {role} in column {column + 1}, found an empty cell"
                )
        entries.setdefault(measure, []).append(_Entry(line, topic, system, cells[columns.score]))
    return entries


def _fill(entries: Sequence[_Entry], measure: str | None, file: str) -> tuple[Scores, bool]:
    """Put the scores of one measure in their places; ids keep the order of their first row."""
    of_measure = "" if measure is None else f", measure {shown(measure)}"
    by_pair: dict[tuple[str, str], int] = {}
    for index, entry in enumerate(entries):
        pair = (entry.topic, entry.system)
        if pair in by_pair:
            raise ParseError(
                file,
                entry.line,
                f"expected one score for topic {shown(entry.topic)}, run {shown(entry.system)}{of_measure}, "
                f"found another on line {entries[by_pair[pair]].line}",
            )
        by_pair[pair] = index
    topics = tuple(dict.fromkeys(entry.topic for entry in entries))
    systems = tuple(dict.fromkeys(entry.system for entry in entries))
    _refuse_gaps(by_pair, topics, systems, of_measure, file)

    def place(index: int) -> Place:
        entry = entries[index]
        return Place(entry.line, f"topic {shown(entry.topic)}, run {shown(entry.system)}{of_measure}")

    numbers = read_numbers([entry.cell for entry in entries], place, file)
    refuse_one_topic(topics, file)
    order = [by_pair[topic, system] for topic in topics for system in systems]
    values = numbers.values[order].reshape(len(topics), len(systems))
    return Scores(values, topics, systems, measure), numbers.decimal_comma


def _refuse_gaps(
    by_pair: dict[tuple[str, str], int],
    topics: Sequence[str],
    systems: Sequence[str],
    of_measure: str,
    file: str,
) -> None:
    """Refuse a table in which a run has no score on a topic that another run has."""
    n_missing = len(topics) * len(systems) - len(by_pair)
    if not n_missing:
        return
    gaps = ((topic, system) for topic in topics for system in systems if (topic, system) not in by_pair)
    # Only the first few are looked for: the product of ids can be far larger than the file.
    first = [gap for gap, _ in zip(gaps, range(MOST_NAMED), strict=False)]
    named = "; ".join(f"topic {shown(topic)}, run {shown(system)}" for topic, system in first)
    more = f"; and {n_missing - len(first):,} more" if n_missing > len(first) else ""
    missing = "1 is missing" if n_missing == 1 else f"{n_missing:,} are missing"
    raise ParseError(
        file, None, f"expected a score of every run on every topic{of_measure}, but {missing}: {named}{more}"
    )
