"""Sweeps that a user uploads to the page on training sensitivity: runs, values, a collection, refusals."""

import re

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.golden.page_scenarios import DOCUMENTS, JUDGED, collection, sweep
from tests.golden.page_scenarios import TOPICS as WORDS
from tests.pages.app import (
    as_it_reads,
    charts,
    errors,
    finished,
    go,
    heading,
    healthy,
    open_app,
    open_page,
    press,
    text_of,
    texts,
    uploaders,
)
from tests.pages.uploading import RUNS, bring
from tests.words import numbers_in
from topicset_core.analyses.training_sensitivity import (
    recommendation,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.request import Request
from topicset_core.analyses.training_sensitivity.sweep import sweep_collection
from topicset_core.parsing.text_collection import read_uploaded_collection

PAGE, KEY = "pages/training_sensitivity.py", "training-sensitivity"
SAMPLE = "Simulated sweep"
FEW = {"n_samples": "2", "levels": "30"}


def _bring(app: AppTest, runs: dict[str, bytes], qrels: bytes = JUDGED, table: str = "") -> AppTest:
    """Upload a sweep and have it read."""
    for name, content in runs.items():
        uploaders(app)[0].upload(name, content, "text/plain")
    if qrels:
        uploaders(app)[1].upload("judged.txt", qrels, "text/plain")
    if table:
        uploaders(app)[2].upload("values.csv", table.encode(), "text/csv")
    healthy(app.run())
    return finished(press(app, f"{KEY}/read-runs"))


def _search(app: AppTest, files: dict[str, bytes]) -> AppTest:
    for name, content in files.items():
        uploaders(app)[3].upload(name, content, "application/octet-stream")
    healthy(app.run())
    return finished(press(app, f"{KEY}/read-collection"))


def _in_use(app: AppTest) -> str:
    return str(app.selectbox(key=f"{KEY}/sweep").value)


@pytest.mark.slow
def test_a_sweep_whose_names_have_values(golden: SnapshotAssertion) -> None:
    app = open_page(PAGE, **FEW)
    of_sample = _experiment(app)
    _bring(app, dict(sweep("bm25_b0.25", "bm25_b0.5", "bm25_b0.75")))
    assert _experiment(app) == golden
    assert not text_of(app, "data-in-use")
    assert _in_use(app).startswith("judged")
    healthy(app.selectbox(key=f"{KEY}/sweep").set_value(SAMPLE).run())
    assert _experiment(app) == of_sample
    assert text_of(app, "data-in-use")


def test_runs_that_look_like_different_systems_get_no_recommendation(golden: SnapshotAssertion) -> None:
    runs = dict(sweep("first", "second", "third", "fourth"))
    app = finished(go(bring(open_app(RUNS), runs, {"mine.txt": JUDGED}), PAGE))
    assert _in_use(app).startswith("mine")
    assert text_of(app, "refusal") == golden
    assert "different systems" in text_of(app, "refusal")
    assert not text_of(app, "answer")
    assert not charts(app)
    assert [one.key for one in app.main.get("download_button")] == ["saved_work/save"]  # no export
    press(app, f"{KEY}/show-sample")
    assert _in_use(app) == SAMPLE
    assert text_of(app, "answer")
    healthy(app.selectbox(key=f"{KEY}/sweep").set_value("mine, runs loaded").run())
    app.number_input(key=f"{KEY}/n_samples").set_value(2)
    app.text_input(key=f"{KEY}/levels").set_value("30")
    _give(app, "run\nfirst\nsecond\nthird\nfourth\n")  # stated to be settings, without numbers
    assert text_of(app, "answer")
    assert _experiment(app) == golden
    assert _kinds(app) == {"scatter"}
    _give(app, "run,b,k1\nfirst,.2,1\nsecond,.4,1\nthird,.2,2\nfourth,.4,2\n")
    assert _experiment(app) == golden
    assert "heatmap" in _kinds(app)  # of two parameters


def _experiment(app: AppTest) -> str:
    """The sentence on the size of the experiment."""
    (sentence,) = [line for line in text_of(app, "answer").splitlines() if "tested on the others" in line]
    return sentence


def _give(app: AppTest, table: str) -> None:
    """Upload a table of values alone, for the sweep in use."""
    uploaders(app)[2].set_value(None)
    uploaders(app)[2].upload("values.csv", table.encode(), "text/csv")
    healthy(app.run())
    finished(press(app, f"{KEY}/read-runs"))
    assert not errors(app)


def _kinds(app: AppTest) -> set[str]:
    """The drawn surface of training."""
    return {trace["type"] for trace in charts(app)["surface"]["data"]}


def test_a_small_collection_is_searched_and_recommended_for_as_by_the_core() -> None:
    files = {"documents.jsonl": DOCUMENTS, "topics.jsonl": WORDS, "qrels.txt": JUDGED}
    app = open_page(PAGE, **FEW)
    app.radio(key=f"{KEY}/model").set_value("pl2")
    app = _search(app, {"oxen.zip": collection()})
    assert not errors(app)
    assert _in_use(app).startswith("oxen, PL2")
    oxen = read_uploaded_collection(list(files.items())).collection
    assert oxen.qrels is not None
    found = sweep_collection(oxen, "pl2")
    swept = sweep_of(found.runs, oxen.qrels, found.settings)
    halves = split(usable_topics(swept.runs), 0, 10)
    result = recommendation(training_sensitivity(swept, halves, Request(levels=(30.0,), n_samples=2)))
    assert result.sentence in text_of(app, "answer")
    assert result.headline in as_it_reads(re.sub(r":primary\[(.*?)\]", r"\1", heading(app)))
    assert numbers_in(_experiment(app))[0] == 30  # settings of c
    assert any(30 in numbers_in(line) and "oxen" in line for line in texts(app).splitlines())  # table 1


@pytest.mark.slow
def test_an_assumed_pool_is_reported(golden: SnapshotAssertion) -> None:
    listed = b"".join(line + b"\n" for line in JUDGED.splitlines() if line.endswith(b" 1"))
    app = _bring(open_page(PAGE, **FEW), dict(sweep("b0.1", "b0.2", "b0.3")), listed)
    assert _notes_on_pools(app) == golden
    healthy(app.selectbox(key=f"{KEY}/assumed_pool").set_value("never").run())
    assert not _notes_on_pools(app)


def _notes_on_pools(app: AppTest) -> list[str]:
    """Return what the page says of assumed pools."""
    return [line for one in app.markdown for line in one.value.splitlines() if "A pool is assumed" in line]


B = ("b0.1", "b0.2")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("runs", "qrels", "table"),
    [
        (dict(sweep("first", "second")), JUDGED, ""),
        (dict(sweep(*B)), JUDGED, "run,b\nb0.1,1\n"),
        (dict(sweep(*B)), b"other 0 d1 1\n", ""),
    ],
    ids=["no values", "a row too few", "other topics"],
)
def test_unreadable_files_are_refused_and_earlier_data_stay(
    runs: dict[str, bytes], qrels: bytes, table: str, golden: SnapshotAssertion
) -> None:
    app = open_page(PAGE, **FEW)
    of_sample = _experiment(app), text_of(app, "answer")
    _bring(app, runs, qrels, table)
    assert errors(app) == golden
    assert (_experiment(app), text_of(app, "answer")) == of_sample
    assert text_of(app, "data-in-use")


@pytest.mark.slow
def test_an_invalid_collection_is_refused(golden: SnapshotAssertion) -> None:
    app = _search(
        open_page(PAGE, **FEW), {"documents.jsonl": DOCUMENTS, "topics.jsonl": b"{}\n", "qrels.txt": JUDGED}
    )
    assert errors(app) == golden
    assert _in_use(app) == SAMPLE


@pytest.mark.slow
def test_the_import_button_waits_for_all_files() -> None:
    app = open_page(PAGE, **FEW)
    read, search = (app.button(key=f"{KEY}/{name}") for name in ("read-runs", "read-collection"))
    assert read.disabled
    assert search.disabled
    for name, content in sweep(*B):
        uploaders(app)[0].upload(name, content, "text/plain")
    assert healthy(app.run()).button(key=f"{KEY}/read-runs").disabled  # judgments are missing
    uploaders(app)[1].upload("judged.txt", JUDGED, "text/plain")
    assert not healthy(app.run()).button(key=f"{KEY}/read-runs").disabled
