"""Tables with a header to scores, by the roles of their columns.

Three shapes follow from the roles: a row names its run or measure and has one score (long); a row has scores of
one run, or of the run that it names, by the measures that columns are named after; a row has scores of runs that
columns are named after (wide, see `wide`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.columns import is_measure
from topicset_core.parsing.numerals import MISSING, is_numeral
from topicset_core.parsing.roles import Roles
from topicset_core.parsing.scores.entries import (
    ONLY_SUMMARY,
    Columns,
    Entries,
    Reading,
    sort_rows,
    with_groups,
)
from topicset_core.parsing.scores.long import shapes
from topicset_core.parsing.scores.wide import read_wide
from topicset_core.parsing.table import SCORE_WORDS, Row, Table, plain, refuse_header_again
from topicset_core.wording import counted, listed, quoted


def read_by_roles(table: Table, roles: Roles, choices: Choices) -> Reading:
    """Read a table whose columns have these roles."""
    refuse_header_again(table)
    table, notes = _in_numbers(table, roles, choices)
    reading = (_by_columns if roles.of == "runs" else _by_rows)(table, roles, choices)
    topic = roles.place("topic")
    ids = [row.cells[topic] for row in table.body] if topic is not None else reading.row_ids
    rows = zip(table.body, ids, strict=True)
    reading = with_groups(reading, table, roles.places("group"), rows)
    notes = (*reading.recognised, *notes, *roles.notes)
    return replace(reading, recognised=notes, roles=_shown(roles, reading))


def _shown(roles: Roles, reading: Reading) -> Roles:
    """Return the roles as a wide table was read: its first column may have topics or runs."""
    first = next((at for at, column in enumerate(roles.columns) if column.role == "scores"), None)
    if reading.first_is is None or first is None:
        return roles
    ids = roles.place("topic")
    ids = roles.place("run") if ids is None else ids
    at = first if ids is None else ids
    column = roles.columns[at]
    reason = column.reason if column.role == reading.first_is else "the first column"
    columns = [*roles.columns]
    columns[at] = column._replace(role=reading.first_is, reason=reason)
    return replace(roles, columns=tuple(columns))


def _in_numbers(table: Table, roles: Roles, choices: Choices) -> tuple[Table, tuple[str, ...]]:
    """Return a table in which words of scores are 1 and 0, and a sentence on them."""
    words: dict[int, dict[str, str]] = {}
    for at in roles.places("scores"):
        if is_numeral(roles.columns[at].example):
            continue
        spellings = {cell for cell in (row.cells[at] for row in table.body) if cell not in MISSING}
        spelt = {cell.casefold() for cell in spellings}
        if spellings and spelt <= {"true", "false"}:
            words[at] = {cell: "1" if cell.casefold() == "true" else "0" for cell in spellings}
        elif choices.true is not None and len(spellings) <= 2 and not any(map(is_numeral, spellings)):
            words[at] = {cell: "1" if cell == choices.true else "0" for cell in spellings}
    if not words:
        return table, ()
    pairs = dict(pair for of in words.values() for pair in of.items())
    rows = [
        Row(line, [words[at].get(cell, cell) if at in words else cell for at, cell in enumerate(cells)])
        for line, cells in table.body
    ]
    meanings = ", ".join(
        f"{quoted(word)} is {number}" for word, number in sorted(pairs.items(), key=lambda pair: pair[1])
    )
    return replace(table, rows=[table.header, *rows]), (f"Scores are words: {meanings}.",)


def _by_columns(table: Table, roles: Roles, choices: Choices) -> Reading:
    """Read scores of the runs, or topics, that columns are named after."""
    ids, rows = roles.place("topic"), "topics"
    if ids is None:
        ids, rows = roles.place("run"), "runs"
    kept = [*(() if ids is None else (ids,)), *roles.places("scores")]
    at = table.at
    trimmed = replace(
        table,
        rows=[Row(line, [cells[column] for column in kept]) for line, cells in table.rows],
        at=lambda line, column: at(line, kept[column]),
    )
    is_stated = ids is not None and roles.columns[ids].reason == "as stated"
    return read_wide(
        trimmed,
        choices,
        has_ids=True if ids is not None else None,
        rows_are=rows if is_stated else "",
        has_groups=bool(roles.places("group")),
    )


def _by_rows(table: Table, roles: Roles, choices: Choices) -> Reading:
    """Read scores whose rows name their topic, and perhaps their run and measure."""
    names, line = table.header.cells, table.header.line
    topic, run, measure = (roles.place(role) for role in ("topic", "run", "measure"))
    scores = roles.places("scores")
    if roles.of == "rows" and len(scores) > 1:
        table.refuse(line, f"expected one column of scores, found {listed([names[at] for at in scores])}")
    called = [names[at] for at in scores]
    again = next((at for at in scores if called.count(names[at]) > 1), None)
    if again is not None:
        places = [table.at(line, at) for at in scores if names[at] == names[again]]
        both = " and ".join(places[:2])
        table.refuse(line, f"expected each column once, found {quoted(names[again])} in {both}")
    ids = [
        str(number) if topic is None else row.cells[topic] for number, row in enumerate(table.body, start=1)
    ]
    if topic is None:
        # A column of numbers is put behind the others; no place of a score is moved by it.
        topic = len(names)
        numbered = [Row(row.line, [*row.cells, topic]) for row, topic in zip(table.body, ids, strict=True)]
        table = replace(table, rows=[Row(line, [*names, ""]), *numbered])
    tables: list[Entries] = []
    taken_out: tuple[str, ...] = ()
    for at in scores:
        bare = len(scores) == 1 and (plain(names[at]) in SCORE_WORDS or names[at] == f"column {at + 1}")
        name = None if bare or measure is not None else names[at] or f"column {at + 1}"
        of_column, taken_out = sort_rows(table, table.body, Columns(topic, run, at, measure), name)
        tables += of_column
    if not tables:
        table.refuse(None, ONLY_SUMMARY)
    source = f"the column {quoted(names[measure])}" if measure is not None else "the names of the columns"
    return Reading(
        tables=tuple(tables),
        recognised=tuple(_notes(names, roles, tables, taken_out, choices)),
        measure_source=source,
        one_run=run is None,
        row_ids=tuple(ids),
        is_numbered=roles.place("topic") is None,
    )


def _notes(
    names: Sequence[str],
    roles: Roles,
    tables: Sequence[Entries],
    taken_out: Sequence[str],
    choices: Choices,
) -> Iterator[str]:
    """Yield what the table is, and which columns have what."""
    topic, run = roles.place("topic"), roles.place("run")
    runs = "" if run is None else f", runs from {_name(names, run)}"
    scores = [names[at] for at in roles.places("scores")]
    if roles.of == "rows":
        yield f"A long table of {counted(sum(len(table.values) for table in tables), 'score')}, one per row."
    else:
        of_runs = "of one run" if run is None else "of a run and a topic each"
        rows = counted(len(tables[0].values), "row")
        yield f"A table of {rows} {of_runs}, whose columns are measures: {listed(scores, 20)}."
    if topic is None:
        n_rows = len(tables[0].values)
        yield f"There is no column of topic ids: topics are numbered 1 to {n_rows}, in their order."
    else:
        values = f", scores from {quoted(scores[0])}" if roles.of == "rows" else ""
        runs += _why(roles, run)
        yield f"Topics come from the column {_name(names, topic)}{_why(roles, topic)}{runs}{values}."
    if (
        roles.of == "measures"
        and len(scores) > 1
        and choices.columns is None
        and not any(map(is_measure, scores))
    ):
        yield "None of these is the name of a known measure: if they are runs, choose the orientation."
    yield from taken_out
    if roles.of == "rows":
        yield from shapes(tables)


def _name(names: Sequence[str], at: int) -> str:
    return quoted(names[at]) if names[at] else str(at + 1)


def _why(roles: Roles, at: int | None) -> str:
    """Return the reason of a role that does not follow from a name."""
    reason = "" if at is None else roles.columns[at].reason
    return "" if reason in ("", "its name", "as stated") else f" ({reason})"
