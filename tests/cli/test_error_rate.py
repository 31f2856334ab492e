"""``error-rate`` and ``size error-rate``: the same numbers as the core, and clear refusals."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import cases, record, refusal, text
from tests.reference_data import reference_file
from tests.words import numbers_in
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.prediction import predict
from topicset_core.parsing import read_scores
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


def test_the_record_equals_the_counts_of_the_core(capsys: pytest.CaptureFixture[str], sample: Path) -> None:
    result = record(capsys, "error-rate", str(sample), "--trials", "200", "--seed", "3")
    matrix = simulated_task()[0]
    counted = error_rates(matrix, n_trials=200, seed=3)
    assert result["cardinalities"] == list(range(1, 26))
    assert result["bins"] == [round(0.01 * k, 2) for k in range(1, 21)] + [None]
    for row, expected in zip(result["details"]["error_rates"], counted.error_rates, strict=True):
        assert [np.nan if rate is None else rate for rate in row] == pytest.approx(expected, nan_ok=True)
    assert len(result["details"]["fits"]) == 21
    assert {"bin", "b1", "b2"} <= set(result["details"]["fits"][4])
    expected = predict(matrix, n_topics=50, difference=0.05, max_error=0.05)
    assert result["error"] == expected.error  # four decimals in the file as in the sample


@pytest.mark.reference_data
def test_trec_8_against_9_2_with_the_worst_quarter_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    # The 96 runs are TREC-8's 129 less the worst quarter but for one run and one cell (docs/reference_data.md), so
    # the rates are those of 9.2 within their half point and .2 for that run.
    file = str(reference_file("matrices", "trec8_adhoc_ap.csv"))
    options = ["--trials", "2000", "--worst-percent", "25", "--cardinalities", "10", "25"]
    result = record(capsys, "error-rate", file, *options)
    assert (result["scores"][0]["n_systems"], result["cardinalities"]) == (96, [10, 25])
    for row, expected in zip(
        result["details"]["error_rates"], [(47.3, 28.7, 14.2), (45.0, 14.3, 2.4)], strict=True
    ):
        assert [100 * row[place] for place in (0, 4, 9)] == pytest.approx(expected, abs=0.7)
    assert result["preparation"]


@pytest.mark.reference_data
def test_a_thousand_topics(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(reference_file("matrices", "mq2007_top26_statap.csv"))
    result = record(capsys, "error-rate", file, "--trials", "20")
    sizes = result["cardinalities"]
    assert sizes[:20] == list(range(1, 21))
    assert sizes[-5:] == list(range(572, 577))  # up to half of the topics
    # Above 20 topics each size is at most a tenth, or one topic, larger than the one before.
    assert all(after <= max(before + 1, 1.1 * before) for before, after in itertools.pairwise(sizes))
    assert len(sizes) < 70


def test_a_bootstrap_goes_beyond_half_the_topics(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, sample: Path
) -> None:
    options = ["--trials", "50", "--cardinalities", "60"]
    result = record(capsys, "error-rate", str(sample), *options, "--with-replacement")
    assert result["with_replacement"] is True
    assert result["details"]["fits"] == [None] * 21  # one size is no curve
    assert refusal(capsys, "error-rate", str(sample), *options) == golden


def test_text_begins_with_the_sentence(capsys: pytest.CaptureFixture[str], sample: Path) -> None:
    options = ["--trials", "20", "--max-error", ".1", "--min-d", ".03", "--topics", "80"]
    printed = text(capsys, "error-rate", str(sample), *options)
    (matrix,) = read_scores(sample.read_bytes(), sample.name).matrices
    assert printed.startswith(predict(matrix, n_topics=80, difference=0.03, max_error=0.1).sentence)
    assert "; 20 trials of seed 0, " in printed.replace("per cent, ", "; ")  # all words are in tests/golden


@pytest.mark.parametrize(
    ("options", "named"),
    cases(
        (["--trials", "0"], "n_trials = 0"),
        (["--trials", "x"], "--trials"),
        (["--seed", "-1"], "seed = -1"),
        (["--max-error", ".5"], "--max-error = 0.5"),
        (["--min-d", "0"], "--min-d = 0.0"),
        (["--topics", "0"], "--topics = 0"),
        (["--cardinalities", "26"], "cardinalities = 26"),
        (["--worst-percent", "100"], "worst_percent"),
    ),
)
def test_wrong_options_are_refused(
    capsys: pytest.CaptureFixture[str],
    golden: SnapshotAssertion,
    sample: Path,
    options: list[str],
    named: str,
) -> None:
    message = refusal(capsys, "error-rate", str(sample), *options)
    assert named in message
    assert message == golden


@pytest.mark.parametrize(
    "table",
    [
        "topic,x,y\n1,0.1,0.1\n2,0.3,0.3\n3,0.2,0.2\n",
        "topic,x,y\n1,0,0\n2,0,0\n3,0,0\n",
        "topic,x\n1,0.1\n2,0.3\n3,0.2\n",
    ],
    ids=["identical", "all zero", "one run"],
)
def test_matrices_without_an_answer_are_refused(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, tmp_path: Path, table: str
) -> None:
    file = tmp_path / "none_ap.csv"
    file.write_text(table)
    assert refusal(capsys, "error-rate", str(file), "--trials", "5") == golden


def test_three_topics_and_two_runs_have_an_answer(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "small_ap.csv"
    file.write_text("topic,x,y\n1,0.1,0.2\n2,0.3,0.2\n3,0.5,0.1\n")
    result = record(capsys, "error-rate", str(file), "--trials", "50")
    assert result["cardinalities"] == [1]


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


@pytest.mark.parametrize(
    ("options", "named"),
    cases(
        (["--max-error", ".05", "--variance", ".05"], "--min-d"),
        (["--min-d", ".05", "--variance", ".05"], "--max-error"),
        (["--max-error", ".05", "--min-d", ".05"], "--variance"),
        (["--max-error", ".5", "--min-d", ".05", "--variance", ".05"], "max_error = 0.5"),
        (["--max-error", ".05", "--min-d", ".05", "--variance", ".05", "--alpha", ".05"], "--alpha"),
    ),
)
def test_wrong_options_of_size_are_refused(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, options: list[str], named: str
) -> None:
    message = refusal(capsys, "size", "error-rate", *options)
    assert named in message
    assert message == golden
