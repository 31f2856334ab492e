"""A benchmark of three datasets of unequal sizes, and a run that answered nothing, by the commands."""

from pathlib import Path

import numpy as np
import pytest

import topicset_core as topicset
from tests.cli.running import record, refusal, text
from topicset_core.cli import main

SIZES = {"fiqa": 60, "scifact": 30, "touche": 5}


@pytest.fixture
def datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Scores of A and B on three datasets: B is better on the two large ones, A on the small one."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    for (name, size), gain in zip(SIZES.items(), (0.05, 0.03, -0.22), strict=True):
        a = rng.uniform(0.3, 0.6, size)
        b = a + gain + rng.normal(0, 0.02, size)
        rows = [
            f"q{place},{one:.4f},{other:.4f}" for place, (one, other) in enumerate(zip(a, b, strict=True))
        ]
        Path(f"{name}.csv").write_text("\n".join(["topic,A,B", *rows]))
    return [f"{name}.csv" for name in SIZES]


def _compared(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    main([*arguments])
    return capsys.readouterr().out


def _means(files: list[str]) -> np.ndarray:
    """Mean difference of B and A on each dataset, from the files as text."""
    read = [np.loadtxt(file, delimiter=",", skiprows=1, usecols=(1, 2)) for file in files]
    return np.array([float((one[:, 1] - one[:, 0]).mean()) for one in read])


def test_joined_files_start_with_the_mean_of_group_means(
    capsys: pytest.CaptureFixture[str], datasets: list[str]
) -> None:
    means = _means(datasets)
    by_groups, by_topics = means.mean(), means @ np.array([60, 30, 5]) / 95
    assert by_groups < 0 < by_topics
    usual = topicset.compare_two(datasets, join=True)
    topics = topicset.compare_two(datasets, join=True, mean="topics")
    assert usual.answer.difference == pytest.approx(by_groups)
    assert topics.answer.difference == pytest.approx(by_topics)
    shown = _compared(capsys, "compare-two", *datasets, "--join")
    assert "mean of 3 group means over 95 topics, each group counting the same" in shown
    assert f"By the mean over topics, B - A is {by_topics:+.3g}." in shown
    assert "mean over 95 topics in 3 groups" in _compared(
        capsys, "compare-two", *datasets, "--join", "--mean", "topics"
    )


def test_leaderboard_and_variance_name_the_estimand(
    capsys: pytest.CaptureFixture[str], datasets: list[str]
) -> None:
    for mean, estimand, first in (
        ("groups", "mean of group means", "A"),
        ("topics", "mean over topics", "B"),
    ):
        found = record(capsys, "leaderboard", *datasets, "--join", "--mean", mean)
        assert (found["estimand"], found["request"]["mean"]) == (estimand, mean)
        assert found["systems"][0]["system"] == first
        (row,) = record(capsys, "variance", *datasets, "--join", "--mean", mean)["matrices"]
        assert (row["groups"]["estimand"], row["groups"]["mean"]) == (estimand, mean)
        assert estimand.partition(" ")[2] in text(capsys, "variance", *datasets, "--join", "--mean", mean)
    usual = record(capsys, "leaderboard", *datasets, "--join")
    assert usual["request"]["mean"] == "groups"
    # Both errors over that of independent topics, from the definitions.
    (row,) = record(capsys, "variance", *datasets, "--join")["matrices"]
    read = [np.loadtxt(file, delimiter=",", skiprows=1, usecols=(1, 2)) for file in datasets]
    parts = [one[:, 1] - one[:, 0] for one in read]
    independent = np.concatenate(parts).std(ddof=1) / np.sqrt(95)
    others = _means(datasets).std(ddof=1) / np.sqrt(3)
    same = np.sqrt(sum(one.var(ddof=1) / one.size for one in parts)) / 3
    assert row["groups"]["error_ratio"] == pytest.approx(others / independent)
    assert row["groups"]["error_ratio_of_same_groups"] == pytest.approx(same / independent)
    assert row["groups"]["df"] == 2


def test_group_means_need_groups(capsys: pytest.CaptureFixture[str], datasets: list[str]) -> None:
    for command in ("leaderboard", "variance", "compare-two"):
        assert "needs topics in groups, and those of fiqa have none" in refusal(
            capsys, command, datasets[0], "--mean", "groups"
        )


def test_a_run_that_answered_nothing_has_a_caution(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "never_ran.csv"
    rows = [f"q{place},{place / 30:.3f},{place / 30:.3f},0.0" for place in range(1, 30)]
    file.write_text("\n".join(["topic,cosine,rrf,fts", *rows]))
    caution = "fts has the score 0 on every topic: did it run?"
    shown = _compared(capsys, "compare-two", str(file), "--pair", "cosine", "fts")
    assert shown.splitlines()[:2] == ["Worse: fts is worse than cosine.", caution]
    equal = _compared(capsys, "compare-two", str(file), "--pair", "cosine", "rrf")
    assert equal.splitlines()[0].endswith(": their scores are equal on every topic.")
    assert text(capsys, "leaderboard", str(file)).splitlines()[1] == caution
    found = record(capsys, "variance", str(file))
    assert found["matrices"][0]["constant_runs"] == {"fts": 0.0}
    assert caution in text(capsys, "variance", str(file))
