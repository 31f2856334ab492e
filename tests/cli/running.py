"""Run a command as a user does: its record, its text, the one line in which it refuses; and write its files."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from topicset_core.cli import main
from topicset_core.collection import ScoreMatrix

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


def written(matrix: ScoreMatrix, path: Path) -> str:
    """Write a table of scores, a row per topic; return its name."""
    rows = [
        ",".join([topic, *map(str, scores)])
        for topic, scores in zip(matrix.topics, matrix.scores.tolist(), strict=True)
    ]
    path.write_text("\n".join([",".join(["topic", *matrix.systems]), *rows]))
    return str(path)
