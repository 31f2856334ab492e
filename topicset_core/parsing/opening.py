"""User input, in whatever packing, to tables: archives, workbooks, JSON, text.

Text is cut at the delimiter on which its lines agree. JSON is one object per line (JSONL), or an array of
objects. Each sheet of a workbook (xlsx) is a table: cells are taken as stored, not as formatted on screen, and
refused where their score would depend on the evaluation of the sheet (merged cells, formulas without a value).
"""

import csv
import datetime
import io
import json
import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing import limits
from topicset_core.parsing.archives import DAMAGED_ZIP, PIECE, check_zip, is_workbook, unpack_scores
from topicset_core.parsing.limits import Budget, TooMuch
from topicset_core.parsing.names import Source, source_of
from topicset_core.parsing.table import TEXT_WORDS, Opened, Pairs, Row, Table, plain
from topicset_core.parsing.text import LINE_END, NO_CHARACTER, decode
from topicset_core.wording import counted, listed, quoted

if TYPE_CHECKING:
    from _csv import Reader

    from openpyxl.workbook.workbook import Workbook

_JUDGED_BY = 20  # lines at the beginning, on which the delimiter must agree
UNCLOSED = "one is opened and not closed on this line"


class Delimiter(NamedTuple):
    """The separator of cells, and its name."""

    character: str
    name: str


SPACES = Delimiter(" ", "spaces")
# In this order: a comma may be a decimal comma where tabs or semicolons separate, and a space may
# be part of a name where anything else does.
DELIMITERS = (Delimiter("\t", "tabs"), Delimiter(";", "semicolons"), Delimiter(",", "commas"), SPACES)

SEPARATOR = re.compile(r'"?sep=([,;\t]|\\t)"?', re.IGNORECASE)
"""The first line that gives Excel the delimiter."""


def split(text: str, source: Source, budget: Budget) -> Table:
    """Split text into rows of cells, with the delimiter that gives all lines the same number of cells."""
    file = source.file
    budget.take_lines(_line_ends(text, 0, len(text)))
    lines = [(number, line) for number, line in enumerate(LINE_END.split(text), start=1) if line.strip()]
    if not lines:
        raise ParseError(file, None, "expected a table of scores, found an empty file")
    for number, line in lines[:_JUDGED_BY]:
        for delimiter in DELIMITERS:
            _most_cells(number, line, delimiter, file)
    stated = SEPARATOR.fullmatch(lines[0][1].strip(" "))
    if stated and len(lines) > 1:
        lines = lines[1:]
        delimiter = next(one for one in DELIMITERS if one.character == stated[1].replace("\\t", "\t"))
    else:
        delimiter = _delimiter([line for _, line in lines[:_JUDGED_BY]])
    budget.take_cells(sum(_most_cells(number, line, delimiter, file) for number, line in lines))
    rows = list(_split_rows(lines, delimiter, file))
    layout = "there is one column" if len(rows[0].cells) == 1 else f"cells are separated by {delimiter.name}"
    return Table(source, rows, f"{layout}, as given in the line sep=" if stated else layout)


def _delimiter(lines: Sequence[str]) -> Delimiter:
    """Choose the first delimiter on which the lines agree, else the first one in the header."""
    widths = [[_width(line, delimiter) for line in lines] for delimiter in DELIMITERS]
    for delimiter, (header, *body) in zip(DELIMITERS, widths, strict=True):
        # One cell fewer in the header: topic ids without a name above them.
        if header >= 2 and len(set(body)) <= 1 and all(width in (header, header + 1) for width in body):
            return delimiter
    return next((d for d, (header, *_) in zip(DELIMITERS, widths, strict=True) if header >= 2), SPACES)


def _width(line: str, delimiter: Delimiter) -> int:
    """Count the cells of a line; 0 where quotation marks do not match."""
    try:
        return len(next(_reader([line], delimiter)))
    except csv.Error:
        return 0


def _most_cells(number: int, line: str, delimiter: Delimiter, file: str) -> int:
    """Count the cells of a line before it is cut; fewer are left where quotation marks hold delimiters."""
    count = len(line.split()) if delimiter is SPACES else line.count(delimiter.character) + 1
    if count > limits.MOST_COLUMNS:
        expected = f"expected at most {limits.MOST_COLUMNS:,} cells on a line, found {count:,}"
        raise ParseError(file, number, expected)
    return count


def _split_rows(lines: Sequence[tuple[int, str]], delimiter: Delimiter, file: str) -> Iterator[Row]:
    cells_of_lines = _reader([line for _, line in lines], delimiter)
    # Answers of language models have several lines; elsewhere that is a quotation mark too many.
    has_texts = delimiter is not SPACES and not TEXT_WORDS.isdisjoint(
        map(plain, lines[0][1].split(delimiter.character))
    )
    while (lines_read := cells_of_lines.line_num) < len(lines):
        number = lines[lines_read][0]
        try:
            cells = next(cells_of_lines)
        except csv.Error as error:
            unclosed = cells_of_lines.line_num > lines_read + 1 or "end of data" in str(error)
            _refuse_quotes(file, number, UNCLOSED if unclosed else str(error))
        if cells_of_lines.line_num > lines_read + 1 and not has_texts:
            _refuse_quotes(file, number, UNCLOSED)
        yield Row(number, list(map(str.strip, cells)))


def _refuse_quotes(file: str, line: int, reason: str) -> NoReturn:
    raise ParseError(file, line, f"expected cells with matching quotation marks: {reason}")


def _reader(lines: Sequence[str], delimiter: Delimiter) -> "Reader":
    """Read lines as cells; runs of spaces and tabs count as one delimiter where spaces separate."""
    if delimiter is SPACES:
        lines = [line.replace("\t", " ").strip() for line in lines]
    return csv.reader(lines, delimiter=delimiter.character, skipinitialspace=True, strict=True)


_LAYOUT = "each row is a JSON object"
DEEPEST = 20
"""Levels of objects within objects, whose keys are joined."""

_SPACE = " \t\r\n"


def is_json(text: str) -> bool:
    """Return whether text begins as JSON objects do, alone or in an array."""
    start = text[:1000].lstrip()
    return start.startswith("{") or (start.startswith("[") and start[1:].lstrip()[:1] in ("{", "]", "["))


def split_records(text: str, source: Source, budget: Budget) -> Table:
    """Read objects as rows; their keys are the columns, keys of inner objects joined by dots."""
    file = source.file
    # A small text may hold very many objects, lists and values: they are counted before any is made.
    budget.take_lines(text.count("{"))
    budget.take_cells(text.count(",") + text.count("["))
    keys: dict[str, int] = {}
    records: list[tuple[int, list[str]]] = []
    objects = _objects(text, file)
    first = list(islice(objects, 2))
    rows_of_columns = _rows_of_columns(first)
    # Lists are kept for the readers of logs; other objects are many, and dropped one by one.
    kept = [*first, *objects] if text.count("[") > text[:1000].lstrip().startswith("[") else []
    for line, record in rows_of_columns or kept or chain(first, objects):
        cells: dict[str, str] = {}
        _flatten(record, "", cells, line, file)
        for key in cells:
            keys.setdefault(key, len(keys))
        # One of few lists, where all have the same keys: each key with a value of its own would be much more.
        records.append((line, [cells.get(name, "") for name in keys]))
        if len(keys) * len(records) > limits.MOST_CELLS:
            found = f"{len(keys):,} keys in {len(records):,} objects"
            raise ParseError(file, None, f"expected objects with the same keys, found {found}")
    if len(records) == 1 and not rows_of_columns:
        _refuse_object_of_objects(*first[0], file)
    if not records:
        raise ParseError(file, None, "expected JSON objects with scores, found none")
    if not keys:
        raise ParseError(file, records[0][0], "expected JSON objects with scores, found an empty one")
    names = list(keys)
    rows = [Row(line, cells + [""] * (len(names) - len(cells))) for line, cells in records]

    def at(_: int, column: int) -> str:
        return f"key {quoted(names[column])}" if column < len(names) else "the count"

    layout = (
        _LAYOUT
        if "true" not in text and "false" not in text
        else f"{_LAYOUT}, in which true is 1 and false is 0"
    )
    header = Row(0 if rows_of_columns else records[0][0], names)
    return Table(
        source,
        [header, *rows],
        layout,
        at,
        is_records=True,
        unit="row" if rows_of_columns else "line",
        records=kept,
    )


def _rows_of_columns(objects: Sequence[tuple[int, Pairs]]) -> list[tuple[int, Pairs]]:
    """Return the rows of one object of columns whose keys count them, as pandas writes a frame; else none."""
    if len(objects) != 1 or not objects[0][1]:
        return []
    columns = objects[0][1]
    cells = columns[0][1]
    numbers = [str(row) for row in range(len(cells))] if isinstance(cells, Pairs) else []
    for _, cells in columns:
        if not numbers or not isinstance(cells, Pairs) or [key for key, _ in cells] != numbers:
            return []
    rows = zip(*([value for _, value in cells] for _, cells in columns), strict=True)
    names = [name for name, _ in columns]
    return [(row, Pairs(zip(names, values, strict=True))) for row, values in enumerate(rows, start=1)]


def _objects(text: str, file: str) -> Iterator[tuple[int, Pairs]]:
    """Yield each object with the line it begins on."""
    # Numbers stay in writing, to be judged as cells of other tables are; NaN is what Python writes
    # for a score that is missing.
    decoder = json.JSONDecoder(
        object_pairs_hook=Pairs,
        parse_float=str,
        parse_int=str,
        parse_constant=lambda constant: "" if constant == "NaN" else constant,
    )
    line, counted_to = 1, 0
    position = _skip(text, 0)
    in_array = text[position : position + 1] == "["
    if in_array:
        position = _skip(text, position + 1)
    while position < len(text):
        line += _line_ends(text, counted_to, position)
        counted_to = position
        if in_array and text[position] == "]":
            position = _skip(text, position + 1)
            if position < len(text):
                _refuse_json(
                    file, line, f"the end of the file after the array, found {quoted(text[position:])}"
                )
            return
        if text[position] != "{":
            _refuse_json(
                file, line, f'an object, as in {{"topic": 1, "AP": 0.5}}, found {quoted(text[position:])}'
            )
        try:
            value, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            _refuse_json(file, line + _line_ends(text, position, error.pos), f"valid JSON: {error.msg}")
        except RecursionError:
            _refuse_json(file, line, f"objects within objects to a depth of at most {DEEPEST}, found more")
        yield line, value
        position = _skip(text, end)
        if in_array and text[position : position + 1] == ",":
            position = _skip(text, position + 1)
        elif in_array and position < len(text) and text[position] != "]":
            _refuse_json(
                file,
                line + _line_ends(text, counted_to, position),
                "a comma or ] after an object of the array",
            )
    if in_array:
        _refuse_json(file, line, "] at the end of the array, found the end of the file")


def _refuse_object_of_objects(line: int, record: Any, file: str) -> None:
    """Refuse one object whose keys are topics or runs: the memory of an evaluator, dumped without changes."""
    pairs = list(record)
    keys = [key for key, value in pairs if isinstance(value, Pairs)]
    if keys and len(keys) == len(pairs):
        _refuse_json(
            file,
            line,
            'an object for each topic, as in {"topic": "401", "map": 0.5}, found one object of objects, with the '
            f"keys {listed(keys, 3)}",
        )


def _flatten(record: Any, before: str, cells: dict[str, str], line: int, file: str, depth: int = 0) -> None:
    if depth > DEEPEST:
        _refuse_json(file, line, f"objects within objects to a depth of at most {DEEPEST}, found more")
    for key, value in record:
        name = f"{before}{key}".strip()
        if isinstance(value, Pairs):
            _flatten(value, f"{name}.", cells, line, file, depth + 1)
            continue
        if name in cells:
            _refuse_json(file, line, f"each key once in an object, found {quoted(name)} twice")
        cells[name] = json_cell(value)
        stray = NO_CHARACTER.search(name + cells[name])
        if stray:
            _refuse_json(
                file, line, f"text, found the character U+{ord(stray.group()):04X} at {quoted(name)}"
            )


def json_cell(value: Any) -> str:
    """Write a value of JSON as a cell: true is 1, lists are not shown."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, str):
        return value.strip()
    return "[…]"


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in _SPACE:
        position += 1
    return position


def _line_ends(text: str, start: int, end: int) -> int:
    part = text[start:end]
    return part.count("\n") + part.count("\r") - part.count("\r\n")


def _refuse_json(file: str, line: int, expected: str) -> NoReturn:
    raise ParseError(file, line, f"expected {expected}")


_SHEET_LAYOUT = "cells are taken from the sheet"
MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^<>]*ref="([A-Z]+[0-9]+(?::[A-Z]+[0-9]+)?)"')
FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")
DOCTYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)")
LONGEST_MARK = len(b"<!DOCTYPE")
ELEMENTS_PER_CELL = 3
"""Elements of a cell and its value, and the share of a row, or of a string that is stored apart."""
COUNTS_AS = 4
"""Cells as many as this one of a workbook, before it is read, as that takes longer."""

# Exceptions of openpyxl on workbooks that break their own format, where it does not report that itself;
# SyntaxError is that of the XML reader.
DAMAGED_WORKBOOK = (*DAMAGED_ZIP, TypeError, AttributeError, SyntaxError, AssertionError)


def read_workbook(content: bytes, source: Source, budget: Budget) -> Opened:
    """Read every sheet of a workbook as a table, with an error for each invalid one."""
    file = source.file
    check_zip(content, file, budget)
    try:
        return _read_sheets(content, source, budget)
    except DAMAGED_WORKBOOK as error:
        if isinstance(error, ParseError):  # a ValueError as well
            raise
        expected = f"expected an Excel workbook, found a file that cannot be read ({error})"
        raise ParseError(file, None, expected) from None


def _read_sheets(content: bytes, source: Source, budget: Budget) -> Opened:
    file = source.file
    archive = zipfile.ZipFile(io.BytesIO(content))
    _check_parts(archive, file, budget)
    _refuse_shared_parts(content, file)
    values, formulas = _open_workbook(content, data_only=True), None
    tables: list[Table] = []
    errors: list[ParseError] = []
    empty: list[str] = []
    for sheet in values.worksheets:
        label = f"{file}, sheet {sheet.title!r}"
        # The sheet as stored: openpyxl has no merged cells when it reads in pieces.
        xml = archive.read(sheet._worksheet_path)  # type: ignore[attr-defined]
        merged = MERGED.search(xml)
        try:
            if merged:
                ref = merged.group(1).decode()
                row = int(re.sub(r"\D", "", ref.partition(":")[0]))
                expected = f"expected no merged cells, found {ref} merged; split them and fill each cell"
                raise ParseError(label, row, expected)
            rows = _sheet_rows(sheet, budget)
            if FORMULA.search(xml):
                formulas = formulas or _open_workbook(content, data_only=False)
                _refuse_formulas(rows, _sheet_rows(formulas[sheet.title], budget), label)
            table = _sheet_table(rows, source._replace(place=label, sheet=sheet.title))
        except TooMuch:
            raise
        except ParseError as error:
            errors.append(error)
            continue
        if table is None:
            empty.append(sheet.title)
        else:
            tables.append(table)
    if len(tables) + len(errors) > 1:
        # Several sheets are several measures, collections or runs; their names separate them.
        tables = [replace(one, source=one.source._replace(run=one.source.sheet)) for one in tables]
    elif not tables and not errors:
        raise ParseError(file, None, "expected a sheet with a table of scores, found only empty sheets")
    notes = (f"Empty sheets of {file} left out: {listed(empty, 20)}.",) if empty else ()
    return Opened(tuple(tables), tuple(errors), notes)


def _open_workbook(content: bytes, *, data_only: bool) -> "Workbook":
    # The import costs 0.2 s, and nothing but a workbook needs it.
    import openpyxl

    with warnings.catch_warnings():
        # It warns of styles, validations and extensions that it does not keep: no score among them.
        warnings.simplefilter("ignore")
        return openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=data_only)


def _refuse_shared_parts(content: bytes, file: str) -> None:
    """Refuse sheets that are stored in one part, which would be read for each; opening them reads it, too."""
    from openpyxl.reader.excel import ExcelReader

    sheet_of: dict[str, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = ExcelReader(io.BytesIO(content), read_only=True)
        reader.read_manifest()
        reader.read_workbook()
        for sheet, relation in reader.parser.find_sheets():
            other = sheet_of.setdefault(relation.target, sheet.name)
            if other != sheet.name:
                expected = f"expected sheets apart, found one part for {other!r} and {sheet.name!r}"
                raise ParseError(file, None, expected)


def _check_parts(archive: zipfile.ZipFile, file: str, budget: Budget) -> None:
    """Count elements, and refuse declarations of entities, with which a few bytes fill memory."""
    n_elements = 0
    for info in archive.infolist():
        before = b""
        with archive.open(info) as stream:
            while piece := stream.read(PIECE):
                piece = piece.replace(b"\0", b"")  # UTF-16
                if DOCTYPE.search(before + piece):
                    expected = f"expected a workbook without document types, found one in {info.filename!r}"
                    raise ParseError(file, None, expected)
                n_elements += piece.count(b"<") - piece.count(b"</")
                before = piece[1 - LONGEST_MARK :]
    budget.take_cells(n_elements * COUNTS_AS // ELEMENTS_PER_CELL)


def _sheet_rows(sheet: Any, budget: Budget) -> list[tuple[int, Sequence[Any]]]:
    rows: list[tuple[int, Sequence[Any]]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # The stated size of a sheet may be wrong, and read-only sheets believe it.
        sheet.reset_dimensions()
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            budget.take_cells(len(cells) + 1)
            if any(cell_text(cell) for cell in cells):
                rows.append((number, cells))
    return rows


def _refuse_formulas(
    values: Sequence[tuple[int, Sequence[Any]]], formulas: Sequence[tuple[int, Sequence[Any]]], label: str
) -> None:
    """Refuse formulas without a value, as programs write them that do not calculate."""
    known = dict(values)
    for number, cells in formulas:
        for column, cell in enumerate(cells):
            written = cell if isinstance(cell, str) else getattr(cell, "text", None)
            value = known[number][column] if number in known and column < len(known[number]) else None
            if isinstance(written, str) and written.startswith("=") and value is None:
                raise ParseError(
                    label,
                    number,
                    f"cell {_letters(column)}{number}: expected a value, found the formula {quoted(written)} whose "
                    "value was not saved; open the workbook in Excel or LibreOffice and save it",
                )


def _sheet_table(rows: Sequence[tuple[int, Sequence[Any]]], source: Source) -> Table | None:
    """Cut rows to the columns in use and fill them up to the width of the first."""
    texts = [(number, [cell_text(cell) for cell in cells]) for number, cells in rows]
    used = [column for _, cells in texts for column, cell in enumerate(cells) if cell]
    if not used:
        return None
    # A table may be apart from the edge of its sheet; a first column that names rows has cells.
    start = min(used)
    ends = [max(column for column, cell in enumerate(cells) if cell) + 1 for _, cells in texts]
    width = ends[0] - start
    cut = [
        Row(
            number, (cells[start:end] + [""] * max(0, width - max(0, end - start)))[: max(width, end - start)]
        )
        for (number, cells), end in zip(texts, ends, strict=True)
    ]

    def at(line: int, column: int) -> str:
        return f"cell {_letters(column + start)}{line}"

    return Table(source, cut, _SHEET_LAYOUT, at)


def cell_text(cell: Any) -> str:
    """Write a stored value as it would be typed; 401.0 is 401, as Excel shows it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return f"{cell} (a date)"
    return str(cell).strip()


def _letters(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def open_file(content: bytes | str, file: str, budget: Budget | None = None) -> Opened:
    """Find all tables in a file or in pasted text; an invalid part is an error next to the others."""
    # A file with which the import exceeds its budget is refused as a whole.
    budget = budget or Budget()
    budget.file = file
    try:
        if isinstance(content, str):
            return _tables(content, file, "", budget)
        files, errors, notes = unpack_scores(content, file, budget)
        # Before the first of many is read; each is counted again when it is.
        replace(budget).take_lines(sum(one.content.count(b"\n") for one in files))
        opened = [_tables(one.content, one.name, one.archive, budget) for one in files]
    except ParseError as error:
        return Opened((), (error,), ())
    return Opened(
        tuple(table for one in opened for table in one.tables),
        (*errors, *(error for one in opened for error in one.errors)),
        (*notes, *(sentence for one in opened for sentence in one.notes)),
    )


def _tables(content: bytes | str, file: str, archive: str, budget: Budget) -> Opened:
    try:
        if isinstance(content, bytes) and is_workbook(content):
            return read_workbook(content, source_of(file, archive), budget)
        text, source = decode(content, file), source_of(file, archive)
        table = (split_records if is_json(text) else split)(text, source, budget)
        return Opened((table,), (), ())
    except TooMuch:
        raise
    except ParseError as error:
        return Opened((), (error,), ())


def only_table(content: bytes | str, file: str, of_what: str = "") -> Table:
    """Return the one table of a file, or refuse the file."""
    opened = open_file(content, file)
    if opened.errors:
        raise opened.errors[0]
    if len(opened.tables) != 1:
        raise ParseError(
            file, None, f"expected one table{of_what}, found {counted(len(opened.tables), 'table')}"
        )
    return opened.tables[0]
