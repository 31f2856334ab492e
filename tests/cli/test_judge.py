"""``judge`` with runs and two sets of judgments."""

import json
from pathlib import Path

import pytest

from tests.cli.running import record, refusal, text
from tests.golden.page_scenarios import JUDGED, SWEEP
from topicset_core.cli import main

SETS = ["--qrels-human", "people.qrels", "--qrels-model", "model.qrels"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for name, run in SWEEP:
        Path("runs", name).write_bytes(run)
    lines = JUDGED.splitlines(keepends=True)
    Path("people.qrels").write_bytes(b"".join(lines[: len(lines) * 5 // 6]))
    Path("model.qrels").write_bytes(JUDGED.replace(b"d3 1", b"d3 0").replace(b"d8 0", b"d8 1"))


def test_the_answer_has_agreement_and_that_of_a_pair(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--runs", "runs", *SETS, "--measure", "nDCG@10", "--pair", "bm25_b0.25", "bm25_b0.5"]
    assert main(["judge", *options, "--qrels-other", "people.qrels", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["common_topics"] == 5
    assert -1 <= found["kendall_tau_of_means"] <= 1
    assert -1 <= found["median_correlation_of_differences"] <= 1
    assert (found["first"], found["second"], found["measure"]) == ("bm25_b0.25", "bm25_b0.5", "nDCG@10")
    assert found["combined"]["half_width"] > 0
    assert found["ceiling"]["kendall_tau_of_means"] == 1
    assert main(["judge", *options]) == 0
    text = capsys.readouterr().out
    assert "Documents of 5 topics that people and the model judge: 150 by both" in text


def test_a_column_of_groups_next_to_labels_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        f"t{at},{run},.{(at * (2 + place)) % 10},.{(at * (3 + place)) % 10},c{at // 2}"
        for at in range(1, 8)
        for place, run in enumerate("ab")
    ]
    Path("labels.csv").write_text("\n".join(["topic,system,judge,human,conversation", *rows]))
    note = "Columns of labels.csv that were not read: 'conversation'."
    assert text(capsys, "judge", "labels.csv").count(note) == 1
    assert note in record(capsys, "judge", "labels.csv")["recognised"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "FILE = None"),
        (["x.csv", "--measure", "AP"], "--measure = 'AP': needs --runs"),
        (["x.csv", "--runs", "runs", *SETS, "--measure", "AP"], "FILE = 'x.csv': must be left out"),
        (["--runs", "runs", *SETS], "--measure = None: must be given"),
        (["--runs", "runs", *SETS, "--measure", "AP", "--marked", "x"], "--marked = 'x': must be one of"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], options: list[str], message: str) -> None:
    assert message in refusal(capsys, "judge", *options)
