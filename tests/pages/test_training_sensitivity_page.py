"""The page on training sensitivity: what to train by, views, topics, jobs."""

from functools import cache

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts import training_sensitivity as work
from tests.pages.app import (
    charts,
    emphasised,
    finished,
    heading,
    healthy,
    open_page,
    press,
    text_of,
    texts,
    typed,
)
from tests.words import numbers_in
from topicset_core.analyses.training_sensitivity import (
    Request,
    TrainingSensitivity,
    exchanged,
    recommendation,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.samples.simulated_sweep import simulated_sweep
from topicset_core.wording import joined

PAGE, KEY = "pages/training_sensitivity.py", "training-sensitivity"
SWEEP = sweep_of(*simulated_sweep())
TOPICS = usable_topics(SWEEP.runs)
FEW = {"n_samples": "3", "levels": "2,30", "n_splits": "1"}
"""As few trainings as show that a choice is taken; the golden record has the page with as many as usual."""


@cache
def _expected(seed: int = 0) -> TrainingSensitivity:
    """Result of the core on the sample."""
    return training_sensitivity(SWEEP, split(TOPICS, seed), Request(seed=seed, n_samples=3, levels=(2, 30)))


def _shows(app: AppTest, sensitivity: TrainingSensitivity) -> bool:
    expected = recommendation(sensitivity)
    assert emphasised(app) == [
        joined(expected.measures, "or") if expected.measures else "No training measure"
    ]
    return expected.headline in heading(app).replace(":primary[", "").replace("]", "") and (
        expected.sentence in text_of(app, "answer")
    )


@pytest.mark.slow
def test_every_choice_changes_the_answer() -> None:
    app = open_page(PAGE, **FEW)
    app.number_input(key=f"{KEY}/seed").set_value(3)
    app.multiselect(key=f"{KEY}/trained_by").set_value(["infAP", "P@10"])
    app.text_input(key=f"{KEY}/levels").set_value("2, 30")
    app.number_input(key=f"{KEY}/n_samples").set_value(5)
    app.toggle(key=f"{KEY}/keep_one").set_value(True)
    app.number_input(key=f"{KEY}/relevance_level").set_value(2)
    app.selectbox(key=f"{KEY}/gains").set_value("exponential")
    healthy(app.run())
    request = Request(
        measures=("infAP", "P@10"),
        levels=(2, 30),
        n_samples=5,
        seed=3,
        keep_one=True,
        relevance_level=2,
        gains="exponential",
    )
    sweep = sweep_of(*simulated_sweep(), relevance_level=2)
    expected = training_sensitivity(sweep, split(usable_topics(sweep.runs, 2), 3), request)
    assert _shows(app, expected)


def test_charts_show_the_selected_view() -> None:
    view = {"evaluated_by": "nDCG", "surface_of": "nDCG", "surface_level": "30"}
    drawn = charts(open_page(PAGE, **FEW | view))
    assert "nDCG" in drawn["effectiveness"]["layout"]["yaxis"]["title"]["text"]
    assert "nDCG" in drawn["surface"]["layout"]["yaxis2"]["title"]["text"]
    assert 30 in numbers_in(drawn["surface"]["layout"]["title"]["text"])


@pytest.mark.slow
def test_two_lists_of_topics(golden: SnapshotAssertion) -> None:
    first, second = TOPICS[:40], TOPICS[40:]
    app = open_page(PAGE, **FEW)
    healthy(app.radio(key=f"{KEY}/topics").set_value("lists").run())
    assert text_of(app, "refusal")  # no topics yet: the golden record has the words
    app.text_area(key=f"{KEY}/training_topics").set_value("\n".join(first))
    app.text_area(key=f"{KEY}/test_topics").set_value("\n".join(second))
    healthy(app.run())
    tasks = exchanged(second, first, ("test topics", "training topics"))
    expected = training_sensitivity(SWEEP, tasks, Request(n_samples=3, levels=(2, 30)))
    assert _shows(app, expected)
    for wrong in (f"{second[0]}\nnone", first[0]):
        app.text_area(key=f"{KEY}/test_topics").set_value(wrong)
        healthy(app.run())
        assert text_of(app, "refusal") == golden
        assert not text_of(app, "answer")


@pytest.mark.slow
def test_a_job_ends_with_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work.ANSWERS, "preview_seconds", 0.0)
    app = finished(open_page(PAGE, **FEW))
    assert _shows(app, _expected())
    monkeypatch.setattr(work.ANSWERS, "unasked_seconds", 0.0)
    typed(app, KEY, seed=5)
    assert text_of(app, "waiting")
    assert not text_of(app, "answer")
    finished(press(app, f"{KEY}/run"))
    assert not text_of(app, "waiting")
    assert _shows(app, _expected(seed=5))


def test_another_difference_changes_topics_and_nothing_else() -> None:
    app = open_page(PAGE, **FEW)
    answer = text_of(app, "answer")
    before = texts(app).splitlines()
    typed(app, KEY, min_d=0.05)
    assert text_of(app, "answer") == answer
    changed = [line for line in texts(app).splitlines() if line not in before]
    assert any(0.05 in numbers_in(line) for line in changed)
    assert not any(0.1 in numbers_in(line) for line in changed)
