"""The error rate page: the answer at once, the whole experiment beside it, links, wrong input."""

import base64
import json
import time
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy, open_app, open_page
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.reading import Reading, percent, read
from topicset_core.collection import ScoreMatrix
from topicset_core.preparation import Steps, prepare
from topicset_core.samples.simulated import simulated_task

PAGE = "pages/error_rate.py"
_LONGEST_WAIT_SECONDS = 60  # against hanging


def _read(matrix: ScoreMatrix | None = None, **values: float) -> Reading:
    asked = {"n_topics": 50, "difference": 0.05, "max_error": 0.05} | values
    return read(matrix or simulated_task()[0], **asked)  # type: ignore[arg-type]


def _set(app: AppTest, **values: float) -> AppTest:
    for name, value in values.items():
        app.number_input(key=f"error-rate/{name}").set_value(value)
    return healthy(app.run())


def _press(app: AppTest, label: str) -> AppTest:
    (button,) = [button for button in app.button if button.label.startswith(label)]
    return healthy(button.click().run())


def _until(app: AppTest, reached: Callable[[AppTest], bool]) -> None:
    started = time.monotonic()
    while not reached(app):
        assert time.monotonic() - started < _LONGEST_WAIT_SECONDS
        time.sleep(0.05)
        healthy(app.run())


def _says(app: AppTest, text: str) -> bool:
    return any(text in found.value for found in app.markdown)


def _link(app: AppTest) -> dict[str, str]:
    (found,) = [code.value for code in app.code if "max_error=" in code.value]
    return dict(parse_qsl(urlsplit(found).query))


def _chart(app: AppTest, place: int) -> dict[str, object]:
    found = json.loads(app.get("plotly_chart")[place].proto.spec)
    assert isinstance(found, dict)
    return found


def test_answers_at_once_on_the_sample_with_the_sentence_of_the_core() -> None:
    app = open_page(PAGE)
    expected = _read()
    assert big_number(app) == percent(expected.error)
    (sentence,) = [text.value for text in app.markdown if text.value.startswith("With 50 topics")]
    assert sentence == expected.sentence
    assert expected.interval is not None
    assert _says(app, f"{percent(expected.interval.low)} to {percent(expected.interval.high)}")
    assert _says(app, "carried beyond what the experiment below shows")
    assert _says(app, "simulated")


def test_numbers_typed_are_answered() -> None:
    app = _set(open_page(PAGE), min_d=0.03, n_topics=20, max_error=0.1)
    assert big_number(app) == percent(_read(difference=0.03, n_topics=20, max_error=0.1).error)
    assert not _says(app, "carried beyond")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"max_error": 0.5}, "must be a number above 0 and below 0.5. The answer shown is for 0.05."),
        ({"min_d": 0.0}, "must be a number above 0. The answer shown is for 0.05."),
        ({"n_topics": 0}, "must be a whole number from 1 to 10,000,000. The answer shown is for 50."),
        ({"n_trials": 0}, "must be a whole number from 1 to 1,000,000. The answer shown is for 10000."),
    ],
)
def test_wrong_input_is_named_kept_and_leaves_the_last_answer(values: dict[str, float], said: str) -> None:
    app = _set(open_page(PAGE), **values)
    (error,) = errors(app)
    assert said in error
    assert big_number(app) == percent(_read().error)
    ((name, value),) = values.items()
    assert app.number_input(key=f"error-rate/{name}").value == value


def test_the_worst_quarter_goes_at_one_click() -> None:
    app = open_page(PAGE)
    healthy(app.toggle(key="error-rate/without_worst_quarter").set_value(True).run())
    done = prepare(simulated_task()[0], Steps(worst_fraction=0.25))
    assert done.matrix.n_systems == 15
    assert big_number(app) == percent(_read(done.matrix).error)
    assert _says(app, "15 of 20 runs are left.")


def test_other_scores_can_be_chosen() -> None:
    app = open_page(PAGE)
    healthy(app.selectbox(key="error-rate/matrix").set_value(2).run())
    matrix = simulated_task()[2]
    assert big_number(app) == percent(_read(matrix).error)
    assert _link(app)["measure"] == matrix.measure


def test_the_whole_experiment_runs_beside_the_page_and_is_drawn() -> None:
    app = _set(open_page(PAGE), n_trials=20_000, seed=4)
    assert _says(app, "2,000 trials for each of 25 sizes, seed 4")
    _press(app, "Run all 20,000 trials")
    _until(app, lambda app: _says(app, "20,000 trials for each of 25 sizes, seed 4"))
    expected = error_rates(simulated_task()[0], n_trials=20_000, seed=4)
    traces = {trace["name"]: trace for trace in _chart(app, 0)["data"]}  # type: ignore[attr-defined]
    drawn = np.frombuffer(base64.b64decode(traces[".04–.05"]["y"]["bdata"]))  # as Plotly sends arrays
    assert drawn == pytest.approx(100 * expected.error_rates[:, 4])
    assert not [button for button in app.button if button.label.startswith("Run all")]
    _set(app, seed=5)  # another question: the quick look again
    assert _says(app, "2,000 trials for each of 25 sizes, seed 5")


def test_the_whole_experiment_can_be_cancelled() -> None:
    app = _set(open_page(PAGE), n_trials=1_000_000)
    _press(app, "Run all 1,000,000 trials")
    _press(app, "Cancel")
    _until(app, lambda app: bool(app.error))
    assert errors(app) == ["Cancelled. What was there before is unchanged."]
    assert big_number(app) == percent(_read().error)


def test_a_bootstrap_reaches_as_many_topics_as_there_are_and_is_marked() -> None:
    app = open_page(PAGE)
    healthy(app.toggle(key="error-rate/bootstrap").set_value(True).run())
    chart = _chart(app, 0)
    assert "with replacement" in chart["layout"]["title"]["text"]  # type: ignore[index, call-overload]
    assert _link(app)["bootstrap"] == "yes"
    assert _says(app, "trials for each of 50 sizes")


def test_theory_and_map_show_the_numbers_of_the_core() -> None:
    app = open_page(PAGE)
    theory = {trace["name"] for trace in _chart(app, 1)["data"]}  # type: ignore[attr-defined]
    assert {"given the observed difference", "Eq. 8, paired variance"} < theory
    point = next(trace for trace in _chart(app, 2)["data"] if trace["name"] == "yours")  # type: ignore[attr-defined]
    assert (point["x"], point["y"]) == ([50], [0.05])


def test_the_formula_designs_a_collection() -> None:
    app = open_page(PAGE)
    app.session_state["error-rate/design"] = True
    healthy(app.run())
    assert _says(app, "If two systems **truly** differ by 0.05 AP")
    healthy(app.segmented_control(key="error-rate/factor").set_value("variance").run())
    (chart,) = [chart for chart in app.get("plotly_chart") if "against the variance" in chart.proto.alt]
    assert "variance of the difference" in json.loads(chart.proto.spec)["layout"]["xaxis"]["title"]["text"]


def test_the_prediction_can_be_checked() -> None:
    app = open_page(PAGE)
    app.session_state["error-rate/beyond"] = True
    healthy(app.run())
    _press(app, "Predict from a third of the topics")
    _until(app, lambda app: _says(app, "Predicted from 16 topics what sets of 17 do"))


def test_link_round_trip_asks_the_same_question_in_full_precision() -> None:
    app = _set(open_page(PAGE), min_d=0.0123456789012345, n_topics=77, max_error=0.2, seed=9)
    healthy(app.toggle(key="error-rate/without_worst_quarter").set_value(True).run())
    link = _link(app)
    assert float(link["min_d"]) == 0.0123456789012345
    second = open_page(PAGE, **link)
    assert big_number(second) == big_number(app)
    assert _link(second) == link


def test_what_a_link_asks_in_vain_is_said() -> None:
    app = open_page(PAGE, max_error="7", bootstrap="perhaps", measure="ERR", colour="red")
    said = " ".join(errors(app))
    assert "max_error=7 in this link was not used: it must be a number above 0 and below 0.5." in said
    assert "bootstrap=perhaps in this link was not used: it must be one of no, yes." in said
    assert "measure=ERR in this link: no such scores are in use." in said
    assert "colour in this link means nothing on this page" in said
    assert big_number(app) == percent(_read().error)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("topic,x,y\n1,0.5,0.5\n2,0.1,0.1\n3,0.3,0.3\n", "must not all score the same on every topic"),
        ("topic,x\n1,0.5\n2,0.1\n3,0.3\n", "2"),
    ],
    ids=["identical runs", "one run"],
)
def test_scores_without_error_rates_are_refused_in_words(text: str, said: str) -> None:
    app = open_app("pages/score_matrices.py")
    app.file_uploader[0].upload("mine_ap.csv", text.encode(), "text/csv")
    healthy(app.run())
    go(app, PAGE)
    (error,) = errors(app)
    assert error.startswith("These scores have no error rates")
    assert said in error
    healthy(app.toggle(key="error-rate/without_worst_quarter").set_value(True).run())
    assert errors(app)[-1].startswith("These scores have no error rates")


def test_three_topics_and_two_runs_have_an_answer() -> None:
    app = open_app("pages/score_matrices.py")
    app.file_uploader[0].upload("mine_ap.csv", b"topic,x,y\n1,0.1,0.2\n2,0.3,0.2\n3,0.5,0.1\n", "text/csv")
    healthy(app.run())
    go(app, PAGE)
    assert not errors(app)
    assert big_number(app).endswith("%")
