"""`size` and `compare` on scores that give no variance, of a single run, and with a power that is not asked for."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import record, refusal, text
from topicset_core import size

LEVELS = ("--alpha", ".05", "--beta", ".2", "--min-d", ".1")
GROUPS = ("--group-size", "5", "--intraclass-correlation", ".2")
FILES = {
    "flat": "topic,a,b\nq1,.5,.25\nq2,.5,.25\nq3,.5,.25\n",
    "one_flat": "topic,a\nq1,.5\nq2,.5\nq3,.5\n",
    "shifted": "topic,a,b\nq1,.5,.25\nq2,.75,.5\nq3,1,.75\n",
    "equal": "topic,a,b\nq1,.5,.5\nq2,.75,.75\nq3,1,1\n",
    "single": "topic,a\nq1,.5\nq2,.75\nq3,.25\n",
    "few_groups": "topic,conversation,a,b\nq1,c1,.5,.2\nq2,c1,.6,.4\nq3,c2,.1,.3\nq4,c2,.2,.6\n",
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for name, content in FILES.items():
        (tmp_path / f"{name}.csv").write_text(content)
    return {name: str(tmp_path / f"{name}.csv") for name in FILES}


@pytest.mark.parametrize(
    ("name", "design", "why"),
    [
        ("flat", "paired-t", "each run has the same score on all topics"),
        ("flat", "two-sample-t", "each run has the same score on all topics"),
        ("one_flat", "paired-t", "the run has the same score on all topics"),
        ("shifted", "paired-t", "the runs differ by the same amount on all topics"),
        ("equal", "paired-t", "the runs differ by the same amount on all topics"),
    ],
)
def test_size_names_the_scores_and_no_option_of_a_variance(
    capsys: pytest.CaptureFixture[str], files: dict[str, str], name: str, design: str, why: str
) -> None:
    told = refusal(capsys, "size", design, *LEVELS, "--scores", files[name])
    assert told == f"topicset: --scores = '{name}.csv': must have a variance above 0, but {why}"


def test_runs_that_differ_by_a_constant_have_a_variance_of_their_own(
    capsys: pytest.CaptureFixture[str], files: dict[str, str]
) -> None:
    assert (
        record(capsys, "size", "two-sample-t", *LEVELS, "--scores", files["shifted"])["required_topics"] > 2
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("flat", "each run has the same score on all topics"),
        ("one_flat", "the run has the same score on all topics"),
        ("shifted", "the runs differ by the same amount on all topics"),
    ],
)
def test_compare_names_the_scores_and_no_option_of_a_variance(
    capsys: pytest.CaptureFixture[str], files: dict[str, str], name: str, why: str
) -> None:
    told = refusal(capsys, "compare", files[name], "--levels", ".05,.2")
    assert told.endswith(f"scores = '{name}' must have a variance above 0, but {why}")
    assert "variance = " not in told


def test_a_single_run_is_named_and_not_the_number_of_systems(
    capsys: pytest.CaptureFixture[str], files: dict[str, str]
) -> None:
    told = refusal(capsys, "size", "two-way-anova", *LEVELS, "--systems", "3", "--scores", files["single"])
    assert told == "topicset: --scores = 'single.csv': must have at least 2 runs for two-way-anova; found 1"
    told = refusal(capsys, "size", "two-way-anova", *LEVELS, "--systems", "1", "--scores", files["shifted"])
    assert told.startswith("topicset: --systems = 1")  # which somebody gave


def test_beta_is_refused_where_the_power_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("size", "paired-t", "--alpha", ".05", "--min-d", ".1", "--variance", ".05", "--topics", "50")
    told = refusal(capsys, *asked, "--beta", ".2")
    assert told.startswith("topicset: --beta = 0.2: must be left out next to --topics")
    power = record(capsys, *asked)["power"]
    # scipy.stats.nct(49, sqrt(50) * .1 / sqrt(.1)) beyond the critical t of the paired t test: 0.5906.
    from scipy.stats import nct, t

    critical, effect = t.isf(0.025, 49), 50**0.5 * 0.1 / 0.1**0.5
    assert power == pytest.approx(nct.sf(critical, 49, effect) + nct.cdf(-critical, 49, effect), abs=1e-9)
    assert f"power {100 * power:.4g} %" in text(capsys, *asked)


def test_the_power_of_given_topics_has_one_unit(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--alpha", ".05", "--min-d", ".1", "--variance", ".05", "--effective-df", "20", "--topics", "20")
    told = text(capsys, "size", "paired-t", *asked)
    found = record(capsys, "size", "paired-t", *asked)
    low, high = (f"{100 * end:.3g}" for end in found["power_interval"])
    assert f"power {100 * found['power']:.4g} % ({low} to {high} %)" in told.splitlines()


def test_the_record_of_given_groups_counts_groups_and_topics(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--alpha", ".05", "--min-d", ".1", "--variance", ".05", *GROUPS, "--topics", "40")
    found = record(capsys, "size", "paired-t", *asked)
    assert (found["n_groups"], found["n_topics"]) == (40, 200)  # 40 groups of 5 topics
    assert (found["required_groups"], found["required_topics"]) == (40, 200)
    assert found["request"]["n_groups"] == 40
    assert "n_topics" not in found["request"]
    single = record(capsys, "size", "paired-t", *asked[:6], "--topics", "40")
    assert (single["n_topics"], single["request"]["n_topics"]) == (40, 40)
    assert "n_groups" not in single


def test_groups_are_told_in_plain_words(capsys: pytest.CaptureFixture[str], files: dict[str, str]) -> None:
    told = text(capsys, "size", "paired-t", *LEVELS, "--variance", ".05", *GROUPS)
    alone = record(capsys, "size", "paired-t", *LEVELS, "--variance", ".05")["required_topics"]
    assert f"if topics are independent, {alone:,} are enough" in told
    told = refusal(capsys, "size", "paired-t", *LEVELS, "--scores", files["few_groups"])
    assert "must be given, as the scores have 2 groups" in told
    assert told.count(": ") == 2  # after the name of the command, and before the rule


def test_a_measure_by_an_other_name_is_computed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 b 2\n3 0 c 0\n")
    (tmp_path / "run").write_text("1 Q0 x 1 9 R\n1 Q0 a 2 8 R\n2 Q0 b 1 9 R\n3 Q0 c 1 9 R\n")
    asked = ("--qrels", str(tmp_path / "qrels"), "--run", str(tmp_path / "run"))
    told = text(capsys, "evaluate", *asked, "--measure", "success_1", "HR@2")
    assert "success@1" in told
    assert "success@2" in told


def test_a_former_name_of_a_design_means_it(capsys: pytest.CaptureFixture[str]) -> None:
    options = [*LEVELS, "--systems", "5", "--residual-variance", ".02"]
    now, before = (record(capsys, "size", name, *options) for name in ("two-way-anova", "blocked-anova"))
    assert now == before
    former: Any = "blocked-anova"  # types list present names
    assert size(former, alpha=0.05, beta=0.2, min_d=0.1, systems=5, residual_variance=0.02).record == now
