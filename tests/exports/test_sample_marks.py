"""Answers on the built-in sample are marked in every exported file; others are not."""

import io
from collections.abc import Mapping, Sequence

import openpyxl

from topicset_core.exports import Figure, Report, ReportTable
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
