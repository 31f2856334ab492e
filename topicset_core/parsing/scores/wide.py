"""Wide tables: a header row, then one row of scores per topic, or one per run.

Ids of the rows are in the first column, whose header may be anything (``topic``, ``AP``, nothing),
or are missing. A table of nothing but numbers has no header either. A column that is named as groups, such as
``conversation``, has the group of each topic.

Whether the first column contains ids or the scores of the first run follows from its name, or from its cells.
Where neither determines it the table is refused, since taking ids for scores, or scores for ids, would give a
wrong variance without a sign of it. The orientation of the table follows from the choice, the name of the
ids, then from the ids themselves.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import NamedTuple, NoReturn

from topicset_core.parsing.choices import Choices, Orientation
from topicset_core.parsing.columns import INDEX_WORDS, count_rows
from topicset_core.parsing.measure_names import measure_in_file_name, measure_name
from topicset_core.parsing.numerals import (
    MISSING,
    Place,
    is_fraction,
    is_numeral,
    is_whole,
    read_numbers,
    value_of,
)
from topicset_core.parsing.scores.entries import Entries, Reading, is_summary, without_summary_topics
from topicset_core.parsing.table import (
    ID_WORDS,
    RUN_WORDS,
    TOPIC_ID,
    TOPIC_WORDS,
    Row,
    Table,
    plain,
    refuse_header_again,
    refuse_no_rows,
)
from topicset_core.wording import counted, quoted

NAMES_OF_IDS = TOPIC_WORDS | RUN_WORDS | ID_WORDS


class RowIds(NamedTuple):
    """Header and ids of a wide table: without ids `ids` is None, and scores are in the first column."""

    header: Row
    ids: tuple[str, ...] | None
    first_score: int
    nameless: bool


def is_plain_matrix(table: Table, _: Choices) -> bool:
    """Return whether there is nothing but numbers, and the first row has no names."""
    cells = table.header.cells
    rows = [row.cells for row in table.rows]
    return any(map(is_fraction, cells)) and all(
        len(row) == len(cells) and all(map(is_numeral, row)) for row in rows
    )


def read_plain_matrix(table: Table, choices: Choices) -> Reading:
    """Read a table of numbers without any names."""
    first = [row.cells[0] for row in table.rows]
    others = [cell for row in table.rows for cell in row.cells[1:]]
    # Whole numbers that never repeat, next to fractions: 401 0.31 0.28.
    has_ids = all(map(is_whole, first)) and len(set(first)) == len(first) and any(map(is_fraction, others))
    n_names = len(table.header.cells) - has_ids
    names = ([""] if has_ids else []) + [str(number) for number in range(1, n_names + 1)]
    ids = RowIds(Row(table.header.line, names), tuple(first) if has_ids else None, int(has_ids), has_ids)
    return _read(table, table.rows, ids, choices, has_header=False)


def read_wide(
    table: Table,
    choices: Choices,
    *,
    has_ids: bool | None = None,
    rows_are: str = "",
    has_groups: bool = False,
) -> Reading:
    """Read a table of topics by runs, or of runs by topics, with a header row.

    Whether the first column has ids, and whether rows are "topics" or "runs", is known or follows from the table.
    """
    ids = row_ids(table, has_ids)
    refuse_header_again(table)
    return _read(table, table.body, ids, choices, has_header=True, groups=has_groups, rows_are=rows_are)


def _read(
    table: Table,
    body: Sequence[Row],
    ids: RowIds,
    choices: Choices,
    *,
    has_header: bool,
    groups: bool = False,
    rows_are: str = "",
) -> Reading:
    header = ids.header
    _refuse_ragged_rows(table, body, ids)
    corner = header.cells[0] if ids.first_score else ""
    names = tuple(header.cells[ids.first_score :])
    rows_are_topics, how = rows_are == "topics", ""
    if choices.orientation != "auto" or not rows_are:
        rows_are_topics, how = orient(corner, ids.ids, names if has_header else None, choices.orientation)
    if groups and not rows_are_topics:
        table.refuse(
            header.line,
            "expected topics in all columns, as rows are runs, found a column of groups; name them in a table of "
            "topics and groups of its own",
        )
    noun = "topic" if rows_are_topics else "run"
    other = "run" if rows_are_topics else "topic"
    rows = ids.ids if ids.ids is not None else tuple(str(number + 1) for number in range(len(body)))
    _refuse_empty_names(table, body, ids, noun, other)
    _refuse_measures_for_columns(table, header, names, other)
    topic_axis = rows if rows_are_topics else names
    has_topic_names = ids.ids is not None if rows_are_topics else has_header
    kept, taken_out = without_summary_topics(topic_axis, "row" if rows_are_topics else "column")
    if not has_topic_names:
        kept, taken_out = list(range(len(topic_axis))), ()
    everything = list(range(len(names if rows_are_topics else rows)))
    kept_rows, kept_columns = (kept, everything) if rows_are_topics else (everything, kept)
    first = ids.first_score
    scores: Iterable[list[str]] = (body[row].cells[first:] for row in kept_rows)
    if len(kept_columns) < len(names):
        scores = ([row[column] for column in kept_columns] for row in scores)
    cells = list(chain.from_iterable(scores))

    def place(index: int) -> Place:
        kept_row, kept_column = divmod(index, len(kept_columns))
        row, column = kept_rows[kept_row], kept_columns[kept_column]
        topic, system = (row, column) if rows_are_topics else (column, row)
        systems = names if rows_are_topics else rows
        words = f"topic {quoted(topic_axis[topic])}, run {quoted(systems[system])}"
        # The column as the eye counts it, in a file without names above the ids as well.
        at = table.at(body[row].line, column + first)
        return Place(table.file, body[row].line, f"{words}, {at}", table.unit)

    numbers = read_numbers(cells, place)
    of_rows = list(chain.from_iterable(repeat(rows[row], len(kept_columns)) for row in kept_rows))
    of_columns = [names[column] for column in kept_columns] * len(kept_rows)
    topics, systems = (of_rows, of_columns) if rows_are_topics else (of_columns, of_rows)
    measure = None
    if ids.ids and has_header and not ids.nameless and not any(map(measure_name, [*names, ids.ids[0]])):
        measure = measure_in_file_name(corner)  # also MQ07_AP, as NewBestSub's files have it
    entries = Entries(
        topics=topics,
        systems=systems,
        place=place,
        measure=measure,
        **numbers._asdict(),
    )
    shape = f"{counted(len(kept_rows), noun)} (rows) by {counted(len(kept_columns), other)} (columns)"
    notes = [
        f"A wide table of {shape}.",
        *taken_out,
        _origin(ids, noun, len(body)),
    ]
    if not has_header:
        notes.append(f"There is no header row: {other}s are numbered 1 to {len(names)}.")
    if how:
        notes.append(how)
    if choices.orientation == "auto" and has_header and not rows_are_topics:
        notes.append("NewBestSub reads tables of this layout, one row per run and one column per topic.")
    return Reading(
        tables=(entries,),
        recognised=tuple(notes),
        measure_source=f"the header of the first column, {quoted(corner)}" if measure else "",
        row_ids=tuple(rows),
        first_is=None if ids.ids is None else "topic" if rows_are_topics else "run",
        is_numbered=rows_are_topics
        and (ids.ids is None or (plain(corner) in INDEX_WORDS and count_rows(ids.ids))),
    )


def _origin(ids: RowIds, noun: str, n_rows: int) -> str:
    kind = "Topic ids" if noun == "topic" else "Run names"
    if ids.ids is None:
        return f"There is no column of {kind[0].lower()}{kind[1:]}: {noun}s are numbered 1 to {n_rows}."
    corner = "" if ids.nameless else ids.header.cells[0]
    return f"{kind} come from {f'the column {quoted(corner)}' if corner else 'a column without a name'}."


def _refuse_ragged_rows(table: Table, body: Sequence[Row], ids: RowIds) -> None:
    width = len(ids.header.cells)
    source = "a topic id and one for each run" if ids.nameless else f"as in line {ids.header.line}"
    for row in body:
        if len(row.cells) != width:
            expected = f"expected {counted(width, 'cell')}, {source}, found {len(row.cells)} ({table.layout})"
            table.refuse(row.line, expected)


def _refuse_empty_names(table: Table, body: Sequence[Row], ids: RowIds, noun: str, other: str) -> None:
    kinds = {"topic": "a topic id", "run": "a run name"}
    # Columns count as in the file, where the header may lack the name above the ids.
    for column, name in enumerate(ids.header.cells[ids.first_score :], start=ids.first_score):
        if not name:
            table.refuse(
                ids.header.line,
                f"expected {kinds[other]} in {table.at(ids.header.line, column)}, found an empty cell (do all "
                "lines end with a delimiter?)",
            )
    for name, row in zip(ids.ids or (), body, strict=False):
        if not name:
            table.refuse(row.line, f"expected {kinds[noun]} in {table.at(row.line, 0)}, found an empty cell")


def _refuse_measures_for_columns(table: Table, header: Row, names: Sequence[str], other: str) -> None:
    """Refuse scores by several measures in place of runs or topics: they have no variance in common."""
    # Runs may be called p1, p2, p3, which also are spellings of P@1, P@2, P@3.
    kinds = {
        (measure_name(name) or "").partition("@")[0]
        for name in names
        if not is_summary(name) or measure_name(name)
    }
    explicit = all("@" in name or "cut" in name for name in names)
    if kinds and "" not in kinds and len(names) > 1 and (len(kinds) > 1 or explicit):
        table.refuse(
            header.line,
            f"expected names of {other}s, scored by one measure, found only names of measures: "
            f"{', '.join(map(quoted, names[:5]))}",
        )


def row_ids(table: Table, has_ids: bool | None = None) -> RowIds:
    """Find the ids of the rows; refuse a first row that is no header, and a first column of ids or scores."""
    if not has_ids:
        _refuse_missing_header(table)
    header, body = table.header, table.body
    refuse_no_rows(table)
    first = tuple(row.cells[0] for row in body)
    if not has_ids and corner_is_missing(table):
        return RowIds(Row(header.line, ["", *header.cells]), first, 1, True)
    if len(header.cells) > 1 and (
        has_ids or names_ids(table) or _numbers_are_ids(table) or _first_column_is_ids(table, header.cells[0])
    ):
        return RowIds(header, first, 1, False)
    return RowIds(header, None, 0, False)


def names_ids(table: Table) -> bool:
    """Return whether the first cell of the header shows that ids are below it."""
    corner, *others = table.header.cells
    if plain(corner) in NAMES_OF_IDS:
        return True
    # Runs may be called p1, p2, p3: then the first is no more evidence of ids than the others.
    # With another measure below it the row is no header: trec_eval writes measure, topic, value.
    below = table.body[0].cells[0] if table.body else ""
    return measure_name(corner) is not None and not any(map(measure_name, [*others, below]))


def headed(table: Table) -> Table | None:
    """Return a table with a name, perhaps an empty one, above each column; None without header or equal rows."""
    if corner_is_missing(table):
        table = replace(table, rows=[Row(table.header.line, ["", *table.header.cells]), *table.body])
    width = len(table.header.cells)
    if not table.body or any(len(row.cells) != width for row in table.body):
        return None
    names = table.header.cells[1:] or table.header.cells
    has_names = table.is_records or not (any(map(is_fraction, names)) or all(map(is_numeral, names)))
    return table if has_names or names_ids(table) else None


def corner_is_missing(table: Table) -> bool:
    """Return whether every row has one cell more than the header, as R writes tables with row names."""
    width = len(table.header.cells)
    if plain(table.header.cells[0]) in NAMES_OF_IDS or any(is_fraction(row.cells[0]) for row in table.body):
        return False
    return bool(table.body) and all(len(row.cells) == width + 1 for row in table.body)


def _refuse_missing_header(table: Table) -> None:
    """Refuse a first row of scores: taken for run names, a topic would be lost without a word."""
    first, *others = table.header.cells
    if others and names_ids(table):
        return
    if first and not others and plain(first) in NAMES_OF_IDS:
        table.refuse(
            table.header.line,
            f"expected run names next to {quoted(first)}, found one cell; cells can be separated by tabs, "
            "semicolons, commas or spaces",
        )
    names = others or [first]
    fractions = [name for name in names if is_fraction(name)]
    if fractions or all(map(is_numeral, names)):
        # R names columns of ids by nothing and topics by numbers: 401 402 403 above "A" .1 .2 .3.
        if not fractions and corner_is_missing(table):
            return
        if not fractions and _numbers_are_ids(table):
            return
        table.refuse(
            table.header.line,
            "expected a header row: 'topic' and the runs in a wide table, 'topic', 'run' and 'score' in a long "
            f"one; found the number {quoted((fractions or names)[0])}",
        )


def _numbers_are_ids(table: Table) -> bool:
    """Return whether numbers in the first row are topic ids: whole, different, beyond all scores, next to names."""
    corner, *names = table.header.cells
    below = [cell for row in table.body for cell in row.cells[1:]]
    ids = [row.cells[0] for row in table.body]
    # A run may be named 1, as one of TREC-8 is; most are not.
    n_words = sum(not is_numeral(name) and not TOPIC_ID.fullmatch(name) for name in ids)
    if not all(map(is_whole, names)) or 2 * n_words <= len(ids):
        return False
    if is_numeral(corner) or TOPIC_ID.fullmatch(corner):
        return False
    highest = max((value_of(cell) for cell in below if is_numeral(cell)), default=math.inf)
    return len(set(names)) == len(names) and all(value_of(name) > highest for name in names)


def _first_column_is_ids(table: Table, corner: str) -> bool:
    """Classify the first column by its cells, where its name is ambiguous; refuse it if they are, too."""
    first = [row.cells[0] for row in table.body]
    words = [row for row in table.body if not is_numeral(row.cells[0]) and row.cells[0] not in MISSING]
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
    _refuse_first_column(table, table.body[0], corner, "it contains whole numbers such as {}")


def _refuse_first_column(table: Table, row: Row, corner: str, reason: str) -> NoReturn:
    table.refuse(
        row.line,
        f"the first column, {quoted(corner)}, may be topic ids or scores: "
        f"{reason.format(quoted(row.cells[0]))}; name it 'topic' if it contains topic ids, "
        "else put a column of topic ids before it",
    )


def orient(
    corner: str, rows: Sequence[str] | None, columns: Sequence[str] | None, chosen: Orientation
) -> tuple[bool, str]:
    """Return whether rows are topics, by the choice, by the name of the ids or by the ids, and a note on why."""
    if chosen != "auto":
        rows_are_topics = chosen == "topics-by-runs"
        return rows_are_topics, f"{_words(rows_are_topics)}, as chosen."
    if columns is None:
        return (True, f"{_words(True)}, as is usual; if rows are runs and columns are topics, choose that.")
    if rows is None:
        return True, ""
    if plain(corner) in RUN_WORDS:
        return False, f"{_words(False)}: the first column is named {quoted(corner)}."
    columns_are_topics = len(columns) > 1 and all(map(TOPIC_ID.fullmatch, columns))
    if plain(corner) in TOPIC_WORDS:
        doubt = len(columns) > 1 and all(map(is_whole, columns)) and not any(map(is_numeral, rows))
        return (
            True,
            "All columns are named by whole numbers and the rows are not: if columns are topics and rows are runs, "
            "choose that orientation."
            if doubt
            else "",
        )
    rows_are_topics = all(map(TOPIC_ID.fullmatch, rows))
    if columns_are_topics and not rows_are_topics:
        examples = f"{quoted(columns[0])}, {quoted(columns[1])}"
        return False, f"{_words(False)}: columns are named as topics are ({examples}), rows are not."
    if columns_are_topics == rows_are_topics:
        both = "both are" if rows_are_topics else "neither are"
        return (
            True,
            f"{_words(True)}, as is usual; {both} named as topics often are. If rows are runs and columns "
            "are topics, choose that.",
        )
    return True, ""


def _words(rows_are_topics: bool) -> str:
    rows, columns = ("topics", "runs") if rows_are_topics else ("runs", "topics")
    return f"Rows were taken for {rows} and columns for {columns}"
