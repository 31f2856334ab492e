"""Judge scores with human labels: one table, two files, and refusals."""

import math

import pytest

from topicset_core.errors import ParseError
from topicset_core.parsing.scores.replicated import read_labels

ONE = (
    "topic,system,judge,human\n1,a,.5,.4\n1,b,.6,\n2,a,.1,\n2,b,.2,.3\n1,a,.7,.4\n1,b,.8,\n2,a,.3,\n2,b,.4,\n"
)


def test_one_table_with_calls_and_gaps() -> None:
    result = read_labels("x.csv", ONE)
    assert result.judge.tolist() == [[[0.5, 0.7], [0.6, 0.8]], [[0.1, 0.3], [0.2, 0.4]]]
    assert result.human[0, 0] == 0.4
    assert math.isnan(result.human[0, 1])
    calls, people = result.differences("b", "a")
    assert calls[0].tolist() == pytest.approx([0.1, 0.1])
    assert math.isnan(people[0])


@pytest.mark.parametrize(
    "judge", ["topic,system,score\n1,a,.5\n1,b,.6\n2,a,.1\n2,b,.2\n", "topic,a,b\n1,.5,.6\n2,.1,.2\n"]
)
def test_two_files(judge: str) -> None:
    result = read_labels(
        "judge.csv", judge, ("human.csv", "topic,system,score\n1,a,.4\n1,b,.3\n2,a,.2\n2,b,.1\n")
    )
    assert result.judge[:, :, 0].tolist() == [[0.5, 0.6], [0.1, 0.2]]
    assert result.human.tolist() == [[0.4, 0.3], [0.2, 0.1]]
    with pytest.raises(ParseError, match="a topic that the judge scored, found '3'"):
        read_labels("judge.csv", judge, ("human.csv", "topic,a,b\n1,.4,.3\n3,.2,.1\n"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (ONE.replace("1,a,.7,.4", "1,a,.7,.5"), "one human score"),
        (ONE.replace("2,b,.4,\n", ""), "expected 2 judge scores"),
        (ONE.replace("judge", "score"), "found none for judge"),
        (ONE.replace(".8", "x"), "expected a number"),
        ("topic,system,judge,human\n1,a,.5,.4\n", "at least 2 topics"),
    ],
)
def test_invalid_input_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ParseError, match=sentence):
        read_labels("x.csv", text)
