"""The held-out view of the topic subsets page: a first look at once, all splits beside it, other scores, links."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy, open_app, open_page
from tests.pages.test_topic_subsets_page import PAGE, chart, link_of, press, says, until
from topicset_core.analyses.topic_subsets.held_out.answers import number, size_sentence
from topicset_core.analyses.topic_subsets.held_out.error_rates import held_out_error_rates
from topicset_core.analyses.topic_subsets.held_out.experiment import held_out_curve
from topicset_core.analyses.topic_subsets.held_out.first_look import first_look
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.sentences import error_rates_sentence, held_out_sentence
from topicset_core.collection import ScoreMatrix
from topicset_core.samples.simulated import simulated_task

AP: ScoreMatrix = simulated_task()[0]
FEW = {"n_splits": "4", "n_starts": "0", "n_trials_of_a_split": "10"}


def held_out(**query: str) -> AppTest:
    return open_page(PAGE, view="held-out", **query)


def first(request: HeldOutRequest, judged: ScoreMatrix | None = None) -> str:
    few = first_look(AP, request, 12, 0.4, judged=judged)
    assert few is not None
    return size_sentence(held_out_curve(AP, few, judged=judged), 12)


def quiet(app: AppTest) -> bool:
    return not any(button.label == "Cancel" for button in app.button)


@pytest.mark.parametrize("hold_out", ["runs", "topics"])
def test_a_first_look_answers_at_once_in_the_words_of_the_core(hold_out: str) -> None:
    app = held_out(hold_out=hold_out)
    request = HeldOutRequest(hold_out=hold_out, goodness="pearson")  # type: ignore[arg-type]
    assert says(app, first(request))
    assert says(app, "A first look: ")
    assert len(app.get("plotly_chart")) == 1
    assert f"on {hold_out} that were held out" in chart(app, 0)["layout"]["title"]["text"]


def test_all_splits_run_beside_the_page() -> None:
    app = held_out(cardinality="5", **FEW)
    press(app, "Run all 4 splits")
    until(app, quiet)
    curve = held_out_curve(
        AP, HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=4, n_starts=0, n_trials=10)
    )
    point = curve.at(5)
    assert point is not None
    assert point.chosen.best is not None
    assert big_number(app) == f"r = {number(point.chosen.best.mean, curve.judge_by)}"
    assert says(app, size_sentence(curve, 5))
    assert says(app, held_out_sentence(curve, 0.95))
    assert not says(app, "A first look")
    assert not [button for button in app.button if button.label.startswith("Run all")]
    healthy(app.number_input(key="topic-subsets/n_splits").set_value(6).run())  # another question
    assert says(app, "A first look")


def splits_said(app: AppTest, before: str) -> int:
    """Return how many splits the page says that it has, after some words."""
    (found,) = [text for text in (one.value for one in app.markdown) if text.startswith(before)]
    (n_splits,) = re.findall(rf"^{before}([\d,]+) random splits into ", found)
    return int(n_splits.replace(",", ""))


def test_what_splits_come_to_is_shown_while_they_run_and_stays_when_they_are_stopped() -> None:
    app = held_out(cardinality="5", n_splits="10000", n_starts="0", n_trials_of_a_split="10")
    press(app, "Run all 10,000 splits")
    until(app, lambda app: says(app, "So far: "))
    sooner = splits_said(app, "So far: ")
    until(app, lambda app: splits_said(app, "So far: ") > sooner)
    assert not [button for button in app.button if button.label.startswith("Run all")]
    press(app, "Cancel")
    until(app, lambda app: bool(app.error))
    before = "What was done before it was stopped: "
    n_splits = splits_said(app, before)
    request = HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=n_splits, n_starts=0, n_trials=10)
    curve = held_out_curve(AP, request)
    assert says(app, size_sentence(curve, 5))
    assert chart(app, 0)["layout"]["yaxis"]["title"]["text"].endswith(f"mean over {n_splits:,} splits")
    assert [button for button in app.button if button.label == "Run all 10,000 splits"]
    healthy(app.number_input(key="topic-subsets/n_splits").set_value(6).run())  # another question
    assert says(app, "A first look: ")


def test_another_question_may_be_run_while_one_is_running() -> None:
    app = held_out(n_splits="10000", n_starts="0")
    press(app, "Run all 10,000 splits")
    healthy(app.number_input(key="topic-subsets/n_splits").set_value(4).run())
    press(app, "Run all 4 splits")
    until(app, quiet)
    assert says(app, "4 random splits into ")
    assert not says(app, "A first look")


def test_one_comes_back_to_the_view_and_the_job_that_one_left() -> None:
    app = open_app(PAGE, view="held-out", n_splits="10000", n_starts="0")
    press(app, "Run all 10,000 splits")
    go(app, "pages/error_rate.py")
    go(app, PAGE)
    assert app.session_state["topic-subsets/tab"] == "On other runs or topics"
    press(app, "Cancel")
    until(app, lambda app: bool(app.error))


def test_error_rates_grow_while_they_are_counted() -> None:
    app = held_out(hold_out="topics", n_splits="10000", n_starts="0", n_trials_of_a_split="10")
    app.session_state["topic-subsets/held-rates"] = True
    healthy(app.run())
    press(app, "Count over 10,000 splits")
    until(app, lambda app: len(app.get("plotly_chart")) == 3)
    press(app, "Cancel")
    until(app, lambda app: bool(app.error))
    (sentence,) = [one.value for one in app.markdown if one.value.startswith("With 12 topics, pairs of runs")]
    (n_splits,) = re.findall(r"over ([\d,]+) random splits", sentence)
    request = HeldOutRequest(
        hold_out="topics",
        goodness="error-rate",
        n_splits=int(n_splits.replace(",", "")),
        n_starts=0,
        n_trials=10,
    )
    assert sentence == error_rates_sentence(held_out_error_rates(AP, request))
    assert [button for button in app.button if button.label == "Count over 10,000 splits"]


def test_chosen_by_another_goodness_and_judged_by_other_scores() -> None:
    ndcg = simulated_task()[1]
    app = held_out(choose_by="kendall", judged_measure=ndcg.measure)
    request = HeldOutRequest(hold_out="runs", goodness="pearson", choose_by="kendall")
    assert says(app, first(request, ndcg))
    assert says(app, "50 topics matched by id")
    title = chart(app, 0)["layout"]["title"]["text"]
    assert title.endswith(f"{ndcg.measure}, {ndcg.name}, chosen by AP")
    assert "chosen by Kendall's tau-b: " in title
    link = link_of(app)
    assert (link["view"], link["choose_by"], link["judged_measure"]) == ("held-out", "kendall", ndcg.measure)
    assert link_of(open_page(PAGE, **link)) == link


def test_other_scores_lose_the_runs_that_are_dropped() -> None:
    app = held_out(without_worst_quarter="yes", judged_measure=simulated_task()[1].measure)
    assert not errors(app)
    assert says(app, "15 runs and 50 topics matched by id")


def test_error_rates_are_counted_on_request() -> None:
    app = held_out(hold_out="topics", **FEW)
    app.session_state["topic-subsets/held-rates"] = True
    healthy(app.run())
    press(app, "Count over 4 splits")
    until(app, quiet)
    found = held_out_error_rates(
        AP, HeldOutRequest(hold_out="topics", goodness="error-rate", n_splits=4, n_starts=0, n_trials=10)
    )
    assert says(app, error_rates_sentence(found))
    assert len(app.get("plotly_chart")) == 3
    assert any(button.label == "Error rates, CSV" for button in app.get("download_button"))


def test_teams_stay_together_where_names_tell_them() -> None:
    app = open_app("pages/score_matrices.py")
    runs = [f"{team}-{number}" for team in ("ab", "cd", "ef", "gh", "ij") for number in (1, 2)]
    rows = [
        ",".join([str(topic), *(f"{(7 * topic + 3 * place * place) % 10 / 10}" for place in range(10))])
        for topic in range(1, 9)
    ]
    app.file_uploader[0].upload(
        "mine_ap.csv", "\n".join([",".join(["topic", *runs]), *rows]).encode(), "text/csv"
    )
    healthy(app.run())
    go(app, PAGE)
    app.session_state["topic-subsets/tab"] = "On other runs or topics"
    healthy(app.run())
    healthy(app.toggle(key="topic-subsets/teams").set_value(True).run())
    assert says(app, "random splits of 5 teams into ")
    assert link_of(app)["teams"] == "yes"


def test_names_that_tell_no_teams_are_said() -> None:
    assert says(held_out(), "The names of these runs do not tell teams apart.")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            {"hold_out": "judges"},
            "hold_out=judges in this link was not used: it must be one of runs, topics.",
        ),
        (
            {"n_splits": "1"},
            "n_splits=1 in this link was not used: it must be a whole number from 2 to 10,000.",
        ),
        ({"judged_measure": "ERR"}, "judged_measure=ERR in this link: no such scores are in use."),
        ({"choose_by": "rho"}, "must be one of same, pearson, kendall, error-rate."),
        ({"view": "all"}, "view=all in this link was not used"),
    ],
    ids=lambda value: "" if isinstance(value, str) else next(iter(value)),
)
def test_what_a_link_asks_in_vain_is_said(query: dict[str, str], said: str) -> None:
    assert said in " ".join(errors(open_page(PAGE, **({"view": "held-out"} | query))))


@pytest.mark.parametrize(
    ("hold_out", "asked", "shown"),
    [("runs", 50, 25), ("runs", 49, 49), ("topics", 26, 13), ("topics", 25, 25)],
)
def test_a_size_of_which_there_is_one_set_gives_way_in_words(hold_out: str, asked: int, shown: int) -> None:
    app = held_out(hold_out=hold_out, cardinality=str(asked))
    assert says(app, f"the best {shown} topics: ")
    assert says(app, f"Sets of {asked} are all that these 50 topics have, or more: sets of {shown}") == (
        asked != shown
    )


def test_too_few_runs_are_refused_in_words() -> None:
    app = open_app("pages/score_matrices.py")
    app.file_uploader[0].upload("mine_ap.csv", b"topic,x,y\n1,0.1,0.2\n2,0.3,0.3\n3,0.2,0.5\n", "text/csv")
    healthy(app.run())
    go(app, PAGE)
    app.session_state["topic-subsets/tab"] = "On other runs or topics"
    healthy(app.run())
    (error,) = errors(app)
    assert (
        error
        == "These scores cannot be held out so: there must be at least 6 runs to be split in halves, and there "
        "are 2."
    )
