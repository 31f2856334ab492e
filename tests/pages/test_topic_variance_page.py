"""The page on topic variance: the share of pairs that change order, all models, a run and a topic."""

from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import topic_variance as work
from tests.pages.app import (
    big_number,
    charts,
    finished,
    healthy,
    is_offered,
    linked,
    open_page,
    press,
    text_of,
)
from tests.words import numbers_in
from topicset_core.analyses.topic_variance import Findings, Request, topic_variance
from topicset_core.analyses.topic_variance.report import report
from topicset_core.collection.judged_runs import join
from topicset_core.exports.findings import found_on
from topicset_core.samples.simulated_runs import simulated_track

PAGE, KEY = "pages/topic_variance.py", "topic-variance"
SIMULATE = f"{KEY}/simulate"
SAMPLE, QRELS = simulated_track()
JUDGED = join(SAMPLE, QRELS)


@pytest.fixture(autouse=True)
def _short_previews(monkeypatch: pytest.MonkeyPatch) -> None:
    """The golden record opens the page with as many collections as it takes itself."""
    monkeypatch.setattr(work.ANSWERS, "preview_seconds", 1e-9)


@cache
def _expected(request: Request) -> Findings:
    """Result of the core on the sample."""
    return topic_variance(JUDGED, request, SAMPLE)


def _shows(app: AppTest, expected: Findings) -> bool:
    headline, *_ = found_on(report(expected).findings, "headline")
    assert big_number(app) == numbers_in(headline.text)[0]
    return all(
        one.text in text_of(app, "answer")
        for one in found_on(report(expected).findings, "page")
        if not one.tab
    )


@pytest.mark.slow
def test_all_collections_are_simulated_by_all_models_and_cached() -> None:
    app = open_page(PAGE, n_trials="100")
    assert text_of(app, "preview")
    finished(press(app, SIMULATE))
    assert _shows(app, _expected(Request(n_trials=100)))
    assert not is_offered(app, SIMULATE)
    assert not text_of(app, "preview")
    healthy(app.radio(key=f"{KEY}/model").set_value("kde").run())
    assert _shows(app, _expected(Request(model="kde", n_trials=100)))
    assert not text_of(app, "preview")


@pytest.mark.slow
def test_a_run_and_a_topic_can_be_inspected() -> None:
    app = open_page(PAGE)
    app.selectbox(key=f"{KEY}/run").set_value("simD-1")
    healthy(app.selectbox(key=f"{KEY}/topic").set_value("07").run())
    scores, fit = (charts(app)[name]["layout"]["title"]["text"] for name in ("scores", "fit"))
    assert "simD-1" in scores
    assert "simD-1" in fit
    assert "07" in fit
    assert (linked(app)["run"], linked(app)["topic"]) == (["simD-1"], ["07"])
