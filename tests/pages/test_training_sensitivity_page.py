"""The page on training sensitivity: what to train by, own sweeps, links, jobs, refusals."""

# ruff: noqa: E501 - rows of tables

import io
import json
import time
import zipfile
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import training_work
from tests.pages.app import big_number, errors, go, healthy, open_app, open_page
from tests.pages.uploading import press, texts
from topicset_core.analyses.training_sensitivity import (
    Request,
    TrainingSensitivity,
    recommendation,
    split,
    swapped,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.measures import Conventions
from topicset_core.progress import Report
from topicset_core.samples.simulated_sweep import simulated_sweep

PAGE, RUNS = "pages/training_sensitivity.py", "pages/runs_and_qrels.py"
SWEEP = sweep_of(*simulated_sweep())
TOPICS = usable_topics(SWEEP.runs)
_LONGEST_WAIT_SECONDS = 60  # against hanging

DOCUMENTS = b"".join(
    b'{"id": "d%d", "title": "", "text": "%s"}\n'
    % (number, b"ox " * (1 + number % 3) + b"ass " * (number % 7))
    for number in range(30)
)
WORDS = b"".join(b'{"id": "%d", "text": "ox ass"}\n' % topic for topic in range(6))
JUDGED = b"".join(
    b"%d 0 d%d %d\n" % (topic, number, (number + topic) % 4 == 1)
    for topic in range(6)
    for number in range(30)
)


def _settled(app: AppTest) -> AppTest:
    """Run the page until no job is under way."""
    waited = time.monotonic()
    while any(button.label == "Cancel" for button in app.button):
        assert time.monotonic() - waited < _LONGEST_WAIT_SECONDS
        time.sleep(0.1)
        healthy(app.run())
    return app


def _expected(seed: int = 0, **asked: object) -> TrainingSensitivity:
    """What the core finds on the sample."""
    return training_sensitivity(SWEEP, split(TOPICS, seed), Request(seed=seed, **asked))  # type: ignore[arg-type]


def _query(app: AppTest) -> dict[str, list[str]]:
    (url,) = [code.value for code in app.code if "trained_by=" in code.value]
    return parse_qs(urlsplit(url).query)


def _sweep_files(*names: str) -> list[tuple[str, bytes]]:
    return [
        (
            f"{name}.txt",
            "".join(
                f"{topic} Q0 d{(place * 7 + shift) % 30} 0 {-place} {name}\n"
                for topic in range(6)
                for place in range(30)
            ).encode(),
        )
        for shift, name in enumerate(names)
    ]


def _bring(app: AppTest, runs: list[tuple[str, bytes]], qrels: bytes = JUDGED, table: str = "") -> AppTest:
    """Upload a sweep and have it read."""
    for name, content in runs:
        app.file_uploader[0].upload(name, content, "text/plain")
    if qrels:
        app.file_uploader[1].upload("judged.txt", qrels, "text/plain")
    if table:
        app.file_uploader[2].upload("values.csv", table.encode(), "text/csv")
    return _settled(press(app, "Read these files"))


def _search(app: AppTest, files: dict[str, bytes]) -> AppTest:
    for name, content in files.items():
        app.file_uploader[3].upload(name, content, "application/octet-stream")
    return _settled(press(app, "Read and search"))


def test_the_sample_answers_at_once() -> None:
    app = open_page(PAGE)
    expected = recommendation(_expected())
    assert big_number(app) == expected.measure == "infAP"
    assert expected.sentence in texts(app)
    assert "This is a **simulated** sweep" in texts(app)
    assert "21 settings of b; trained on 30 and 30 topics in 2 tasks" in texts(app)
    assert not app.error
    assert len(app.get("plotly_chart")) == 5


def test_every_choice_changes_the_answer_and_stands_in_the_link() -> None:
    app = open_page(PAGE)
    app.number_input(key="training-sensitivity/seed").set_value(3)
    app.multiselect(key="training-sensitivity/trained_by").set_value(["infAP", "P@10"])
    app.text_input(key="training-sensitivity/levels").set_value("2, 30")
    app.number_input(key="training-sensitivity/n_samples").set_value(5)
    app.toggle(key="training-sensitivity/keep_one").set_value(True)
    app.number_input(key="training-sensitivity/relevance_level").set_value(2)
    app.selectbox(key="training-sensitivity/gains").set_value("exponential")
    healthy(app.run())
    asked = Request(
        measures=("infAP", "P@10"),
        levels=(2, 30),
        n_samples=5,
        seed=3,
        keep_one=True,
        conventions=Conventions(relevance_level=2, gains="exponential"),
    )
    sweep = sweep_of(*simulated_sweep(), relevance_level=2)
    expected = training_sensitivity(sweep, split(usable_topics(sweep.runs, 2), 3), asked)
    assert recommendation(expected).sentence in texts(app)
    query = _query(app)
    assert query["trained_by"] == ["infAP", "P@10"]
    assert query["levels"] == ["2, 30"]
    assert query["sweep"] == ["Simulated sweep"]
    assert query["keep_one"] == ["yes"]
    again = open_page(PAGE, **query)  # type: ignore[arg-type]
    assert recommendation(expected).sentence in texts(again)
    assert _query(again) == query


def test_what_is_looked_at_stands_in_the_link_too() -> None:
    app = open_page(PAGE, evaluated_by="nDCG", task="second half", surface_of="nDCG", surface_level="20")
    query = _query(app)
    assert [query[name] for name in ("evaluated_by", "task", "surface_of", "surface_level")] == [
        ["nDCG"],
        ["second half"],
        ["nDCG"],
        ["20"],
    ]
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    assert specs[0]["layout"]["yaxis"]["title"]["text"] == "mean nDCG on the test topics"
    assert specs[1]["layout"]["yaxis2"]["title"]["text"] == "mean nDCG in training"
    assert "20 %" in specs[1]["layout"]["title"]["text"]


def test_two_lists_of_topics() -> None:
    first, second = TOPICS[:40], TOPICS[40:]
    app = open_page(PAGE)
    app.radio(key="training-sensitivity/topics").set_value("lists")
    healthy(app.run())
    assert errors(app) == ["No answer: training topics: expected topic ids, one a line, and found none."]
    app.text_area(key="training-sensitivity/training_topics").set_value("\n".join(first))
    app.text_area(key="training-sensitivity/test_topics").set_value("\n".join(second))
    healthy(app.run())
    tasks = swapped(second, first, ("test topics", "training topics"))
    expected = recommendation(training_sensitivity(SWEEP, tasks))
    assert expected.sentence in texts(app)
    query = _query(app)
    assert query["training_topics"] == list(first)
    again = open_page(PAGE, **query)  # type: ignore[arg-type]
    assert expected.sentence in texts(again)
    app.text_area(key="training-sensitivity/test_topics").set_value(f"{second[0]}\nnone")
    healthy(app.run())
    assert errors(app) == [
        "No answer: test topics, line 2: expected a topic that has scores or judgments, found 'none'."
    ]
    app.text_area(key="training-sensitivity/test_topics").set_value(first[0])
    healthy(app.run())
    assert "must not be training topics too" in errors(app)[0]


@pytest.mark.parametrize(
    ("levels", "rule"),
    [("1,,5", 'must be percentages like "1,5,10,50"'), ("0,5", "must be percentages above 0 up to 100")],
)
def test_levels_that_are_none_are_refused_with_their_rule(levels: str, rule: str) -> None:
    app = open_page(PAGE)
    app.text_input(key="training-sensitivity/levels").set_value(levels)
    assert rule in errors(healthy(app.run()))[0]


def test_a_link_with_bad_values_says_so_and_answers_with_the_usual_ones() -> None:
    app = open_page(PAGE, trained_by="nonsense", optimiser="luck", n_samples="1", colour="red")
    said = " ".join(errors(app))
    for part in ("nonsense", "optimiser=luck", "n_samples=1", "colour in this link means nothing"):
        assert part in said
    assert big_number(app) == recommendation(_expected()).measure


def test_a_sweep_whose_names_have_values() -> None:
    app = _bring(open_page(PAGE), _sweep_files("bm25_b0.25", "bm25_b0.5", "bm25_b0.75"))
    assert "3 settings of b; trained on 3 and 3 topics" in texts(app)
    assert "were read from the names of the runs" in texts(app)
    assert "**simulated**" not in texts(app)
    assert app.selectbox(key="training-sensitivity/sweep").value == "judged, 3 runs"
    healthy(app.selectbox(key="training-sensitivity/sweep").set_value("Simulated sweep").run())
    assert big_number(app) == recommendation(_expected()).measure


def test_a_table_gives_values_to_a_sweep_and_later_to_the_one_in_use() -> None:
    names = ("first", "second", "third", "fourth")
    app = _bring(open_page(PAGE), _sweep_files(*names))
    assert "4 settings (runs without parameter values)" in texts(app)
    table = "run,b,k1\nfirst,.2,1\nsecond,.4,1\nthird,.2,2\nfourth,.4,2\n"
    app.file_uploader[2].upload("values.csv", table.encode(), "text/csv")
    for place in (0, 1):
        app.file_uploader[place].set_value([] if not place else None)
    healthy(app.run())
    healthy(press(app, "Read these files"))
    assert not errors(app)
    assert "4 settings of b, k1" in texts(app)
    assert any(
        trace["type"] == "heatmap"
        for chart in app.get("plotly_chart")
        for trace in json.loads(chart.proto.spec)["data"]
    )


def test_runs_loaded_on_their_page_are_a_sweep_too() -> None:
    app = open_app(RUNS)
    for uploader, files in zip(
        app.file_uploader, (_sweep_files("c_1", "c_2", "c_5"), [("mine.txt", JUDGED)]), strict=True
    ):
        for name, content in files:
            uploader.upload(name, content, "text/plain")
    _settled(press(app, "Read these files"))
    app = _settled(go(app, PAGE))
    assert app.selectbox(key="training-sensitivity/sweep").value == "mine, runs loaded"
    assert "3 settings of c" in texts(app)


def test_a_small_collection_is_searched_here() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in (("documents.jsonl", DOCUMENTS), ("topics.jsonl", WORDS), ("qrels.txt", JUDGED)):
            archive.writestr(name, content)
    app = open_page(PAGE)
    app.radio(key="training-sensitivity/model").set_value("pl2")
    app = _settled(_search(app, {"oxen.zip": packed.getvalue()}))
    assert not errors(app)
    assert app.selectbox(key="training-sensitivity/sweep").value == "oxen, PL2 over c"
    assert "30 settings of c" in texts(app)
    assert "of 30 documents" in texts(app)  # table 1


def test_a_pool_that_is_assumed_is_said() -> None:
    listed = b"".join(line + b"\n" for line in JUDGED.splitlines() if line.endswith(b" 1"))
    app = _bring(open_page(PAGE), _sweep_files("b0.1", "b0.2", "b0.3"), listed)
    (said,) = [info.value for info in app.info]
    assert "A pool is assumed" in said
    assert "the first 100 of each of the 3 runs" in said
    healthy(app.selectbox(key="training-sensitivity/assumed_pool").set_value("never").run())
    assert not app.info


@pytest.mark.parametrize(
    ("runs", "qrels", "table", "said"),
    [
        ([], JUDGED, "", "choose the files of runs of a sweep too"),
        (_sweep_files("b0.1", "b0.2"), b"", "", "choose the files of their judgments too"),
        ([("bad.txt", b"1 Q0 d1 1\n")], JUDGED, "", "bad.txt, line 1: expected"),
        (_sweep_files("b0.1", "b0.2"), b"1 0 d1\n", "", "judged.txt, line 1: expected"),
        (_sweep_files("b0.1", "b0.2"), JUDGED, "run,b\nb0.1,x\nb0.2,2\n", "values.csv, line 2: parameter 'b': expected a number"),
        (_sweep_files("b0.1", "b0.2"), JUDGED, "run,b\nb0.1,1\n", "values.csv: expected a row for each run, found none for 'b0.2'"),
        (_sweep_files("b0.1"), JUDGED, "", "runs = 1: must be at least 2"),
        (_sweep_files("b0.1", "b0.2"), b"other 0 d1 1\n", "", "must have topics of the qrels"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_and_what_was_there_stays(
    runs: list[tuple[str, bytes]], qrels: bytes, table: str, said: str
) -> None:
    app = _bring(open_page(PAGE), runs, qrels, table)
    assert said in errors(app)[0]
    assert big_number(app) == recommendation(_expected()).measure
    assert "This is a **simulated** sweep" in texts(app)


def test_a_collection_that_is_none_is_refused() -> None:
    app = _search(
        open_page(PAGE), {"documents.jsonl": DOCUMENTS, "topics.jsonl": b"{}\n", "qrels.txt": JUDGED}
    )
    assert errors(app)[0].startswith("topics.jsonl, line 1: expected")
    healthy(press(open_page(PAGE), "Read and search"))


def test_long_work_is_a_job_with_partial_results_that_can_be_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = _expected()

    def slow(sweep: object, tasks: object, request: object, *, report: Report, partly, executor) -> None:  # type: ignore[no-untyped-def]  # noqa: ARG001
        partly(expected.upto(3))
        while True:
            report(0.5)
            time.sleep(0.01)

    monkeypatch.setattr(training_work, "_AT_ONCE_SECONDS", 0.0)
    monkeypatch.setattr(training_work, "training_sensitivity", slow)
    app = open_page(PAGE)
    assert recommendation(expected.upto(3)).sentence in texts(app)
    press(app, "Cancel")
    waited = time.monotonic()
    while not errors(app):
        assert time.monotonic() - waited < _LONGEST_WAIT_SECONDS
        healthy(app.run())
    assert errors(app) == ["Cancelled. What was there before is unchanged."]
    assert recommendation(expected.upto(3)).sentence in texts(app)
    assert any(button.label.startswith("Run the experiment, about") for button in app.button)


def test_a_job_ends_with_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_work, "_AT_ONCE_SECONDS", 0.0)
    app = _settled(open_page(PAGE))
    assert recommendation(_expected()).sentence in texts(app)
    monkeypatch.setattr(training_work, "_WITHOUT_ASKING_SECONDS", 0.0)
    healthy(app.number_input(key="training-sensitivity/seed").set_value(5).run())
    assert "This experiment takes a while." in texts(app)
    (button,) = [found.label for found in app.button if found.label.startswith("Run the experiment")]
    _settled(press(app, button))
    assert recommendation(_expected(seed=5)).sentence in texts(app)


def test_another_difference_changes_topics_and_nothing_else() -> None:
    app = open_page(PAGE)
    assert "that differ by 0.1 AP on all judgments" in texts(app)
    healthy(app.number_input(key="training-sensitivity/min_d").set_value(0.05).run())
    assert "that differ by 0.05 AP on all judgments" in texts(app)
    assert recommendation(_expected()).sentence in texts(app)
