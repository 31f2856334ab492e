"""Names of runs that share a tag; headers and topic ids that identify score files."""

import json
from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError, ParseError
from topicset_core.parsing import read_qrels, read_run, read_score_files, read_scores
from topicset_core.parsing.scores.replicated import read_labels, read_replicated
from topicset_core.parsing.text_collection import read_topics
from topicset_core.parsing.trec.intents import read_probabilities
from topicset_core.parsing.trec.runs import names_apart
from topicset_core.parsing.trec.sweep import read_parameter_table


def test_a_name_equal_to_another_tag_is_not_used() -> None:
    assert names_apart(["t", "t", "x"], ["x.txt", "y.txt", "z.txt"]) == ["x (2)", "y", "x"]
    assert names_apart(["t", "t"], ["a/x.txt", "b/x.txt"]) == ["x", "x (2)"]
    assert names_apart(["t", "x"], ["x.txt", "y.txt"]) == ["t", "x"]


def test_an_extra_column_of_ndeval_is_an_extra_measure(golden: SnapshotAssertion) -> None:
    result = read_score_files(
        [("a.csv", b"runid,topic,alpha-nDCG@5,mine\nA,1,.5,.1\nA,2,.25,.2\nA,amean,.375,.15\n")]
    )
    assert not result.errors
    assert {one.measure: one.scores[:, 0].tolist() for one in result.matrices} == {
        "alpha-nDCG@5": [0.5, 0.25],
        "mine": [0.1, 0.2],
    }
    assert " ".join(result.recognised) == golden


@pytest.mark.parametrize(
    "content", [b"t1 0.5\nt2 0.25\nt3 0.1\n", b"topic-1,0.5\ntopic-2,0.25\n"], ids=["spaces", "commas"]
)
def test_two_columns_with_topic_ids_are_not_means(content: bytes, golden: SnapshotAssertion) -> None:
    (error,) = read_score_files([("a.txt", content)]).errors
    assert (error.file, error.line) == ("a.txt", 1)
    assert str(error) == golden


_SCORES = "topic,a,b\n1,.1,.2\n2,.3,.4\n"


@pytest.mark.parametrize("control", "\u0085\u009b\u202a\u202e\u2066\u2069")
@pytest.mark.parametrize(("place", "line"), [("a", 1), ("2,", 3)], ids=["run", "topic"])
def test_names_that_control_how_text_is_displayed_are_refused_with_their_line(
    control: str, place: str, line: int
) -> None:
    """A name with an override of direction (U+202E) reads backwards, and so does what follows it on a page."""
    bent = (
        _SCORES.replace(place, f"x{control}{place}", 1) if line > 1 else _SCORES.replace("a", f"a{control}b")
    )
    (error,) = read_score_files([("s.csv", bent)]).errors
    assert (error.file, error.line) == ("s.csv", line)
    assert f"U+{ord(control):04X}" in str(error)
    assert control not in str(error)


_RECORDS = [
    {"topic": f"t{topic}", "run": f"r{run}", "seed": "s", "judge": 0.5, "human": 0.25}
    for topic in range(2)
    for run in range(2)
]
"""JSON may hold any character, as a sequence such as \\u001b."""


@pytest.mark.parametrize("control", "\u001b\u0008\u000a\u000d\u007f\u009b\u2028\u202e")
@pytest.mark.parametrize("field", ["topic", "run", "seed"])
def test_names_in_json_cannot_control_a_terminal(control: str, field: str) -> None:
    bent = [{**one, field: f"a{control}{one[field]}"} for one in _RECORDS]
    scores = [
        {**{name: value for name, value in one.items() if name != "human"}, "seed": f"{one['seed']}{seed}"}
        for one in bent
        for seed in (1, 2)
    ]
    readers: list[Callable[[], object]] = [lambda: read_replicated([("s.json", json.dumps(scores))])]
    if field != "seed":  # which other files do not have
        readers += [
            lambda: read_labels("s.json", json.dumps(bent)),
            lambda: read_scores(json.dumps(bent), "s.json"),
            lambda: read_topics("t.jsonl", json.dumps({"id": f"a{control}b", "text": "ox"}).encode()),
        ]
    for read in readers:
        with pytest.raises(ParseError, match=r"U\+00|U\+20|without white space") as refused:
            read()
        assert control not in str(refused.value)


def test_runs_judgments_and_files_with_such_names_are_refused() -> None:
    for read in (
        lambda: read_qrels("q\x1b[31m.txt", b"1 0 d 1\n"),
        lambda: read_qrels("q.txt", "1 a\u202e d 1\n1 b d 2\n".encode()),
        lambda: read_probabilities("p.txt", "1 a\u202e 1\n".encode()),
        lambda: read_probabilities("p\u202e.txt", b"1 a 1\n"),
        lambda: read_parameter_table("v.csv", "run,b\u202e\na,1\n", ["a"]),
        lambda: read_run("r.txt", "1 Q0 d 1 2 a\u202eb\n".encode()),
        lambda: read_run("r.txt", "1\u202e Q0 d 1 2 a\n".encode()),
        lambda: read_run("r\u202e.txt", b"1 Q0 d 1 2 a\n"),
        lambda: read_qrels("q.txt", "1\u202e 0 d 1\n".encode()),
    ):
        with pytest.raises(ParseError, match=r"U\+(202E|001B)") as refused:
            read()
        assert not {"\u202e", "\x1b"} & set(str(refused.value))
    (error,) = read_score_files([("s\u202e.csv", _SCORES)]).errors
    assert "\u202e" not in str(error)
    matrix = read_score_files([("s.csv", _SCORES)]).matrices[0]
    with pytest.raises(InputError, match=r"U\+202E"):
        ScoreMatrix(
            scores=matrix.scores, topics=matrix.topics, systems=matrix.systems, measure="AP", name="a\u202e"
        )


def test_names_of_over_500_bytes_are_refused_with_their_line() -> None:
    (error,) = read_score_files(
        [("s.csv", _SCORES.replace("2,", "x" * 501 + ",", 1).replace("x,.2", "2"))]
    ).errors
    assert error.line is not None
    assert "at most 500 bytes, found one of 501" in str(error)
