"""Run a command as a user does: its record, its text, and the one line in which it refuses."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from topicset_core.cli import main

_CHOICES = re.compile(r"\(choose from .*\)")
"""Python 3.14 writes these lists without quotes."""


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Return the record that a command prints with --json."""
    assert main([*arguments, "--json"]) == 0
    printed = capsys.readouterr()
    assert not printed.err
    uploads = json.loads(printed.out)
    assert isinstance(uploads, dict)
    return uploads


def text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the text that a command prints without --json."""
    assert main(list(arguments)) == 0
    printed = capsys.readouterr()
    assert not printed.err
    return printed.out


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the line that a command prints before it stops with status 2."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    printed = capsys.readouterr()
    assert stop.value.code == 2
    assert not printed.out
    assert printed.err.count("\n") == 1
    return _CHOICES.sub("(choose from ...)", re.sub(r"'/[^']*/", "'", printed.err.strip()))  # without folders


def without_folder(printed: str, folder: Path) -> str:
    """Return a message without the temporary folder of its test."""
    return printed.replace(str(folder), "FOLDER")


def cases(*options: list[str]) -> Iterable[Any]:
    """Name each case of a parametrised test by its options."""
    return [pytest.param(row, id=" ".join(row) or "no options") for row in options]
