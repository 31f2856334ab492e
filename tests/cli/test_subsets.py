"""``subsets``: the same numbers as the core, the contract of its JSON, refusals in one line."""

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import cases, record, refusal
from topicset_core.analyses.topic_subsets.curve import subset_curve
from topicset_core.analyses.topic_subsets.held_out.null import NullRequest, compare_with_null
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.samples.simulated import simulated_task

TABLE = "topic,a,b,c\n1,0.1,0.2,0.4\n2,0.5,0.5,0.5\n3,0.3,0.2,0.1\n4,0.1,0.6,0.9\n"


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "mine_ap.csv"
    path.write_text(TABLE)
    return str(path)


@pytest.fixture
def sample(tmp_path: Path) -> str:
    """The simulated AP of round 1 as a file."""
    matrix = simulated_task()[0]
    rows = [
        ",".join([topic, *(f"{score:.4f}" for score in scores)])
        for topic, scores in zip(matrix.topics, matrix.scores.tolist(), strict=True)
    ]
    path = tmp_path / "sample_ap.csv"
    path.write_text("\n".join([",".join(["topic", *matrix.systems]), *rows]))
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goodness", "method"), [("pearson", "local"), ("kendall", "guiver"), ("error-rate", "auto")]
)
def test_the_record_equals_the_core(
    capsys: pytest.CaptureFixture[str], sample: str, goodness: str, method: str
) -> None:
    options = ["--agreement", goodness, "--method", method, "--cardinality", "1-3,12", "--seed", "5"]
    result = record(capsys, "subsets", sample, *options, "--trials", "300")
    request = Request(
        goodness=goodness,  # type: ignore[arg-type]
        cardinalities=(1, 2, 3, 12),
        method=method,  # type: ignore[arg-type]
        n_trials=300,
        seed=5,
    )
    expected = subset_curve(simulated_task()[0], request)
    assert [row["cardinality"] for row in result["cardinalities"]] == [1, 2, 3, 12]
    for row, point in zip(result["cardinalities"], expected.points, strict=True):
        assert point.best is not None
        assert point.worst is not None
        assert row["best"]["value"] == point.best.value
        assert row["best"]["topics"] == list(point.best.topics)
        assert row["best"]["status"] == point.best.status
        assert row["worst"]["topics"] == list(point.worst.topics)
        assert (row["mean"], row["mean_standard_error"]) == (point.mean, point.mean_standard_error)
    assert result["cardinalities"][0]["mean_standard_error"] == 0
    assert result["cardinalities"][3]["mean_standard_error"] > 0
    assert result["seed"] == 5


@pytest.mark.slow
def test_exchangeable_topics_are_those_of_the_core(capsys: pytest.CaptureFixture[str], sample: str) -> None:
    few = ["--cardinality", "2,5", "--method", "local", "--trials", "100", "--splits", "3", "--starts", "1"]
    result = record(capsys, "subsets", sample, *few, "--null", "--replicates", "19")
    request = NullRequest(goodness="pearson", cardinality=5, n_replicates=19, n_splits=3, n_starts=1)
    expected = compare_with_null(simulated_task()[0], request)
    assert result["null"] | {"sentence": ""} == json.loads(json.dumps(expected.record() | {"sentence": ""}))
    assert result["held_out"]["cardinalities"][0]["cardinality"] == result["topics_for_target"]["best"]


def test_undefined_correlations_are_counted_or_null(
    capsys: pytest.CaptureFixture[str], table: str, tmp_path: Path
) -> None:
    first = record(capsys, "subsets", table, "--cardinality", "1")["cardinalities"][0]
    assert first["n_undefined"] == 1  # topic 2
    assert first["n_averaged"] == 3
    path = tmp_path / "two_ap.csv"
    # Topic 1 against topic 2: alone either distinguishes the runs, so a matrix of ties needs three topics.
    path.write_text("topic,a,b\n1,0.2,0.2\n2,0.3,0.3\n3,0.1,0.4\n")
    rows = record(capsys, "subsets", str(path), "--cardinality", "1-2")["cardinalities"]
    assert [row["n_undefined"] for row in rows] == [2, 1]


@pytest.mark.parametrize(
    ("options", "named"),
    cases(
        (["--cardinality", "5"], "--cardinality = 5"),
        (["--cardinality", "two"], "cardinality = 'two'"),
        (["--goodness", "rho"], "'rho'"),
        (["--method", "sure"], "'sure'"),
        (["--trials", "1"], "--trials = 1"),
        (["--seed", "-3"], "--seed = -3"),
        (["--replicates", "19"], "--replicates = 19"),
        (["--null"], "systems = 2"),
    ),
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, table: str, options: list[str], named: str
) -> None:
    message = refusal(capsys, "subsets", table, *options)
    assert named in message
    assert message == golden


def test_runs_that_cannot_be_compared_are_refused(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, tmp_path: Path
) -> None:
    one = tmp_path / "one_ap.csv"
    one.write_text("topic,a\n1,0.2\n2,0.3\n")
    assert refusal(capsys, "subsets", str(one)) == golden
    same = tmp_path / "same_ap.csv"
    same.write_text("topic,a,b\n1,0.2,0.3\n2,0.3,0.2\n")
    assert refusal(capsys, "subsets", str(same)) == golden
