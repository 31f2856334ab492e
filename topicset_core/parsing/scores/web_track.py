"""Outputs of TREC's web track: gdeval.pl and ndeval, ``runid,topic,`` and a column a measure.

Both end in a row of means, ``amean``. Outputs of several runs are often put one after the other, each with
its header; and a risk-sensitive gdeval writes run names with commas in them and no quotation marks.
Shapes by the sources of gdeval.pl and ndeval.c (C. Clarke).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.scores.entries import Reading
from topicset_core.parsing.scores.measure_columns import read_measure_columns
from topicset_core.parsing.table import Row, Table, plain
from topicset_core.wording import counted, listed, shown

HEADER = ("runid", "topic")
GDEVAL = re.compile(r"(?:ndcg|err)@\d+", re.ASCII)
NDEVAL = re.compile(r"(?:n?ERR-IA|alpha-n?DCG|P-IA|strec)@\d+|n?NRBP|MAP-IA", re.ASCII)
RELATIVE = re.compile(r".+ \(rel to\. .+\)")
"""What a risk-sensitive gdeval calls a run: A (rel to. B, rs=1+a, a=1)."""


def is_web_track(table: Table, choices: Choices) -> bool:
    """Say whether columns are runid, topic, and measures that gdeval or ndeval write."""
    first, *measures = table.header.cells[1:] or [""]
    return (
        not table.is_records
        and choices.columns is None
        and (plain(table.header.cells[0]), plain(first)) == HEADER
        and bool(measures)
        and (all(map(GDEVAL.fullmatch, measures)) or any(map(NDEVAL.fullmatch, measures)))
    )


def read_web_track(table: Table, choices: Choices) -> Reading:
    """Read the scores of one run or of several, each under its header.

    Raises
    ------
    ParseError
        At the first line that does not fit.
    """
    rows = [_whole(row, len(table.header.cells)) for row in table.body]
    headers = [row for row in rows if row.cells == table.header.cells]
    other = next((row for row in rows if _is_header(row.cells) and row not in headers), None)
    if other is not None:
        raise ParseError(
            table.file,
            other.line,
            f"expected the header of line {table.header.line} again, found {shown(','.join(other.cells))}; save "
            "outputs of other measures or depths to a file of their own",
        )
    rows = [row for row in rows if not _is_header(row.cells)]
    reading = read_measure_columns(replace(table, rows=[table.header, *rows]), choices)
    relative = dict.fromkeys(row.cells[0] for row in rows if RELATIVE.fullmatch(row.cells[0]))
    said = [*_writer(table.header.cells[2:])]
    if headers:
        said.append(f"{counted(len(headers), 'line')} with the same header again passed over.")
    if relative:
        said.append(
            f"Risk-sensitive scores, differences from a baseline and not scores: {listed(list(relative))}."
        )
    return replace(reading, recognised=(*said, *reading.recognised))


def _is_header(cells: Sequence[str]) -> bool:
    return tuple(map(plain, cells[:2])) == HEADER


def _whole(row: Row, width: int) -> Row:
    """Put the name of a run together that commas have cut."""
    more = len(row.cells) - width
    name = ", ".join(row.cells[: more + 1])
    return Row(row.line, [name, *row.cells[more + 1 :]]) if more > 0 and RELATIVE.fullmatch(name) else row


def _writer(measures: Sequence[str]) -> Iterator[str]:
    """Say which program wrote the file, and what its measures are."""
    if all(map(GDEVAL.fullmatch, measures)):
        names = listed([measure_name(one) or one for one in measures])
        yield (
            f"Columns as gdeval.pl writes them, {names}: nDCG with gains 2^grade - 1, ERR with 4 for the "
            "highest grade."
        )
    else:
        yield "Columns as ndeval writes them, of diversity evaluation; grades within an intent do not count."
