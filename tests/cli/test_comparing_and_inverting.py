"""``size`` at a number of topics and from scores, ``compare`` and ``reported``: the numbers of the library."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cli.running import record, refusal, text, written
from tests.words import numbers_in
from topicset_core.analyses.score_variance import variance_uncertainty
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import paired_t
from topicset_core.samples.simulated_conversations import simulated_conversations
from topicset_core.variance import (
    CONSERVATIVE_DIFFERENCE,
    MEAN_PAIR_DIFFERENCE,
    PAIR_PERCENTILE,
    one_way,
    two_way,
)

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scores(tmp_path: Path) -> tuple[Path, ScoreMatrix]:
    """A table of 20 topics and 4 runs, written and as a matrix."""
    generator = np.random.default_rng(8)
    values = np.round(generator.uniform(size=(20, 1)) * 0.5 + generator.uniform(size=(20, 4)) * 0.5, 4)
    topics = tuple(str(topic) for topic in range(1, 21))
    matrix = ScoreMatrix(scores=values, topics=topics, systems=tuple("abcd"), measure="AP", name="scores")
    return Path(written(matrix, tmp_path / "scores.csv")), matrix


def test_size_from_scores_has_the_interval_of_n(scores: tuple[Path, ScoreMatrix], capsys: Capture) -> None:
    file, matrix = scores
    arguments = ["--alpha", ".05", "--beta", ".2", "--min-d", ".1", "--scores", str(file), "--measure", "AP"]
    result = record(capsys, "size", "paired-t", *arguments, "--estimate", "mean-of-pairs")
    rule = paired_t.DESIGN.plan(alpha=0.05, beta=0.2, min_d=0.1)
    uncertain = variance_uncertainty([matrix], rule, estimate=MEAN_PAIR_DIFFERENCE)
    assert result["required_topics"] == uncertain.topics
    assert tuple(result["topics_interval"]) == uncertain.topics_interval
    assert result["variance"]["value"] == pytest.approx(2 * two_way(matrix), rel=1e-12)
    assert [one["sha256"] for one in result["scores"]] == [matrix.digest]
    result = record(capsys, "size", "anova", *arguments, "--systems", "5")
    assert result["requirements"]["within_system_variance"] == pytest.approx(one_way(matrix), rel=1e-12)
    assert result["shared_topics"]["residual_variance"] == pytest.approx(two_way(matrix), rel=1e-12)


def test_matrices_that_differ_are_pooled_only_if_asked_for(
    scores: tuple[Path, ScoreMatrix], tmp_path: Path, capsys: Capture
) -> None:
    file, matrix = scores
    per_cent = tmp_path / "per_cent.csv"
    written(replace(matrix, scores=100 * matrix.scores), per_cent)
    levels = ["--alpha", ".05", "--beta", ".2", "--min-d", ".1"]
    both = ["--scores", str(file), str(per_cent), "--measure", "AP"]
    refused = refusal(capsys, "size", "paired-t", *levels, *both)
    assert all(part in refused for part in ("scores, per_cent", "scales differ", "--pool"))
    assert "scales differ" in refusal(capsys, "compare", *both[1:], "--levels", ".05,.2")
    pooled_anyway = record(capsys, "size", "paired-t", *levels, *both, "--pool")
    assert pooled_anyway["required_topics"] > 10_000
    # A tenth of a point on a scale to 100 is questioned; ten points are not.
    alone = ["--scores", str(per_cent), "--measure", "AP"]
    assert "did you mean 10?" in text(capsys, "size", "paired-t", *levels, *alone)
    assert "did you mean" not in text(capsys, "size", "paired-t", *levels[:-1], "10", *alone)


def test_the_variance_of_a_pair_is_what_pairs_show(scores: tuple[Path, ScoreMatrix], capsys: Capture) -> None:
    file, matrix = scores
    width = ["--alpha", ".05", "--max-width", ".1"]
    power = ["--alpha", ".05", "--beta", ".2"]
    for arguments in (
        ["paired-t", *power, "--min-d", ".1"],
        ["ci", *width],
        ["non-inferiority", *power, "--margin", ".05"],
        ["looks", *power, "--min-d", ".1", "--looks", "3"],
    ):
        result = record(capsys, "size", *arguments, "--scores", str(file), "--measure", "AP")
        assert result["variance"]["estimate"] == MEAN_PAIR_DIFFERENCE.name
        assert result["requirements"]["difference_variance"] == pytest.approx(
            MEAN_PAIR_DIFFERENCE(matrix), rel=1e-12
        )
    arguments = ["paired-t", *power, "--min-d", ".1", "--scores", str(file)]
    assert "About half of all pairs vary more" in text(capsys, "size", *arguments)
    result = record(capsys, "size", *arguments, "--estimate", PAIR_PERCENTILE.name)
    assert result["requirements"]["difference_variance"] == pytest.approx(PAIR_PERCENTILE(matrix), rel=1e-12)
    # A single run has no pairs: Sakai's value is left.
    arguments = ["ci", *width, "--scores", str(file), "--only-systems", "a"]
    assert record(capsys, "size", *arguments)["variance"]["estimate"] == CONSERVATIVE_DIFFERENCE.name


# 9.1: 143.1 topics by Eq. 8 and 136.3 by Eq. 13, for .05 at a difference of .05 and variances of .0942.
@pytest.mark.parametrize("variance", [["--variance", ".0471"], ["--difference-variance", ".0942"]])
def test_size_against_lin_and_hauptmann(capsys: Capture, variance: list[str]) -> None:
    arguments = ["size", "error-rate", "--max-error", ".05", "--min-d", ".05", *variance]
    result = record(capsys, *arguments)
    assert result["required_topics"] == 144
    assert result["attained_error"] == pytest.approx(0.049314322, abs=5e-10)  # Eq. 8 at 144, mpmath
    assert record(capsys, *arguments, "--method", "published")["required_topics"] == 137
    assert numbers_in(text(capsys, *arguments))[:3] == [144, 0.05, 0.049314]


def test_a_comparison_plans_in_the_groups_of_its_file(tmp_path: Path, capsys: Capture) -> None:
    matrix = simulated_conversations()
    file = tmp_path / "conversations.csv"
    rows = [
        f"{group},{topic},{system},{matrix.measure},{score}"
        for group, topic, scores in zip(matrix.groups or (), matrix.topics, matrix.scores, strict=True)
        for system, score in zip(matrix.systems, scores, strict=True)
    ]
    file.write_text("\n".join(["conversation,topic,system,measure,score", *rows]))
    compared = record(capsys, "compare", str(file), "--levels", ".05,.2")
    planned = {
        one["method_label"]: one["planned"]["nDCG@3"] for one in compared["tables"] if "planned" in one
    }
    size = ["size", "paired-t", "--alpha", ".05", "--beta", ".2", "--min-d", ".1", "--scores", str(file)]
    own, cell = record(capsys, *size), planned["paired t test"]
    for name in ("required_groups", "required_topics", "group_size", "groups_interval", "pairs"):
        assert cell[name] == own[name]
    # As many systems as the scores have, but for those that are asked for.
    assert "two-way ANOVA, m = 8" in planned
    asked = record(capsys, "compare", str(file), "--levels", ".05,.2", "--systems", "2", "10", "50")
    assert any(one["method_label"] == "two-way ANOVA, m = 10" and "planned" in one for one in asked["tables"])
    low, high = own["groups_interval"]
    counted = f"{own['required_groups']} groups of 12 topics ({low} to {high})"
    assert counted in text(capsys, "compare", str(file), "--levels", ".05,.2")


@pytest.mark.parametrize(("runs", "m"), [("ab", 2), ("abcd", 4), ("a", 10)])
def test_a_comparison_is_planned_for_as_many_systems_as_the_scores_have(
    scores: tuple[Path, ScoreMatrix], capsys: Capture, runs: str, m: int
) -> None:
    arguments = ["compare", str(scores[0]), "--levels", ".05,.2", "--only-systems", ",".join(runs)]
    tables = record(capsys, *arguments)["tables"]
    label = f"{'two-way' if len(runs) > 1 else 'one-way'} ANOVA, m = {m}"
    assert [one["method_label"] for one in tables if "planned" in one and "ANOVA" in one["method_label"]] == [
        label
    ]
    assert {f"one-way ANOVA, m = {one}" for one in (2, 10, 100)} < {one["method_label"] for one in tables}
