"""What a user gives, whatever it is packed in, to tables: archives, workbooks, JSON, text."""

from typing import NamedTuple

from topicset_core.errors import ParseError
from topicset_core.parsing.archives import is_workbook, unpack_scores
from topicset_core.parsing.delimited import split
from topicset_core.parsing.file_names import Source, source_of
from topicset_core.parsing.json_records import is_json, split_records
from topicset_core.parsing.table import Table
from topicset_core.parsing.text import decode
from topicset_core.parsing.workbook import read_workbook
from topicset_core.wording import listed


class Found(NamedTuple):
    """A table and where it comes from; `archive` is the archive it was in, or empty."""

    table: Table
    source: Source
    archive: str


class Opened(NamedTuple):
    """The tables in a file, errors for what is none, and sentences on what was left out."""

    tables: tuple[Found, ...]
    errors: tuple[ParseError, ...]
    said: tuple[str, ...]


def open_file(content: bytes | str, file: str) -> Opened:
    """Find all tables in a file or in pasted text; what is none is an error beside the others.

    Parameters
    ----------
    content : bytes or str
        The file, or text that was pasted.
    file : str
        The file as the user named it.
    """
    if isinstance(content, str):
        return _tables(content, file, "")
    try:
        unpacked = unpack_scores(content, file)
    except ParseError as error:
        return Opened((), (error,), ())
    opened = [_tables(one.content, one.name, one.archive) for one in unpacked.files]
    return Opened(
        tuple(table for one in opened for table in one.tables),
        (*unpacked.errors, *(error for one in opened for error in one.errors)),
        (*unpacked.said, *(sentence for one in opened for sentence in one.said)),
    )


def _tables(content: bytes | str, file: str, archive: str) -> Opened:
    try:
        if isinstance(content, bytes) and is_workbook(content):
            return _sheets(content, file, archive)
        text = decode(content, file)
        table = split_records(text, file) if is_json(text) else split(text, file)
    except ParseError as error:
        return Opened((), (error,), ())
    return Opened((Found(table, source_of(file), archive),), (), ())


def _sheets(content: bytes, file: str, archive: str) -> Opened:
    sheets, empty = read_workbook(content, file)
    source = source_of(file)
    tables = []
    errors = []
    for name, table in sheets:
        if isinstance(table, ParseError):
            errors.append(table)
        elif len(sheets) == 1:
            tables.append(Found(table, source._replace(place=table.file, sheet=name), archive))
        else:
            # Several sheets are several measures, collections or runs; their names tell them apart.
            tables.append(Found(table, source._replace(place=table.file, sheet=name, run=name), archive))
    said = (f"Empty sheets of {file} left out: {listed(empty, 20)}.",) if empty else ()
    return Opened(tuple(tables), tuple(errors), said)
