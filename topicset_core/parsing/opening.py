"""User input, in whatever packing, to tables: archives, workbooks, JSON (see `opening_json`), text.

Text is cut at the delimiter on which its lines agree, or at the pipes of a Markdown table. Other lines above the
output of trec_eval are skipped, which is reported. Each sheet of a workbook (xlsx) is a table: cells are taken as
stored, not as formatted on screen, and refused where their score would depend on the evaluation of the sheet
(merged cells, formulas without a value).
"""

import csv
import datetime
import io
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing import limits
from topicset_core.parsing.archives import DAMAGED_ZIP, PIECE, check_zip, is_workbook, unpack_scores
from topicset_core.parsing.limits import Budget, TooMuch
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.names import Source, source_of
from topicset_core.parsing.numerals import MISSING, NOT_FINITE, is_numeral
from topicset_core.parsing.opening_json import is_json, split_records
from topicset_core.parsing.table import (
    RUN_WORDS,
    SCORE_WORDS,
    TEXT_WORDS,
    TOPIC_WORDS,
    Opened,
    Row,
    Table,
    plain,
)
from topicset_core.parsing.text import LINE_END, decode, line_ends
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

_BLANKS = (DELIMITERS[0], SPACES)
MARKDOWN = Delimiter("|", "pipes, as in Markdown")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
"""The line below the header of a Markdown table."""
_PIPE = re.compile(r"(?<!\\)\|")

PROMPTFOO = re.compile(r'(?:^|[,"])(\[(?:PASS|FAIL|ERROR)\] \(\d[^",\r\n]{,40})', re.MULTILINE)
"""A cell of promptfoo's CSV; its answers and prompts may have several lines, with any delimiters."""
_BEGINNING = 1 << 16  # characters in which such a cell is looked for

_MOST_BEFORE = 50  # other lines above the output of trec_eval
_NO_NUMBER = re.compile(r"runid|relstring(?:_\d+)?", re.ASCII)
"""What trec_eval writes next to measures, with a text for its value."""
_HEADER_WORDS = TOPIC_WORDS | RUN_WORDS | SCORE_WORDS

SEPARATOR = re.compile(r'"?sep=([,;\t]|\\t)"?', re.IGNORECASE)
"""The first line that gives Excel the delimiter."""


def split(text: str, source: Source, budget: Budget) -> Table:
    """Split text into rows of cells, with the delimiter that gives all lines the same number of cells."""
    file = source.file
    _refuse_promptfoo(text, file)
    budget.take_lines(line_ends(text, 0, len(text)))
    lines = [(number, line) for number, line in enumerate(LINE_END.split(text), start=1) if line.strip()]
    if not lines:
        raise ParseError(file, None, "expected a table of scores, found an empty file")
    if _is_markdown(lines):
        return _split_markdown(lines, source, budget)
    skipped = lines[: _n_before_trec_eval(lines)]
    lines = lines[len(skipped) :]
    for number, line in lines[:_JUDGED_BY]:
        for delimiter in DELIMITERS:
            _most_cells(number, line, delimiter, file)
    stated = SEPARATOR.fullmatch(lines[0][1].strip(" "))
    if stated and len(lines) > 1:
        lines = lines[1:]
        delimiter = next(known for known in DELIMITERS if known.character == stated[1].replace("\\t", "\t"))
    else:
        delimiter = _delimiter([line for _, line in lines[:_JUDGED_BY]])
    budget.take_cells(sum(_most_cells(number, line, delimiter, file) for number, line in lines))
    rows = list(_split_rows(lines, delimiter, file))
    layout = "there is one column" if len(rows[0].cells) == 1 else f"cells are separated by {delimiter.name}"
    if stated:
        layout = f"{layout}, as given in the line sep="
    if skipped:
        were = (
            f"{counted(len(skipped), 'line')} before the first score {'was' if len(skipped) == 1 else 'were'}"
        )
        layout = f"{layout}; {were} skipped, from {quoted(skipped[0][1].strip())} on"
    return Table(source, rows, layout)


def _refuse_promptfoo(text: str, file: str) -> None:
    cell = PROMPTFOO.search(text, 0, _BEGINNING)
    if cell:
        raise ParseError(
            file,
            1 + line_ends(text, 0, cell.start(1)),
            f"expected scores, found {quoted(cell[1])}, as in the CSV export of promptfoo, whose cells are texts; "
            "export the results as JSON: promptfoo eval -o results.json",
        )


def _is_markdown(lines: Sequence[tuple[int, str]]) -> bool:
    """Return whether there are a header and the rule of a Markdown table."""
    if len(lines) < 2 or "|" not in lines[0][1] or "|" not in lines[1][1]:
        return False
    return _RULE.fullmatch(lines[1][1].strip()) is not None


def _split_markdown(lines: Sequence[tuple[int, str]], source: Source, budget: Budget) -> Table:
    """Split a Markdown table, with or without pipes at both ends; the rule below its header is no row."""
    budget.take_cells(sum(_most_cells(number, line, MARKDOWN, source.file) for number, line in lines))
    rows = [Row(number, _markdown_cells(line.strip())) for at, (number, line) in enumerate(lines) if at != 1]
    return Table(source, rows, f"cells are separated by {MARKDOWN.name}")


def _markdown_cells(line: str) -> list[str]:
    inside = line.removeprefix("|")
    if inside.endswith("|") and not inside.endswith("\\|"):
        inside = inside[:-1]
    return [cell.replace("\\|", "|").strip() for cell in _PIPE.split(inside)]


def _n_before_trec_eval(lines: Sequence[tuple[int, str]]) -> int:
    """Count the lines above rows of measure, topic and value, as Pyserini prints its command there."""
    is_row = [bool(_of_trec_eval(line)) for _, line in lines[: _MOST_BEFORE + 1]]
    count = next((at for at in range(len(is_row), 0, -1) if not is_row[at - 1]), 0)
    if not count or count > _MOST_BEFORE or any(_may_be_of_table(line) for _, line in lines[:count]):
        return 0
    rows = [_of_trec_eval(line) for _, line in lines[count:]]
    if not all(rows):
        return 0
    measures = {cells[0] for cells in rows}
    # Below two runs, without a name above the topics, are three cells as well: there each topic comes once.
    is_wide = len(measures) == len(rows) and all(is_numeral(cells[1]) for cells in rows)
    return 0 if is_wide or not any(map(measure_name, measures)) else count


def _of_trec_eval(line: str) -> list[str]:
    """Return measure, topic and value of a line; nothing if it has others."""
    cells = [cell.strip() for cell in line.split("\t")]
    cells = cells if len(cells) == 3 else line.split()
    if len(cells) != 3 or not cells[1] or is_numeral(cells[0]):
        return []
    has_value = is_numeral(cells[2]) or cells[2] in MISSING or NOT_FINITE.fullmatch(cells[2])
    return cells if has_value or _NO_NUMBER.fullmatch(cells[0]) else []


def _may_be_of_table(line: str) -> bool:
    """Return whether a line may be a header or have scores, so that it must not be skipped."""
    for delimiter in DELIMITERS:
        cells = [cell.strip() for cell in line.split(None if delimiter is SPACES else delimiter.character)]
        if len(cells) == 3 and delimiter in _BLANKS:
            return True
        # The words of a header may be in a sentence, and in a command that was printed as a list.
        names = [] if delimiter is SPACES else [plain(cell) for cell in cells if not cell.startswith("'")]
        if len(cells) > 1 and (is_numeral(cells[-1]) or not _HEADER_WORDS.isdisjoint(names)):
            return True
    return False


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
            if "field limit" in str(error):
                rule = f"expected cells of at most {csv.field_size_limit():,} characters, found a longer one"
                raise ParseError(file, number, rule) from None
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


_SHEET_LAYOUT = "cells are taken from the sheet"
MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^<>]*ref="([A-Z]+[0-9]+(?::[A-Z]+[0-9]+)?)"')
FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")
_ROW_OR_CELL = re.compile(
    rb'<(?:\w+:)?(?:row\b[^<>]*?\br="(?P<row>[0-9]+)"|c\b(?=[^<>]*?\br="(?P<cell>[A-Z]+[0-9]+)")?'
    rb'(?=[^<>]*?\bt="(?P<kind>\w+)")?[^<>]*>(?:<(?:\w+:)?f\b[^<>]*/>|<(?:\w+:)?f\b[^<>]*>[^<>]*</(?:\w+:)?f>)?'
    rb"(?:<(?:\w+:)?v>(?P<value>[^<>]*)<)?)"
)
_HIDDEN_ROW = re.compile(rb'<(?:\w+:)?row\b[^<>]*?\bhidden="(?:1|true)"')
_NUMBER = re.compile(rb"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*")
DOCTYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)")
LONGEST_MARK = len(b"<!DOCTYPE")
_LARGE_PARTS = (
    "xl/worksheets/",
    "xl/sharedstrings",
    "xl/pivotcache/",
    "xl/drawings/",
    "xl/comments",
    "xl/calcchain",
)
"""Sheets, texts of their cells, and parts that are not read."""
_MOST_ELEMENTS = 500_000
_LONGEST_TEXT = 1 << 18
"""Bytes between two elements: a cell of Excel has at most 32,767 characters."""
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
    hidden: list[str] = []
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
            _refuse_damaged_sheet(xml, label)
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
            continue
        tables.append(table)
        rows_hidden = len(_HIDDEN_ROW.findall(xml))
        if rows_hidden or sheet.sheet_state != "visible":
            what = counted(rows_hidden, "hidden row") if rows_hidden else "a hidden sheet"
            hidden.append(f"{what} of {label} {'was' if rows_hidden < 2 else 'were'} read like the others.")
    if len(tables) + len(errors) > 1:
        # Several sheets are several measures, collections or runs; their names separate them.
        tables = [replace(table, source=table.source._replace(run=table.source.sheet)) for table in tables]
    elif not tables and not errors:
        raise ParseError(file, None, "expected a sheet with a table of scores, found only empty sheets")
    notes = [f"Empty sheets of {file} left out: {listed(empty, 20)}."] if empty else []
    return Opened(tuple(tables), tuple(errors), (*notes, *(note[0].upper() + note[1:] for note in hidden)))


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
    """Count elements, and refuse what fills memory or takes minutes: entities, long texts, styles, unused texts."""
    elements: Counter[str] = Counter()
    for info in archive.infolist():
        before = b""
        part = next((kind for kind in _LARGE_PARTS if info.filename.lower().startswith(kind)), "others")
        is_text = info.filename.endswith((".xml", ".rels"))
        length = 0
        with archive.open(info) as stream:
            while piece := stream.read(PIECE):
                piece = piece.replace(b"\0", b"")  # UTF-16
                if DOCTYPE.search(before + piece):
                    expected = f"expected a workbook without document types, found one in {info.filename!r}"
                    raise ParseError(file, None, expected)
                elements[part] += piece.count(b"<") - piece.count(b"</")
                before = piece[1 - LONGEST_MARK :]
                if is_text:
                    first, *rest = map(len, piece.split(b"<"))
                    if max(length + first, *rest, 0) > _LONGEST_TEXT:
                        expected = f"expected cells of at most {_LONGEST_TEXT:,} bytes, found a longer text"
                        raise ParseError(file, None, f"{expected} in {info.filename!r}")
                    length = rest[-1] if rest else length + first
    if elements["others"] > _MOST_ELEMENTS:
        expected = f"at most {_MOST_ELEMENTS:,} styles, names and other elements beside the sheets"
        raise ParseError(file, None, f"expected {expected}, found {elements['others']:,}")
    of_texts, of_sheets = elements[_LARGE_PARTS[1]], elements[_LARGE_PARTS[0]]
    if of_texts > max(_MOST_ELEMENTS, ELEMENTS_PER_CELL * of_sheets):
        expected = "expected texts that are in cells, found many times as many as there are cells"
        raise ParseError(file, None, f"{expected}; save the workbook again")
    budget.take_cells(elements.total() * COUNTS_AS // ELEMENTS_PER_CELL)


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


def _refuse_damaged_sheet(xml: bytes, label: str) -> None:
    """Refuse rows and cells that are there twice, and numbers that no program writes."""
    rows: set[bytes] = set()
    cells: set[bytes] = set()
    for mark in _ROW_OR_CELL.finditer(xml):
        row, cell, kind, value = mark.group("row", "cell", "kind", "value")
        name, taken = (row, rows) if row else (cell, cells)
        if name and name in taken:
            what = "row" if row else "cell"
            raise ParseError(label, None, f"expected each {what} once, found {what} {name.decode()} twice")
        taken.add(name)
        if value is not None and (kind or b"n") == b"n" and not _NUMBER.fullmatch(value):
            number = value.decode("utf-8", "replace")
            raise ParseError(
                label, None, f"cell {(cell or b'').decode()}: expected a number, found {quoted(number)}"
            )


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
        replace(budget).take_lines(sum(member.content.count(b"\n") for member in files))
        opened = [_tables(member.content, member.name, member.archive, budget) for member in files]
    except ParseError as error:
        return Opened((), (error,), ())
    return Opened(
        tuple(table for part in opened for table in part.tables),
        (*errors, *(error for part in opened for error in part.errors)),
        (*notes, *(sentence for part in opened for sentence in part.notes)),
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
