"""``subsets --holdout`` and ``--audit``: scores of another measure, refusals in one line."""

from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.cli.running import cases, record, refusal
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


def written(matrix: ScoreMatrix, path: Path) -> str:
    rows = [
        ",".join([topic, *map(str, scores)])
        for topic, scores in zip(matrix.topics, matrix.scores.tolist(), strict=True)
    ]
    path.write_text("\n".join([",".join(["topic", *matrix.systems]), *rows]))
    return str(path)


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


@pytest.mark.parametrize(
    "options",
    cases(
        ["--splits", "3"],
        ["--choose-by", "kendall"],
        ["--unseen", "aa-1"],
        ["--holdout", "runs", "--method", "local"],
        ["--holdout", "teams"],
        ["--holdout", "runs", "--audit", "x"],
        ["--holdout", "runs", "--splits", "1"],
        ["--holdout", "runs", "--starts", "-1"],
        ["--holdout", "topics", "--cardinality", "7"],
        ["--holdout", "runs", "--log", "--judge-scores", "x"],
        ["--holdout", "runs", "--judge-scores", "absent.csv"],
        ["--holdout", "runs", "--worst-count", "9"],
    ),
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, file: str, options: list[str]
) -> None:
    assert refusal(capsys, "subsets", file, *options) == golden


@pytest.mark.parametrize(
    ("content", "options", "named"),
    [
        pytest.param("402\n999\n", [], "list.txt, line 2", id="unknown topic"),
        pytest.param("402\n403\n402\n", [], "list.txt, line 3", id="topic twice"),
        pytest.param("# none\n", [], "list.txt", id="no topic"),
        pytest.param("402\n", ["--cardinality", "3"], "--cardinality = '3'", id="cardinality"),
        pytest.param("402\n", ["--unseen", "me"], "--unseen = 'me'", id="unknown run"),
        pytest.param("\n".join(map(str, range(401, 413))), [], "--audit = 12", id="all topics"),
    ],
)
def test_lists_that_are_refused(
    capsys: pytest.CaptureFixture[str],
    golden: SnapshotAssertion,
    file: str,
    content: str,
    options: list[str],
    named: str,
) -> None:
    Path("list.txt").write_text(content)
    message = refusal(capsys, "subsets", file, "--audit", "list.txt", *options)
    assert named in message
    assert message == golden
