"""``size`` at a number of topics and from scores, ``compare`` and ``reported``: the numbers of the library."""

from pathlib import Path

import numpy as np
import pytest

from tests.cli.running import record, refusal, text
from topicset_core.analyses.score_variance import variance_uncertainty
from topicset_core.analyses.sizing import topics_rule
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import confidence_interval, one_way_anova, paired_t
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
    file = tmp_path / "scores.csv"
    rows = [f"{topic}," + ",".join(str(score) for score in row) for topic, row in enumerate(values, start=1)]
    file.write_text("topic,a,b,c,d\n" + "\n".join(rows) + "\n", encoding="ascii")
    topics = tuple(str(topic) for topic in range(1, 21))
    return file, ScoreMatrix(scores=values, topics=topics, systems=tuple("abcd"), measure="AP", name="scores")


def test_power_difference_and_width_of_a_number_of_topics(capsys: Capture) -> None:
    # formulas-and-expected-values: at 76 topics the power of the paired t test is .8006, sigma^2 .0471, minD .10.
    arguments = ["--alpha", ".05", "--min-d", ".1", "--topics", "76", "--variance", ".0471"]
    result = record(capsys, "size", "paired-t", *arguments)
    assert result["power"] == float(paired_t.power(76, 0.1 / np.sqrt(2 * 0.0471), alpha=0.05))
    assert result["power"] == pytest.approx(0.8006, abs=0.5e-4)
    arguments = [
        "--alpha",
        ".05",
        "--beta",
        ".2",
        "--topics",
        "149",
        "--variance",
        ".0471",
        "--systems",
        "10",
    ]
    result = record(capsys, "size", "anova", *arguments)
    effect = one_way_anova.detectable_delta(149, alpha=0.05, beta=0.2, n_systems=10)
    assert result["min_d"] == float(one_way_anova.min_d_of(effect, 0.0471)) <= 0.1
    result = record(
        capsys, "size", "ci", "--alpha", ".05", "--topics", "147", "--difference-variance", ".0942"
    )
    assert result["expected_width"] == float(confidence_interval.width(147, 0.0942, alpha=0.05))


def test_size_from_scores_has_the_interval_of_n(scores: tuple[Path, ScoreMatrix], capsys: Capture) -> None:
    file, matrix = scores
    arguments = ["--alpha", ".05", "--beta", ".2", "--min-d", ".1", "--scores", str(file), "--measure", "AP"]
    result = record(capsys, "size", "paired-t", *arguments, "--estimate", "mean-of-pairs")
    rule = topics_rule("paired-t", alpha=0.05, beta=0.2, min_d=0.1)
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
    rows = [
        f"{topic}," + ",".join(str(100 * score) for score in row)
        for topic, row in enumerate(matrix.scores, 1)
    ]
    per_cent.write_text("topic,a,b,c,d\n" + "\n".join(rows) + "\n", encoding="ascii")
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
        assert result["variance"]["estimate"] == PAIR_PERCENTILE.name
        assert result["requirements"]["difference_variance"] == pytest.approx(
            PAIR_PERCENTILE(matrix), rel=1e-12
        )
    arguments = ["paired-t", *power, "--min-d", ".1", "--scores", str(file), "--estimate", "mean-of-pairs"]
    assert "About half of all pairs vary more" in text(capsys, "size", *arguments)
    # A single run has no pairs: Sakai's value is left.
    arguments = ["ci", *width, "--scores", str(file), "--only-systems", "a"]
    assert record(capsys, "size", *arguments)["variance"]["estimate"] == CONSERVATIVE_DIFFERENCE.name


def test_a_comparison_has_every_level_and_the_separated_measures(
    scores: tuple[Path, ScoreMatrix], capsys: Capture
) -> None:
    file, _ = scores
    levels = ["--levels", ".05,.2", ".01,.1", "--min-d", ".1", "--systems", "10"]
    result = record(capsys, "compare", "--variance", "AP:.0471", *levels)
    anovas = [table for table in result["tables"] if table["method_label"] == "one-way ANOVA, m = 10"]
    # next-designs.md, 1.6, column A: 149, and 248 at alpha .01, beta .10.
    assert [table["required_topics"]["AP"] for table in anovas] == [[149], [248]]
    assert result["separation"] is None
    result = record(capsys, "compare", str(file), "--measure", "AP", *levels)
    assert result["separation"]["measures"][0]["n_pairs"] == 6
    assert result["separation"]["best"] is None  # nothing is the best of one


def test_a_reported_result_against_sakai_2016_scripts(capsys: Capture) -> None:
    """t0 = .953 with 28 topics has power .151, and a replication needs 244 topics."""
    arguments = ["--t", ".953", "--topics", "28", "--alpha", ".05", "--beta", ".2"]
    result = record(capsys, "reported", "paired-t", *arguments)
    assert result["achieved_power"] == pytest.approx(0.151, abs=0.5e-3)
    assert result["if_exact"]["required_topics"] == 244
