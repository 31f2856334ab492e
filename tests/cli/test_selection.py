"""``--only-topics`` and ``--only-systems``: the same topics and runs in every command that reads them."""

from pathlib import Path

import numpy as np
import pytest

from tests.cli.running import record, refusal, written
from tests.reference_data import reference_file
from tests.robust_new_topics import LEFT_OUT
from topicset_core.collection import ScoreMatrix

RUNS = "abcd"
TOPICS = tuple(str(number) for number in range(401, 421))
SCORES = np.random.default_rng(5).random((len(TOPICS), len(RUNS))).round(3)
MATRIX = ScoreMatrix(scores=SCORES, topics=TOPICS, systems=tuple(RUNS), measure="AP", name="past_ap")


@pytest.fixture
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a table of 20 topics by 4 runs."""
    monkeypatch.chdir(tmp_path)
    written(MATRIX, Path("past_ap.csv"))
    Path("runs.txt").write_text("# not this one\n!c\n")
    return "past_ap.csv"


@pytest.fixture
def track(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Options that name judgments of 12 topics and a folder of 4 runs."""
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    rng = np.random.default_rng(1)
    topics = TOPICS[:12]
    for run in RUNS:
        lines = [
            f"{topic} Q0 d{document} 0 {30 - rank} {run}"
            for topic in topics
            for rank, document in enumerate(rng.permutation(30).tolist())
        ]
        Path("runs", run).write_text("\n".join(lines))
    lines = [f"{topic} 0 d{document} {rng.integers(2)}" for topic in topics for document in range(30)]
    Path("qrels.txt").write_text("\n".join(lines))
    return ("--qrels", "qrels.txt")


PAIRED_T = ("--design", "paired-t", "--min-d", "0.1", "--alpha", "0.05", "--beta", "0.2")
CHOSEN = ("--only-topics", "401-410,!405", "--only-systems", "@runs.txt")


def test_variance_of_chosen_topics_and_runs(capsys: pytest.CaptureFixture[str], scores: str) -> None:
    result = record(capsys, "variance", scores, *CHOSEN)
    (row,) = result["matrices"]
    part = np.delete(SCORES[:10], 4, axis=0)[:, [0, 1, 3]]
    assert (row["n_topics"], row["n_systems"]) == (9, 3)
    assert row["one_way"] == pytest.approx(part.var(axis=0, ddof=1).mean(), rel=1e-12)
    step = row["preparation"]["steps"]["select"]
    assert step["topics"] == ["401-410,!405"]
    assert step["systems"] == ["!c"]  # the lines of the file, so that a record is complete
    assert (step["of_topics"], step["of_systems"]) == (20, 4)


def test_size_and_compare_of_chosen_topics(capsys: pytest.CaptureFixture[str], scores: str) -> None:
    chosen = ("--only-topics", "401-410", "--only-systems", "a,b")
    size: tuple[str, ...] = ("size", "anova", "--alpha", ".05", "--systems", "5")
    (row,) = record(capsys, "variance", scores, *chosen)["matrices"]
    for more in (("--beta", ".2"), ("--topics", "30")):
        result = record(capsys, *size, "--min-d", ".1", *more, "--scores", scores, *chosen)
        assert result["preparation"][0]["steps"]["select"]["n_topics"] == 10
    size = (*size, "--beta", ".2")
    result = record(capsys, *size, "--min-d", ".1", "--scores", scores, *chosen)
    assert result["variance"]["value"] == row["one_way"]
    result = record(capsys, "compare", scores, "--levels", ".05,.2", *chosen)
    assert result["preparation"][0]["steps"]["select"]["n_systems"] == 2
    without = (*size, "--min-d", ".1", "--variance", ".05", *chosen)
    assert "--only-topics" in refusal(capsys, *without)
    assert "--only-topics" in refusal(
        capsys, "compare", "--variance", "AP:.05", "--levels", ".05,.2", *chosen
    )


def test_runs_are_dropped_among_those_chosen(capsys: pytest.CaptureFixture[str], scores: str) -> None:
    result = record(capsys, "variance", scores, "--only-systems", "a,b", "--worst-count", "1")
    assert result["matrices"][0]["n_systems"] == 1


def test_error_rate_separates_a_number_of_topics_from_a_selection(
    capsys: pytest.CaptureFixture[str], scores: str
) -> None:
    options = ("error-rate", scores, "--trials", "20")
    result = record(capsys, *options, "--topics", "5", "--only-topics", "401-412")
    assert result["preparation"]["steps"]["select"]["n_topics"] == 12
    assert len(result["details"]["error_rates"]) == 6  # sets of up to half the topics


def test_both_scores_of_a_held_out_experiment_are_chosen(
    capsys: pytest.CaptureFixture[str], scores: str
) -> None:
    judge = Path("judge_p10.csv")
    judge.write_text(Path(scores).read_text())
    options = ("subsets", scores, "--holdout", "topics", "--judge-scores", str(judge), "--splits", "2")
    result = record(capsys, *options, "--cardinality", "2", "--only-topics", "401-408")
    assert result["preparation"]["steps"]["select"]["n_topics"] == 8
    refusal(capsys, *options, "--cardinality", "2", "--worst-count", "1")


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("evaluate", ("--measure", "AP", "--run", *(f"runs/{run}" for run in RUNS))),
        ("pool-depth", ("--runs", "runs", "--depths", "5", "--measure", "AP", *PAIRED_T)),
        ("topic-variance", ("--runs", "runs", "--model", "bst", "--trials", "10")),
    ],
)
def test_runs_and_judgments(
    capsys: pytest.CaptureFixture[str], track: tuple[str, ...], command: str, more: tuple[str, ...]
) -> None:
    result = record(capsys, command, *track, *more, "--only-topics", "401-406", "--only-systems", "[abc]")
    selection = result["selection"]
    assert (selection["n_topics"], selection["of_topics"]) == (6, 12)
    assert (selection["n_systems"], selection["of_systems"]) == (3, 4)
    assert set(selection["notes"]) <= set(result["recognised"])
    assert "selection" not in record(capsys, command, *track, *more)


def test_training_sensitivity(capsys: pytest.CaptureFixture[str], track: tuple[str, ...]) -> None:
    Path("values.csv").write_text("run,k\na,1\nb,2\nc,3\nd,4\n")
    options = ("training-sensitivity", *track, "--runs", "runs", "--parameters", "values.csv")
    options = (*options, "--samples", "2", "--levels", "50", "--measure", "P@10")
    result = record(capsys, *options, "--only-topics", "401-410", "--only-systems", "!d")
    assert (result["selection"]["n_topics"], result["selection"]["n_systems"]) == (10, 3)
    assert "--only-systems" in refusal(capsys, *options, "--only-systems", "a")


def test_columns_of_runs_are_not_measures(capsys: pytest.CaptureFixture[str], scores: str) -> None:
    assert "'b'" in refusal(capsys, "variance", scores, "--columns", "b")
    # All columns may be measures of a name of one's own.
    assert len(record(capsys, "variance", scores, "--columns", *RUNS)["matrices"]) == len(RUNS)
    assert record(capsys, "variance", scores, "--only-systems", "b")["matrices"][0]["n_systems"] == 1


@pytest.mark.reference_data
def test_the_new_topics_of_robust(capsys: pytest.CaptureFixture[str]) -> None:
    """Sakai (2016), Section 5: .0479 and .0462, the first two cut after four digits."""
    files = [str(reference_file("matrices", f"robust{year}_ap.csv")) for year in (2003, 2004)]
    (first,) = record(capsys, "variance", files[0], "--only-topics", "t051-t100")["matrices"]
    left_out = ",".join(f"!{run}" for run in LEFT_OUT.split())
    options = ("--only-topics", "651-700", "--only-systems", left_out)
    (second,) = record(capsys, "variance", files[1], *options)["matrices"]
    assert [(row["n_topics"], row["n_systems"]) for row in (first, second)] == [(50, 78), (49, 78)]
    assert [int(row["one_way"] * 1e4) for row in (first, second)] == [479, 462]
