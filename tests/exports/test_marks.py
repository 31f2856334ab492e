"""Marks of a report: the caution of answers from few topics, and simulated data."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import openpyxl
import pytest

from tests.words import numbers_in
from topicset_core.charts.chart import Chart
from topicset_core.collection import ScoreMatrix
from topicset_core.exports import Report
from topicset_core.exports.dossier import chapter
from topicset_core.exports.findings import Finding
from topicset_core.exports.report import SAMPLE, ReportTable
from topicset_core.wording import few_topics


def matrix(n_topics: int, measure: str = "AP") -> ScoreMatrix:
    return ScoreMatrix(
        scores=np.random.default_rng(n_topics).random((n_topics, 2)),
        topics=tuple(map(str, range(n_topics))),
        systems=("A", "B"),
        measure=measure,
        name="small",
    )


def report(**data: Any) -> Report:
    return Report(
        name="x",
        title="X",
        findings=[Finding("Seventy-six are enough", "export"), Finding("By the method.", "paper")],
        tables=[ReportTable("t", lambda: {"a": [1]})],
        results=lambda: [{}],
        **data,
    )


def test_thresholds() -> None:
    assert few_topics(None) == few_topics(25) == few_topics(1000) == ""
    for n in (2, 5, 9):
        assert numbers_in(few_topics(n)) == [n, 10, 90, 4]
        assert few_topics(n).startswith("Caution")
    for n in (10, 24):
        assert numbers_in(few_topics(n)) == [n, 25, 90, 2, 4]


@pytest.mark.parametrize(
    ("data", "n_topics"),
    [
        ({"matrices": [matrix(5)]}, 5),
        ({"matrices": [matrix(5), matrix(4)]}, 9),  # pooled rounds
        ({"matrices": [matrix(30), matrix(6, "RR"), matrix(7, "RR")]}, 13),  # the measure with the fewest
        ({"n_topics": 8}, 8),
        ({"matrices": [matrix(25)]}, None),
        ({}, None),  # a design without scores
    ],
)
def test_the_topics_of_a_report(data: dict[str, Any], n_topics: int | None) -> None:
    assert report(**data).caution == few_topics(n_topics)


def test_exports_have_the_caution_and_the_text_for_a_paper_has_none() -> None:
    few, enough = report(n_topics=5), report(n_topics=50)
    caution = few_topics(5)
    assert few.cautioned == f"Seventy-six are enough. {caution}"
    assert few.record()["caution"] == caution
    assert few.answer()["value"][0] == chapter(few, "Which?").sentence == few.cautioned
    assert caution in few.page().decode()
    assert "Caution" not in "".join(few.text)
    assert "caution" not in enough.record()
    assert enough.cautioned == chapter(enough, "Which?").sentence == enough.sentence


_SCORES = ReportTable("scores", lambda: {"topic": ["1"], "simA": [0.5]}, "scores", "scores", is_scores=True)


def _with_scores() -> Report:
    figure = Chart("T", "x", "y").figure("one", "A curve.")
    return replace(report(), tables=(*report().tables, _SCORES), figures=lambda: [figure])


def _sheets(report: Report) -> Mapping[str, Sequence[tuple[object, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(report.workbook()))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


def test_every_export_of_a_sample_is_marked() -> None:
    marked = _with_scores().marked_as_sample()
    (figure,) = marked.figures()
    assert "sample" in figure.drawn.layout.title.subtitle.text
    assert "sample" in figure.alt
    assert SAMPLE in marked.tables[0].csv().decode()
    sheets = _sheets(marked)
    assert ("data", SAMPLE) in sheets["Answer"]
    assert SAMPLE in sheets["t"][1]
    assert marked.record()["simulated_sample"] is True
    assert all("sample" in text for text in (*marked.text, marked.sentence, marked.page().decode()))
    # It reads back as scores: a column more would be a run.
    assert marked.tables[1].csv() == _SCORES.csv()


def test_no_export_of_own_data_is_marked() -> None:
    own = _with_scores()
    (figure,) = own.figures()
    assert figure.drawn.layout.title.subtitle.text is None
    assert own.record()["simulated_sample"] is False
    assert not any("sample" in text for text in (*own.text, own.tables[0].csv().decode()))
    assert all(SAMPLE not in row for rows in _sheets(own).values() for row in rows)
