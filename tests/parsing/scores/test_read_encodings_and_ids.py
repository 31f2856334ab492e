"""Reading of one table in every encoding and notation, and of topic and run ids as written."""

import pytest

from tests.parsing.plain_table import PLAIN, read_one
from tests.variance.matrices import of

EXPECTED = of([[0.5, 0.25], [1.0, 0.0]], "score", "table", topics=("t1", "t2"), systems="AB")


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.encode(),
        "\ufeff" + PLAIN,
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
        "\n\n" + PLAIN.replace("\n", "\n \n\t\n"),
        PLAIN.replace(",", " , "),
        'topic,"A","B"\n"t1","0.5","0.25"\n"t2",1,0',
        "topic,A,B\nt1,.5,+0.25\nt2,1.,0e3\n",
        "topic;A;B\nt1;0,5;0,25\nt2;1;0\n",
        'topic,A,B\nt1,"0,5","0,25"\nt2,1,0\n',
        "topic  A\t B\n  t1 0.5  0.25 \nt2 1 0".replace("\t", "  "),
    ],
)
def test_encodings_line_ends_quotes_and_notations(content: bytes | str) -> None:
    assert read_one(content) == EXPECTED


@pytest.mark.parametrize("other", ["0,5", "2,25", "0,125", "1,2345", "1234,5"])
def test_one_unambiguous_decimal_comma_decides_for_all(other: str) -> None:
    scores = read_one(f"topic;A\nt1;1,234\nt2;{other}").scores
    assert scores.tolist() == [[1.234], [float(other.replace(",", "."))]]


def test_quoted_ids_keep_delimiters_and_quotes() -> None:
    matrix = read_one('topic,"A, tuned","B ""2"""\n"a;b",0.5,0.25\nt2,1,0\n')
    assert matrix.systems == ("A, tuned", 'B "2"')
    assert matrix.topics == ("a;b", "t2")


def test_other_scripts_are_kept_as_written() -> None:
    matrix = read_one("тема,システム1,β\n№ 1,0.5,0.25\n№ 2,1,0\n".encode())
    assert matrix.systems == ("システム1", "β")
    assert matrix.topics == ("№ 1", "№ 2")


def test_ids_that_look_like_numbers_are_kept_as_written() -> None:
    matrix = read_one("topic,007,1.50\n0401,0.5,0.25\n401,1,0\n")
    assert matrix.topics == ("0401", "401")
    assert matrix.systems == ("007", "1.50")


# -------------------------------------------------------------------- is the first column topic ids?


@pytest.mark.parametrize(
    ("text", "topics", "systems"),
    [
        # Unknown header, words below it.
        ("Web,A\nwt09-1,0.5\nwt09-2,0.2", ("wt09-1", "wt09-2"), ("A",)),
        # Unknown header, whole numbers above 1 next to scores from 0 to 1.
        ("Web,A\n1,0.5\n2,0.2", ("1", "2"), ("A",)),
        # Fractions: scores. All cells whole and repeated: ratings, no ids.
        ("X,A\n0.1,0.5\n0.4,0.2", ("1", "2"), ("X", "A")),
        ("p1,p2\n5,9\n6,3\n5,7", ("1", "2", "3"), ("p1", "p2")),
        ("X,A\n1,0\n0,1\n1,1", ("1", "2", "3"), ("X", "A")),
        # One column.
        ("A\n0.1\n0.2\n0.2", ("1", "2", "3"), ("A",)),
        # A header made of whole numbers, under a name for topics or a measure.
        ("topic 1 2\nQ1 0.5 0.1\nQ2 0.2 0.3", ("Q1", "Q2"), ("1", "2")),
    ],
)
def test_first_column_is_judged_by_name_then_cells(
    text: str, topics: tuple[str, ...], systems: tuple[str, ...]
) -> None:
    matrix = read_one(text)
    assert (matrix.topics, matrix.systems) == (topics, systems)
