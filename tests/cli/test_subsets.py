"""``subsets``: undefined correlations, refusals in one line."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import cases, record, refusal

TABLE = "topic,a,b,c\n1,0.1,0.2,0.4\n2,0.5,0.5,0.5\n3,0.3,0.2,0.1\n4,0.1,0.6,0.9\n"


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "mine_ap.csv"
    path.write_text(TABLE)
    return str(path)


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
    "options",
    cases(
        ["--cardinality", "5"],
        ["--cardinality", "two"],
        ["--goodness", "rho"],
        ["--method", "sure"],
        ["--trials", "1"],
        ["--seed", "-3"],
        ["--replicates", "19"],
        ["--null"],
    ),
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, table: str, options: list[str]
) -> None:
    assert refusal(capsys, "subsets", table, *options) == golden


def test_runs_that_cannot_be_compared_are_refused(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, tmp_path: Path
) -> None:
    one = tmp_path / "one_ap.csv"
    one.write_text("topic,a\n1,0.2\n2,0.3\n")
    assert refusal(capsys, "subsets", str(one)) == golden
    same = tmp_path / "same_ap.csv"
    same.write_text("topic,a,b\n1,0.2,0.3\n2,0.3,0.2\n")
    assert refusal(capsys, "subsets", str(same)) == golden
