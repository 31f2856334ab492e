"""The command line: the same numbers as the core, and exit status 2 with one line that names the error."""

import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import cases, record, refusal, without_folder
from tests.words import numbers_in

FIVE_EIGHTY = ["--alpha", ".05", "--beta", ".20"]


@pytest.mark.parametrize(
    "arguments",
    cases(
        ["paired-t", *FIVE_EIGHTY, "--min-d", ".1"],
        ["paired-t", *FIVE_EIGHTY],
        ["paired-t", "--alpha", ".05", "--min-delta", ".5"],
        ["paired-t", *FIVE_EIGHTY, "--min-d", ".1", "--min-delta", ".5", "--variance", ".05"],
        ["paired-t", *FIVE_EIGHTY, "--min-d", ".1", "--variance", "1", "--difference-variance", "2"],
        ["paired-t", *FIVE_EIGHTY, "--min-delta", ".5", "--systems", "10"],
        ["ci", "--alpha", ".05", "--max-width", ".1"],
        ["two-sample-t", *FIVE_EIGHTY, "--min-d", ".1", "--difference-variance", ".1"],
        ["paired-t", "--alpha", "nan", "--beta", ".2", "--min-delta", ".5"],
        ["anova", *FIVE_EIGHTY, "--min-delta", ".5", "--systems", "1001"],
        ["anova", *FIVE_EIGHTY, "--min-delta", ".5", "--systems", "2.5"],
        ["paired-t", *FIVE_EIGHTY, "--min-delta", ".5", "--method", "excel"],
        ["anova-two-way", *FIVE_EIGHTY, "--min-delta", ".5"],
        ["paired-t", *FIVE_EIGHTY, "--min-del", ".5"],
        [],
    ),
)
def test_wrong_options_of_size_are_refused(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, arguments: list[str]
) -> None:
    assert refusal(capsys, "size", *arguments) == golden


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
