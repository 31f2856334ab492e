"""Planning by a similar task: its measure stays where another task is chosen, and its runs are a choice."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, healthy, link_of, linked, open_app, open_page, text_of, texts, tile
from topicset_core.analyses.planning import PlanRequest, Similar, planned
from topicset_core.designs import blocked_anova
from topicset_core.variance.atlas import SIMILAR_RUNS, Runs

PAGE = "pages/topics_as_blocks.py"
SIMILAR = "no scores: a similar task"
STRONGER: Runs = "stronger-half"


def _opened(page: str = PAGE) -> AppTest:
    app = open_app(page)
    app.selectbox(key="planning/scores").set_value(SIMILAR)
    return healthy(app.run())


def _task(app: AppTest, family: str) -> AppTest:
    app.selectbox(key="planning/similar-task").set_value(family)
    return healthy(app.run())


def _measure(app: AppTest, family: str) -> Any:
    return app.selectbox(key=f"planning/measure-of-{family}")


def _runs(app: AppTest) -> Any:
    (field,) = [one for one in app.get("button_group") if one.key == f"planning/{SIMILAR_RUNS.name}"]
    return field


def _topics(task: str, runs: Runs = "all") -> int:
    values = {one.name: one.default for one in blocked_anova.DESIGN.parameters}
    return planned(
        PlanRequest(design=blocked_anova.DESIGN, values=values), Similar(name=task, runs=runs)
    ).topics


def test_another_task_keeps_the_measure_that_it_has() -> None:
    """P@10, which is not the first measure of any task."""
    app = _opened()
    _measure(app, "dl-passage").set_value("P@10")
    healthy(app.run())
    _task(app, "web")
    assert _measure(app, "web").value == "P@10"
    assert big_number(app) == _topics("web:P@10")


@pytest.mark.parametrize("page", [PAGE, "pages/start.py", "pages/paired_t.py", "pages/compare_designs.py"])
def test_another_task_without_the_measure_asks_for_one(page: str) -> None:
    """TREC Web has no nDCG@10 in the atlas, but nDCG@20."""
    app = _opened(page)
    assert _measure(app, "dl-passage").value == "nDCG@10"
    _task(app, "web")
    assert "TREC Web has no variance of nDCG@10, but of " in text_of(app, "prompt")
    assert not app.metric
    chosen = _measure(app, "web").set_value("nDCG@20")
    assert chosen.options[1:] == ["nDCG@20", "AP", "P@10", "P@20", "RR"]
    healthy(app.run())
    assert app.metric
    assert _measure(app, "web").options == ["nDCG@20", "AP", "P@10", "P@20", "RR"]


def test_a_measure_that_one_task_lacks_is_that_of_the_next_one() -> None:
    app = _opened()
    for family in ("web", "terabyte", "dl-passage-gpt4"):
        _task(app, family)
    assert _measure(app, "dl-passage-gpt4").value == "nDCG@10"
    assert big_number(app) == _topics("dl-passage-gpt4:nDCG@10")


def test_strong_runs_are_a_choice_and_the_usual_one_is_said() -> None:
    app = _opened()
    assert _runs(app).value == "all"
    told = "0.02248; stronger half of the runs: 0.0123, 0.55 times as much."
    assert told in texts(app)
    assert big_number(app) == _topics("dl-passage:nDCG@10") == 72
    _runs(app).set_value(STRONGER)
    healthy(app.run())
    assert "1.8 times as much; tells as much as a pilot of 8 topics for 10 systems: too few" in texts(app)
    assert tile(app, "at the estimate") == _topics("dl-passage:nDCG@10", STRONGER) == 40
    assert "stronger half of the runs" in linked(app)["variance_from"][0]
    assert "--similar-runs stronger-half" in texts(app) or "stronger-half" in str(
        [one.value for one in app.code]
    )


@pytest.mark.parametrize("runs", SIMILAR_RUNS.options)
def test_the_link_has_interval_and_coverage_of_the_plan(runs: str) -> None:
    app = _opened()
    _runs(app).set_value(runs)
    healthy(app.run())
    query = {name: value for name, (value,) in linked(app).items()}
    assert query["similar_task"] == "alone"
    there = open_page(PAGE, **query)
    shown = [[(one.label, one.value) for one in each.metric] for each in (app, there)]
    assert shown[0] == shown[1]
    for each in (app, there):
        assert "covers 86 to 100 %" in texts(each)
    assert link_of(there) == link_of(app)
