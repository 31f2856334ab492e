"""``error-rate`` and ``size error-rate``: a bootstrap, a design of Lin and Hauptmann, and clear refusals."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import cases, record, refusal, text
from tests.words import numbers_in
from topicset_core.samples.simulated import simulated_task


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    matrix = simulated_task()[0]
    file = Path("sim_ap.csv")
    rows = [",".join(["topic", *matrix.systems])]
    rows += [
        ",".join([topic, *(f"{score:.4f}" for score in scores)])
        for topic, scores in zip(matrix.topics, matrix.scores, strict=True)
    ]
    file.write_text("\n".join(rows))
    return file


def test_a_bootstrap_goes_beyond_half_the_topics(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, sample: Path
) -> None:
    options = ["--trials", "50", "--cardinalities", "60"]
    result = record(capsys, "error-rate", str(sample), *options, "--with-replacement")
    assert result["with_replacement"] is True
    assert result["details"]["fits"] == [None] * 21  # one size is no curve
    assert refusal(capsys, "error-rate", str(sample), *options) == golden


@pytest.mark.parametrize(
    "options",
    cases(
        ["--trials", "0"],
        ["--trials", "x"],
        ["--seed", "-1"],
        ["--max-error", ".5"],
        ["--min-d", "0"],
        ["--topics", "0"],
        ["--cardinalities", "26"],
        ["--worst-percent", "100"],
    ),
)
def test_wrong_options_are_refused(
    capsys: pytest.CaptureFixture[str],
    golden: SnapshotAssertion,
    sample: Path,
    options: list[str],
) -> None:
    assert refusal(capsys, "error-rate", str(sample), *options) == golden


def test_several_matrices_are_refused_with_their_names(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, sample: Path
) -> None:
    other = Path("other_ap.csv")
    other.write_text("topic,x,y\n1,0.1,0.2\n2,0.3,0.2\n")
    assert refusal(capsys, "error-rate", str(sample), str(other), "--trials", "5") == golden


# 9.1: 143.1 topics by Eq. 8 and 136.3 by Eq. 13, for .05 at a difference of .05 and variances of .0942.
@pytest.mark.parametrize("variance", [["--variance", ".0471"], ["--difference-variance", ".0942"]])
def test_size_against_lin_and_hauptmann(capsys: pytest.CaptureFixture[str], variance: list[str]) -> None:
    arguments = ["size", "error-rate", "--max-error", ".05", "--min-d", ".05", *variance]
    result = record(capsys, *arguments)
    assert result["required_topics"] == 144
    assert result["attained_error"] == pytest.approx(0.049314322, abs=5e-10)  # Eq. 8 at 144, mpmath
    assert record(capsys, *arguments, "--method", "published")["required_topics"] == 137
    assert numbers_in(text(capsys, *arguments))[:2] == [144, 0.049314]
