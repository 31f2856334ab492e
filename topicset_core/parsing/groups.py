"""The group of each topic: a table with a column of topics and one of groups, or a pattern of the topic ids.

Columns are found by their header, as ``topic`` and ``group``; without one the first column has the topics and the
second the groups. In a pattern, the group is what the first ``*`` stands for, as many characters as fit:
``*_*`` takes topic ``31_4`` to group ``31``.
"""

import re
from collections.abc import Iterable

from topicset_core.errors import InputError, ParseError
from topicset_core.parsing.opening import only_table
from topicset_core.parsing.table import (
    TOPIC_WORDS,
    Row,
    Table,
    plain,
    refuse_odd_names,
    refuse_unequal_rows,
    words,
)
from topicset_core.wording import listed, quoted

GROUP_WORDS = words(
    "group groups groupid cluster clusters clusterid block blocks dataset datasets conversation conversations "
    "conversationid session sessions sessionid passage passages passageid task family category source repo"
)
"""Names of the column of groups, as `plain` leaves them."""


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
    table = only_table(content, file)
    refuse_unequal_rows(table, table.body)
    line, header = table.header
    names = [plain(cell) for cell in header]
    places = {name: [at for at, one in enumerate(names) if one in of] for name, of in _COLUMNS.items()}
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
    groups = groups_in(table, rows, topic_at, group_at)
    if not groups:
        raise ParseError(file, None, "expected topics and their groups, found none")
    return groups


def groups_in(table: Table, rows: Iterable[Row], topic_at: int, group_at: int) -> dict[str, str]:
    """Return the group of each topic by two columns; refuse an empty cell, and a topic in two groups."""
    groups: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, cells in rows:
        topic, group = cells[topic_at], cells[group_at]
        if not (topic and group):
            table.refuse(number, "expected a topic and its group, found an empty cell")
        if groups.setdefault(topic, group) != group:
            before = f"{quoted(groups[topic])} in line {lines[topic]}"
            table.refuse(
                number, f"expected one group of topic {quoted(topic)}, found {quoted(group)} and {before}"
            )
        lines.setdefault(topic, number)
    return groups


_COLUMNS = {"topic": TOPIC_WORDS | words("id"), "group": GROUP_WORDS}


def groups_by_pattern(pattern: str, topics: Iterable[str]) -> dict[str, str]:
    """Return the group of each topic whose id fits a pattern; refuse the first that does not fit.

    Parameters
    ----------
    pattern : str
        Text with ``*`` for any characters; the group is what the first stands for, as many as fit.
    topics : iterable of str
        The ids.
    """
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
