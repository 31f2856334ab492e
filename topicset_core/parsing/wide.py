"""Wide tables: a header row, then one row of scores a topic, or one a run.

Ids of the rows stand in the first column, whose header may be anything (``topic``, ``AP``, nothing),
or there are none. A table of nothing but numbers has no header either.
"""

from collections.abc import Sequence

from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.numerals import Place, is_fraction, is_numeral, is_whole, read_numbers
from topicset_core.parsing.orientation import TOPIC_WORDS, orient
from topicset_core.parsing.reading import Entries, Reading
from topicset_core.parsing.row_ids import RowIds, names_ids, row_ids
from topicset_core.parsing.rows import refuse_header_again
from topicset_core.parsing.summaries import is_summary, without_summary_topics
from topicset_core.parsing.table import Row, Table, plain
from topicset_core.wording import counted, shown


def is_plain_matrix(table: Table, _: Choices) -> bool:
    """Say whether there is nothing but numbers, and the first row is none of names."""
    cells = table.header.cells
    rows = [row.cells for row in table.rows]
    return any(map(is_fraction, cells)) and all(
        len(row) == len(cells) and all(map(is_numeral, row)) for row in rows
    )


def read_plain_matrix(table: Table, choices: Choices) -> Reading:
    """Read a table of numbers without any names.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    first = [row.cells[0] for row in table.rows]
    others = [cell for row in table.rows for cell in row.cells[1:]]
    # Whole numbers that never repeat, beside fractions: 401 0.31 0.28.
    has_ids = all(map(is_whole, first)) and len(set(first)) == len(first) and any(map(is_fraction, others))
    n_names = len(table.header.cells) - has_ids
    names = ([""] if has_ids else []) + [str(number) for number in range(1, n_names + 1)]
    ids = RowIds(Row(table.header.line, names), tuple(first) if has_ids else None, int(has_ids), has_ids)
    return _read(table, table.rows, ids, choices, has_header=False)


def read_wide(table: Table, choices: Choices) -> Reading:
    """Read a table of topics by runs, or of runs by topics, with a header row.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    ids = row_ids(table)
    refuse_header_again(table)
    return _read(table, table.body, ids, choices, has_header=True)


def _read(table: Table, body: Sequence[Row], ids: RowIds, choices: Choices, *, has_header: bool) -> Reading:
    header = ids.header
    _refuse_ragged_rows(table, body, ids)
    corner = header.cells[0] if ids.first_score else ""
    names = tuple(header.cells[ids.first_score :])
    way = orient(corner, ids.ids, names if has_header else None, choices.orientation)
    noun = "topic" if way.rows_are_topics else "run"
    other = "run" if way.rows_are_topics else "topic"
    rows = ids.ids if ids.ids is not None else tuple(str(number + 1) for number in range(len(body)))
    _refuse_empty_names(table, body, ids, noun, other)
    _refuse_measures_for_columns(table, header, names, other)
    _refuse_ids_behind(table, ids, names)
    topic_axis = rows if way.rows_are_topics else names
    has_topic_names = ids.ids is not None if way.rows_are_topics else has_header
    kept, taken_out = without_summary_topics(topic_axis, "row" if way.rows_are_topics else "column")
    if not has_topic_names:
        kept, taken_out = list(range(len(topic_axis))), ()
    everything = list(range(len(names if way.rows_are_topics else rows)))
    kept_rows, kept_columns = (kept, everything) if way.rows_are_topics else (everything, kept)
    first = ids.first_score
    cells = [body[row].cells[column + first] for row in kept_rows for column in kept_columns]

    def place(index: int) -> Place:
        kept_row, kept_column = divmod(index, len(kept_columns))
        row, column = kept_rows[kept_row], kept_columns[kept_column]
        topic, system = (row, column) if way.rows_are_topics else (column, row)
        systems = names if way.rows_are_topics else rows
        words = f"topic {shown(topic_axis[topic])}, run {shown(systems[system])}"
        # The column as the eye counts it, in a file without names above the ids as well.
        return Place(table.file, body[row].line, f"{words}, {table.at(body[row].line, column + first)}")

    numbers = read_numbers(cells, place)
    of_rows = [rows[row] for row in kept_rows for _ in kept_columns]
    of_columns = [names[column] for column in kept_columns] * len(kept_rows)
    topics, systems = (of_rows, of_columns) if way.rows_are_topics else (of_columns, of_rows)
    measure = None
    if ids.ids is not None and has_header and not ids.nameless and names_ids(table):
        measure = measure_name(corner)
    entries = Entries(
        topics=topics,
        systems=systems,
        values=numbers.values,
        empty=numbers.empty,
        place=place,
        measure=measure,
        decimal_comma=numbers.decimal_comma,
    )
    shape = f"{counted(len(kept_rows), noun)} (rows) by {counted(len(kept_columns), other)} (columns)"
    said = [f"A wide table of {shape}.", *taken_out, _origin(ids, noun, len(body))]
    if not has_header:
        said.append(f"There is no header row: {other}s are numbered 1 to {len(names)}.")
    if way.said:
        said.append(way.said)
    if choices.orientation == "auto" and has_header and not way.rows_are_topics:
        said.append("NewBestSub reads tables of this layout, a row a run and a column a topic.")
    if numbers.decimal_comma:
        said.append("Scores are written with decimal commas.")
    return Reading(
        tables=(entries,),
        recognised=tuple(said),
        measure_source=f"the header of the first column, {shown(corner)}" if measure else "",
    )


def _origin(ids: RowIds, noun: str, n_rows: int) -> str:
    kind = "Topic ids" if noun == "topic" else "Run names"
    if ids.ids is None:
        return f"There is no column of {kind[0].lower()}{kind[1:]}: {noun}s are numbered 1 to {n_rows}."
    if ids.nameless:
        return f"{kind} come from the first column, which has no name."
    corner = ids.header.cells[0]
    name = shown(corner) if corner else "whose name is empty"
    return f"{kind} come from the first column, {name}."


def _refuse_ragged_rows(table: Table, body: Sequence[Row], ids: RowIds) -> None:
    width = len(ids.header.cells)
    source = "a topic id and one for each run" if ids.nameless else f"as in line {ids.header.line}"
    for row in body:
        if len(row.cells) != width:
            raise ParseError(
                table.file,
                row.line,
                f"expected {counted(width, 'cell')}, {source}, found {len(row.cells)} ({table.layout})",
            )


def _refuse_empty_names(table: Table, body: Sequence[Row], ids: RowIds, noun: str, other: str) -> None:
    kinds = {"topic": "a topic id", "run": "a run name"}
    # Columns count as in the file, where the header may lack the name above the ids.
    for column, name in enumerate(ids.header.cells[ids.first_score :], start=ids.first_score):
        if not name:
            raise ParseError(
                table.file,
                ids.header.line,
                f"expected {kinds[other]} in {table.at(ids.header.line, column)}, found an empty cell (do all "
                "lines end with a delimiter?)",
            )
    for name, row in zip(ids.ids or (), body, strict=False):
        if not name:
            raise ParseError(
                table.file,
                row.line,
                f"expected {kinds[noun]} in {table.at(row.line, 0)}, found an empty cell",
            )


def _refuse_ids_behind(table: Table, ids: RowIds, names: Sequence[str]) -> None:
    """Refuse topic ids behind the first column, as pandas writes them behind its index: they are no scores."""
    column = next(
        (at for at, name in enumerate(names, start=ids.first_score) if plain(name) in TOPIC_WORDS), 0
    )
    if column:
        line = ids.header.line
        raise ParseError(
            table.file,
            line,
            f"expected a run in {table.at(line, column)}, found {shown(ids.header.cells[column])}: if it holds "
            "topic ids, put it first and take the column of other ids out",
        )


def _refuse_measures_for_columns(table: Table, header: Row, names: Sequence[str], other: str) -> None:
    """Refuse scores by several measures for those of runs or topics: they have no variance in common."""
    # Runs may be called p1, p2, p3, which also are spellings of P@1, P@2, P@3.
    kinds = {
        (measure_name(name) or "").partition("@")[0]
        for name in names
        if not is_summary(name) or measure_name(name)
    }
    explicit = all("@" in name or "cut" in name for name in names)
    if kinds and "" not in kinds and len(names) > 1 and (len(kinds) > 1 or explicit):
        raise ParseError(
            table.file,
            header.line,
            f"expected names of {other}s, scored by one measure, found only names of measures: "
            f"{', '.join(map(shown, names[:5]))}",
        )
