"""``subsets --holdout`` and ``--audit``: the same numbers as the core, texts, refusals in one line."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.cli.running import cases, record, refusal
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.held_out.audit import AuditRequest, audit_subset
from topicset_core.analyses.topic_subsets.held_out.curve import held_out_curve
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix, units_of


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


@pytest.fixture
def nano(file: str) -> str:
    path = Path(file).with_name("nano.txt")
    path.write_text("402\n# the second\n405\tits text\n411\n")
    return str(path)


def includes(result: dict, expected: dict) -> None:
    plain = json.loads(json.dumps(expected))
    assert {key: result[key] for key in plain} == plain


def test_held_out_runs_equal_the_core(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, file: str
) -> None:
    requested = "--holdout runs --splits 5 --starts 3 --trials 20 --seed 4"
    measures = "--cardinality 2-4 --goodness kendall --choose-by pearson"
    result = record(capsys, "subsets", file, *requested.split(), *measures.split())
    request = HeldOutRequest(
        hold_out="runs",
        goodness="kendall",
        choose_by="pearson",
        cardinalities=(2, 3, 4),
        n_splits=5,
        n_starts=3,
        n_trials=20,
        seed=4,
    )
    curve = held_out_curve(MATRIX, request)
    includes(result, curve.record())
    assert result["judged_scores"] == result["chosen_scores"] == SCORES
    assert result["units"] == dict(zip(MATRIX.systems, units_of(MATRIX), strict=True))
    assert result["target"] == 0.9
    assert (result["sentence"], result["intervals"]) == golden


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
    assert result["cardinalities"] == json.loads(json.dumps(curve.record()["cardinalities"]))
    assert [row["cardinality"] for row in result["cardinalities"]] == [1, 2, 3, 4, 5, 6]
    assert result["matched"] == golden
    assert result["chosen_scores"] == SCORES


def test_the_audit_equals_the_core(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, file: str, nano: str
) -> None:
    unseen = ["aa-1", "aa-2", "bb-1", "cc-1", "cc-2", "dd-1", "ee-2", "ff-1", "gg-2"]
    options = ["--audit", nano, "--splits", "4", "--trials", "300", "--unseen", *unseen]
    result = record(capsys, "subsets", file, *options)
    expected = audit_subset(
        MATRIX,
        AuditRequest(
            topics=["402", "405", "411"],
            runs=unseen,
            n_splits=4,
            n_trials=300,
        ),
    )
    includes(result, expected.record() | {"scores": SCORES})
    assert numbers_in(result["sentence"])[:3] == [3, 9, 12]  # topics of the set, runs, all topics
    assert result["sentence"] == golden


@pytest.mark.parametrize(
    ("options", "named"),
    cases(
        (["--splits", "3"], "--splits = 3"),
        (["--choose-by", "kendall"], "--choose-by = 'kendall'"),
        (["--unseen", "aa-1"], "--unseen = ['aa-1']"),
        (["--holdout", "runs", "--method", "local"], "--method = 'local'"),
        (["--holdout", "teams"], "'teams'"),
        (["--holdout", "runs", "--audit", "x"], "--holdout"),
        (["--holdout", "runs", "--splits", "1"], "--splits = 1"),
        (["--holdout", "runs", "--starts", "-1"], "--starts = -1"),
        (["--holdout", "topics", "--cardinality", "7"], "--cardinality = 7"),
        (["--holdout", "runs", "--log", "--judge-scores", "x"], "--judge-scores = 'x'"),
        (["--holdout", "runs", "--judge-scores", "absent.csv"], "absent.csv"),
        (["--holdout", "runs", "--worst-count", "9"], "systems = "),
    ),
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, file: str, options: list[str], named: str
) -> None:
    message = refusal(capsys, "subsets", file, *options)
    assert named in message
    assert message == golden


@pytest.mark.parametrize(
    ("content", "options", "named"),
    [
        pytest.param("402\n999\n", [], "list.txt, line 2", id="unknown topic"),
        pytest.param("402\n403\n402\n", [], "list.txt, line 3", id="topic twice"),
        pytest.param("# none\n", [], "list.txt", id="no topic"),
        pytest.param("402\n", ["--cardinality", "3"], "--cardinality = '3'", id="cardinality"),
        pytest.param("402\n", ["--unseen", "me"], "--unseen = 'me'", id="unknown run"),
        pytest.param("\n".join(map(str, range(401, 413))), [], "topics = 12", id="all topics"),
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
