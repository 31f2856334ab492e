"""``training-sensitivity`` on files that were written for it."""

import json
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.dl_2019 import qrels_path, run_paths
from tests.analyses.training_sensitivity.sweeps import tiny
from tests.cli.running import record, refusal, text

LEVELS = ("--levels", "20,60", "--samples", "3", "--seed", "4")


FILES = ("training-sensitivity", "--qrels", "qrels.txt", "--runs", "runs")
NO_POOL = ("--assumed-pool", "never")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny sweep as files."""
    monkeypatch.chdir(tmp_path)
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


def test_a_table_of_values_and_lists_of_topics(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "train").write_text("t0\nt1\nt2\n")
    (folder / "test").write_text("# the others\nt5\nt6\n")
    lists = ("--training-topics", "train", "--test-topics", "test", "--parameters", "values.csv")
    result = record(capsys, *FILES, *NO_POOL, *LEVELS, *lists, "--measure", "P@5")
    assert result["parameters"] == ["b", "k1"]
    assert result["tasks"] == [
        {"name": "test", "training_topics": ["t0", "t1", "t2"], "test_topics": ["t5", "t6"]},
        {"name": "train", "training_topics": ["t5", "t6"], "test_topics": ["t0", "t1", "t2"]},
    ]
    assert list(result["measures"]) == ["AP", "P@5"]


def test_a_collection_is_swept_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion
) -> None:
    words = ["river bank water", "money bank", "water bird river river", "bird song", "money song bank water"]
    documents = [json.dumps({"id": f"d{n}", "title": "", "text": f"{w} {w}"}) for n, w in enumerate(words)]
    (tmp_path / "documents.jsonl").write_text("\n".join(documents))
    topics = [
        json.dumps({"id": f"q{n}", "text": t}) for n, t in enumerate(("river water", "bank", "song", "bird"))
    ]
    (tmp_path / "topics.jsonl").write_text("\n".join(topics))
    (tmp_path / "qrels.txt").write_text("q0 0 d0 1\nq1 0 d1 1\nq2 0 d3 1\nq3 0 d2 1\nq3 0 d3 1\n")
    result = record(capsys, "training-sensitivity", "--collection", str(tmp_path), "--model", "pl2", *LEVELS)
    assert result["parameters"] == ["c"]
    assert result["n_settings"] == 30
    collection = result["collection"]
    assert (collection["collection"], collection["n_documents"]) == (tmp_path.name, 5)
    assert collection["relevant_share"] == (5 / 4) / 5
    assert [str(remark).replace(tmp_path.name, "FOLDER") for remark in result["remarks"]] == golden


@pytest.mark.slow
def test_tables_2_and_3_of_a_collection_in_one_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(6)
    words = ("river", "bank", "water", "bird", "song", "stone")
    texts = [" ".join(rng.choice(words, 12)) for _ in range(20)]
    documents = [json.dumps({"id": f"d{n}", "title": "", "text": text}) for n, text in enumerate(texts)]
    (tmp_path / "documents.jsonl").write_text("\n".join(documents))
    topics = [json.dumps({"id": f"q{n}", "text": word}) for n, word in enumerate(words)]
    (tmp_path / "topics.jsonl").write_text("\n".join(topics))
    (tmp_path / "qrels.txt").write_text(
        "".join(f"q{n} 0 d{document} 1\n" for n in range(6) for document in range(n, 20, 4))
    )
    arguments = ("training-sensitivity", "--collection", str(tmp_path), "--paper-tables")
    blocks = record(capsys, *arguments)["blocks"]
    assert [(one["model"], one["expansion"]) for one in blocks] == [
        (model, expansion) for model in ("bm25", "pl2") for expansion in (False, True)
    ]
    assert all(
        len(one["cells"]) == 2 * 10 for one in blocks
    )  # two tasks; X(Y) as in tables 2 and 3, and by M
    printed = text(capsys, *arguments)
    for block in blocks:
        assert block["title"] in printed
        own = [cell for cell in block["cells"] if cell["evaluated_by"] == "AP"]
        assert all(f"{cell['score']:.4f}" in printed for cell in own)
    assert "--model" in refusal(capsys, *arguments, "--model", "bm25")


def test_ordinary_run_names_and_a_table_of_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ordinary = dict(zip(sorted(tiny()[0]), ("alpha", "beta", "gamma", "delta", "omega", "last"), strict=True))
    for old, new in ordinary.items():
        file = folder / "runs" / f"{old}.txt"
        (folder / "runs" / f"{new}.txt").write_text(file.read_text().replace(f" {old}\n", f" {new}\n"))
        file.unlink()
    assert "different systems" in refusal(capsys, *FILES, *NO_POOL, *LEVELS)  # no values at all
    (folder / "runs.csv").write_text("run\n" + "\n".join(ordinary.values()))
    result = record(capsys, *FILES, *NO_POOL, *LEVELS, "--values", "runs.csv")
    assert result["parameters"] == []
    assert {one["run"] for one in result["chosen"]} <= set(ordinary.values())
    values = "".join(f"{new},{number}\n" for number, new in enumerate(ordinary.values()))
    (folder / "values.csv").write_text("run,b\n" + values)
    first, second = (
        record(capsys, *FILES, *NO_POOL, *LEVELS, option, "values.csv")
        for option in ("--values", "--parameters")
    )
    assert first == second
    assert first["parameters"] == ["b"]


@pytest.mark.reference_data
def test_runs_of_the_teams_of_dl_2019_are_no_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--qrels", str(qrels_path()), "--runs", *map(str, run_paths())]
    message = refusal(capsys, "training-sensitivity", *files)
    assert "10 runs that look like different systems" in message
