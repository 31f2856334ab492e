"""The held-out view of the topic subsets page: a preview at once, all splits later, other scores, links."""

import threading
import time
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts.topic_subsets import VIEWS
from tests.pages.app import (
    charts,
    complained_of,
    errors,
    finished,
    go,
    heading,
    healthy,
    is_busy,
    is_offered,
    linked,
    open_app,
    open_page,
    press,
    text_of,
    texts,
    typed,
    until,
)
from tests.pages.test_topic_subsets_page import KEY, PAGE
from tests.pages.uploading import with_scores
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.goodness import number
from topicset_core.analyses.topic_subsets.held_out import report as held_out_report
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve, preview_request
from topicset_core.analyses.topic_subsets.held_out.report import held_out_sentence, size_sentence
from topicset_core.analyses.topic_subsets.held_out.splits import BothScores
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.progress import ReportProgress
from topicset_core.samples.simulated import simulated_task

AP, NDCG = simulated_task()[:2]
FEW = {"n_splits": "4", "n_starts": "0", "n_trials_of_a_split": "10"}
RUN = f"{KEY}-held-out/run"
MANY = 10_000  # splits that take longer than a test


def held_out(**query: str) -> AppTest:
    return open_page(PAGE, view="held-out", **query)


def _request(n_splits: int = 4, **settings: Any) -> HeldOutRequest:
    return HeldOutRequest(
        **({"hold_out": "runs", "goodness": "pearson"} | settings), n_splits=n_splits, n_starts=0, n_trials=10
    )


@cache
def first(request: HeldOutRequest, evaluating: ScoreMatrix | None = None) -> HeldOutCurve:
    few = preview_request(BothScores(AP, evaluating), request, 0.4)
    assert few is not None
    return held_out_curve(AP, few, evaluating=evaluating)


def _n_splits(app: AppTest) -> int:
    """How many splits the preview rests on."""
    return int(numbers_in(text_of(app, "preview"))[0])


@pytest.mark.parametrize("hold_out", ["runs", "topics"])
def test_a_preview_answers_at_once_in_the_words_of_the_core(hold_out: Any) -> None:
    app = held_out(hold_out=hold_out)
    curve = first(HeldOutRequest(hold_out=hold_out, goodness="pearson"))
    assert size_sentence(curve) in text_of(app, "answer")
    assert _n_splits(app) == curve.request.n_splits
    assert set(charts(app)) == {"held-out"}
    assert hold_out in charts(app)["held-out"]["layout"]["title"]["text"]


@pytest.mark.slow
def test_all_splits_run_in_the_background() -> None:
    app = held_out(cardinality="5", **FEW)
    finished(press(app, RUN))
    curve = held_out_curve(AP, _request(cardinality=5))
    point = curve.at(5)
    assert point is not None
    assert point.chosen.best is not None
    assert numbers_in(heading(app))[-1] == float(number(point.chosen.best.mean, curve.evaluated_by))
    assert size_sentence(curve) in text_of(app, "answer")
    assert held_out_sentence(curve) in texts(app)
    assert not text_of(app, "preview")
    assert not is_offered(app, RUN)
    typed(app, KEY, n_splits=6)  # another question
    assert text_of(app, "preview")


@pytest.mark.slow
def test_partial_results_of_splits_are_shown_and_stay_after_cancelling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on = threading.Event()

    def endless(
        matrix: ScoreMatrix,
        request: HeldOutRequest,
        *,
        report_progress: ReportProgress,
        show_partial: Any,
        **_: Any,
    ) -> HeldOutCurve:
        show_partial(held_out_curve(matrix, replace(request, n_splits=5)))
        while not go_on.wait(0.01):
            report_progress(0.1)
        show_partial(held_out_curve(matrix, replace(request, n_splits=7)))
        while True:
            report_progress(0.2)
            time.sleep(0.01)

    app = held_out(**FEW | {"cardinality": "5", "n_splits": str(MANY)})
    assert _n_splits(app) > 7
    with monkeypatch.context() as patched:
        patched.setattr(held_out_report, "held_out_curve", endless)
        press(app, RUN)
        until(app, lambda app: _n_splits(app) == 5)
        go_on.set()
        until(app, lambda app: _n_splits(app) == 7)
    assert not is_offered(app, RUN)
    running = text_of(app, "preview")
    press(app, f"{KEY}-held-out/job-cancel")
    until(app, lambda app: is_offered(app, RUN))
    stopped = text_of(app, "preview")
    assert stopped != running
    assert numbers_in(stopped) == numbers_in(running)
    assert size_sentence(held_out_curve(AP, _request(7, cardinality=5))) in text_of(app, "answer")
    assert numbers_in(charts(app)["held-out"]["layout"]["yaxis"]["title"]["text"]) == [7]
    assert is_offered(app, RUN)
    typed(app, KEY, n_splits=6)  # another question
    assert _n_splits(app) <= 6


@pytest.mark.slow
def test_another_request_may_run_at_the_same_time() -> None:
    app = held_out(n_splits=str(MANY), n_starts="0")
    press(app, RUN)
    typed(app, KEY, n_splits=4)
    finished(press(app, RUN))
    assert not text_of(app, "preview")
    assert linked(app)["n_splits"] == ["4"]


@pytest.mark.slow
def test_view_and_job_are_restored_after_leaving_the_page() -> None:
    app = open_app(PAGE, view="held-out", n_splits=str(MANY), n_starts="0")
    press(app, RUN)
    go(app, "pages/start.py")
    go(app, PAGE)
    assert app.session_state[f"{KEY}/tab"] == VIEWS["held-out"]
    assert is_busy(app)
    press(app, f"{KEY}-held-out/job-cancel")
    until(app, lambda app: bool(text_of(app, f"{KEY}-held-out/stopped")))


@pytest.mark.slow
def test_chosen_by_another_goodness_and_judged_by_other_scores() -> None:
    app = held_out(choose_by="kendall", judged_measure=NDCG.measure)
    request = HeldOutRequest(hold_out="runs", goodness="pearson", choose_by="kendall")
    curve = first(request, NDCG)
    assert size_sentence(curve) in text_of(app, "answer")
    assert curve.both.note in texts(app)
    title = charts(app)["held-out"]["layout"]["title"]["text"]
    assert NDCG.measure in title
    assert AP.measure in title
    link = linked(app)
    assert (link["choose_by"], link["judged_measure"]) == (["kendall"], [NDCG.measure])
    assert linked(open_page(PAGE, **link)) == link
    # Other scores lose the runs that are dropped.
    healthy(app.toggle(key=f"{KEY}/without_worst_quarter").set_value(True).run())
    assert not errors(app)
    assert curve.both.note not in texts(app)
    assert curve.both.note.replace(str(AP.n_systems), "15") in texts(app)


def _with_scores(text: str) -> AppTest:
    """The held-out view on scores of one's own."""
    app = with_scores(PAGE, text)
    app.session_state[f"{KEY}/tab"] = VIEWS["held-out"]
    return healthy(app.run())


@pytest.mark.slow
def test_unusable_values_of_a_link_are_reported(golden: SnapshotAssertion) -> None:
    settings = {"n_splits": "1", "judged_measure": "ERR", "choose_by": "rho"}
    app = held_out(**settings)
    assert complained_of(app) == set(settings)
    assert len(errors(app)) == len(settings)
    assert sorted(errors(app)) == golden
    settings = {"view": "all", "hold_out": "judges"}
    app = open_page(PAGE, **settings)
    assert complained_of(app) == set(settings)
    assert sorted(errors(app)) == golden


@pytest.mark.parametrize(
    ("hold_out", "requested", "shown"),
    [("runs", 50, 25), ("runs", 49, 49), ("topics", 26, 13), ("topics", 25, 25)],
)
def test_a_size_with_a_single_set_is_replaced(hold_out: str, requested: int, shown: int) -> None:
    app = held_out(**FEW | {"hold_out": hold_out, "cardinality": str(requested)})
    assert shown in numbers_in(heading(app))
    assert numbers_in(text_of(app, "other-size")) == ([requested, 50, shown] if requested != shown else [])


def test_too_few_runs_are_refused(golden: SnapshotAssertion) -> None:
    app = _with_scores("topic,x,y\n1,0.1,0.2\n2,0.3,0.3\n3,0.2,0.5\n")
    assert not text_of(app, "answer")
    assert text_of(app, "refusal") == golden
