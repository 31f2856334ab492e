"""``retrieve``: the core's run, in files that read back, whole or not at all."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.parsing.trec_made import documents_of
from topicset_core.cli import main
from topicset_core.cli import retrieve as command
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
    made = tmp_path / "zoo"
    made.mkdir()
    rows = [json.dumps({"id": f"d{number}", "text": text}) for number, text in enumerate(TEXTS)]
    (made / "documents.jsonl").write_text("\n".join(rows))
    (made / "topics.txt").write_text(TOPICS)
    return made


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["retrieve", *arguments, "--json"]) == 0
    printed = capsys.readouterr()
    assert not printed.err
    loaded: dict[str, Any] = json.loads(printed.out)
    return loaded


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
def test_the_core_s_run_is_written_and_reads_back(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    name: str,
    options: list[str],
    fields: Any,
    model: Model,
    expansion: Expansion | None,
) -> None:
    output = folder / name
    said = record(capsys, "--collection", str(folder), *options, "--output", str(output))
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
    assert (said["topics"], said["documents"]) == (2, expected.documents.size)
    assert said["topics_without_documents"] == ["11"]
    assert said[model.parameter] == getattr(model, model.parameter)
    assert said["expand_terms"] == (expansion.terms if expansion else None)
    assert said["recognised"][1:] == [
        "Topics: 3, read as TREC topics.",
        "1 topic with a description or a narrative beside the title.",
    ]


def test_lines_are_those_of_a_trec_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = folder / "run"
    options = ["--collection", str(folder), "--model", "bm25", "--output", str(output), "--documents", "1"]
    assert main(["retrieve", *options, "--tag", "mine"]) == 0
    # N = 6 and avg_l = 3: "yak" is in 2 documents, w1 = log2(4.5 / 2.5) = .847997; so is "emu". d3, "yak emu", has
    # both once: K = 1.2 (.25 + .75 * 2/3) = .9, so 2 * .847997 * 2.2 / 1.9 = 1.963782.
    # "ox" is in 3 of 6 documents: its weight is log2(1) = 0, and the ids decide.
    assert output.read_text().split("\n") == ["9 Q0 d5 1 0.0 mine", "10 Q0 d3 1 1.9637823 mine", ""]
    printed = capsys.readouterr().out
    assert "Run mine: 2 topics, 2 documents; written to" in printed
    assert "No document has a word of these topics: 11." in printed


def test_the_same_run_is_the_same_file(folder: Path) -> None:
    for name in ("one.gz", "two.gz"):
        assert (
            main(["retrieve", "--collection", str(folder), "--model", "pl2", "--output", str(folder / name)])
            == 0
        )
    assert (folder / "one.gz").read_bytes() == (folder / "two.gz").read_bytes()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "bm25", "--c", "1"], "--c = 1.0: is a parameter of pl2"),
        (["--model", "pl2", "--b", "1"], "--b = 1.0: is a parameter of bm25"),
        (["--model", "bm25", "--b", "2"], "b = 2.0: must be a number from 0 to 1"),
        (["--model", "pl2", "--c", "0"], "c = 0.0: must be a number from 1e-09"),
        (["--model", "tfidf"], "argument --model: invalid choice: 'tfidf'"),
        (["--model", "bm25", "--expand-terms", "3"], "--expand-documents = None: must be given with the other one"),
        (["--model", "bm25", "--expand-documents", "3"], "--expand-terms = None: must be given with the other one"),
        (["--model", "bm25", "--expand-documents", "1", "--expand-terms", "3"], "expand_documents = 1: must be"),
        (["--model", "bm25", "--documents", "0"], "n_documents = 0: must be a whole number of at least 1"),
        (["--model", "bm25", "--tag", "a b"], "--tag = 'a b': must be a name without white space"),
        ([], "the following arguments are required: --model"),
    ],
)  # fmt: skip
def test_what_contradicts_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path, options: list[str], said: str
) -> None:
    output = folder / "run"
    with pytest.raises(SystemExit) as stop:
        main(["retrieve", "--collection", str(folder), "--output", str(output), *options])
    printed = capsys.readouterr()
    assert stop.value.code == 2
    assert not printed.out
    assert printed.err.count("\n") == 1
    assert said in printed.err
    assert not output.exists()


def refusal(capsys: pytest.CaptureFixture[str], folder: Path, output: Path, *options: str) -> str:
    with pytest.raises(SystemExit):
        main(["retrieve", "--collection", str(folder), "--model", "bm25", "--output", str(output), *options])
    return capsys.readouterr().err


def test_outputs_that_are_no_files_are_refused(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert "must be a file" in refusal(capsys, folder, folder)
    assert "must be in a folder that is there" in refusal(capsys, folder, folder / "absent" / "run")


def test_full_topics_need_fields(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "topics.txt").unlink()
    (folder / "topics.jsonl").write_text('{"id": 1, "text": "ox"}')
    said = refusal(capsys, folder, folder / "run", "--topic-fields", "full")
    assert "must be title: no topic has a description or a narrative" in said


def test_a_bad_file_of_the_collection_is_named(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "documents.jsonl").write_text('{"id": 1, "text": "ox"}\n{"id": 1, "text": "ox"}')
    said = refusal(capsys, folder, folder / "run")
    assert f"{folder / 'documents.jsonl'}, line 2: expected each document once" in said


def test_a_write_that_fails_leaves_what_was_there(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = folder / "run"
    output.write_text("before")

    def half(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError("no space left")

    monkeypatch.setattr(command.Path, "write_bytes", half)
    assert "no space left" in refusal(capsys, folder, output)
    assert output.read_text() == "before"
    assert sorted(path.name for path in folder.iterdir()) == ["documents.jsonl", "run", "topics.txt"]
