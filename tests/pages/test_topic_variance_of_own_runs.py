"""The page on topic variance with runs and judgments that were uploaded: answered, listed or refused by name."""

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.pages.app import go, heading, healthy, linked, open_app, text_of
from tests.pages.uploading import RUNS, bring
from tests.words import numbers_in

PAGE, KEY = "pages/topic_variance.py", "topic-variance"


def _bring(runs: dict[str, bytes], **qrels: bytes) -> AppTest:
    """Load files as on the page of runs, and go to topic variance."""
    app = bring(open_app(RUNS), runs, {f"{name}.txt": content for name, content in qrels.items()})
    return go(app, PAGE)


def _run(tag: str, scores: dict[int, list[float]]) -> bytes:
    """A run whose documents d0, d1, ... of each topic have these scores."""
    return "".join(
        f"{topic} Q0 d{place} 0 {score} {tag}\n"
        for topic, result in scores.items()
        for place, score in enumerate(result)
    ).encode()


def _qrels(relevant: dict[int, list[int]]) -> bytes:
    return "".join(
        f"{topic} 0 d{place} {int(place in result)}\n"
        for topic, result in relevant.items()
        for place in range(10)
    ).encode()


@pytest.mark.slow
def test_own_runs_are_analysed_and_kept_after_leaving_the_page() -> None:
    scores = {topic: [5.0, 4.0, 3.0, 2.0, 1.0, 0.5] for topic in (1, 2, 3)}
    other = {topic: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] for topic in (1, 2, 3)}
    runs = {"a.txt": _run("one", scores), "b.txt": _run("two", other)}
    app = _bring(runs, qrels=_qrels({1: [0, 1], 2: [0, 2], 3: [1, 5]}))
    assert numbers_in(text_of(app, "data-in-use")) == [2, 3]  # runs, judged topics
    before = heading(app)
    healthy(app.selectbox(key=f"{KEY}/run").set_value("two").run())
    go(app, RUNS)
    go(app, PAGE)
    assert heading(app) == before
    assert app.selectbox(key=f"{KEY}/run").value == "two"
    healthy(app.radio(key=f"{KEY}/model").set_value("kde").run())
    assert not app.error


@pytest.mark.slow
def test_equal_scores_are_analysed_and_listed(golden: SnapshotAssertion) -> None:
    flat = {topic: [1.0] * 8 for topic in (1, 2, 3)}
    spread = {topic: [8.0, 7.0, 6.5, 5.0, 4.0, 3.5, 2.0, 1.0] for topic in (1, 2, 3)}
    runs = {"a.txt": _run("flat", flat), "b.txt": _run("spread", spread)}
    app = _bring(runs, qrels=_qrels({1: [0, 1], 2: [0, 2], 3: [1, 5]}))
    healthy(app.radio(key=f"{KEY}/model").set_value("kde").run())
    assert not app.error
    remarks = app.dataframe[-1].value
    assert set(remarks["run"]) == {"flat"}
    assert set(remarks["topic"]) == {"1", "2", "3"}
    assert sorted(set(remarks["handling"])) == golden
    before = [text.value for text in app.markdown]
    healthy(app.selectbox(key=f"{KEY}/run").set_value("flat").run())
    assert [text.value for text in app.markdown if text.value not in before] == golden


def test_a_run_without_relevant_documents_is_refused_by_name_and_data_stay(
    golden: SnapshotAssertion,
) -> None:
    scores = {topic: [5.0, 4.0, 3.0] for topic in (1, 2)}
    late = "".join(f"{topic} Q0 x{place} 0 {place} late\n" for topic in (1, 2) for place in range(5)).encode()
    app = _bring({"a.txt": _run("one", scores), "b.txt": late}, qrels=_qrels({1: [0], 2: [1]}))
    assert text_of(app, "refusal") == golden
    assert "'late'" in text_of(app, "refusal")
    go(app, RUNS)
    assert numbers_in(text_of(app, "data-in-use")) == [2, 2]


@pytest.mark.slow
def test_the_other_collection_can_be_chosen() -> None:
    scores = {topic: [5.0, 4.0, 3.0, 2.0] for topic in range(1, 7)}
    other = {topic: [1.0, 2.0, 3.0, 4.0] for topic in range(1, 7)}
    app = _bring(
        {"a.txt": _run("one", scores), "b.txt": _run("two", other)},
        first=_qrels({1: [0], 2: [1], 3: [2]}),
        second=_qrels({4: [3], 5: [0, 1], 6: [2]}),
    )
    box = app.selectbox(key=f"{KEY}/collection")
    assert linked(app)["collection"] == [box.options[0]]
    healthy(box.set_value(box.options[1]).run())
    assert linked(app)["collection"] == [box.options[1]]
    assert set(app.dataframe[-2].value["topic"]) <= {"4", "5", "6"}
