"""The command line: the same numbers as the core, and exit status 2 with one line that names the error."""

import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import cases, record, refusal, text, without_folder
from tests.words import numbers_in

FIVE_EIGHTY = ["--alpha", ".05", "--beta", ".20"]

# Required topics at sigma^2 .0471, minD (or delta) .10 and m 10, alpha .05, beta .20: the rows of
# formulas-and-expected-values, section 6 (tables 6 and 7 rebuilt); published ANOVA 148 at the rounded variance.
SIZES = [
    ("paired-t", [*FIVE_EIGHTY, "--min-d", ".10", "--variance", ".0471"], 76, 76),
    ("paired-t", [*FIVE_EIGHTY, "--min-d", ".10", "--difference-variance", ".0942"], 76, 76),
    ("paired-t", [*FIVE_EIGHTY, "--min-delta", ".5"], 34, 34),
    ("two-sample-t", [*FIVE_EIGHTY, "--min-d", ".10", "--variance", ".0471"], 75, 75),
    ("anova", [*FIVE_EIGHTY, "--min-d", ".10", "--variance", ".0471", "--systems", "10"], 149, 148),
    ("anova", [*FIVE_EIGHTY, "--min-delta", ".5", "--systems", "3"], 21, 20),
    ("ci", ["--alpha", ".05", "--max-width", ".10", "--variance", ".0471"], 147, 147),
    ("ci", ["--alpha", ".05", "--max-width", ".10", "--difference-variance", ".0942"], 147, 147),
    ("two-sample-ci", ["--alpha", ".05", "--max-width", ".10", "--variance", ".0471"], 146, 146),
]


@pytest.mark.parametrize(("design", "options", "exact", "published"), SIZES)
def test_size_against_sakai_2016(
    capsys: pytest.CaptureFixture[str], design: str, options: list[str], exact: int, published: int
) -> None:
    assert record(capsys, "size", design, *options)["required_topics"] == exact
    result = record(capsys, "size", design, *options, "--method", "published")
    assert (result["required_topics"], result["method"]) == (published, "published")


def test_power_record_has_the_fields_of_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    result = record(capsys, "size", "anova", *SIZES[4][1])
    # Exact powers at n = 148, 149: formulas-and-expected-values, 5.1, printed to nine digits.
    assert result["power_one_topic_fewer"] == pytest.approx(0.799113288, abs=5e-10)
    assert result["attained_power"] == pytest.approx(0.802394309, abs=5e-10)
    assert result["requirements"]["n_systems"] == 10
    assert result["requirements"]["within_system_variance"] == 0.0471


def test_text_has_the_number_first_and_a_power_on_each_line(capsys: pytest.CaptureFixture[str]) -> None:
    printed = text(capsys, "size", "anova", *SIZES[4][1])  # worded as in tests/golden
    lines = printed.splitlines()
    assert [numbers_in(line) for line in lines[:3]] == [[149], [0.802394], [0.799113]]
    assert len(lines) == 4  # the note on shared topics


@pytest.mark.parametrize(
    ("arguments", "named"),
    cases(
        (["anova", "--alpha", ".05", "--beta", ".2", "--min-d", ".1", "--variance", ".05"], "--systems"),
        (["paired-t", *FIVE_EIGHTY, "--min-d", ".1"], "difference_variance"),
        (["paired-t", *FIVE_EIGHTY], "min_d"),
        (["paired-t", "--alpha", ".05", "--min-delta", ".5"], "--beta"),
        (["paired-t", *FIVE_EIGHTY, "--min-d", ".1", "--min-delta", ".5", "--variance", ".05"], "min_d"),
        (
            ["paired-t", *FIVE_EIGHTY, "--min-d", ".1", "--variance", "1", "--difference-variance", "2"],
            "--difference-variance",
        ),
        (["paired-t", *FIVE_EIGHTY, "--min-delta", ".5", "--systems", "10"], "--systems"),
        (["ci", "--alpha", ".05", "--max-width", ".1"], "--variance"),
        (["ci", "--alpha", ".05", "--beta", ".2", "--max-width", ".1", "--variance", ".05"], "--beta"),
        (["two-sample-t", *FIVE_EIGHTY, "--min-d", ".1", "--difference-variance", ".1"], "--difference-var"),
        (["paired-t", "--alpha", "5", "--beta", ".2", "--min-delta", ".5"], "alpha = 5.0"),
        (["paired-t", "--alpha", "x", "--beta", ".2", "--min-delta", ".5"], "'x'"),
        (["paired-t", "--alpha", "nan", "--beta", ".2", "--min-delta", ".5"], "alpha = nan"),
        (["paired-t", *FIVE_EIGHTY, "--min-delta", "1e-6"], "10,000,000"),
        (["anova", *FIVE_EIGHTY, "--min-delta", ".5", "--systems", "1001"], "n_systems = 1001"),
        (["anova", *FIVE_EIGHTY, "--min-delta", ".5", "--systems", "2.5"], "n_systems = 2.5"),
        (
            [
                "anova",
                "--alpha",
                ".02",
                "--beta",
                ".2",
                "--min-delta",
                ".5",
                "--systems",
                "3",
                "--method",
                "published",
            ],
            ".02",
        ),
        (["paired-t", *FIVE_EIGHTY, "--min-delta", ".5", "--method", "excel"], "excel"),
        (["anova-two-way", *FIVE_EIGHTY, "--min-delta", ".5"], "anova-two-way"),
        (["paired-t", *FIVE_EIGHTY, "--min-del", ".5"], "--min-del"),
        ([], "design"),
    ),
)
def test_wrong_options_of_size_are_refused(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, arguments: list[str], named: str
) -> None:
    message = refusal(capsys, "size", *arguments)
    assert named in message
    assert message == golden


def test_variance_of_a_single_run_has_no_two_way_estimate(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "one.csv"
    file.write_text("topic,x\n1,0.1\n2,0.3\n")
    (row,) = record(capsys, "variance", str(file))["matrices"]
    assert row["one_way"] == pytest.approx(0.02)  # ((.1 - .2)^2 + (.3 - .2)^2) / 1
    assert row["two_way"] is None


def test_variance_names_file_and_line(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, tmp_path: Path
) -> None:
    file = tmp_path / "broken.csv"
    file.write_text("topic,x,y\n1,0.1,0.2\n2,0.3,high\n")
    sentence = without_folder(refusal(capsys, "variance", str(file)), tmp_path)
    assert "FOLDER/broken.csv, line 3" in sentence
    assert "high" in sentence
    assert sentence == golden


def test_variance_of_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no-such-file.csv" in refusal(capsys, "variance", "no-such-file.csv")


@pytest.mark.slow
def test_runs_as_a_module_without_streamlit() -> None:
    script = (
        "import runpy, sys\n"
        "try:\n    runpy.run_module('topicset_core', run_name='__main__')\n"
        "finally:\n    assert 'streamlit' not in sys.modules\n"
    )
    target = ["size", "paired-t", *FIVE_EIGHTY, "--min-delta", ".5"]
    done = subprocess.run(
        [sys.executable, "-c", script, *target], capture_output=True, text=True, check=True, timeout=120
    )
    assert numbers_in(done.stdout)[0] == 34


@pytest.mark.slow
def test_a_closed_pipe_gives_no_error() -> None:
    target = ["size", "paired-t", *FIVE_EIGHTY, "--min-delta", ".5"]
    command = [sys.executable, "-m", "topicset_core", *target]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaint = process.stderr.read()
    assert complaint == b""


def test_no_control_of_the_terminal_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert refusal(capsys, "size", "ci\x1b]0;title\x07").endswith("(choose from ...)")
    assert r"\u001b[31m" in refusal(capsys, "size", "ci", "\x1b[31m")  # argparse quotes it as it was given
    for name in ("a\x1b[31m.csv", "a\u202e.csv"):
        file = tmp_path / name
        file.write_bytes(b"topic,a,b\n1,.1,.2\n2,.3,.4\n")
        assert not {"\x1b", "\u202e"} & set(refusal(capsys, "variance", str(file)))
