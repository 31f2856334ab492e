"""The page on topic variance: the share of pairs that turn, both models, links, jobs, refusals."""

import json
import threading
import time
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import job, topic_variance_work
from tests.pages.app import big_number, errors, healthy, open_page
from tests.pages.uploading import press, settled, texts
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.components import topics_needed
from topicset_core.analyses.topic_variance.findings import Findings, findings
from topicset_core.analyses.topic_variance.first_look import first_look_trials
from topicset_core.analyses.topic_variance.sentence import headline, how_counted, swap_sentence
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.analyses.topic_variance.study import topic_variance
from topicset_core.analyses.topic_variance.trials import simulate_trials
from topicset_core.collection.judged_runs import join
from topicset_core.progress import Cancelled
from topicset_core.samples.simulated_runs import simulated_track

PAGE, RUNS = "pages/topic_variance.py", "pages/runs_and_qrels.py"
SAMPLE, QRELS = simulated_track()
JUDGED = join(SAMPLE, QRELS)


def _expected(settings: Settings) -> Findings:
    """What the core finds on the sample."""
    return findings(topic_variance(JUDGED, settings, SAMPLE))


def _first_look(settings: Settings) -> Settings:
    few = first_look_trials(cells_of(JUDGED, settings.relevance_level), settings.model)
    assert few is not None
    return replace(settings, n_trials=few)


def _typed(app: AppTest, **values: float) -> AppTest:
    for name, value in values.items():
        app.number_input(key=f"topic-variance/{name}").set_value(value)
    return healthy(app.run())


def _query(app: AppTest) -> dict[str, str]:
    (url,) = [code.value for code in app.code if "model=" in code.value]
    return dict(parse_qsl(urlsplit(url).query))


@pytest.mark.parametrize("model", ["bst", "kde"])
def test_the_sample_answers_at_once_by_either_model(model: Any) -> None:
    app = open_page(PAGE, model=model)
    expected = _expected(_first_look(Settings(model=model)))
    assert big_number(app) == headline(expected)
    assert f"A first look: {how_counted(expected)}." in texts(app)
    assert swap_sentence(expected) in texts(app)
    assert not app.error
    assert [len(json.loads(chart.proto.spec)["data"]) for chart in app.get("plotly_chart")][
        1
    ] == 2  # both models


def test_so_few_collections_as_are_simulated_at_once_need_no_button() -> None:
    app = open_page(PAGE, n_trials="20")
    assert "20 simulated collections; the standard error" in texts(app)
    assert not any(button.label.startswith("Simulate") for button in app.button)


def test_a_model_that_is_done_is_no_part_though_the_other_one_is_under_way() -> None:
    """As many as the first look of BST has, and fewer than that of KDE: neither is "so far"."""
    few = _first_look(Settings()).n_trials
    app = open_page(PAGE, n_trials=str(few))
    assert f"{few} simulated collections; the standard error" in texts(app)
    assert "A first look" not in texts(app)


def test_all_collections_are_simulated_by_both_models_and_then_known() -> None:
    app = _typed(open_page(PAGE), n_trials=300)
    settled(press(app, "Simulate 300 collections, by both models"))
    assert big_number(app) == headline(_expected(Settings(n_trials=300)))
    assert "Simulate" not in " ".join(button.label for button in app.button)
    assert "A first look" not in texts(app)
    healthy(app.radio(key="topic-variance/model").set_value("kde").run())
    assert big_number(app) == headline(_expected(Settings(model="kde", n_trials=300)))
    assert "A first look" not in texts(app)


def test_the_sentence_counts_topics_with_and_without_the_noise_of_documents() -> None:
    app = _typed(open_page(PAGE), min_d=0.05)
    needed = topics_needed(_expected(_first_look(Settings())).components, min_d=0.05)
    assert f"To detect 0.05 AP with 80 % power a paired t test needs {needed.with_noise:,} topics" in texts(
        app
    )
    assert f"it would need {needed.without_noise:,} if the documents were so many" in texts(app)


def test_conventions_change_the_number() -> None:
    app = open_page(PAGE)
    app.selectbox(key="topic-variance/measure").set_value("P@10")
    app.selectbox(key="topic-variance/denominator").set_value("fixed")
    _typed(app, relevance_level=2, seed=3)
    asked = Settings(measure="P", depth=10, relevance_level=2, denominator="fixed", seed=3)
    assert big_number(app) == headline(_expected(_first_look(asked)))


def test_the_four_comparisons_are_those_of_the_core() -> None:
    app = open_page(PAGE)
    (table,) = [found.value for found in app.table]
    found = _expected(_first_look(Settings()))
    never = found.estimate("almost_never_significant_share")
    (row,) = [place for place, what in enumerate(table["comparison"]) if "almost never" in what]
    assert "** (as printed). Raw data\\: pairs with a significant" in table["comparison"].iloc[row]
    assert table["BST"].iloc[row].replace("\xa0", " ") == f"{never.value:.3f} ± {never.standard_error:.2g}"
    assert table["raw data"].iloc[row] == f"{found.estimate('raw_significant_share').value:.3f}"
    said = texts(app)
    assert "the paper reads that share as a p-value" in said
    assert "differences shifted to mean 0" in said


def test_lists_of_pairs_and_topics_are_those_of_the_core() -> None:
    app = open_page(PAGE)
    found = _expected(_first_look(Settings()))
    pairs, topics, runs = (app.dataframe[place].value for place in range(3))
    assert list(pairs["better"]) == [pair.better for pair in found.turning_pairs]
    assert list(topics["topic"]) == [one.topic for one in found.unstable_topics]
    assert list(runs["raw_rank"]) == list(range(1, 21))


def test_a_run_and_a_topic_can_be_looked_at_closely() -> None:
    app = open_page(PAGE)
    app.selectbox(key="topic-variance/run").set_value("simD-1")
    healthy(app.selectbox(key="topic-variance/topic").set_value("07").run())
    titles = [json.loads(chart.proto.spec)["layout"]["title"]["text"] for chart in app.get("plotly_chart")]
    assert titles[-2:] == [
        "simD-1: simulated against original scores, 50 topics",
        "Scores of simD-1 on topic 07, with fitted densities",
    ]
    assert (_query(app)["run"], _query(app)["topic"]) == ("simD-1", "07")


def test_link_round_trip_asks_the_same() -> None:
    asked = {
        "measure": "nDCG@10",
        "model": "kde",
        "n_trials": "77",
        "min_d": "0.012345678901234567",
        "relevance_level": "2",
        "denominator": "fixed",
        "bandwidth": "silverman",
        "alpha": "0.01",
        "seed": "12345",
        "collection": QRELS.name,
        "run": "simA-1",
        "topic": "11",
    }
    app = open_page(PAGE, **asked)
    assert not app.error
    assert _query(app) == asked
    again = open_page(PAGE, **_query(app))
    assert big_number(again) == big_number(app)
    assert _query(again) == _query(app)


def test_nonsense_in_a_link_is_said_and_not_used() -> None:
    app = open_page(PAGE, n_trials="0", measure="MAPP", model="<b>", run="nobody", topic="x", junk="1")
    said = " ".join(errors(app))
    for name in ("n_trials=0", "measure=MAPP", "model=<b>", "run=nobody", "junk"):
        assert name in said
    assert "topic=x in this link was not used: it must be one of the 50 there are." in said
    assert big_number(app) == big_number(open_page(PAGE))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("n_trials", 0, "must be a whole number from 1"), ("alpha", 1.0, "above 0"), ("min_d", 0.0, "above 0")],
)
def test_wrong_numbers_are_named_and_the_last_answer_stays(name: str, value: float, said: str) -> None:
    app = open_page(PAGE)
    before = big_number(app)
    _typed(app, **{name: value})
    assert said in errors(app)[0]
    assert "The answer shown is for" in errors(app)[0]
    assert big_number(app) == before


def test_a_level_beyond_the_grades_is_refused_and_can_be_corrected() -> None:
    app = open_page(PAGE)
    before = big_number(app)
    _typed(app, relevance_level=9)
    assert "must be at most 2, the largest grade" in errors(app)[0]
    _typed(app, relevance_level=1)
    assert not app.error
    assert big_number(app) == before


def test_a_job_that_ends_while_the_page_is_drawn_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is found between the look at what there is and the look at the job."""
    app, released, under_way = open_page(PAGE), threading.Event(), simulate_trials
    ended = threading.Event()

    def waits(*arguments: Any, **choices: Any) -> Any:
        assert released.wait(60)
        return under_way(*arguments, **choices)

    def ends(asked: Any) -> tuple[Findings | None, str]:
        if not ended.is_set():
            ended.set()
            released.set()
            while job.is_running("topic-variance"):
                time.sleep(0.01)
        return look(asked)

    look = topic_variance_work.other
    _typed(app, n_trials=300)
    with monkeypatch.context() as patched:
        patched.setattr(topic_variance_work, "simulate_trials", waits)
        press(app, "Simulate 300 collections, by both models")
        patched.setattr(topic_variance_work, "other", ends)
        healthy(app.run())
    assert ended.is_set()
    assert big_number(app) == headline(_expected(Settings(n_trials=300)))
    assert "300 simulated collections; the standard error" in texts(app)
    assert not any(button.label.startswith("Simulate 300") for button in app.button)


def test_what_was_done_before_it_was_cancelled_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page(PAGE)

    def cancelled(*arguments: Any, **choices: Any) -> Any:
        choices["show"](simulate_trials(arguments[0], replace(arguments[1], n_trials=2_000), arguments[2]))
        raise Cancelled

    with monkeypatch.context() as patched:
        patched.setattr(topic_variance_work, "simulate_trials", cancelled)
        _typed(app, n_trials=20_000)
        settled(press(app, "Simulate 20,000 collections, by both models"))
    assert "Cancelled" in errors(app)[0]
    assert big_number(app) == headline(_expected(Settings(n_trials=2_000)))
    assert "A first look: 2,000 simulated collections" in texts(app)
    assert any(button.label.startswith("Simulate 20,000") for button in app.button)
