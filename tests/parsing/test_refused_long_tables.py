"""What is not a long table of scores: each refusal with its file, line and text."""

import pytest

from tests.parsing.refusals import IF_MISSING, check_refused
from topicset_core.errors import ParseError
from topicset_core.parsing import read_scores

CHOOSE = ". Choose to drop those topics, to drop those runs or to count them as 0"

LONG = [
    ("topic,run,score", 1, "expected rows of scores below the header, found none"),
    ("topic,run,score\n1,A,0.5\n1,B,0.5", None, "expected at least 2 topics, found only '1'"),
    ("topic,run,score\n1,A,0.5\n2,A,high", 3, "topic '2', run 'A': expected a number, found 'high'"),
    (
        "topic,run,measure,score\n1,A,AP,0.5\n2,A,AP,-",
        3,
        "topic '2', run 'A', measure 'AP': expected a number, found '-'" + IF_MISSING,
    ),
    (
        "topic,run,score\n1,A,\n2,A,",
        2,
        "expected a score of every run on every topic, but 2 are missing: topic '1', run 'A' (line 2); topic '2', "
        f"run 'A' (line 3){CHOOSE}",
    ),
    (
        "topic,run,score\n1,A,nan\n2,A,1",
        2,
        "topic '1', run 'A': expected a finite number, found 'nan'" + IF_MISSING,
    ),
    (
        "topic,run,score\n1,A\n2,A,1",
        2,
        "expected 3 cells, as in line 1, found 2 (cells are separated by commas)",
    ),
    (
        "topic,run,score\n1,A,0.5\n2,A,0.5\n\n1,A,0.6",
        5,
        "expected one score for topic '1', run 'A', found another on line 2; remove them, or choose to average "
        "repeats",
    ),
    (
        "topic,run,measure,score\n1,A,AP,0.5\n1,A,RR,0.5\n1,A,AP,0.5",
        4,
        "expected one score for topic '1', run 'A', measure 'AP', found another on line 2; remove them, or "
        "choose to average repeats",
    ),
    (
        "topic,run,score\n1,A,0.5\n1,B,0.5\n2,A,0.6",
        None,
        f"expected a score of every run on every topic, but 1 is missing: topic '2', run 'B'{CHOOSE}",
    ),
    (
        "topic,run,measure,score\n" + "\n".join(f"{i},r{i},AP,0.5" for i in range(4)),
        None,
        "expected a score of every run on every topic, measure 'AP', but 12 are missing: topic '0', run 'r1'; "
        f"topic '0', run 'r2'; topic '0', run 'r3'; topic '1', run 'r0'; topic '1', run 'r2'; and 7 more{CHOOSE}",
    ),
    ("topic,run,score\n,A,0.5\n2,A,1", 2, "expected a topic id in column 1, found an empty cell"),
    ("topic,run,score\n1,,0.5\n2,A,1", 2, "expected a run name in column 2, found an empty cell"),
    ("score,topic,measure,run\n1,1,,A\n1,2,AP,A", 2, "expected a measure in column 3, found an empty cell"),
    ("topic,query,run,score\n1,1,A,0.5", 1, "expected one column for the topic, found 'topic' and 'query'"),
    (
        "topic,run,rank,score\n1,A,1,0.5",
        1,
        "expected no columns but topic, system, score and measure in a long table, found 'rank' in column 3; "
        "remove it, or it could hide that scores are repeats",
    ),
    (
        "301 A 0.5\n301 B 0.5\n302 A 0.6",
        None,
        f"expected a score of every run on every topic, but 1 is missing: topic '302', run 'B'{CHOOSE}",
    ),
    ("301 A 0.5\n302 A", 2, "expected 3 cells, as in line 1, found 2 (cells are separated by spaces)"),
    ("301 A 0.5\n302 A x", 2, "topic '302', run 'A': expected a number, found 'x'"),
]


@pytest.mark.parametrize(("content", "line", "expected"), LONG)
def test_long_table_is_refused_at_its_place(content: bytes | str, line: int | None, expected: str) -> None:
    check_refused(content, line, expected)


def test_one_name_for_several_measures_is_refused() -> None:
    text = "topic,run,measure,score\n1,A,AP,0.5\n2,A,AP,0.5\n1,A,RR,0.5\n2,A,RR,0.5"
    assert len(read_scores(text, "x.csv").matrices) == 2
    with pytest.raises(ParseError, match=r"expected scores of one measure, 'Q', found 2: 'AP', 'RR'"):
        read_scores(text, "x.csv", "Q")
