"""Long tables: one row a score, with columns for topic, score and perhaps system and measure.

Columns are told by their names, in any order. Without a header row only three columns in the order
topic, system, score are read, and only where the first holds topic ids beyond doubt.
"""

from collections.abc import Iterator, Sequence

from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.numerals import is_numeral
from topicset_core.parsing.scores.entries import Entries, Reading
from topicset_core.parsing.scores.rows import Columns, sort_rows
from topicset_core.parsing.table import (
    RUN_WORDS,
    TOPIC_ID,
    TOPIC_WORDS,
    Row,
    Table,
    plain,
    refuse_header_again,
)
from topicset_core.wording import counted, listed, shown

ROLE_WORDS = {
    "topic": TOPIC_WORDS,
    "system": RUN_WORDS,
    "score": ("score", "scores", "value", "values"),
    "measure": ("measure", "measureid", "measurename", "metric", "metricname"),
}
"""Names of columns, as `plain` leaves them, by what the column holds."""

ROLE_OF = {word: role for role, words in ROLE_WORDS.items() for word in words}


def has_long_header(table: Table, _: Choices) -> bool:
    """Say whether the first row names columns for topic, score, and system or measure."""
    roles = {ROLE_OF.get(plain(cell)) for cell in table.header.cells}
    return {"topic", "score"} <= roles and bool({"system", "measure"} & roles)


def is_headerless_long(table: Table, _: Choices) -> bool:
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


def read_long(table: Table, choices: Choices) -> Reading:
    """Read a long table whose header names its columns.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    columns, left_out = _columns(table, choices)
    refuse_header_again(table)
    named = [columns.topic, columns.system, columns.score]
    topic, system, score = ("" if c is None else shown(table.header.cells[c]) for c in named)
    runs = f", runs from {system}" if system else ""
    origin = f"Topics come from the column {topic}{runs}, scores from {score}."
    if not table.body:
        raise ParseError(
            table.file, table.header.line, "expected rows of scores below the header, found none"
        )
    return _read(table, table.body, columns, (origin, *left_out))


def read_headerless_long(table: Table, _: Choices) -> Reading:
    """Read a long table of topic, system, score that has no header.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    origin = "There is no header row: the columns were taken as topic, run, score."
    return _read(table, table.rows, Columns(0, 1, 2, None), (origin,))


def _columns(table: Table, choices: Choices) -> tuple[Columns, tuple[str, ...]]:
    """Find the column of each role; refuse names that are unknown or used for the same role."""
    found: dict[str, int] = {}
    left_out = []
    for column, cell in enumerate(table.header.cells):
        role = ROLE_OF.get(plain(cell))
        if role == "score" and choices.columns is not None and cell not in choices.columns:
            role = None
        if choices.columns is not None and cell in choices.columns:
            role = "score"
        if role is None and choices.columns is not None:
            left_out.append(cell)
            continue
        if role is None:
            raise ParseError(
                table.file,
                table.header.line,
                "expected no columns but topic, system, score and measure in a long table, found "
                f"{shown(cell)} in {table.at(table.header.line, column)}; remove it, or it could hide that scores "
                "are repeats",
            )
        if role in found:
            both = f"{shown(table.header.cells[found[role]])} and {shown(cell)}"
            raise ParseError(
                table.file, table.header.line, f"expected one column for the {role}, found {both}"
            )
        found[role] = column
    if "topic" not in found:
        chosen = shown(table.header.cells[found["score"]])
        raise ParseError(
            table.file,
            table.header.line,
            f"expected a column of scores to be chosen, found {chosen}, which tells the topics",
        )
    if "score" not in found:
        raise ParseError(
            table.file,
            table.header.line,
            f"expected the chosen column {listed(choices.columns or ())}, found {listed(table.header.cells)}",
        )
    columns = Columns(found["topic"], found.get("system"), found["score"], found.get("measure"))
    return columns, (
        f"Columns left out, as they were not chosen: {listed(left_out, 20)}.",
    ) if left_out else ()


def _read(table: Table, rows: Sequence[Row], columns: Columns, origin: tuple[str, ...]) -> Reading:
    tables, left_out = sort_rows(table, rows, columns)
    if not tables:
        raise ParseError(table.file, None, "expected scores of single topics, found only summary rows")
    n_scores = sum(len(entries.values) for entries in tables)
    recognised = [f"A long table of {counted(n_scores, 'score')}, one a row.", *origin, *left_out]
    recognised += shapes(tables)
    if any(entries.decimal_comma for entries in tables):
        recognised.append("Scores are written with decimal commas.")
    source = ""
    if columns.measure is not None:
        source = f"the column {shown(table.header.cells[columns.measure])}"
    return Reading(
        tables=tables,
        recognised=tuple(recognised),
        measure_source=source,
        one_run=columns.system is None,
    )


def shapes(tables: Sequence[Entries]) -> list[str]:
    """Say how many topics and runs each measure has scores of, measures of one shape together."""
    by_shape: dict[str, list[str]] = {}
    for entries in tables:
        n_topics, n_systems = len(set(entries.topics)), len(set(entries.systems))
        shape = f"{counted(n_topics, 'topic')} by {counted(n_systems, 'run')}"
        by_shape.setdefault(shape, []).append(entries.measure or "")
    said = [
        f"{shape}."
        if measures == [""]
        else f"{shape}, {'measure' if len(measures) == 1 else 'measures'} {listed(measures)}."
        for shape, measures in by_shape.items()
    ]
    return [*said, *_uneven(tables)]


def _uneven(tables: Sequence[Entries]) -> Iterator[str]:
    """Name topics that some measures have scores of and others have not, as where an output is cut off."""
    topics = dict.fromkeys(topic for entries in tables for topic in entries.topics)
    lacking: dict[tuple[str, ...], list[str]] = {}
    for entries in tables:
        own = set(entries.topics)
        missing = tuple(topic for topic in topics if topic not in own)
        if missing:
            lacking.setdefault(missing, []).append(entries.measure or "")
    for missing, measures in lacking.items():
        noun = "topic" if len(missing) == 1 else "topics"
        yield f"Other measures have scores of {noun} {listed(missing)}, {listed(measures)} not."
