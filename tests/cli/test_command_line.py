"""The command line as a program: without the app, in a pipe, in a terminal; refusals are in the golden record."""

import json
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.cli.running import record, refusal, text
from tests.words import numbers_in
from topicset_core.cli import main

FIVE_EIGHTY = ["--alpha", ".05", "--beta", ".20"]
EXTRAS = ("streamlit", "plotly", "jinja2", "pandas")
"""Packages of app and figures, which are extras."""


def test_variance_of_a_single_run_has_no_two_way_estimate(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "one.csv"
    file.write_text("topic,x\n1,0.1\n2,0.3\n")
    (row,) = record(capsys, "variance", str(file))["matrices"]
    assert row["one_way"] == pytest.approx(0.02)  # ((.1 - .2)^2 + (.3 - .2)^2) / 1
    assert row["two_way"] is None


@pytest.mark.slow
def test_options_of_all_commands_load_no_extras_and_no_compiler() -> None:
    code = (
        "import argparse, sys\nfrom topicset_core.cli import COMMANDS\n"
        "for one in COMMANDS.values():\n    one.add_options(argparse.ArgumentParser())\n"
        f"print([name for name in {(*EXTRAS, 'scipy', 'numba')} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_the_list_of_commands_loads_none_of_them() -> None:
    code = (
        "import sys\nfrom topicset_core.cli import main\ntry:\n    main(['--help'])\n"
        "except SystemExit:\n    print(sorted(name for name in sys.modules if name.startswith('topicset_core.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = ("topicset_core.cli", "topicset_core.errors", "topicset_core.version", "topicset_core.wording")
    assert done.stdout.splitlines()[-1] == str([*names])


@pytest.mark.slow
def test_size_as_a_module_loads_what_it_needs() -> None:
    """Each of these packages takes longer to import than the answer."""
    heavy = (*EXTRAS, "scipy.stats", "scipy.optimize", "numba", "openpyxl", "multiprocessing")
    script = (
        "import runpy, sys\n"
        "try:\n    runpy.run_module('topicset_core', run_name='__main__')\n"
        f"finally:\n    assert [name for name in {heavy} if name in sys.modules] == []\n"
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


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_output_on_consoles_without_unicode_has_all_that_is_printed(
    encoding: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    size = ["size", "paired-t", "--difference-variance", ".05", "--min-d", ".1", *FIVE_EIGHTY]
    compare = ["compare", "--variance", "AP:.0471", "--levels", ".05,.20", "--min-d", ".1"]
    for command in (size, compare):
        expected = text(capsys, *command)
        printed = _printed(monkeypatch, encoding, *command).encode("latin-1", "backslashreplace")
        assert printed.decode("unicode_escape") == expected
        assert json.loads(_printed(monkeypatch, encoding, *command, "--json")) == record(capsys, *command)
    with pytest.raises(SystemExit, match="0"):
        _printed(monkeypatch, encoding, "size", "--help")


def _printed(monkeypatch: pytest.MonkeyPatch, encoding: str, *arguments: str) -> str:
    """Return what a command writes where output is in this encoding."""
    written = BytesIO()
    with monkeypatch.context() as patch, TextIOWrapper(written, encoding=encoding) as console:
        patch.setattr("sys.stdout", console)
        assert main(list(arguments)) == 0
        console.flush()
        return written.getvalue().decode(encoding)
