"""Runs whose documents the judgments do not name: refused with both ids, or a caution where some are named."""

from pathlib import Path

import pytest

from tests.cli.running import refusal, text
from tests.refusals import refused
from topicset_core.analyses.run_evaluation import Request, evaluate
from topicset_core.collection.judged_runs import Unmatched, join
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_runs

TOPICS = ["1", "2", "3", "4"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Judgments of D1 and E1 on topic 1, and so on."""
    monkeypatch.chdir(tmp_path)
    Path("judged.qrels").write_text("".join(f"{one} 0 D{one} 1\n{one} 0 E{one} 0\n" for one in TOPICS))
    return "judged.qrels"


def run(name: str, *documents: str) -> str:
    """A run with one document on each topic; one that is empty is left out."""
    rows = [
        f"{topic} Q0 {document} 1 1.0 {name}\n"
        for topic, document in zip(TOPICS, documents, strict=True)
        if document
    ]
    Path(f"{name}.run").write_text("".join(rows))
    return f"{name}.run"


def test_ids_of_another_form_are_refused(capsys: pytest.CaptureFixture[str], files: str) -> None:
    other, good = run("other", "doc1", "doc2", "doc3", "doc4"), run("good", "D1", "E2", "D3", "D4")
    message = refusal(capsys, "evaluate", "--qrels", files, "--run", good, other, "--measure", "AP")
    assert "'other'" in message
    assert "found none on 4 topics" in message
    assert "on topic 1, run documents such as 'doc1', judged documents such as 'D1'" in message
    assert "'doc1'" in refusal(capsys, "compare-two", good, other, "--qrels", files, "--measure", "AP")


def test_most_topics_give_a_caution(capsys: pytest.CaptureFixture[str], files: str) -> None:
    caution = (
        "Caution: the qrels name no document of 'most' on 3 of 4 topics (on topic 2, run documents such as "
    )
    most, half = run("most", "D1", "doc2", "doc3", "doc4"), run("half", "D1", "E2", "doc3", "doc4")
    shown = text(capsys, "evaluate", "--qrels", files, "--run", half, most, "--measure", "AP")
    assert f"{caution}'doc2', judged documents such as 'D2'). Do the ids agree?" in shown
    assert "'half' on" not in shown
    assert "Caution: the qrels" not in text(
        capsys, "evaluate", "--qrels", files, "--run", half, "--measure", "AP"
    )


def test_topics_without_documents_of_the_qrels_are_counted(files: str) -> None:
    """Documents judged not relevant are named, too; a topic that is missing is no such topic."""
    paths = [run("a", "E1", "", "doc3", "doc4"), run("b", "D1", "D2", "D3", "E4"), run("c", "D2", "", "", "")]
    runs = read_runs([(path, Path(path)) for path in paths]).runs
    judged = join(runs, read_qrels(files, Path(files).read_bytes()).qrels)
    assert judged.unmatched == (
        Unmatched(2, 3, "3", "doc3", "D3"),
        Unmatched(0, 4),
        Unmatched(1, 1, "1", "D2", "D1"),
    )
    assert judged.taken([0, 1], [1, 2]).unmatched == judged.unmatched[1:]
    # A single topic may lack a judged document by chance: a caution.
    found = evaluate(judged, Request(measures=("AP",)))
    assert "'c' on 1 of 1 topic" in found.caution
    assert found.record()["caution"] == found.caution
    assert found.caution in found.notes
    path = run("d", "x", "y", "", "")
    other = join(read_runs([(path, Path(path))]).runs, read_qrels(files, Path(files).read_bytes()).qrels)
    assert refused(evaluate, other, Request(measures=("AP",))).value == "d"
