"""``retrieve``: the core's run, in files that read back, whole or not at all."""

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import record, refusal, text, without_folder
from tests.parsing.trec_examples import documents_of
from topicset_core.parsing import read_run
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.retrieval import BM25, PL2, Expansion, Model, Search, build_index, build_queries

TEXTS = ("ox ox elk", "elk yak yak", "emu emu emu emu ox", "yak emu", "gnu gnu", "gnu ox elk")
TOPICS = """<top>
<num> Number: 9
<title> ox
<desc> Description: elk
<narr> Narrative: gnu
</top>
<top>
<num> Number: 10
<title> yak emu
</top>
<top>
<num> Number: 11
<title> kudu
</top>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection with TREC topics and no judgments."""
    new = tmp_path / "zoo"
    new.mkdir()
    rows = [json.dumps({"id": f"d{number}", "text": text}) for number, text in enumerate(TEXTS)]
    (new / "documents.jsonl").write_text("\n".join(rows))
    (new / "topics.txt").write_text(TOPICS)
    return new


@pytest.mark.parametrize(
    ("options", "fields", "model", "expansion"),
    [
        (["--model", "bm25"], "title", BM25(), None),
        (["--model", "bm25", "--b", ".4", "--topic-fields", "full"], "full", BM25(b=0.4), None),
        (["--model", "pl2"], "title", PL2(), None),
        (
            ["--model", "pl2", "--c", "2.5", "--expand-documents", "2", "--expand-terms", "3"],
            "title",
            PL2(c=2.5),
            Expansion(documents=2, terms=3),
        ),
    ],
)
@pytest.mark.parametrize("name", ["run.txt", "run.gz"])
def test_the_run_of_the_core_is_written_and_read_back(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    name: str,
    options: list[str],
    fields: Any,
    model: Model,
    expansion: Expansion | None,
) -> None:
    output = folder / name
    sentence = record(capsys, "retrieve", "--collection", str(folder), *options, "--output", str(output))
    content = output.read_bytes()
    assert content.startswith(b"\x1f\x8b") == (name == "run.gz")
    collection = read_text_collection(folder, with_qrels=False).collection
    index = build_index(collection.documents)
    expected = Search(index, build_queries(collection.topics, index, fields)).run(model, expansion)
    read = read_run(name, content, keep_scores=True).run
    assert documents_of(read) == documents_of(expected)
    assert read.tag == model.name
    assert read.scores is not None
    assert expected.scores is not None
    # Written with the digits that single precision has: 2^-24 relative.
    assert read.scores == pytest.approx(expected.scores, rel=2**-24)
    assert read.n_tied == expected.n_tied
    assert (sentence["topics"], sentence["documents"]) == (2, expected.documents.size)
    assert sentence["topics_without_documents"] == ["11"]
    assert sentence[model.parameter.name] == model.trained
    assert sentence["expand_terms"] == (expansion.terms if expansion else None)


def test_lines_are_those_of_a_trec_run(
    folder: Path, capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion
) -> None:
    output = folder / "run"
    options = ["--collection", str(folder), "--model", "bm25", "--output", str(output), "--documents", "1"]
    printed = text(capsys, "retrieve", *options, "--tag", "mine")
    # N = 6 and avg_l = 3: "yak" is in 2 documents, w1 = log2(4.5 / 2.5) = .847997; so is "emu". d3, "yak emu", has
    # both once: K = 1.2 (.25 + .75 * 2/3) = .9, so 2 * .847997 * 2.2 / 1.9 = 1.963782.
    # "ox" is in 3 of 6 documents: its weight is log2(1) = 0, and the ids decide.
    assert output.read_text().split("\n") == ["9 Q0 d5 1 0.0 mine", "10 Q0 d3 1 1.9637823 mine", ""]
    assert without_folder(printed, folder) == golden


def test_the_same_run_is_the_same_file(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    for name in ("one.gz", "two.gz"):
        text(
            capsys, "retrieve", "--collection", str(folder), "--model", "pl2", "--output", str(folder / name)
        )
    assert (folder / "one.gz").read_bytes() == (folder / "two.gz").read_bytes()


def test_a_failed_write_keeps_the_earlier_file(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = folder / "run"
    output.write_text("before")

    def half(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError("full")

    monkeypatch.setattr(Path, "write_bytes", half)
    options = ["--collection", str(folder), "--model", "bm25", "--output", str(output)]
    assert refusal(capsys, "retrieve", *options).endswith(": full")
    assert output.read_text() == "before"
    assert sorted(path.name for path in folder.iterdir()) == ["documents.jsonl", "run", "topics.txt"]
