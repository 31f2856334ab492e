"""The error rate page: the answer at once, the whole experiment in the background, links, wrong input."""

import base64

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.pages.app import (
    big_number,
    charts,
    complained_of,
    errors,
    finished,
    healthy,
    is_busy,
    is_offered,
    linked,
    open_page,
    press,
    sentence,
    text_of,
    texts,
    typed,
    unfolded,
    until,
)
from tests.pages.uploading import with_scores
from tests.words import numbers_in
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.prediction import Prediction, Predictor, percent, predict
from topicset_core.analyses.error_rate.two_runs import two_runs
from topicset_core.collection import ScoreMatrix
from topicset_core.preparation import Steps, prepare
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
def test_wrong_input_is_named_and_kept_next_to_the_last_answer(golden: SnapshotAssertion) -> None:
    app = open_page(PAGE)
    right = {"max_error": 0.05, "min_d": 0.05, "n_topics": 50, "n_trials": 10_000}
    for name, wrong in (("max_error", 0.5), ("min_d", 0.0), ("n_topics", 0), ("n_trials", 0)):
        typed(app, KEY, **(right | {name: wrong}))
        assert complained_of(app) == {name}
        assert len(errors(app)) == 1
        assert text_of(app, "complaints") == golden
        assert big_number(app) == _number(_read())
        assert app.number_input(key=f"{KEY}/{name}").value == wrong


@pytest.mark.slow
def test_other_scores_and_fewer_runs_at_one_click() -> None:
    app = open_page(PAGE)
    healthy(app.toggle(key=f"{KEY}/without_worst_quarter").set_value(True).run())
    done = prepare(AP, Steps(worst_fraction=0.25))
    assert done.matrix.n_systems == 15
    assert big_number(app) == _number(_read(done.matrix))
    assert all(sentence in texts(app) for sentence in done.notes)
    healthy(app.toggle(key=f"{KEY}/without_worst_quarter").set_value(False).run())
    healthy(app.selectbox(key=f"{KEY}/matrix").set_value(2).run())
    matrix = simulated_task()[2]
    assert big_number(app) == _number(_read(matrix))
    assert linked(app)["measure"] == [matrix.measure]


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


@pytest.mark.slow
def test_the_whole_experiment_can_be_cancelled() -> None:
    app = open_page(PAGE, n_trials="1000000")
    press(app, f"{KEY}/run")
    assert is_busy(app)
    press(app, f"{KEY}/job-cancel")
    until(app, lambda app: not is_busy(app))
    assert text_of(app, f"{KEY}/stopped")
    assert not errors(app)
    assert text_of(app, "preview")
    assert big_number(app) == _number(_read())


def test_a_bootstrap_covers_all_topics_and_is_marked() -> None:
    app = open_page(PAGE)
    before = charts(app)["curves"]["layout"]["title"]["text"]
    healthy(app.toggle(key=f"{KEY}/bootstrap").set_value(True).run())
    assert charts(app)["curves"]["layout"]["title"]["text"] != before
    assert linked(app)["bootstrap"] == ["yes"]
    assert _count(text_of(app, "preview"))[1] == 50


def test_the_formula_designs_a_collection() -> None:
    app = unfolded(open_page(PAGE), f"{KEY}/design")
    first = charts(app)["factor"]["layout"]["xaxis"]["title"]["text"]
    healthy(app.segmented_control(key=f"{KEY}/factor").set_value("variance").run())
    second = charts(app)["factor"]["layout"]["xaxis"]["title"]["text"]
    assert "topic" in first
    assert "variance" in second


def test_the_prediction_can_be_checked() -> None:
    app = unfolded(open_page(PAGE), f"{KEY}/beyond")
    n_tables = len(app.dataframe)
    press(app, f"{KEY}-check/run")
    finished(app)
    assert len(app.dataframe) == n_tables + 1
    assert not is_offered(app, f"{KEY}-check/run")


@pytest.mark.slow
def test_link_round_trip_keeps_the_request_in_full_precision() -> None:
    app = typed(open_page(PAGE), KEY, min_d=0.0123456789012345, n_topics=77, max_error=0.2, seed=9)
    healthy(app.toggle(key=f"{KEY}/without_worst_quarter").set_value(True).run())
    link = linked(app)
    assert link["min_d"] == ["0.0123456789012345"]
    second = open_page(PAGE, **link)
    assert big_number(second) == big_number(app)
    assert linked(second) == link


def test_two_runs_can_be_selected_and_are_part_of_the_link() -> None:
    app = open_page(PAGE)
    assert not text_of(app, "two-runs")
    matrix = simulated_task()[0]
    app.selectbox(key=f"{KEY}/run_a").set_value(matrix.systems[3])
    healthy(app.selectbox(key=f"{KEY}/run_b").set_value(matrix.systems[8]).run())
    typed(app, KEY, n_topics=80)
    expected = two_runs(Predictor(matrix), matrix.systems[3], matrix.systems[8], n_topics=80)
    assert expected.sentence == text_of(app, "two-runs").replace("\\", "")
    second = open_page(PAGE, **linked(app))
    assert text_of(second, "two-runs") == text_of(app, "two-runs")


def test_unusable_values_of_a_link_are_reported() -> None:
    app = open_page(PAGE, max_error="7", bootstrap="perhaps", measure="ERR", colour="red")
    assert complained_of(app) == {"max_error", "bootstrap", "measure"}
    assert len(errors(app)) == 4  # the golden record has their words
    assert big_number(app) == _number(_read())


@pytest.mark.parametrize(
    "scores",
    ["topic,x,y\n1,0.5,0.5\n2,0.1,0.1\n3,0.3,0.3\n", "topic,x\n1,0.5\n2,0.1\n3,0.3\n"],
    ids=["identical runs", "one run"],
)
def test_scores_without_error_rates_are_refused(scores: str) -> None:
    app = with_scores(PAGE, scores)
    assert text_of(app, "refusal")  # the golden record has its words
    assert not text_of(app, "answer")
    healthy(app.toggle(key=f"{KEY}/without_worst_quarter").set_value(True).run())
    assert text_of(app, "refusal")


def test_three_topics_and_two_runs_have_an_answer() -> None:
    app = with_scores(PAGE, "topic,x,y\n1,0.1,0.2\n2,0.3,0.2\n3,0.5,0.1\n")
    assert not errors(app)
    assert 0 <= (big_number(app) or 0) <= 50
