"""Scores with repeats, judge scores with human labels: one table, several files, and refusals."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from topicset_core.errors import ParseError
from topicset_core.parsing import read_scores
from topicset_core.parsing.scores.replicated import read_labels, read_replicated

LONG = "topic,system,seed,AP\n" + "".join(
    f"q{j},{s},{k},{0.1 * j + 0.01 * k + (0.2 if s == 'b' else 0)}\n"
    for j in (1, 2)
    for s in "ab"
    for k in (7, 8)
)


def test_a_column_of_repeats_in_any_order() -> None:
    lines = LONG.splitlines()
    result = read_replicated([("scores.csv", "\n".join([lines[0], *reversed(lines[1:])]))])
    assert result.measure == "AP"
    assert (set(result.topics), set(result.systems), set(result.repeats)) == (
        {"q1", "q2"},
        {"a", "b"},
        {"7", "8"},
    )
    at = (result.topics.index("q2"), result.systems.index("b"), result.repeats.index("8"))
    assert result.scores[at] == pytest.approx(0.48)


def test_repeated_cells_are_numbered() -> None:
    text = "topic,run,score\n" + "1,a,.1\n1,a,.2\n1,b,.3\n1,b,.4\n2,a,.5\n2,a,.6\n2,b,.7\n2,b,.8\n"
    result = read_replicated([("x.csv", text)])
    assert result.repeats == ("1", "2")
    assert np.array_equal(result.scores, [[[0.1, 0.2], [0.3, 0.4]], [[0.5, 0.6], [0.7, 0.8]]])


def test_a_file_per_run_with_repeats_of_its_cases() -> None:
    def run(*passed: int) -> str:
        return "".join(
            f'{{"task_id": "T/{place // 2}", "passed": {one}}}\n'
            for place, one in enumerate(("false", "true")[one] for one in passed)
        )

    result = read_replicated([("a.jsonl", run(1, 0, 1, 1)), ("b.jsonl", run(0, 0, 1, 0))])
    assert (result.topics, result.systems, result.measure) == (("T/0", "T/1"), ("a", "b"), "passed")
    assert result.scores.tolist() == [[[1, 0], [0, 0]], [[1, 1], [1, 0]]]


def test_a_file_per_seed() -> None:
    files = [(f"seed{k}.csv", f"topic,a,b\n1,.{k},.2\n2,.3,.4\n") for k in (1, 2, 3)]
    result = read_replicated(files, "nDCG")
    assert (result.repeats, result.measure) == (("seed1", "seed2", "seed3"), "nDCG")
    assert result.scores[0, 0].tolist() == [0.1, 0.2, 0.3]


@pytest.mark.parametrize("row", ["2,.3,\n", "1,.3,.4\n"], ids=["missing", "repeated"])
def test_refused_cells_of_a_seed_offer_no_choice_as_an_estimate_needs_them_all(row: str) -> None:
    good = "topic,a,b\n1,.1,.2\n2,.3,.4\n"
    with pytest.raises(ParseError, match="seed2") as caught:
        read_replicated([("seed1.csv", good), ("seed2.csv", good + row.replace("2", "3", 1))])
    assert "hoose" not in str(caught.value)


LABELLED = (
    "topic,system,judge,human\n1,a,.5,.4\n1,b,.6,\n2,a,.1,\n2,b,.2,.3\n1,a,.7,.4\n1,b,.8,\n2,a,.3,\n2,b,.4,\n"
)


def test_one_table_with_calls_and_gaps() -> None:
    result = read_labels("x.csv", LABELLED)
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


def test_columns_of_labels_that_are_not_read_are_named() -> None:
    assert read_labels("x.csv", LABELLED).notes == ()
    header, *rows = LABELLED.splitlines()
    grouped = "\n".join([f"{header},conversation,colour", *(f"{row},c1,red" for row in rows)])
    independent = "Groups of topics are not taken into account: topics count as independent."
    assert read_labels("x.csv", grouped).notes == (
        "Columns of x.csv that were not read: 'conversation', 'colour'.",
        independent,
    )
    judge = "conversation,topic,system,score\n" + "".join(
        f"c{topic // 2},{topic},{system},.{topic}\n" for topic in range(4) for system in "ab"
    )
    assert read_labels("judge.csv", judge, ("human.csv", "topic,a,b\n1,.4,.3\n3,.2,.1\n")).notes == (
        independent,
    )


def read_repeats(text: str) -> None:
    read_replicated([("scores.csv", text)])


def read_labelled(text: str) -> None:
    read_labels("x.csv", text)


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (read_repeats, LONG.replace("q2,b,8,", "q2,b,7,"), "each repeat once"),
        (read_repeats, "\n".join(LONG.splitlines()[:-1]), "missing 1 cell: 'q2, b, repeat 8'"),
        (read_repeats, LONG.replace("7,0.17", "7,x"), "expected a number"),
        (read_repeats, "topic,seed,AP\n1,1,.2\n", "found none for system"),
        (read_repeats, "topic,system,seed,AP,RR\n1,a,1,.2,.3\n", "one column of scores"),
        (
            read_repeats,
            "topic,system,seed,trial,AP\n" + "".join(f"1,a,{k % 2},{k // 2},.3\n" for k in range(4)),
            "one column for the repeat, found 'seed', 'trial'",
        ),
        (read_labelled, LABELLED.replace("1,a,.7,.4", "1,a,.7,.5"), "one human score"),
        (read_labelled, LABELLED.replace("2,b,.4,\n", ""), "expected 2 judge scores"),
        (read_labelled, LABELLED.replace("judge", "score"), "found none for judge"),
        (read_labelled, LABELLED.replace(".8", "x"), "expected a number"),
        (read_labelled, "topic,system,judge,human\n1,a,.5,.4\n", "at least 2 topics"),
    ],
)
def test_invalid_input_is_refused(read: Callable[[str], None], text: str, sentence: str) -> None:
    with pytest.raises(ParseError, match=sentence):
        read(text)


def test_other_parsers_refer_tables_with_seeds_to_this_one() -> None:
    with pytest.raises(ParseError, match="the page Judges and repeats and the command repeats"):
        read_scores(LONG.replace("AP", "score"), "scores.csv")
