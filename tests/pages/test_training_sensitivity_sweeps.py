"""Sweeps that a user brings to the page on training sensitivity: runs, values, a collection, what is refused."""

# ruff: noqa: E501 - rows of tables

import io
import json
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy, open_app, open_page
from tests.pages.uploading import press, settled, texts

PAGE, RUNS = "pages/training_sensitivity.py", "pages/runs_and_qrels.py"
OF_SAMPLE = "infAP"
"""What to train by on the simulated sweep, which stays where files are refused."""

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
    return settled(press(app, "Read these files"))


def _search(app: AppTest, files: dict[str, bytes]) -> AppTest:
    for name, content in files.items():
        app.file_uploader[3].upload(name, content, "application/octet-stream")
    return settled(press(app, "Read and search"))


def test_a_sweep_whose_names_have_values() -> None:
    app = _bring(open_page(PAGE), _sweep_files("bm25_b0.25", "bm25_b0.5", "bm25_b0.75"))
    assert "3 settings of b; trained on 3 and 3 topics" in texts(app)
    assert "were read from the names of the runs" in texts(app)
    assert "**simulated**" not in texts(app)
    assert app.selectbox(key="training-sensitivity/sweep").value == "judged, 3 runs"
    healthy(app.selectbox(key="training-sensitivity/sweep").set_value("Simulated sweep").run())
    assert big_number(app) == OF_SAMPLE


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
    settled(press(app, "Read these files"))
    app = settled(go(app, PAGE))
    assert app.selectbox(key="training-sensitivity/sweep").value == "mine, runs loaded"
    assert "3 settings of c" in texts(app)


def test_a_small_collection_is_searched_here() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in (("documents.jsonl", DOCUMENTS), ("topics.jsonl", WORDS), ("qrels.txt", JUDGED)):
            archive.writestr(name, content)
    app = open_page(PAGE)
    app.radio(key="training-sensitivity/model").set_value("pl2")
    app = settled(_search(app, {"oxen.zip": packed.getvalue()}))
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
    assert big_number(app) == OF_SAMPLE
    assert "This is a **simulated** sweep" in texts(app)


def test_a_collection_that_is_none_is_refused() -> None:
    app = _search(
        open_page(PAGE), {"documents.jsonl": DOCUMENTS, "topics.jsonl": b"{}\n", "qrels.txt": JUDGED}
    )
    assert errors(app)[0].startswith("topics.jsonl, line 1: expected")
    healthy(press(open_page(PAGE), "Read and search"))
