"""What tests of refused tables share: the check of one refusal."""

import pytest

from topicset_core.errors import ParseError
from topicset_core.parsing import read_scores

IF_MISSING = "; leave the cell empty, or write NA, if the score is missing"


def check_refused(content: bytes | str, line: int | None, expected: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_scores(content, "my scores.csv")
    assert caught.value.file == "my scores.csv"
    assert (caught.value.line, caught.value.expected) == (line, expected)
    place = "my scores.csv" if line is None else f"my scores.csv, line {line}"
    assert str(caught.value) == f"{place}: {expected}"
