"""Choices, pasted scores of two systems and lists of topics: what is taken, and the lines that are refused."""

import pickle

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.refusals import refusals, refused
from topicset_core.errors import ParseError
from topicset_core.parsing import Choices
from topicset_core.parsing.choices import MissingScores, RepeatedScores
from topicset_core.parsing.names import read_topic_list
from topicset_core.parsing.numerals import read_differences


@pytest.mark.parametrize(
    ("chosen", "parameter"),
    [
        ({"orientation": "sideways"}, "orientation"),
        ({"missing": "guess"}, "missing"),
        ({"repeats": "first"}, "repeats"),
        ({"columns": ()}, "columns"),
        ({"columns": "AP"}, "columns"),
    ],
)
def test_unknown_choices_are_refused(chosen: dict[str, object], parameter: str) -> None:
    assert refused(Choices, **chosen).parameter == parameter


def test_without_choices_ambiguous_scores_are_refused() -> None:
    assert Choices() == Choices(
        orientation="auto", measure=None, collection=None, missing="refuse", repeats="refuse", columns=None
    )


@pytest.mark.parametrize("kind", [MissingScores, RepeatedScores])
def test_errors_with_cells_survive_pickling(
    kind: type[MissingScores] | type[RepeatedScores],
) -> None:
    error = kind("x.csv", 3, "expected one score", (("1", "A"),), 7, ", or choose")
    assert str(error) == "x.csv, line 3: expected one score, or choose"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.cells, again.n_cells) == (kind, str(error), error.cells, 7)
    assert (again.without_choice, again.choice) == ("expected one score", ", or choose")


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
def test_invalid_lines_are_refused(text: str, line: int, sentence: str) -> None:
    with pytest.raises(ParseError, match=sentence) as caught:
        read_differences(text)
    assert caught.value.line == line


KNOWN = ("401", "402", "403", "q 1", "a, b", "c;d", "e f, g")


@pytest.mark.parametrize(
    ("content", "result"),
    [
        (b"402\n401\n", ("402", "401")),
        (b"\xef\xbb\xbf402\r\n\r\n# mine\r\n 401 \r\nq 1", ("402", "401", "q 1")),
        (b"402\tforeign minorities\n403\t", ("402", "403")),
        (b"402, 401;403", ("402", "401", "403")),
        (b"402,\n401 403,\nq 1", ("402", "401", "403", "q 1")),
        (b"q 1, 402", ("q 1", "402")),
        (b"q 1; 402; a, b", ("q 1", "402", "a, b")),
        (b"c;d, q 1", ("c;d", "q 1")),
        (b'"a, b", 401, "c;d"\ne f, g\n,\n', ("a, b", "401", "c;d", "e f, g")),
    ],
)
def test_ids_in_their_order(content: bytes, result: tuple[str, ...]) -> None:
    assert read_topic_list("mine.txt", content, KNOWN) == result


BAD: dict[str, tuple[bytes, int | None]] = {
    "unknown": (b"401\n# a\n404\n", 3),
    "twice": (b"401\n402\n401\n", 3),
    "unknown-behind-another": (b"401\n402, 404\n", 2),
    "two-unknown": (b"404\n401\n405 402", 1),
    "three-unknown": (b"401\nq 1\nq 2, q 3\n404\n404", 3),
    "twice-on-a-line": (b"402 401 402", 1),
    "none": (b"\n# nothing\n", None),
    "gz": (b"\x1f\x8b\x08", None),
}


def test_invalid_lists_are_refused(golden: SnapshotAssertion) -> None:
    assert refusals(lambda content: read_topic_list("mine.txt", content, KNOWN), BAD, "mine.txt") == golden
