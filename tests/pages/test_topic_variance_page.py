"""The page on topic variance: the share of pairs that turn, both models, links, jobs, refusals."""

import json
import time
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import topic_variance_work
from tests.pages.app import big_number, errors, go, healthy, open_app, open_page
from tests.pages.uploading import press, texts
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.components import topics_needed
from topicset_core.analyses.topic_variance.findings import Findings, findings
from topicset_core.analyses.topic_variance.first_look import first_look_trials
from topicset_core.analyses.topic_variance.sentence import headline
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.analyses.topic_variance.study import topic_variance
from topicset_core.analyses.topic_variance.trials import simulate_trials
from topicset_core.collection.judged_runs import join
from topicset_core.progress import Cancelled
from topicset_core.samples.simulated_runs import simulated_track

PAGE, RUNS = "pages/topic_variance.py", "pages/runs_and_qrels.py"
_LONGEST_WAIT_SECONDS = 60  # against hanging
SAMPLE, QRELS = simulated_track()
JUDGED = join(SAMPLE, QRELS)


def _settled(app: AppTest) -> AppTest:
    """Run the page until no job is under way."""
    waited = time.monotonic()
    while any(button.label == "Cancel" for button in app.button):
        assert time.monotonic() - waited < _LONGEST_WAIT_SECONDS
        time.sleep(0.1)
        healthy(app.run())
    return app


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


def _bring(runs: dict[str, bytes], qrels: bytes) -> AppTest:
    """Load files as on the page of runs, and go to topic variance."""
    app = open_app(RUNS)
    for uploader, files in zip(app.file_uploader, (runs, {"qrels.txt": qrels}), strict=True):
        for name, content in files.items():
            uploader.upload(name, content, "text/plain")
    _settled(press(app, "Read these files"))
    return go(app, PAGE)


def _run(tag: str, scores: dict[int, list[float]]) -> bytes:
    """A run whose documents d0, d1, ... of each topic have these scores."""
    return "".join(
        f"{topic} Q0 d{place} 0 {score} {tag}\n"
        for topic, found in scores.items()
        for place, score in enumerate(found)
    ).encode()


def _qrels(relevant: dict[int, list[int]]) -> bytes:
    return "".join(
        f"{topic} 0 d{place} {int(place in found)}\n"
        for topic, found in relevant.items()
        for place in range(10)
    ).encode()


@pytest.mark.parametrize("model", ["bst", "kde"])
def test_the_sample_answers_at_once_by_either_model(model: Any) -> None:
    app = open_page(PAGE, model=model)
    expected = _expected(_first_look(Settings(model=model)))
    assert big_number(app) == headline(expected)
    assert f"A first look: {expected.settings.n_trials} simulated collections" in texts(app)
    assert not app.error
    assert [len(json.loads(chart.proto.spec)["data"]) for chart in app.get("plotly_chart")][
        1
    ] == 2  # both models


def test_all_collections_are_simulated_by_both_models_and_then_known() -> None:
    app = _typed(open_page(PAGE), n_trials=300)
    _settled(press(app, "Simulate 300 collections, by both models"))
    assert big_number(app) == headline(_expected(Settings(n_trials=300)))
    assert "Simulate" not in " ".join(button.label for button in app.button)
    assert "A first look" not in texts(app)
    healthy(app.radio(key="topic-variance/model").set_value("kde").run())
    assert big_number(app) == headline(_expected(Settings(model="kde", n_trials=300)))
    assert "A first look" not in texts(app)


def test_the_sentence_counts_topics_with_and_without_the_noise_of_documents() -> None:
    app = _typed(open_page(PAGE), min_d=0.05)
    needed = topics_needed(_expected(_first_look(Settings())).components, min_d=0.05)
    assert f"to detect 0.05 AP with 80 % power it needs {needed.with_noise:,} topics, and" in texts(app)
    assert f"{needed.without_noise:,} if the collection were so large" in texts(app)


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
    assert table["comparison"].iloc[row].startswith("**as printed:**")
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


def test_what_was_done_before_it_was_cancelled_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page(PAGE)

    def cancelled(*arguments: Any, **choices: Any) -> Any:
        choices["show"](simulate_trials(arguments[0], replace(arguments[1], n_trials=2_000), arguments[2]))
        raise Cancelled

    with monkeypatch.context() as patched:
        patched.setattr(topic_variance_work, "simulate_trials", cancelled)
        _typed(app, n_trials=20_000)
        _settled(press(app, "Simulate 20,000 collections, by both models"))
    assert "Cancelled" in errors(app)[0]
    assert big_number(app) == headline(_expected(Settings(n_trials=2_000)))
    assert "A first look: 2,000 simulated collections" in texts(app)
    assert any(button.label.startswith("Simulate 20,000") for button in app.button)


def test_own_runs_are_answered_and_stay_when_the_page_is_left() -> None:
    scores = {topic: [5.0, 4.0, 3.0, 2.0, 1.0, 0.5] for topic in (1, 2, 3)}
    other = {topic: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] for topic in (1, 2, 3)}
    app = _bring(
        {"a.txt": _run("one", scores), "b.txt": _run("two", other)}, _qrels({1: [0, 1], 2: [0, 2], 3: [1, 5]})
    )
    assert "Working with your 2 runs on 3 judged topics." in texts(app)
    before = big_number(app)
    healthy(app.selectbox(key="topic-variance/run").set_value("two").run())
    go(app, RUNS)
    go(app, PAGE)
    assert big_number(app) == before
    assert app.selectbox(key="topic-variance/run").value == "two"
    healthy(app.radio(key="topic-variance/model").set_value("kde").run())
    assert not app.error


def test_scores_that_are_all_equal_are_answered_and_listed() -> None:
    flat = {topic: [1.0] * 8 for topic in (1, 2, 3)}
    spread = {topic: [8.0, 7.0, 6.5, 5.0, 4.0, 3.5, 2.0, 1.0] for topic in (1, 2, 3)}
    app = _bring(
        {"a.txt": _run("flat", flat), "b.txt": _run("spread", spread)},
        _qrels({1: [0, 1], 2: [0, 2], 3: [1, 5]}),
    )
    healthy(app.radio(key="topic-variance/model").set_value("kde").run())
    assert not app.error
    remarks = app.dataframe[-1].value
    assert set(remarks["run"]) == {"flat"}
    assert set(remarks["topic"]) == {"1", "2", "3"}
    assert "scores that do not vary have no density: they are resampled" in set(remarks["remark"])
    healthy(app.selectbox(key="topic-variance/run").set_value("flat").run())
    assert "so they have no density" in texts(app)


def test_a_run_without_any_relevant_document_is_refused_by_name_and_nothing_is_lost() -> None:
    scores = {topic: [5.0, 4.0, 3.0] for topic in (1, 2)}
    late = "".join(f"{topic} Q0 x{place} 0 {place} late\n" for topic in (1, 2) for place in range(5)).encode()
    app = _bring({"a.txt": _run("one", scores), "b.txt": late}, _qrels({1: [0], 2: [1]}))
    assert "runs = 'late': must have a relevant document" in errors(app)[0]
    go(app, RUNS)
    assert "2 runs, 1 qrels" in " ".join(expander.label for expander in app.expander)


def test_one_run_alone_is_refused() -> None:
    app = _bring({"a.txt": _run("one", {1: [2.0, 1.0], 2: [2.0, 1.0]})}, _qrels({1: [0], 2: [1]}))
    assert "must be at least 2 runs to compare" in errors(app)[0]


def test_the_other_collection_can_be_chosen() -> None:
    scores = {topic: [5.0, 4.0, 3.0, 2.0] for topic in range(1, 7)}
    other = {topic: [1.0, 2.0, 3.0, 4.0] for topic in range(1, 7)}
    app = open_app(RUNS)
    for name, content in {"a.txt": _run("one", scores), "b.txt": _run("two", other)}.items():
        app.file_uploader[0].upload(name, content, "text/plain")
    app.file_uploader[1].upload("first.txt", _qrels({1: [0], 2: [1], 3: [2]}), "text/plain")
    app.file_uploader[1].upload("second.txt", _qrels({4: [3], 5: [0, 1], 6: [2]}), "text/plain")
    _settled(press(app, "Read these files"))
    go(app, PAGE)
    box = app.selectbox(key="topic-variance/collection")
    assert _query(app)["collection"] == box.options[0]
    healthy(box.set_value(box.options[1]).run())
    assert _query(app)["collection"] == box.options[1]
    assert set(app.dataframe[-2].value["topic"]) <= {"4", "5", "6"}
