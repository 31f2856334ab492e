"""Tables as CSV: the same values are read back."""

import csv
import io
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topicset_core.exports.tables import csv_bytes

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


@pytest.mark.parametrize("name", ["=cmd()", "+1", "-1", "@SUM(A1)", "=HYPERLINK(0)", "'quoted", "\ttab"])
def test_names_that_look_like_formulas_are_left_as_data(name: str) -> None:
    """The decision of csv_table: CSV is data; the workbook is for spreadsheets."""
    assert read(csv_bytes({name: [name, "x"]})) == [[name], [name], ["x"]]


def test_missing_values_are_empty_cells() -> None:
    content = csv_bytes({"n": [2, 3, 4, 5], "power": [math.nan, None, np.float64("nan"), 0.5]})
    assert content == b"n,power\r\n2,\r\n3,\r\n4,\r\n5,0.5\r\n"
    frame = pd.read_csv(io.BytesIO(content))
    assert frame["power"].isna().tolist() == [True, True, True, False]


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        csv_bytes({"a": [1, 2], "b": [1]})
