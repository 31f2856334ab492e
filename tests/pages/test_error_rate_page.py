"""The error rate page: the answer at once, the whole experiment in the background, links, wrong input."""

import base64

import numpy as np
import pytest

from tests.pages.app import (
    big_number,
    charts,
    finished,
    healthy,
    is_offered,
    linked,
    open_page,
    press,
    sentence,
    text_of,
    typed,
    unfolded,
)
from tests.words import numbers_in
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.prediction import Prediction, percent, predict
from topicset_core.collection import ScoreMatrix
from topicset_core.samples.simulated import simulated_task

PAGE, KEY = "pages/error_rate.py", "error-rate"
AP = simulated_task()[0]


def _read(matrix: ScoreMatrix = AP, **values: float) -> Prediction:
    requested = {"n_topics": 50, "difference": 0.05, "max_error": 0.05} | values
    return predict(matrix, **requested)  # type: ignore[arg-type]


def _number(reading: Prediction) -> float:
    """The number of the page: in per cent, as its headline rounds it."""
    return numbers_in(percent(reading.error))[0]


def _count(text: str) -> tuple[float, ...]:
    """Trials, sizes and seed of the sentence on the experiment."""
    return tuple(numbers_in(text)[:3])


def test_shows_the_sentence_of_the_core_for_the_sample_at_once() -> None:
    app = open_page(PAGE)
    expected = _read()
    assert big_number(app) == _number(expected) == pytest.approx(100 * expected.error, rel=0.02)
    assert numbers_in(sentence(app)) == numbers_in(f"{expected.requirements} {expected.limits}")
    interval = expected.interval
    assert interval is not None
    low, high = (numbers_in(percent(bound))[0] for bound in (interval.low, interval.high))
    assert numbers_in(text_of(app, "answer"))[:5] == [0.05, _number(expected), 90, low, high]
    drawn = charts(app)
    (point,) = [trace for trace in drawn["map"]["data"] if trace["name"] == "yours"]
    assert (point["x"], point["y"]) == ([50], [0.05])


def test_extrapolation_beyond_half_of_the_topics_gets_a_mark() -> None:
    app = open_page(PAGE)
    assert _read(n_topics=50).limits == "Extrapolated from sets of 25 topics"
    assert "badge" in sentence(app)
    typed(app, KEY, min_d=0.03, n_topics=25, max_error=0.1)
    assert big_number(app) == _number(_read(difference=0.03, n_topics=25, max_error=0.1))
    assert "badge" not in sentence(app)
    typed(app, KEY, n_topics=26)
    assert "badge" in sentence(app)


@pytest.mark.slow
def test_the_whole_experiment_runs_in_the_background_and_is_drawn() -> None:
    app = open_page(PAGE, n_trials="20000", seed="4")
    assert _count(text_of(app, "preview")) == (2_000, 25, 4)
    press(app, f"{KEY}/run")
    finished(app)
    assert not text_of(app, "preview")
    assert not is_offered(app, f"{KEY}/run")
    expected = error_rates(AP, n_trials=20_000, seed=4)
    traces = {trace["name"]: trace for trace in charts(app)["curves"]["data"]}
    drawn = np.frombuffer(base64.b64decode(traces[".04–.05"]["y"]["bdata"]))  # as Plotly sends arrays
    assert drawn == pytest.approx(100 * expected.error_rates[:, 4])
    typed(app, KEY, seed=5)  # another question: the quick look again
    assert _count(text_of(app, "preview")) == (2_000, 25, 5)


def test_the_formula_designs_a_collection() -> None:
    app = unfolded(open_page(PAGE), f"{KEY}/design")
    first = charts(app)["factor"]["layout"]["xaxis"]["title"]["text"]
    healthy(app.segmented_control(key=f"{KEY}/factor").set_value("variance").run())
    second = charts(app)["factor"]["layout"]["xaxis"]["title"]["text"]
    assert "topic" in first
    assert "variance" in second


@pytest.mark.slow
def test_link_round_trip_keeps_the_request_in_full_precision() -> None:
    app = typed(open_page(PAGE), KEY, min_d=0.0123456789012345, n_topics=77, max_error=0.2, seed=9)
    healthy(app.toggle(key=f"{KEY}/without_worst_quarter").set_value(True).run())
    link = linked(app)
    assert link["min_d"] == ["0.0123456789012345"]
    second = open_page(PAGE, **link)
    assert big_number(second) == big_number(app)
    assert linked(second) == link
