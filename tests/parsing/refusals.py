"""Shared by tests of refused tables: the check of one refusal."""

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
    assert str(caught.value).endswith(caught.value.expected)
    assert str(caught.value) == golden
