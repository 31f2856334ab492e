"""Pasted scores of two systems: every shape that is taken, and the line that is refused."""

import pytest

from topicset_core.errors import ParseError
from topicset_core.parsing import read_differences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.25\n-.5\n\n1e-1\n", (0.25, -0.5, 0.1)),
        ("topic a b\nq1 .5 .25\nq2 .25 .5", (0.25, -0.25)),
        (".5\t.25\n.25\t.5", (0.25, -0.25)),
        ("q1;0,5;0,25", (0.25,)),
        ("701 .5 .25", (0.25,)),
        ("difference\n.5", (0.5,)),
        ("", ()),
    ],
)
def test_accepted_lines(text: str, expected: tuple[float, ...]) -> None:
    assert read_differences(text) == expected


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (".5\nx", 2, "a number, found 'x'"),
        (".5 .2\n.5", 2, "expected 2 cells, found 1 cell"),
        ("q1 .5 nan", 1, "found 'nan'"),
        ("a 1 2 3", 1, "a topic and two scores, found 4 cells"),
    ],
)
def test_invalid_input_is_refused(text: str, line: int, sentence: str) -> None:
    with pytest.raises(ParseError, match=sentence) as caught:
        read_differences(text)
    assert caught.value.line == line
