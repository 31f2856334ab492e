"""``subsets``: scores of another measure, undefined correlations."""

from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.cli.running import record, written
from topicset_core.analyses.topic_subsets.held_out.curve import held_out_curve
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.records import plain


def new(seed: int) -> ScoreMatrix:
    """Scores of fourteen runs of seven teams on twelve topics."""
    names = tuple(
        f"{team}-{number}" for team in ("aa", "bb", "cc", "dd", "ee", "ff", "gg") for number in (1, 2)
    )
    topics = tuple(str(401 + number) for number in range(12))
    return replace(random_matrix(12, 14, seed), systems=names, topics=topics, name="mine_ap")


MATRIX = new(51)
SCORES = f"{MATRIX.measure} of {MATRIX.name}"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return written(MATRIX, Path("mine_ap.csv"))


def test_held_out_topics_by_another_measure(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, file: str
) -> None:
    other = new(52)
    reversed_runs = replace(other, scores=other.scores[:, ::-1], systems=other.systems[::-1])
    judging = written(reversed_runs, Path("mine_p10.csv"))
    options = ["--holdout", "topics", "--splits", "3", "--judge-scores", judging]
    result = record(capsys, "subsets", file, *options)
    request = HeldOutRequest(hold_out="topics", goodness="pearson", n_splits=3)
    curve = held_out_curve(MATRIX, request, evaluating=replace(other, measure="P@10", name="mine_p10"))
    assert result["cardinalities"] == plain(curve)["cardinalities"]
    assert [row["cardinality"] for row in result["cardinalities"]] == [1, 2, 3, 4, 5, 6]
    assert result["matched"] == golden
    assert result["chosen_scores"] == SCORES


def test_undefined_correlations_are_counted_or_null(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "mine_ap.csv"
    path.write_text("topic,a,b,c\n1,0.1,0.2,0.4\n2,0.5,0.5,0.5\n3,0.3,0.2,0.1\n4,0.1,0.6,0.9\n")
    first = record(capsys, "subsets", str(path), "--cardinality", "1")["cardinalities"][0]
    assert first["n_undefined"] == 1  # topic 2
    assert first["n_averaged"] == 3
    # Topic 1 against topic 2: alone either distinguishes the runs, so a matrix of ties needs three topics.
    path.write_text("topic,a,b\n1,0.2,0.2\n2,0.3,0.3\n3,0.1,0.4\n")
    rows = record(capsys, "subsets", str(path), "--cardinality", "1-2")["cardinalities"]
    assert [row["n_undefined"] for row in rows] == [2, 1]
