"""Wide tables: a header row with run names, then one row of scores a topic.

Topic ids stand in the first column, whose header may be anything (``topic``, ``AP``, nothing), or
there are none. Which of the two it is shows in the name of that column, or in its cells; where
neither settles it the table is refused, since reading ids as scores, or scores as ids, would give a
wrong variance without a sign of it.
"""

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.numerals import (
    Place,
    is_fraction,
    is_numeral,
    is_whole,
    read_numbers,
    value_of,
)
from topicset_core.parsing.reading import Reading, Scores, counted, refuse_one_topic
from topicset_core.parsing.text import Row, Table, plain, shown

# As `plain` leaves them. The empty word is also what is left of "#"; pandas writes "Unnamed: 0".
TOPIC_WORDS = frozenset(
    (
        *("", "topic", "topics", "topicid", "topicno", "topicnumber", "topicnum", "topicnr"),
        *("query", "queries", "queryid", "queryno", "querynumber", "qid", "qno", "question", "questionid"),
        *("id", "ids", "no", "nr", "number", "index", "item", "unnamed0"),
    )
)


class _Ids(NamedTuple):
    """Topic ids of a wide table, the column where scores begin, and a sentence on their origin."""

    topics: tuple[str, ...]
    first_score: int
    origin: str


def read_wide(table: Table) -> Reading:
    """Read a table of topics (rows) by runs (columns).

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    header, body = table.header, table.body
    _refuse_missing_header(table)
    if not body:
        raise ParseError(table.file, header.line, "expected rows of scores below the header, found none")
    nameless_ids = _corner_is_missing(table)
    if nameless_ids:
        header = Row(header.line, ["", *header.cells])
    _refuse_ragged_rows(table, len(header.cells), nameless_ids)
    ids = _topic_ids(table, header, nameless_ids)
    systems = tuple(header.cells[ids.first_score :])
    _refuse_bad_systems(table, header, ids.first_score)
    _refuse_measures_for_runs(table, header, systems)
    _refuse_bad_topics(table, ids)
    cells = [cell for row in body for cell in row.cells[ids.first_score :]]

    def place(index: int) -> Place:
        row, column = divmod(index, len(systems))
        words = f"topic {shown(ids.topics[row])}, run {shown(systems[column])}"
        # The column as the eye counts it, in a file without names above the ids as well.
        return Place(body[row].line, f"{words}, column {column + ids.first_score + 1}")

    numbers = read_numbers(cells, place, table.file)
    refuse_one_topic(ids.topics, table.file)
    scores = numbers.values.reshape(len(body), len(systems))
    measure = measure_name(header.cells[0]) if ids.first_score and _names_topics(table) else None
    recognised = [
        f"A wide table of {counted(len(body), 'topic')} (rows) by {counted(len(systems), 'run')} (columns).",
        ids.origin,
    ]
    if numbers.decimal_comma:
        recognised.append("Scores are written with decimal commas.")
    if _looks_transposed(ids, systems):
        recognised.append(
            "All columns are named by whole numbers and the rows are not: if columns are topics and rows "
            "are runs, transpose the table first."
        )
    return Reading(
        tables=(Scores(scores, ids.topics, systems, measure),),
        recognised=tuple(recognised),
        measure_source=f"the header of the first column, {shown(header.cells[0])}" if measure else "",
    )


def _names_topics(table: Table) -> bool:
    """Say whether the first cell of the header shows that topic ids stand below it."""
    corner, *others = table.header.cells
    if plain(corner) in TOPIC_WORDS:
        return True
    # Runs may be called p1, p2, p3: then the first says no more about ids than the others.
    # With another measure below it the row is no header: trec_eval writes measure, topic, value.
    below = table.body[0].cells[0] if table.body else ""
    return measure_name(corner) is not None and not any(map(measure_name, [*others, below]))


def _refuse_missing_header(table: Table) -> None:
    """Refuse a first row of scores: taken for run names, a topic would be lost without a word."""
    first, *others = table.header.cells
    if others and _names_topics(table):
        return
    if first and not others and plain(first) in TOPIC_WORDS:
        raise ParseError(
            table.file,
            table.header.line,
            f"expected run names beside {shown(first)}, found one cell; cells can be separated by tabs, "
            "semicolons, commas or spaces",
        )
    names = others or [first]
    fractions = [name for name in names if is_fraction(name)]
    if fractions or all(map(is_numeral, names)):
        raise ParseError(
            table.file,
            table.header.line,
            "expected a header row: 'topic' and the runs in a wide table, 'topic', 'run' and 'score' in a long "
            f"one; found the number {shown((fractions or names)[0])}",
        )


def _refuse_measures_for_runs(table: Table, header: Row, systems: Sequence[str]) -> None:
    """Refuse the scores of one run by several measures, which have no variance in common."""
    # Runs may be called p1, p2, p3, which also are spellings of P@1, P@2, P@3.
    kinds = {(measure_name(system) or "").partition("@")[0] for system in systems}
    explicit = all("@" in system or "cut" in system for system in systems)
    if "" not in kinds and len(systems) > 1 and (len(kinds) > 1 or explicit):
        raise ParseError(
            table.file,
            header.line,
            f"expected names of runs, scored by one measure, found only names of measures: "
            f"{', '.join(map(shown, systems[:5]))}",
        )


def _corner_is_missing(table: Table) -> bool:
    """Say whether every row has one cell more than the header, as R writes tables with row names."""
    width = len(table.header.cells)
    if plain(table.header.cells[0]) in TOPIC_WORDS or any(is_fraction(row.cells[0]) for row in table.body):
        return False
    return all(len(row.cells) == width + 1 for row in table.body)


def _refuse_ragged_rows(table: Table, width: int, nameless_ids: bool) -> None:
    source = "a topic id and one for each run" if nameless_ids else f"as in line {table.header.line}"
    for row in table.body:
        if len(row.cells) != width:
            raise ParseError(
                table.file,
                row.line,
                f"expected {counted(width, 'cell')}, {source}, found {len(row.cells)} (cells are separated "
                f"by {table.delimiter.name})",
            )


def _topic_ids(table: Table, header: Row, nameless_ids: bool) -> _Ids:
    first = [row.cells[0] for row in table.body]
    corner = header.cells[0]
    if nameless_ids:
        return _Ids(tuple(first), 1, "Topic ids come from the first column, which has no name.")
    if len(header.cells) > 1 and (_names_topics(table) or _first_column_is_ids(table, corner)):
        name = shown(corner) if corner else "whose name is empty"
        return _Ids(tuple(first), 1, f"Topic ids come from the first column, {name}.")
    numbered = tuple(str(number) for number in range(1, len(first) + 1))
    return _Ids(numbered, 0, f"There is no column of topic ids: topics are numbered 1 to {len(first)}.")


def _first_column_is_ids(table: Table, corner: str) -> bool:
    """Judge the first column by its cells, where its name does not tell.

    Raises
    ------
    ParseError
        If its cells do not tell either.
    """
    first = [row.cells[0] for row in table.body]
    words = [row for row in table.body if not is_numeral(row.cells[0])]
    if len(words) == len(first):
        return True
    if words:  # scores with a slip among them, or ids such as 401 and 402b
        _refuse_first_column(table, words[0], corner, "some of its cells are numbers, {} is not")
    if not all(map(is_whole, first)):
        return False
    others = [cell for row in table.body for cell in row.cells[1:] if is_numeral(cell)]
    ids, scores = [value_of(cell) for cell in first], [value_of(cell) for cell in others]
    if not scores or max(scores) <= 1 < max(ids):
        return True
    # Topic ids are all different; scores of the other runs reach as high.
    if len(set(first)) < len(first) and max(ids) <= max(scores):
        return False
    _refuse_first_column(table, table.body[0], corner, "it holds whole numbers such as {}")


def _refuse_first_column(table: Table, row: Row, corner: str, reason: str) -> NoReturn:
    raise ParseError(
        table.file,
        row.line,
        f"the first column, {shown(corner)}, may be topic ids or scores: "
        f"{reason.format(shown(row.cells[0]))}; name it 'topic' if it holds topic ids, "
        "else put a column of topic ids before it",
    )


def _refuse_bad_systems(table: Table, header: Row, first_score: int) -> None:
    columns: dict[str, int] = {}
    # Columns count as in the file, where the header may lack the name above the ids.
    for column, system in enumerate(header.cells[first_score:], start=first_score + 1):
        if not system:
            raise ParseError(
                table.file,
                header.line,
                f"expected a run name in column {column}, found an empty cell (do all lines end with a "
                "delimiter?)",
            )
        if system in columns:
            raise ParseError(
                table.file,
                header.line,
                f"expected each run once, found {shown(system)} in columns {columns[system]} and {column}",
            )
        columns[system] = column


def _refuse_bad_topics(table: Table, ids: _Ids) -> None:
    lines: dict[str, int] = {}
    for topic, row in zip(ids.topics, table.body, strict=True):
        if not topic:
            raise ParseError(table.file, row.line, "expected a topic id in column 1, found an empty cell")
        if topic in lines:
            raise ParseError(
                table.file,
                row.line,
                f"expected each topic once, found {shown(topic)} here and on line {lines[topic]}",
            )
        lines[topic] = row.line


def _looks_transposed(ids: _Ids, systems: tuple[str, ...]) -> bool:
    return len(systems) > 1 and all(map(is_whole, systems)) and not any(map(is_numeral, ids.topics))
