"""Tables as CSV and as a workbook: the same numbers and texts are read back, and no formula."""

import csv
import io
import math
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from topicset_core.exports.html import html_page
from topicset_core.exports.tables import csv_bytes, xlsx_bytes

PROFILE = settings(derandomize=True, deadline=None, database=None)
TEXTS = st.deferred(lambda: st.text(st.characters(codec="utf-8")))
"""Made when it is drawn from first: a table of all characters takes a second."""


def read(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True))


def test_bytes_are_those_of_rfc_4180() -> None:
    content = csv_bytes({"n_topics": [2, 75], "σ², AP": [0.0471, 1e-7], 'a "name"': ["x", "two\nlines"]})
    assert content == ('n_topics,"σ², AP","a ""name"""\r\n2,0.0471,x\r\n75,1e-07,"two\nlines"\r\n'.encode())


@PROFILE
@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_every_float_is_read_back_to_the_last_digit(values: list[float]) -> None:
    kinds: list[Any] = [values, np.asarray(values), np.asarray(values).tolist()]
    for column in kinds:
        _, *rows = read(csv_bytes({"value": column}))
        assert [float(cell) for (cell,) in rows] == values


@PROFILE
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1))
def test_every_text_is_read_back_unchanged(pairs: list[tuple[str, str]]) -> None:
    """With any quotes, separators and line ends."""
    first, second = (list(column) for column in zip(*pairs, strict=True))
    header, *rows = read(csv_bytes({"run": first, "measure": second}))
    assert header == ["run", "measure"]
    assert [tuple(row) for row in rows] == pairs


FORMULAS = ["=cmd()", "=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x","y")', "'quoted", "\ttab"]


@pytest.mark.parametrize("name", FORMULAS)
def test_names_that_look_like_formulas_are_left_as_data(name: str) -> None:
    """The decision of csv_table: CSV is data; the workbook is for spreadsheets."""
    assert read(csv_bytes({name: [name, "x"]})) == [[name], [name], ["x"]]


def test_missing_values_are_empty_cells() -> None:
    content = csv_bytes({"n": [2, 3, 4, 5], "power": [math.nan, None, np.float64("nan"), 0.5]})
    assert content == b"n,power\r\n2,\r\n3,\r\n4,\r\n5,0.5\r\n"
    frame = pd.read_csv(io.BytesIO(content))
    assert frame["power"].isna().tolist() == [True, True, True, False]


@pytest.mark.parametrize(
    "write",
    [
        csv_bytes,
        lambda table: xlsx_bytes({"t": table}),
        lambda table: html_page(title="", sentence="", figures=[], table=table, text=""),
    ],
)
def test_columns_of_unequal_length_are_refused(write: Callable[[dict[str, Any]], bytes]) -> None:
    with pytest.raises(ValueError, match="zip"):
        write({"a": [1, 2], "b": [1]})


_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def opened(content: bytes) -> dict[str, list[tuple[Any, ...]]]:
    book = load_workbook(io.BytesIO(content))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}


def column(values: Sequence[object]) -> list[Any]:
    _, *rows = opened(xlsx_bytes({"table": {"value": values}}))["table"]
    return [value for (value,) in rows]


def raw_cells(content: bytes) -> list[ElementTree.Element]:
    """The stored cells of the first sheet."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return list(ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml")).iter(f"{_MAIN}c"))


def test_each_table_is_a_sheet_with_a_header() -> None:
    content = xlsx_bytes(
        {"topics by difference": {"min_d": [0.05, 0.1], "topics": [298, 76]}, "by topics": {"n": [2]}}
    )
    assert opened(content) == {
        "topics by difference": [("min_d", "topics"), (0.05, 298), (0.1, 76)],
        "by topics": [("n",), (2,)],
    }
    frame = pd.read_excel(io.BytesIO(content), sheet_name="topics by difference")
    assert frame.to_dict("list") == {"min_d": [0.05, 0.1], "topics": [298, 76]}


@settings(PROFILE, max_examples=50)
@example([0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0])
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_every_float_of_a_workbook_is_read_back(values: list[float]) -> None:
    columns: dict[str, Any] = {"list": values, "array": np.asarray(values)}
    _, *rows = opened(xlsx_bytes({"table": columns}))["table"]
    assert [list(result) for result in zip(*rows, strict=True)] == [values, values]


def test_numbers_are_numbers_and_whole_ones_stay_whole() -> None:
    content = xlsx_bytes({"t": {"n": [3, np.int64(10_000_000), np.float64(0.5), True]}})
    _, *cells = raw_cells(content)
    assert [cell.get("t") for cell in cells] == ["n", "n", "n", "b"]
    result = column([3, np.int64(10_000_000), np.float64(0.5)])
    assert result == [3, 10_000_000, 0.5]
    assert [type(value) for value in result] == [int, int, float]


def test_nan_is_an_empty_cell() -> None:
    assert column([math.nan, None, np.float64("nan"), math.inf, -math.inf, 0.5]) == [None] * 5 + [0.5]


@pytest.mark.parametrize("name", [*FORMULAS, "#N/A", "007"])
def test_names_that_look_like_formulas_are_text_in_a_workbook(name: str) -> None:
    content = xlsx_bytes({"t": {name: [name, name]}})
    cells = raw_cells(content)
    assert len(cells) == 3
    for cell in cells:
        assert cell.get("t") in ("s", "inlineStr")
        assert cell.find(f"{_MAIN}f") is None
    assert opened(content)["t"] == [(name,)] * 3


@settings(PROFILE, max_examples=50)
@given(st.lists(st.text(min_size=1), min_size=1))
def test_every_text_is_read_back_except_characters_invalid_in_xml(values: list[str]) -> None:
    """A carriage return becomes a line feed, as XML has it."""
    bad = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
    expected = [bad.sub("\ufffd", value).replace("\r\n", "\n").replace("\r", "\n") for value in values]
    assert column(values) == expected


@pytest.mark.parametrize(
    ("names", "sheets"),
    [
        (["AP"], ["AP"]),
        (["P@10 [a]/b:c*?\\"], ["P@10 -a--b-c---"]),
        (["'quoted'"], ["-quoted-"]),
        ([""], ["table"]),
        (["a\x01b\ud800"], ["a-b-"]),
        (["x" * 31, "x" * 32, "x" * 33], ["x" * 31, "x" * 27 + " (2)", "x" * 27 + " (3)"]),
        (["ap", "AP", "AP "], ["ap", "AP (2)", "AP "]),
    ],
)
def test_names_of_sheets_are_valid_in_excel(names: list[str], sheets: list[str]) -> None:
    tables: Mapping[str, Mapping[str, Sequence[object]]] = {name: {"n": [1]} for name in names}
    assert list(opened(xlsx_bytes(tables))) == sheets


def test_workbooks_show_rounded_numbers_and_store_all_digits() -> None:
    columns: dict[str, Sequence[object]] = {
        "share": [0.8123456789, 0.05],
        "large": [12345.678, 2.5],
        "whole": [1.0, 2.0],
        "count": [3, 40],
        "p": [1e-9, 0.5],
        "text": ["a", "b"],
        "settings": [0.05, "a word"],
    }
    (sheet,) = load_workbook(io.BytesIO(xlsx_bytes({"table": columns})))
    first = dict(zip(columns, next(sheet.iter_rows(min_row=2, max_row=2)), strict=True))
    formats = {name: cell.number_format for name, cell in first.items()}
    assert formats == {
        "share": "0.0000",  # four digits of the largest number
        "large": "0.0",
        "whole": "General",
        "count": "General",
        "p": "0.000E+00",  # no number of decimals suits 1e-9 and 0.5
        "text": "General",
        "settings": "General",  # each row is another quantity
    }
    assert first["share"].value == 0.8123456789
    assert sheet.freeze_panes == "A2"
    assert sheet.column_dimensions["A"].width >= 12
