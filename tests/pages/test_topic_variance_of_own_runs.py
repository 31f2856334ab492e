"""The page on topic variance with runs and judgments that were brought: answered, listed or refused by name."""

from urllib.parse import parse_qs, urlsplit

from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy, open_app
from tests.pages.uploading import press, settled, texts

PAGE, RUNS = "pages/topic_variance.py", "pages/runs_and_qrels.py"


def _bring(runs: dict[str, bytes], qrels: bytes) -> AppTest:
    """Load files as on the page of runs, and go to topic variance."""
    app = open_app(RUNS)
    for uploader, files in zip(app.file_uploader, (runs, {"qrels.txt": qrels}), strict=True):
        for name, content in files.items():
            uploader.upload(name, content, "text/plain")
    settled(press(app, "Read these files"))
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


def _collection(app: AppTest) -> str:
    """The collection in the link."""
    (url,) = [code.value for code in app.code if "model=" in code.value]
    return parse_qs(urlsplit(url).query)["collection"][0]


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
    settled(press(app, "Read these files"))
    go(app, PAGE)
    box = app.selectbox(key="topic-variance/collection")
    assert _collection(app) == box.options[0]
    healthy(box.set_value(box.options[1]).run())
    assert _collection(app) == box.options[1]
    assert set(app.dataframe[-2].value["topic"]) <= {"4", "5", "6"}
