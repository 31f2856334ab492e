"""Files bent at random: every parser refuses them with an error of its own, or reads what was written."""

import gzip
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import pytest

from docs.makers.formats import FORMATS
from tests.parsing.formats_drawn import Files
from tests.parsing.fuzzing import finding, invented, new, read, written
from tests.parsing.packed import zipped
from topicset_core.errors import TopicsetError
from topicset_core.parsing import ReadScores, read_score_files

NAMES = [one.name for one in FORMATS]


@pytest.mark.parametrize("first", range(0, 1200, 300))
def test_mutated_files_are_refused_or_read_as_written(first: int) -> None:
    assert [result for seed in range(first, first + 300) if (result := finding(seed)) is not None] == []


def test_many_mutated_files_are_still_read() -> None:
    n_read = 0
    for seed in range(200):
        try:
            n_read += bool(read(*new(seed)))
        except TopicsetError:
            continue
    assert n_read > 10  # else the comparison with the written files is meaningless


def test_numbers_are_found_in_any_notation_and_invented_ones_and_names_are_not() -> None:
    files = (("a.csv", "x;0,5;1.000,25;−3;12 %;AP=.75;1e-3;A,2.5\n".encode()),)
    assert {0.5, 1000.25, -3.0, 0.12, 0.75, 0.001, 2.5} <= written(files)
    assert invented([(0.5, "x", "AP"), (0.3, "x", "b"), (0.75, "1", "y")], files) == [0.3, "b"]


@pytest.mark.parametrize(
    "text",
    [
        '[{"topic": "total", "run": "bm25", "score": 0.3}]',  # only a row over all topics
        "system map .3886\n",
        "SUMp=1 " * 20_000,
    ],
)
def test_files_that_once_raised_other_exceptions(text: str) -> None:
    for kind in ("scores", "runs", "qrels"):
        try:
            read((("file.txt", text.encode()),), kind)
        except TopicsetError:
            continue


def test_a_hexadecimal_topic_is_no_header_of_decimal_commas() -> None:
    lines = "".join(
        f"{topic}\tAP@100\t{score}\n" for topic, score in (("0x10", "0"), ("0x11", "0.5"), ("0x12", "1"))
    )
    result = sorted(score for score, _, _ in read((("run.txt", lines.encode()),), "scores"))
    assert result == [0.0, 0.5, 1.0]


@cache
def example(name: str) -> Files:
    """The files of a format; programs that write them are called once."""
    return next(one for one in FORMATS if one.name == name).make().files


def check_same(files: Sequence[tuple[str, bytes]], name: str) -> None:
    """Check that files give the scores of the example, each with its measure, topic and run."""

    def cells(result: ReadScores) -> Mapping[tuple[str, str, str], float]:
        assert result.errors == ()
        return {
            (matrix.measure, topic, system): float(matrix.scores[row, column])
            for matrix in result.matrices
            for row, topic in enumerate(matrix.topics)
            for column, system in enumerate(matrix.systems)
        }

    plain, bent = (
        read_score_files([(file, text.encode()) for file, text in example(name)]),
        read_score_files(files),
    )
    assert cells(bent) == cells(plain)
    assert [matrix.topics for matrix in bent.matrices] == [matrix.topics for matrix in plain.matrices]


NO_DIFFERENCE: Mapping[str, Callable[[str], bytes]] = {
    "byte order mark": lambda text: f"\ufeff{text}".encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "no last line end": lambda text: text.rstrip("\n").encode(),
    "blank lines": lambda text: text.replace("\n", "\n \t\n").encode(),
    "trailing spaces": lambda text: text.replace("\n", "  \n").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
}


@pytest.mark.parametrize("name", NAMES)
def test_irrelevant_changes_of_a_file_change_nothing(name: str) -> None:
    for bend in NO_DIFFERENCE.values():
        check_same([(file, bend(text)) for file, text in example(name)], name)
    check_same([("all.zip", zipped(dict(example(name))))], name)
