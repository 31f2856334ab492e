"""Tables as a workbook: opened again, it contains the same numbers and texts, and no formula."""

import io
import math
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from topicset_core.exports.tables import xlsx_bytes

PROFILE = settings(derandomize=True, deadline=None, max_examples=50, database=None)
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


@PROFILE
@example([0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0])
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_every_float_is_read_back_to_the_last_digit(values: list[float]) -> None:
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


FORMULAS = ["=cmd()", "=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x","y")', "#N/A", "'quoted", "007"]


@pytest.mark.parametrize("name", FORMULAS)
def test_names_that_look_like_formulas_are_stored_as_text(name: str) -> None:
    content = xlsx_bytes({"t": {name: [name, name]}})
    cells = raw_cells(content)
    assert len(cells) == 3
    for cell in cells:
        assert cell.get("t") in ("s", "inlineStr")
        assert cell.find(f"{_MAIN}f") is None
    assert opened(content)["t"] == [(name,)] * 3


@PROFILE
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


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        xlsx_bytes({"t": {"a": [1, 2], "b": [1]}})
