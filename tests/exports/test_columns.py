"""Tables that are declared once: the same rows as files, the screen and terminals have them."""

import math
from dataclasses import dataclass
from typing import Any

from topicset_core.exports.columns import Column, Columns, aligned
from topicset_core.exports.tables import Table


@dataclass(frozen=True)
class Best:
    value: float
    status: str


@dataclass(frozen=True)
class Row:
    topics: int
    best: Best | None


ROWS = [Row(1, None), Row(1234, Best(1 / 3, "exact"))]
COLUMNS = Columns[Row](
    Column("topics", form=","),
    Column("best", "best.value", form=".4f"),
    Column("best_status", "best.status", "best is", on="fs"),
    Column("twice", lambda row: 2 * row.topics, on="f"),
    Column("found", lambda row: "no" if row.best is None else "yes", on="t"),
)


def test_files_have_every_digit_under_the_names_of_files() -> None:
    assert COLUMNS.table(ROWS) == {
        "topics": [1, 1234],
        "best": [None, 1 / 3],
        "best_status": [None, "exact"],
        "twice": [2, 2468],
    }


def test_rows_are_objects_or_mappings() -> None:
    rows: list[dict[str, Any]] = [
        {"topics": 1, "best": None},
        {"topics": 1234, "best": {"value": 1 / 3, "status": "exact"}},
    ]
    columns = Columns[dict[str, Any]](Column("topics"), Column("best", "best.value"))
    assert columns.table(rows) == {"topics": [1, 1234], "best": [None, 1 / 3]}


def test_the_screen_has_headings_and_formats() -> None:
    table, forms = COLUMNS.screen(ROWS)
    assert table == {"topics": [1, 1234], "best": [None, 1 / 3], "best is": [None, "exact"]}
    assert forms == {"topics": ",", "best": ".4f", "best is": ""}


def test_a_terminal_has_aligned_lines() -> None:
    assert COLUMNS.text(ROWS) == ["topics    best  found", "     1       -  no", " 1,234  0.3333  yes"]
    assert COLUMNS.text([]) == ["topics  best  found"]


def test_one_format_for_all_numbers_with_decimals() -> None:
    table: Table = {"run": ["a", "bb"], "n": [3, None], "score": [0.25, math.nan]}
    assert aligned(table, ".1f") == ["run  n  score", "a    3    0.2", "bb   -      -"]
