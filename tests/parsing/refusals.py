"""Shared by tests of files: their notes, the check of one refusal, and of a table of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.errors import ParseError
from topicset_core.parsing import read_scores

FILE = "my scores.csv"


def check_refused(content: bytes | str, line: int | None, golden: SnapshotAssertion) -> None:
    """Check that a table is refused at its place; the golden record contains the words."""
    with pytest.raises(ParseError) as caught:
        read_scores(content, FILE)
    assert (caught.value.file, caught.value.line) == (FILE, line)
    assert str(caught.value) == golden


def refusals(read: Callable[[Any], object], cases: Mapping[str, tuple[Any, int | None]], file: str) -> str:
    """Check that each case is refused at its line of the file; return the messages, a line a case."""
    return "\n".join(f"{name}: {_refusal(name, read, *case, file)}" for name, case in cases.items())


def _refusal(name: str, read: Callable[[Any], object], content: object, line: int | None, file: str) -> str:
    with pytest.raises(ParseError) as caught:
        read(content)
    assert (caught.value.file, caught.value.line) == (file, line), name
    assert str(caught.value).endswith(caught.value.expected)
    return str(caught.value)


def notes(of: Mapping[str, Sequence[str]]) -> str:
    """Return the notes of each case on a line."""
    return "\n".join(f"{name}: {' '.join(of[name])}" for name in of)


def table_refusals(cases: Mapping[str, tuple[bytes | str, int | None]]) -> str:
    """The same for tables of scores."""
    return refusals(lambda content: read_scores(content, FILE), cases, FILE)
