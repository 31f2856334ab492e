"""Workbooks, archives and names that no program writes: refused with the place, where libraries read a part."""

import io
import zipfile
from collections.abc import Callable

import openpyxl
import pytest

from tests.parsing.packed import workbook, zipped
from topicset_core.parsing import read_score_files

ROWS = [("topic", "A", "B"), ("t1", 0.25, 0.5), ("t2", 0.125, 0.75), ("t3", 0.5, 0.5)]


def _with(change: Callable[[str], str]) -> bytes:
    """Return a workbook whose sheet has been changed."""
    archive = zipfile.ZipFile(io.BytesIO(workbook({"AP": ROWS})))
    members = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    before = members[sheet].decode()
    members[sheet] = change(before).encode()
    assert members[sheet] != before.encode()
    return zipped(members)


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (lambda xml: xml.replace('<row r="4"', '<row r="3"').replace('r="A4"', 'r="A3"'), "row 3 twice"),
        (lambda xml: xml.replace('r="C2"', 'r="B2"'), "cell B2 twice"),
        (lambda xml: xml.replace("<v>0.25</v>", "<v>0_1</v>"), "cell B2: expected a number, found '0_1'"),
        (lambda xml: xml.replace("<v>0.25</v>", "<v>٠.٢٥</v>"), "cell B2: expected a number"),
        (lambda xml: xml.replace("<v>0.25</v>", "<f>1/4</f><v>1 4</v>"), "cell B2: expected a number"),
    ],
)
def test_damaged_sheets_are_refused(change: Callable[[str], str], refusal: str) -> None:
    read = read_score_files([("w.xlsx", _with(change))])
    assert read.matrices == ()
    assert [refusal in str(error) for error in read.errors] == [True]
    assert "w.xlsx, sheet 'AP'" in str(read.errors[0])


def test_hidden_rows_and_sheets_are_told() -> None:
    book = openpyxl.Workbook()
    for name in ("AP", "nDCG"):
        sheet = book.create_sheet(name)
        for row in ROWS:
            sheet.append(row)
    del book["Sheet"]
    book["AP"].row_dimensions[3].hidden = True
    book["nDCG"].sheet_state = "hidden"
    file = io.BytesIO()
    book.save(file)
    read = read_score_files([("w.xlsx", file.getvalue())])
    assert [matrix.n_topics for matrix in read.matrices] == [3, 3]
    assert read.recognised[:2] == (
        "1 hidden row of w.xlsx, sheet 'AP' was read like the others.",
        "A hidden sheet of w.xlsx, sheet 'nDCG' was read like the others.",
    )


def test_a_second_archive_in_a_file_is_refused() -> None:
    first, second = zipped({"a_ap.csv": "topic,A,B\nt1,0,1\n"}), zipped({"b_ap.csv": "topic,A,B\nt1,1,0\n"})
    read = read_score_files([("z.zip", first + second)])
    assert read.matrices == ()
    assert [f"{len(first)} bytes in front of it" in str(error) for error in read.errors] == [True]


def test_names_of_files_and_cells_that_are_too_long_are_refused() -> None:
    table = "topic,A,B\nt1,.1,.2\nt2,.3,.5\n"
    for files in (
        [("x" * 60_000 + ".csv", table.encode())],
        [("z.zip", zipped({"x" * 60_000 + ".csv": table}))],
    ):
        read = read_score_files(files)
        assert read.matrices == ()
        assert ["file name of at most 500 bytes" in str(error) for error in read.errors] == [True]
        assert len(str(read.errors[0])) < 300
    (error,) = read_score_files([("a.csv", f'topic,A\nt1,"{"9" * 200_000}"\n'.encode())]).errors
    assert str(error).startswith("a.csv, line 2: expected cells of at most 131,072 characters")
