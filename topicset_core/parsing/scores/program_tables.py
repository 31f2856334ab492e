"""Tables of programs that are changed before their columns get roles.

gdeval.pl and ndeval of TREC's web track write ``runid,topic,`` and one column per measure, and end in a row
of means, ``amean``. Outputs of several runs are often put one after the other, each with its header; and a
risk-sensitive gdeval writes run names with commas in them and no quotation marks. Shapes by the sources of
gdeval.pl and ndeval.c (C. Clarke). Samples of ragas have questions of several lines.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.table import Row, Table, plain
from topicset_core.wording import counted, listed, quoted


def is_ragas(table: Table, choices: Choices) -> bool:
    """Return whether the columns are those of samples of ragas, and scores."""
    names = set(map(plain, table.header.cells))
    known = {"userinput", "response"} <= names or {"userinput", "retrievedcontexts"} <= names
    return choices.columns is None and (known or {"question", "answer", "contexts"} <= names)


def ragas(table: Table) -> tuple[Table, tuple[str, ...]]:
    """Return samples of ragas with each text on one line."""
    rows = [Row(line, [" ".join(cell.split()) for cell in cells]) for line, cells in table.rows]
    return replace(table, rows=rows), ("Results of ragas.",)


WEB_HEADER = ("runid", "topic")
GDEVAL = re.compile(r"(?:ndcg|err)@\d+", re.ASCII)
NDEVAL = re.compile(r"(?:n?ERR-IA|alpha-n?DCG|P-IA|strec)@\d+|n?NRBP|MAP-IA", re.ASCII)
RELATIVE = re.compile(r".+ \(rel to\. .+\)")
"""Name of a run in a risk-sensitive gdeval: A (rel to. B, rs=1+a, a=1)."""


def is_web_track(table: Table, choices: Choices) -> bool:
    """Return whether columns are runid, topic, and measures that gdeval or ndeval write."""
    first, *measures = table.header.cells[1:] or [""]
    return (
        not table.is_records
        and choices.columns is None
        and (plain(table.header.cells[0]), plain(first)) == WEB_HEADER
        and bool(measures)
        and (all(map(GDEVAL.fullmatch, measures)) or any(map(NDEVAL.fullmatch, measures)))
    )


def web_track(table: Table) -> tuple[Table, tuple[str, ...]]:
    """Return the scores of one run or of several under a single header, and sentences on them."""
    rows = [_whole(row, len(table.header.cells)) for row in table.body]
    headers = [row for row in rows if row.cells == table.header.cells]
    other = next((row for row in rows if _is_header(row.cells) and row not in headers), None)
    if other is not None:
        table.refuse(
            other.line,
            f"expected the header of line {table.header.line} again, found {quoted(','.join(other.cells))}; save "
            "outputs of other measures or depths to separate files",
        )
    rows = [row for row in rows if not _is_header(row.cells)]
    relative = dict.fromkeys(row.cells[0] for row in rows if RELATIVE.fullmatch(row.cells[0]))
    notes = ["Columns as ndeval writes them, of diversity evaluation; grades within an intent do not count."]
    measures = table.header.cells[2:]
    if all(map(GDEVAL.fullmatch, measures)):
        names = listed([measure_name(measure) or measure for measure in measures])
        gains = "nDCG with gains 2^grade - 1, ERR with 4 for the highest grade"
        notes = [f"Columns as gdeval.pl writes them, {names}: {gains}."]
    if headers:
        notes.append(f"{counted(len(headers), 'line')} with a repeated header ignored.")
    if relative:
        notes.append(
            f"Risk-sensitive scores, differences from a baseline and not scores: {listed(list(relative))}."
        )
    return replace(table, rows=[table.header, *rows]), tuple(notes)


def _is_header(cells: Sequence[str]) -> bool:
    return tuple(map(plain, cells[:2])) == WEB_HEADER


def _whole(row: Row, width: int) -> Row:
    """Put the name of a run together that commas have cut."""
    more = len(row.cells) - width
    name = ", ".join(row.cells[: more + 1])
    return Row(row.line, [name, *row.cells[more + 1 :]]) if more > 0 and RELATIVE.fullmatch(name) else row


class ProgramTable(NamedTuple):
    """How the table of a program is recognised, and how it is changed, with sentences on that."""

    recognises: Callable[[Table, Choices], bool]
    change: Callable[[Table], tuple[Table, tuple[str, ...]]]


PROGRAM_TABLES = (ProgramTable(is_web_track, web_track), ProgramTable(is_ragas, ragas))
