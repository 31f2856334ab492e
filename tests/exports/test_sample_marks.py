"""Answers on the built-in sample are marked in every exported file; others are not."""

import io
from collections.abc import Mapping, Sequence

import openpyxl

from topicset_core.exports import Figure, Report, ReportTable, xlsx_bytes
from topicset_core.exports.drawing import Drawing
from topicset_core.exports.report import SAMPLE

_SCORES = ReportTable("scores", lambda: {"topic": ["1"], "simA": [0.5]}, "scores", "scores", is_scores=True)
_TABLE = ReportTable("topics", lambda: {"n": [50], "power": [0.8123456789]}, "topics", "topics")


def _report() -> Report:
    return Report(
        name="answer",
        title="Title",
        sentence="50 topics.",
        tables=(_TABLE, _SCORES),
        results=lambda: [{"n": 50}],
        text=("Plain.", "Latex."),
        figures=lambda: [Figure("one", Drawing({"title": {"text": "T"}, "height": 400}), "A curve.")],
    )


def _sheets(report: Report) -> Mapping[str, Sequence[tuple[object, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(report.workbook()))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


def test_every_export_of_a_sample_is_marked() -> None:
    marked = _report().marked_as_sample()
    (figure,) = marked.figures()
    assert "sample" in figure.drawn.layout.title.subtitle.text
    assert "sample" in figure.alt
    assert SAMPLE in marked.tables[0].csv().decode()
    sheets = _sheets(marked)
    assert ("data", SAMPLE) in sheets["Answer"]
    assert SAMPLE in sheets["topics"][1]
    assert marked.record()["simulated_sample"] is True
    assert all("sample" in text for text in (*marked.text, marked.sentence, marked.page().decode()))
    # It reads back as scores: a column more would be a run.
    assert marked.tables[1].csv() == _SCORES.csv()


def test_no_export_of_own_data_is_marked() -> None:
    own = _report()
    (figure,) = own.figures()
    assert figure.drawn.layout.title.subtitle.text is None
    assert own.record()["simulated_sample"] is False
    assert not any("sample" in text for text in (*own.text, own.tables[0].csv().decode()))
    assert all(SAMPLE not in row for rows in _sheets(own).values() for row in rows)


def test_workbooks_show_rounded_numbers_and_store_all_digits() -> None:
    columns: dict[str, Sequence[object]] = {
        "share": [0.8123456789, 0.05],
        "large": [12345.678, 2.5],
        "whole": [1.0, 2.0],
        "count": [3, 40],
        "p": [1e-9, 0.5],
        "text": ["a", "b"],
    }
    (sheet,) = openpyxl.load_workbook(io.BytesIO(xlsx_bytes({"table": columns})))
    first = dict(zip(columns, next(sheet.iter_rows(min_row=2, max_row=2)), strict=True))
    formats = {name: cell.number_format for name, cell in first.items()}
    assert formats == {
        "share": "0.0000",  # four digits of the largest number
        "large": "0.0",
        "whole": "General",
        "count": "General",
        "p": "0.000E+00",  # no number of decimals suits 1e-9 and 0.5
        "text": "General",
    }
    assert first["share"].value == 0.8123456789
    assert sheet.freeze_panes == "A2"
    assert sheet.column_dimensions["A"].width >= 12
