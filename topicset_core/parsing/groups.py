"""The group of each topic: a table with a column of topics and one of groups, or a pattern of the topic ids.

Columns are found by their header, as ``topic`` and ``group``; without one the first column has the topics and the
second the groups. In a pattern, the group is what the first ``*`` stands for, as many characters as fit:
``*_*`` takes topic ``31_4`` to group ``31``.
"""

import re
from collections.abc import Collection, Iterable

from topicset_core.errors import InputError, ParseError
from topicset_core.parsing.names import lookalikes, refuse_twins
from topicset_core.parsing.numerals import MISSING, is_numeral, value_of
from topicset_core.parsing.opening import only_table
from topicset_core.parsing.table import (
    TOPIC_WORDS,
    Table,
    plain,
    refuse_odd_names,
    refuse_unequal_rows,
    unread,
    words,
)
from topicset_core.wording import listed, quoted

GROUP_WORDS = words(
    "group groups groupid cluster clusters clusterid block blocks dataset datasets conversation conversations "
    "conversationid session sessions sessionid passage passages passageid task family category source repo"
)
"""Names of the column of groups, as `plain` leaves them."""

MAY_BE_OTHER = words("task source")
"""Those of them that may name what differs on one topic, as a repeat or where a run is from."""


def read_groups(file: str, content: bytes | str) -> dict[str, str]:
    """Return the group of each topic that a table names.

    Parameters
    ----------
    file : str
        Name of the file, for messages.
    content : bytes or str
        CSV, TSV or another table: a column of topics and a column of groups.

    Raises
    ------
    ParseError
        If the table is not of this form, a cell is empty, or a topic is in two groups.
    """
    return groups_and_notes(file, content)[0]


def groups_and_notes(file: str, content: bytes | str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the groups as `read_groups`, and a note on columns that were not read."""
    table = only_table(content, file)
    refuse_unequal_rows(table, table.body)
    line, header = table.header
    names = [plain(cell) for cell in header]
    places = {name: [at for at, name in enumerate(names) if name in of] for name, of in _COLUMNS.items()}
    has_header = any(places.values())
    if has_header and len(header) == 2:  # the other column is the other one
        known = next(name for name, at in places.items() if at)
        places = {known: places[known], **{name: [1 - places[known][0]] for name in places if name != known}}
    elif not has_header:
        places = {"topic": [0], "group": [1]} if len(header) == 2 else {"topic": []}
    if any(len(at) != 1 for at in places.values()) or places["topic"] == places["group"]:
        table.refuse(line, f"expected one column topic and one column group, found {listed(header)}")
    topic_at, group_at = places["topic"][0], places["group"][0]
    rows = table.body if has_header else table.rows
    refuse_odd_names(table, "topic id", [cells[topic_at] for _, cells in rows])
    refuse_odd_names(table, "group", [cells[group_at] for _, cells in rows])
    groups = groups_in(table, ((line, cells[topic_at], cells[group_at]) for line, cells in rows), group_at)
    if not groups:
        raise ParseError(file, None, "expected topics and their groups, found none")
    refuse_twins(groups.values(), table.file, "group")
    for one, other in lookalikes(dict.fromkeys(groups.values())):
        found = f"found {quoted(one)} and {quoted(other)}, which differ in zeros alone"
        raise ParseError(table.file, None, f"expected each group to be written in one way, {found}")
    return groups, unread(table, (topic_at, group_at))


def groups_in(table: Table, rows: Iterable[tuple[int, str, str]], column: int) -> dict[str, str]:
    """Return the group of each topic by line, topic and group; refuse an empty one, and a topic in two groups."""
    groups: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, topic, group in rows:
        if not (topic and group):
            place = "an empty topic id" if group else f"an empty cell in {table.at(number, column)}"
            table.refuse(number, f"expected a topic and its group, found {place}")
        if groups.setdefault(topic, group) != group:
            before = f"{quoted(groups[topic])} in line {lines[topic]}"
            table.refuse(
                number, f"expected one group of topic {quoted(topic)}, found {quoted(group)} and {before}"
            )
        lines.setdefault(topic, number)
    return groups


def group_columns(
    table: Table, ids: int | None = None, besides: Collection[int] = (), shift: int = 0
) -> tuple[int, ...]:
    """Return the columns whose names are of groups and whose cells are no scores; refuse those that may be both."""
    # All in front of the column of topic ids, `ids`, are groups, and so are words. Whole numbers are groups, unless
    # all are scores elsewhere in the table. Fractions are scores, unless they lie outside 0 to 1 and all others.
    names = table.header.cells
    besides = {*besides, *(() if ids is None else (ids,))}
    called = {at for at, name in enumerate(names) if at not in besides and plain(name) in GROUP_WORDS}
    results = []
    for at in sorted(called):
        cells = [cell for cell in (row.cells[at + shift] for row in table.body) if cell not in MISSING]
        is_in_front = ids is not None and at < ids
        if cells and not is_in_front and all(map(is_numeral, cells)):
            values = set(map(value_of, cells))
            others = _values(table, called.union(besides), shift)
            is_whole = all(map(float.is_integer, values))
            if not is_whole and min(0.0, *others) <= min(values) and max(values) <= max(1.0, *others):
                continue
            if not is_whole or values <= others:
                table.refuse(
                    table.header.line,
                    f"the column {quoted(names[at])} may be groups of topics or scores: it has numbers such as "
                    f"{quoted(cells[0])}; write groups as words, as g{cells[0]}, or give scores another name",
                )
        if cells:
            results.append(at)
    return tuple(results)


def _values(table: Table, besides: Collection[int], shift: int) -> set[float]:
    """Return the numbers in all other columns but the first, which may have ids."""
    kept = [at for at in range(1, len(table.header.cells)) if at not in besides]
    cells = {row.cells[at + shift] for row in table.body for at in kept}
    return set(map(value_of, filter(is_numeral, cells)))


_COLUMNS = {"topic": TOPIC_WORDS | words("id"), "group": GROUP_WORDS}


def groups_by_pattern(pattern: str, topics: Iterable[str]) -> dict[str, str]:
    """Return what the first ``*`` of a pattern stands for in each topic id; refuse an id that does not fit."""
    first, *others = (re.escape(part) for part in pattern.split("*"))
    form = re.compile(f"{first}(.+){'.*'.join(others)}", re.DOTALL) if others else None
    groups = {}
    for topic in topics:
        match = form.fullmatch(topic) if form else None
        if match is None:
            raise InputError(
                "groups", pattern, f"must be a file or a pattern that fits each topic, as {topic!r}"
            )
        groups[topic] = match[1]
    return groups
