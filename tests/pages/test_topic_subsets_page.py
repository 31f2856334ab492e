"""The topic subsets page: the full search in the background, proofs, cancelling, sets passed on."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts import data
from tests.pages.app import (
    big_number,
    blocks,
    charts,
    finished,
    healthy,
    is_offered,
    linked,
    open_page,
    press,
    text_of,
    texts,
    typed,
    until,
)
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets import answer as answers
from topicset_core.analyses.topic_subsets import request as requests
from topicset_core.analyses.topic_subsets.curve import SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import Goodness, reached
from topicset_core.analyses.topic_subsets.held_out.curve import headline_curve, headline_request
from topicset_core.analyses.topic_subsets.held_out.null import compare_with_null
from topicset_core.analyses.topic_subsets.held_out.splits import BothScores
from topicset_core.analyses.topic_subsets.report import findings, how_evaluated, null_findings
from topicset_core.analyses.topic_subsets.request import PREVIEW_SECONDS, NullRequest, Request
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.findings import found_on
from topicset_core.exports.findings import texts as texts_on
from topicset_core.progress import ReportProgress
from topicset_core.samples.simulated import simulated_task

PAGE, KEY = "pages/topic_subsets.py", "topic-subsets"
AP = simulated_task()[0]


def part(matrix: ScoreMatrix) -> ScoreMatrix:
    """Few topics and runs, so that the whole analysis is quick; at most sizes the preview finds less."""
    return replace(
        matrix, scores=matrix.scores[:16, :12], topics=matrix.topics[:16], systems=matrix.systems[:12]
    )


SMALL = part(AP)


@pytest.fixture
def small_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a part of the sample in place of all of it."""
    small = tuple(part(matrix) for matrix in simulated_task())
    monkeypatch.setattr(data, "sample_matrices", lambda: small)


@cache
def preview(matrix: ScoreMatrix = AP, goodness: Goodness = "pearson") -> SubsetCurve:
    request = Request(
        goodness=goodness,
        cardinalities=tuple(range(1, matrix.n_topics + 1)),
        method="local",
        n_trials=answers._QUICK_TRIALS,
        effort=PREVIEW_SECONDS / 4,
    )
    return subset_curve(matrix, request)


def shows(app: AppTest, curve: SubsetCurve, target: float, matrix: ScoreMatrix = AP) -> bool:
    """Return whether headline and sentence are those of this curve, with the value of its sets on other runs."""
    finished(app)
    request = headline_request(curve, target)
    held = None if request is None else headline_curve(BothScores(matrix), request)
    expected, answer = findings(matrix, curve, target, held), text_of(app, "answer")
    (large,) = found_on(expected, "headline")
    assert big_number(app) == numbers_in(large.value)[0]
    return all(text in answer for text in texts_on(expected, "page"))


def drawn_sizes(app: AppTest) -> set[float]:
    """Return the sizes whose best set is drawn."""
    return {size for trace in charts(app)["curve"]["data"] if trace["name"] == "best" for size in trace["x"]}


@pytest.mark.slow
@pytest.mark.usefixtures("small_sample")
def test_the_full_search_runs_in_the_background_and_is_drawn() -> None:
    app = open_page(PAGE, n_trials="500", seed="3")
    assert text_of(app, "preview")
    finished(press(app, f"{KEY}/run"))
    request = Request(
        goodness="pearson", cardinalities=tuple(range(1, SMALL.n_topics + 1)), n_trials=500, seed=3
    )
    curve = subset_curve(SMALL, request)
    assert shows(app, curve, 0.95, SMALL)
    assert not is_offered(app, f"{KEY}/run")
    assert not text_of(app, "preview")
    typed(app, KEY, seed=4)  # another question
    assert text_of(app, "preview")
    assert is_offered(app, f"{KEY}/run")


@pytest.mark.slow
def test_proofs_run_in_the_background_and_open_sizes_are_reported(
    monkeypatch: pytest.MonkeyPatch, golden: SnapshotAssertion
) -> None:
    sizes = (1, 2, 3, 12, 38, 50)  # two of them with too many subsets to enumerate, and to prove the best
    monkeypatch.setattr(requests, "default_sizes", lambda *_, **__: sizes)
    app = open_page(PAGE, method="exact", n_trials="100", nodes="20000")
    finished(press(app, f"{KEY}/run"))
    request = Request(goodness="pearson", cardinalities=sizes, method="exact", n_trials=100, nodes=20_000)
    curve = subset_curve(AP, request)
    full = ["exhaustive"] * 3
    assert [one.best.status for one in curve.points if one.best] == [*full, "gap", "gap", "exhaustive"]
    assert [one.worst.status for one in curve.points if one.worst] == [*full, "gap", "proved", "exhaustive"]
    assert shows(app, curve, 0.95)
    assert how_evaluated(curve) in texts(app)
    assert not text_of(app, "preview")
    assert linked(app)["nodes"] == ["20000"]
    drawn = charts(app)["curve"]["data"]
    assert sorted(trace["name"] for trace in drawn) == golden
    assert [trace["name"] for trace in drawn if trace.get("showlegend")] == golden
    numbers = app.dataframe[0].value
    assert numbers[["best is", "worst is"]].to_numpy().tolist() == golden
    exceeded, below = numbers["upper bound of best"], numbers["lower bound of worst"]
    assert numbers["topics"][exceeded > numbers["best"]].tolist() == [12, 38]
    assert numbers["topics"][below < numbers["worst"]].tolist() == [12]


@pytest.mark.slow
@pytest.mark.usefixtures("small_sample")
def test_a_cancelled_search_keeps_its_partial_results(monkeypatch: pytest.MonkeyPatch) -> None:
    curve = preview(SMALL, "kendall")
    has = replace(curve, points=curve.points[:5])

    def endless(
        *_: Any, report_progress: ReportProgress, show_partial: Callable[[SubsetCurve], None], **__: Any
    ) -> SubsetCurve:
        show_partial(has)
        while True:
            report_progress(0.5)
            time.sleep(0.01)

    app = open_page(PAGE, goodness="kendall")
    monkeypatch.setattr(answers, "subset_curve", endless)
    press(app, f"{KEY}/run")
    until(app, lambda app: how_evaluated(has) in text_of(app, "preview"))
    running = text_of(app, "preview")
    press(app, f"{KEY}/job-cancel")
    until(app, lambda app: bool(text_of(app, f"{KEY}/stopped")))
    stopped = text_of(app, "preview")
    assert how_evaluated(has) in stopped
    assert stopped != running
    assert shows(app, curve, 0.9, SMALL)
    assert len(drawn_sizes(app)) == SMALL.n_topics  # the whole preview, under the new points
    assert is_offered(app, f"{KEY}/run")


@pytest.mark.slow
@pytest.mark.usefixtures("small_sample")
def test_the_list_of_sets_shows_those_of_the_size() -> None:
    app = finished(open_page(PAGE, cardinality="4"))
    healthy(app.selectbox(key=f"{KEY}/set").set_value(2).run())
    typed(app, KEY, cardinality=6)
    chosen, point = app.selectbox(key=f"{KEY}/set"), preview(SMALL).at(6)
    assert point is not None
    # The browser is told the label of the third of these sets, and the third is shown.
    assert chosen.proto.set_value
    assert chosen.proto.raw_value.startswith(f"3: {reached(point.ten_best[2].value, preview(SMALL).measure)}")
    assert blocks(app)["chosen-set"].code[0].value == ", ".join(point.ten_best[2].topics)


@pytest.mark.slow
@pytest.mark.usefixtures("small_sample")
def test_a_set_is_passed_to_the_audit_and_the_hold_out() -> None:
    app = finished(open_page(PAGE, cardinality="4"))
    curve = preview(SMALL)
    point = curve.at(4)
    assert point is not None
    healthy(app.selectbox(key=f"{KEY}/set").set_value(2).run())
    topics = point.ten_best[2].topics
    assert blocks(app)["chosen-set"].code[0].value == ", ".join(topics)
    press(app, f"{KEY}/chosen-set/audit")
    assert app.text_area(key=f"{KEY}/audit/text").value == "\n".join(topics)
    app = finished(open_page(PAGE))
    size = curve.crossings(0.95).best
    press(app, f"{KEY}/answer-set/hold-out")
    assert app.number_input(key=f"{KEY}/cardinality").value == size
    assert linked(app)["view"] == ["held-out"]


@pytest.mark.slow
@pytest.mark.usefixtures("small_sample")
def test_topics_are_compared_with_exchangeable_ones() -> None:
    few = {"n_replicates": "19", "n_splits_of_topics": "4"}  # so that it takes a second
    app = open_page(PAGE, cardinality="5", **few)
    assert linked(app).items() >= {name: [value] for name, value in few.items()}.items()
    finished(press(app, f"{KEY}-null/run"))
    request = NullRequest(goodness="pearson", cardinality=5, n_replicates=19, n_splits=4)
    result = compare_with_null(SMALL, request)
    assert texts_on(null_findings(result), "page") == text_of(app, "null").split("\n")
    assert len(charts(app)["null"]["data"]) == 3
    assert not is_offered(app, f"{KEY}-null/run")
    typed(app, KEY, cardinality=6)
    assert is_offered(app, f"{KEY}-null/run")
