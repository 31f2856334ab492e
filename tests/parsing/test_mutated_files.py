"""Files bent at random: every parser refuses them with an error of its own, or reads what was written."""

import pytest

from tests.parsing.fuzzing import finding, new, read, written
from topicset_core.errors import TopicsetError


@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_mutated_files_are_refused_or_read_as_written(first: int) -> None:
    assert [result for seed in range(first, first + 250) if (result := finding(seed)) is not None] == []


def test_many_mutated_files_are_still_read() -> None:
    n_read = 0
    for seed in range(200):
        files, kind = new(seed)
        try:
            scores = list(read(files, kind))
        except TopicsetError:
            continue
        n_read += bool(scores)
    assert n_read > 10  # else the comparison with the written files is meaningless


def test_numbers_are_found_in_any_notation() -> None:
    result = written((("a.csv", "x;0,5;1.000,25;−3;12 %;AP=.75;1e-3\n".encode()),))
    assert {0.5, 1000.25, -3.0, 0.12, 0.75, 0.001} <= result
    assert 0.3 not in result


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
    result = sorted(read((("run.txt", lines.encode()),), "scores"))
    assert result == [0.0, 0.5, 1.0]
