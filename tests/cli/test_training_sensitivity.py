"""``training-sensitivity`` on files that were written for it."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.analyses.training_sensitivity.sweeps import tiny
from topicset_core.cli import main

LEVELS = ("--levels", "20,60", "--samples", "3", "--seed", "4")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The tiny sweep as files."""
    runs, judged, _ = tiny()
    (tmp_path / "runs").mkdir()
    for tag, ranked in runs.items():
        lines = [
            f"{topic} Q0 {document} {rank} {100 - rank} {tag}\n"
            for topic, documents in ranked.items()
            for rank, document in enumerate(documents, start=1)
        ]
        (tmp_path / "runs" / f"{tag}.txt").write_text("".join(lines))
    lines = [f"{topic} 0 {d} {grade}\n" for topic, own in judged.items() for d, grade in own.items()]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    values = "".join(f"{tag},{number},{number * number}\n" for number, tag in enumerate(runs))
    (tmp_path / "values.csv").write_text("run,b,k1\n" + values)
    return tmp_path


def _files(folder: Path) -> tuple[str, ...]:
    return ("--qrels", str(folder / "qrels.txt"), "--runs", str(folder / "runs"), "--assumed-pool", "never")


def _record(capsys: pytest.CaptureFixture[str], arguments: Sequence[str]) -> dict[str, object]:
    assert main(["training-sensitivity", *arguments, "--json"]) == 0
    found = capsys.readouterr()
    assert found.err == ""
    record: dict[str, object] = json.loads(found.out)
    return record


def test_json_has_what_it_promises_and_is_the_same_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["training-sensitivity", *_files(folder), *LEVELS, "--json"]
    printed = []
    for _ in range(2):
        assert main(arguments) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    record = json.loads(printed[0])
    assert [one["level"] for one in record["levels"]] == [20.0, 60.0, 100.0]
    # X(Y): AP(AP), and AP(M), M(M), M(AP) of three M; of both tasks and their mean, at 2 levels.
    assert len(record["effectiveness"]) == 10 * 3 * 2
    # sigma_opt of b, the choice, sigma_diff and its scale-free form; three measures, three blocks.
    assert len(record["sign_tests"]) == 4 * 3 * 3
    assert len(record["chosen"]) == 2 * 3 * 2 * 4  # levels, samples, tasks, measures
    assert {one["run"] for one in record["chosen"]} <= set(tiny()[0])
    assert record["parameters"] == ["b"]
    assert record["seed"] == 4


def test_a_table_of_values_and_lists_of_topics(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "train").write_text("t0\nt1\nt2\n")
    (folder / "test").write_text("# the others\nt5\nt6\n")
    lists = ("--training-topics", str(folder / "train"), "--test-topics", str(folder / "test"))
    values = ("--parameters", str(folder / "values.csv"))
    record = _record(capsys, (*_files(folder), *LEVELS, *lists, *values, "--measure", "P@5"))
    assert record["parameters"] == ["b", "k1"]
    assert record["tasks"] == [
        {"name": "test", "training_topics": ["t0", "t1", "t2"], "test_topics": ["t5", "t6"]},
        {"name": "train", "training_topics": ["t5", "t6"], "test_topics": ["t0", "t1", "t2"]},
    ]
    assert list(record["measures"]) == ["AP", "P@5"]  # type: ignore[call-overload]


def test_text_begins_with_the_answer(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["training-sensitivity", *_files(folder), *LEVELS]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("With more than 10 % of the judgments")
    (header,) = [number for number, line in enumerate(lines) if line.startswith("% judged")]
    assert [line.split()[0] for line in lines[header + 1 : header + 3]] == ["20", "60"]
    assert any(line.startswith("sigma_opt of b, bpref") for line in lines)


def test_a_collection_is_swept_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["river bank water", "money bank", "water bird river river", "bird song", "money song bank water"]
    documents = [json.dumps({"id": f"d{n}", "title": "", "text": f"{w} {w}"}) for n, w in enumerate(words)]
    (tmp_path / "documents.jsonl").write_text("\n".join(documents))
    topics = [
        json.dumps({"id": f"q{n}", "text": t}) for n, t in enumerate(("river water", "bank", "song", "bird"))
    ]
    (tmp_path / "topics.jsonl").write_text("\n".join(topics))
    (tmp_path / "qrels.txt").write_text("q0 0 d0 1\nq1 0 d1 1\nq2 0 d3 1\nq3 0 d2 1\nq3 0 d3 1\n")
    record = _record(capsys, ("--collection", str(tmp_path), "--model", "pl2", *LEVELS))
    assert record["parameters"] == ["c"]
    assert record["n_settings"] == 30
    collection = record["collection"]
    assert isinstance(collection, dict)
    assert (collection["collection"], collection["n_documents"]) == (tmp_path.name, 5)
    assert collection["relevant_share"] == (5 / 4) / 5
    assert any("A pool is assumed" in str(text) for text in record["remarks"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--qrels", "{}/qrels.txt"), "--runs = None: must be given"),
        (("--runs", "{}/runs"), "--qrels = None: must be given"),
        (("--collection", "{}"), "--model = None: must be given"),
        (
            ("--collection", "{}", "--model", "bm25", "--qrels", "x"),
            "has no meaning without --qrels and --runs",
        ),
        (
            ("--qrels", "{}/qrels.txt", "--runs", "{}/runs", "--model", "bm25"),
            "no meaning without --collection",
        ),
        (
            ("--qrels", "{}/qrels.txt", "--runs", "{}/runs", "--levels", "a"),
            "levels = 'a': must be percentages",
        ),
        (("--qrels", "{}/qrels.txt", "--runs", "{}/runs", "--levels", "0"), "must be percentages above 0"),
        (("--qrels", "{}/qrels.txt", "--runs", "{}/runs", "--test-topics", "x"), "--training-topics = None"),
        (("--qrels", "{}/qrels.txt", "--runs", "{}/runs", "--relevance-level", "7"), "relevance_level = 7"),
        (
            ("--qrels", "{}/qrels.txt", "--runs", "{}/runs", "--parameters", "{}/qrels.txt"),
            "expected a header",
        ),
    ],
)
def test_refusals_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["training-sensitivity", *(argument.format(folder) for argument in arguments)])
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
