"""The topic subsets page: an answer at once, the thorough look beside it, links, wrong input."""

import json
import time
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import subsets_work
from tests.pages.app import big_number, errors, healthy, open_page
from topicset_core.analyses.topic_subsets.curve import SubsetCurve
from topicset_core.analyses.topic_subsets.explore import subset_curve
from topicset_core.analyses.topic_subsets.first_look import SECONDS
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.request import Method, Request
from topicset_core.analyses.topic_subsets.sentence import answer_sentence
from topicset_core.collection import ScoreMatrix
from topicset_core.preparation import Steps, prepare
from topicset_core.samples.simulated import simulated_task

PAGE = "pages/topic_subsets.py"
_LONGEST_WAIT_SECONDS = 120  # against hanging


def first_look(matrix: ScoreMatrix | None = None, goodness: Goodness = "pearson") -> SubsetCurve:
    request = Request(
        goodness=goodness,
        cardinalities=tuple(range(1, 51)),
        method="local",
        n_trials=subsets_work._QUICK_TRIALS,
        effort=SECONDS / 4,
    )
    return subset_curve(matrix or simulated_task()[0], request)


def number_of(curve: SubsetCurve, target: float) -> str:
    best = curve.crossings(target).best
    return "1 topic" if best == 1 else f"{best} topics"


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [button for button in app.button if button.label.startswith(label)]
    return healthy(button.click().run())


def says(app: AppTest, text: str) -> bool:
    return any(text in found.value.replace("\\", "") for found in app.markdown)


def until(app: AppTest, reached: Callable[[AppTest], bool]) -> None:
    started = time.monotonic()
    while not reached(app):
        assert time.monotonic() - started < _LONGEST_WAIT_SECONDS
        time.sleep(0.1)
        healthy(app.run())


def link_of(app: AppTest) -> dict[str, str]:
    (found,) = [code.value for code in app.code if "goodness=" in code.value]
    return dict(parse_qsl(urlsplit(found).query))


def chart(app: AppTest, place: int) -> dict:
    found = json.loads(app.get("plotly_chart")[place].proto.spec)
    assert isinstance(found, dict)
    return found


def test_answers_at_once_on_the_sample_with_the_sentence_of_the_core() -> None:
    app = open_page(PAGE)
    curve = first_look()
    assert big_number(app) == number_of(curve, 0.95)
    assert says(app, answer_sentence(curve, 0.95))
    assert says(app, "simulated")
    assert len(app.get("plotly_chart")) == 4
    best = curve.at(3)
    assert best is not None
    assert best.best is not None
    assert says(app, ", ".join(best.best.topics))


@pytest.mark.parametrize(("goodness", "target"), [("kendall", 0.9), ("error-rate", 0.02)])
def test_another_measure_starts_from_its_own_target(goodness: Goodness, target: float) -> None:
    app = open_page(PAGE)
    healthy(app.radio(key="topic-subsets/goodness").set_value(goodness).run())
    assert app.number_input(key="topic-subsets/target").value == target
    curve = first_look(goodness=goodness)
    assert big_number(app) == number_of(curve, target)
    assert says(app, answer_sentence(curve, target))


def test_the_target_is_read_across() -> None:
    app = open_page(PAGE)
    healthy(app.number_input(key="topic-subsets/target").set_value(0.99).run())
    assert big_number(app) == number_of(first_look(), 0.99)


def test_the_worst_quarter_and_logarithms() -> None:
    app = open_page(PAGE)
    app.toggle(key="topic-subsets/without_worst_quarter").set_value(True)
    healthy(app.toggle(key="topic-subsets/log").set_value(True).run())
    done = prepare(simulated_task()[0], Steps(worst_fraction=0.25, log_floor=1e-5))
    assert says(app, answer_sentence(first_look(done.matrix), 0.95))
    assert says(app, "Scores were replaced by their natural logarithm")


@pytest.mark.parametrize("method", ["auto", "guiver"])
def test_the_thorough_look_runs_beside_the_page_and_is_drawn(method: Method) -> None:
    app = open_page(PAGE, method=method, n_trials="500", seed="3")
    press(app, "Look thoroughly")
    until(app, lambda app: not any(one.label == "Cancel" for one in app.button))
    request = Request(
        goodness="pearson", cardinalities=tuple(range(1, 51)), method=method, n_trials=500, seed=3
    )
    curve = subset_curve(simulated_task()[0], request)
    assert big_number(app) == number_of(curve, 0.95)
    assert says(app, answer_sentence(curve, 0.95))
    assert not [button for button in app.button if button.label.startswith("Look thoroughly")]
    if method == "auto":
        assert says(app, "subsets of 3 topics were looked at: none is better.")
    assert not says(app, "A first look")
    healthy(app.number_input(key="topic-subsets/seed").set_value(4).run())  # another question
    assert says(app, "A first look")


def test_proofs_run_beside_the_page_and_what_is_open_is_said() -> None:
    app = open_page(PAGE, method="exact", n_trials="500", nodes="1000")  # too few nodes for these scores
    press(app, "Look thoroughly")
    until(app, lambda app: not any(one.label == "Cancel" for one in app.button))
    assert says(app, "50 sizes, 17 of them looked at in full, 33 with a proof that was not finished")
    assert link_of(app)["nodes"] == "1000"
    drawn = chart(app, 0)["data"]
    legend = [trace["name"] for trace in drawn if trace.get("showlegend")]
    assert legend == ["all subsets were looked at", "not settled: no subset is beyond the bar"]
    assert {"bounds of the best", "bounds of the worst"} <= {trace["name"] for trace in drawn}
    numbers = app.dataframe[0].value
    assert numbers["best is"][0] == "all subsets were looked at"
    is_open = numbers["best is"].str.startswith("not settled: no subset is beyond ")
    assert is_open.sum() == 33
    assert (numbers["no subset exceeds"][is_open] > numbers["best"][is_open]).all()


@pytest.mark.parametrize("goodness", ["kendall", "error-rate"])
def test_proofs_of_another_goodness_are_declined_in_words(goodness: Goodness) -> None:
    app = open_page(PAGE, method="exact", goodness=goodness)
    (warning,) = app.warning
    assert warning.value.startswith("Proofs are for Pearson's correlation: no bound is known for ")
    assert link_of(app)["method"] == "auto"


def test_a_cancelled_look_shows_what_it_had() -> None:
    app = open_page(PAGE, goodness="kendall")
    press(app, "Look thoroughly")
    until(app, lambda app: any(one.label == "Cancel" for one in app.button) and says(app, "So far:"))
    press(app, "Cancel")
    until(app, lambda app: bool(app.error))
    assert errors(app) == ["Cancelled. What was there before is unchanged."]
    assert says(app, "What was done before it was stopped:")
    assert big_number(app) == number_of(first_look(goodness="kendall"), 0.9)


def test_the_ten_sets_of_another_size() -> None:
    app = open_page(PAGE)
    healthy(app.number_input(key="topic-subsets/cardinality").set_value(5).run())
    assert chart(app, 2)["layout"]["title"]["text"] == "The 10 best and 10 worst subsets of 5 topics"


def test_measures_are_compared_on_request() -> None:
    app = open_page(PAGE, cardinality="4")
    app.session_state["topic-subsets/other"] = True
    healthy(app.run())
    press(app, "Choose 4 topics by each measure")
    until(app, lambda app: says(app, "The three best sets have"))


def test_the_heuristic_is_judged_on_request() -> None:
    app = open_page(PAGE)
    app.session_state["topic-subsets/heuristic"] = True
    healthy(app.run())
    press(app, "Run the paper's heuristic")
    until(app, lambda app: says(app, "**Worst sets**"))
    assert says(app, "**Best sets**")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"target": 1.5}, "must be a number from -1 to 1. The answer shown is for 0.95."),
        ({"cardinality": 0}, "must be a whole number from 1 to 10,000,000. The answer shown is for 12."),
        ({"n_trials": 1}, "must be a whole number from 2 to 1,000,000. The answer shown is for 10000."),
    ],
)
def test_wrong_input_is_named_kept_and_leaves_the_last_answer(values: dict[str, float], said: str) -> None:
    app = open_page(PAGE)
    ((name, value),) = values.items()
    healthy(app.number_input(key=f"topic-subsets/{name}").set_value(value).run())
    (error,) = errors(app)
    assert said in error
    assert big_number(app) == number_of(first_look(), 0.95)
    assert app.number_input(key=f"topic-subsets/{name}").value == value


def test_link_round_trip_asks_the_same_question_in_full_precision() -> None:
    app = open_page(PAGE)
    app.radio(key="topic-subsets/goodness").set_value("kendall").run()
    app.number_input(key="topic-subsets/target").set_value(0.8123456789012345)
    app.number_input(key="topic-subsets/cardinality").set_value(7)
    app.radio(key="topic-subsets/method").set_value("local")
    healthy(app.toggle(key="topic-subsets/log").set_value(True).run())
    link = link_of(app)
    assert float(link["target"]) == 0.8123456789012345
    assert (link["goodness"], link["method"], link["log"], link["cardinality"]) == (
        "kendall",
        "local",
        "yes",
        "7",
    )
    second = open_page(PAGE, **link)
    assert big_number(second) == big_number(app)
    assert link_of(second) == link


def test_what_a_link_asks_in_vain_is_said() -> None:
    app = open_page(PAGE, target="7", goodness="rho", measure="ERR", colour="red")
    said = " ".join(errors(app))
    assert "target=7 in this link was not used: it must be a number from -1 to 1." in said
    assert "goodness=rho in this link was not used: it must be one of pearson, kendall, error-rate." in said
    assert "measure=ERR in this link: no such scores are in use." in said
    assert "colour in this link means nothing on this page" in said
