"""The page on training sensitivity: what to train by, links, topics, jobs."""

import json
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import training_work
from tests.analyses.training_sensitivity.sweeps import up_to
from tests.pages.app import big_number, errors, healthy, open_page
from tests.pages.uploading import LONGEST_WAIT_SECONDS, press, settled, texts
from topicset_core.analyses.training_sensitivity import (
    Request,
    TrainingSensitivity,
    recommendation,
    split,
    swapped,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.measures import Conventions
from topicset_core.progress import Report
from topicset_core.samples.simulated_sweep import simulated_sweep

PAGE = "pages/training_sensitivity.py"
SWEEP = sweep_of(*simulated_sweep())
TOPICS = usable_topics(SWEEP.runs)


def _expected(seed: int = 0, **asked: object) -> TrainingSensitivity:
    """What the core finds on the sample."""
    return training_sensitivity(SWEEP, split(TOPICS, seed), Request(seed=seed, **asked))  # type: ignore[arg-type]


def _query(app: AppTest) -> dict[str, list[str]]:
    (url,) = [code.value for code in app.code if "trained_by=" in code.value]
    return parse_qs(urlsplit(url).query)


def test_the_sample_answers_at_once() -> None:
    app = open_page(PAGE)
    expected = recommendation(_expected())
    assert big_number(app) == expected.measure == "infAP"
    assert expected.sentence in texts(app)
    assert "This is a **simulated** sweep" in texts(app)
    assert "21 settings of b; trained on 30 and 30 topics in 2 tasks" in texts(app)
    assert not app.error
    assert len(app.get("plotly_chart")) == 5


def test_every_choice_changes_the_answer_and_stands_in_the_link() -> None:
    app = open_page(PAGE)
    app.number_input(key="training-sensitivity/seed").set_value(3)
    app.multiselect(key="training-sensitivity/trained_by").set_value(["infAP", "P@10"])
    app.text_input(key="training-sensitivity/levels").set_value("2, 30")
    app.number_input(key="training-sensitivity/n_samples").set_value(5)
    app.toggle(key="training-sensitivity/keep_one").set_value(True)
    app.number_input(key="training-sensitivity/relevance_level").set_value(2)
    app.selectbox(key="training-sensitivity/gains").set_value("exponential")
    healthy(app.run())
    asked = Request(
        measures=("infAP", "P@10"),
        levels=(2, 30),
        n_samples=5,
        seed=3,
        keep_one=True,
        conventions=Conventions(relevance_level=2, gains="exponential"),
    )
    sweep = sweep_of(*simulated_sweep(), relevance_level=2)
    expected = training_sensitivity(sweep, split(usable_topics(sweep.runs, 2), 3), asked)
    assert recommendation(expected).sentence in texts(app)
    query = _query(app)
    assert query["trained_by"] == ["infAP", "P@10"]
    assert query["levels"] == ["2, 30"]
    assert query["sweep"] == ["Simulated sweep"]
    assert query["keep_one"] == ["yes"]
    again = open_page(PAGE, **query)  # type: ignore[arg-type]
    assert recommendation(expected).sentence in texts(again)
    assert _query(again) == query


def test_what_is_looked_at_stands_in_the_link_too() -> None:
    app = open_page(PAGE, evaluated_by="nDCG", task="second half", surface_of="nDCG", surface_level="20")
    query = _query(app)
    assert [query[name] for name in ("evaluated_by", "task", "surface_of", "surface_level")] == [
        ["nDCG"],
        ["second half"],
        ["nDCG"],
        ["20"],
    ]
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    assert specs[0]["layout"]["yaxis"]["title"]["text"] == "mean nDCG on the test topics"
    assert specs[1]["layout"]["yaxis2"]["title"]["text"] == "mean nDCG in training"
    assert "20 %" in specs[1]["layout"]["title"]["text"]


def test_two_lists_of_topics() -> None:
    first, second = TOPICS[:40], TOPICS[40:]
    app = open_page(PAGE)
    app.radio(key="training-sensitivity/topics").set_value("lists")
    healthy(app.run())
    assert errors(app) == ["No answer: training topics: expected topic ids, one a line, and found none."]
    app.text_area(key="training-sensitivity/training_topics").set_value("\n".join(first))
    app.text_area(key="training-sensitivity/test_topics").set_value("\n".join(second))
    healthy(app.run())
    tasks = swapped(second, first, ("test topics", "training topics"))
    expected = recommendation(training_sensitivity(SWEEP, tasks))
    assert expected.sentence in texts(app)
    query = _query(app)
    assert query["training_topics"] == list(first)
    again = open_page(PAGE, **query)  # type: ignore[arg-type]
    assert expected.sentence in texts(again)
    app.text_area(key="training-sensitivity/test_topics").set_value(f"{second[0]}\nnone")
    healthy(app.run())
    assert errors(app) == [
        "No answer: test topics, line 2: expected a topic that has scores or judgments, found 'none'."
    ]
    app.text_area(key="training-sensitivity/test_topics").set_value(first[0])
    healthy(app.run())
    assert "must not be training topics too" in errors(app)[0]


@pytest.mark.parametrize(
    ("levels", "rule"),
    [("1,,5", 'must be percentages like "1,5,10,50"'), ("0,5", "must be percentages above 0 up to 100")],
)
def test_levels_that_are_none_are_refused_with_their_rule(levels: str, rule: str) -> None:
    app = open_page(PAGE)
    app.text_input(key="training-sensitivity/levels").set_value(levels)
    assert rule in errors(healthy(app.run()))[0]


def test_a_link_with_bad_values_says_so_and_answers_with_the_usual_ones() -> None:
    app = open_page(PAGE, trained_by="nonsense", optimiser="luck", n_samples="1", colour="red")
    said = " ".join(errors(app))
    for part in ("nonsense", "optimiser=luck", "n_samples=1", "colour in this link means nothing"):
        assert part in said
    assert big_number(app) == recommendation(_expected()).measure


def test_long_work_is_a_job_with_partial_results_that_can_be_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = _expected()

    def slow(sweep: object, tasks: object, request: object, *, report: Report, partly, executor) -> None:  # type: ignore[no-untyped-def]  # noqa: ARG001
        partly(up_to(expected, 3))
        while True:
            report(0.5)
            time.sleep(0.01)

    monkeypatch.setattr(training_work, "_AT_ONCE_SECONDS", 0.0)
    monkeypatch.setattr(training_work, "training_sensitivity", slow)
    app = open_page(PAGE)
    assert recommendation(up_to(expected, 3)).sentence in texts(app)
    press(app, "Cancel")
    waited = time.monotonic()
    while not errors(app):
        assert time.monotonic() - waited < LONGEST_WAIT_SECONDS
        healthy(app.run())
    assert errors(app) == ["Cancelled. What was there before is unchanged."]
    assert recommendation(up_to(expected, 3)).sentence in texts(app)
    assert any(button.label.startswith("Run the experiment, about") for button in app.button)


def test_a_job_ends_with_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_work, "_AT_ONCE_SECONDS", 0.0)
    app = settled(open_page(PAGE))
    assert recommendation(_expected()).sentence in texts(app)
    monkeypatch.setattr(training_work, "_WITHOUT_ASKING_SECONDS", 0.0)
    healthy(app.number_input(key="training-sensitivity/seed").set_value(5).run())
    assert "This experiment takes a while." in texts(app)
    (button,) = [found.label for found in app.button if found.label.startswith("Run the experiment")]
    settled(press(app, button))
    assert recommendation(_expected(seed=5)).sentence in texts(app)


def test_another_difference_changes_topics_and_nothing_else() -> None:
    app = open_page(PAGE)
    assert "that differ by 0.1 AP on all judgments" in texts(app)
    healthy(app.number_input(key="training-sensitivity/min_d").set_value(0.05).run())
    assert "that differ by 0.05 AP on all judgments" in texts(app)
    assert recommendation(_expected()).sentence in texts(app)


def test_a_job_that_ends_while_the_page_is_drawn_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between looking for the answer and drawing progress there is nothing left to watch."""
    monkeypatch.setattr(training_work, "_AT_ONCE_SECONDS", 0.0)
    begun = training_work.start

    def start_and_end(asked: Any) -> None:
        begun(asked)
        waited = time.monotonic()
        while not training_work.is_whole(asked):
            assert time.monotonic() - waited < LONGEST_WAIT_SECONDS
            time.sleep(0.02)

    looked = training_work.found

    def found_too_early(asked: Any) -> TrainingSensitivity | None:
        was_whole = training_work.is_whole(asked)
        answer = looked(asked)
        return answer if was_whole else None

    monkeypatch.setattr(training_work, "start", start_and_end)
    monkeypatch.setattr(training_work, "found", found_too_early)
    assert recommendation(_expected()).sentence in texts(open_page(PAGE))
