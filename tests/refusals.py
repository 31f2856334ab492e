"""Shared by tests of refusals: the error of a call, its words in the golden record, and tables of refused files."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.errors import InputError, ParseError

Call = Callable[..., object]


def refused(call: Call, *arguments: Any, **values: Any) -> InputError:
    """Return the error by which a call refuses its arguments."""
    with pytest.raises(InputError) as caught:
        call(*arguments, **values)
    return caught.value


def unread(call: Call, *arguments: Any, **values: Any) -> ParseError:
    """Return the error by which a parser refuses a file."""
    with pytest.raises(ParseError) as caught:
        call(*arguments, **values)
    return caught.value


def check_unread(golden: SnapshotAssertion, at: tuple[str, int | None], read: Call, *given: Any) -> None:
    """Check that a parser refuses a file at its name and line; the golden record contains the words."""
    error = unread(read, *given)
    assert (error.file, error.line) == at
    assert str(error) == golden


def refusals(read: Callable[[Any], object], cases: Mapping[str, tuple[Any, int | None]], file: str) -> str:
    """Check that each case is refused at its line of the file; return the messages, a line a case."""
    messages = []
    for name, (content, line) in cases.items():
        error = unread(read, content)
        assert (error.file, error.line) == (file, line), name
        assert str(error).endswith(error.expected)
        messages.append(f"{name}: {error}")
    return "\n".join(messages)


def notes(of: Mapping[str, Sequence[str]]) -> str:
    """Return the notes of each case on a line."""
    return "\n".join(f"{name}: {' '.join(of[name])}" for name in of)
