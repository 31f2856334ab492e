"""Tables of evaluations: every run, every grade, and columns that cannot collide."""

import numpy as np
from syrupy.assertion import SnapshotAssertion

from tests.measures.plain_intents import joined_by_intent
from tests.measures.plain_reader import joined
from topicset_core.analyses.run_evaluation import Request, evaluate
from topicset_core.analyses.run_evaluation.report import judgments_table, runs_table, wide_table
from topicset_core.collection import ScoreMatrix

RUNS = joined(
    [{"1": ["b", "a"], "2": ["c"], "9": ["a"]}, {"1": ["x", "a"]}],
    {"1": {"a": 1, "b": 0}, "2": {"c": -1, "d": 2}},
)


def test_runs_called_like_the_first_column_keep_their_columns() -> None:
    matrix = ScoreMatrix(
        scores=np.array([[0.1, 0.2], [0.3, 0.4]]),
        topics=("7", "8"),
        systems=("topic", "topic_id"),
        measure="AP",
        name="odd",
    )
    assert wide_table(matrix) == {"topic_id_id": ["7", "8"], "topic": [0.1, 0.3], "topic_id": [0.2, 0.4]}


def test_runs_are_counted_against_the_judged_topics(golden: SnapshotAssertion) -> None:
    result = evaluate(RUNS, Request(measures=["AP"]))
    table = runs_table([result])
    assert list(table.values()) == [
        ["run0", "run1"],
        [2, 1],  # topics
        [0, 1],  # that are judged, but missing
        [1, 0],  # that are not judged
        [3, 2],  # documents
        [0, 0],  # that are tied
        [1 / 3, 0.5],  # not judged among the first ten: c was pooled, but not judged
    ]
    assert list(table) == golden
    assert next(iter(runs_table([result, result]))) == "judgments"


def test_grades_are_counted_lowest_first(golden: SnapshotAssertion) -> None:
    table = judgments_table([RUNS], [evaluate(RUNS, Request(measures=["AP"]))])
    assert table["grades"] == [
        "1 \N{MULTIPLICATION SIGN} -1, 1 \N{MULTIPLICATION SIGN} 0, "
        "1 \N{MULTIPLICATION SIGN} 1, 1 \N{MULTIPLICATION SIGN} 2"
    ]
    assert list(table) == golden
    (without_relevant,) = [name for name in table if "without" in name]
    assert (table["topics"], table["documents"], table[without_relevant]) == ([2], [4], [0])
    assert "intents" not in table


def test_intents_are_counted_if_judgments_have_them() -> None:
    by_intent = joined_by_intent(
        [{"1": ["a"], "2": ["b"]}], {"1": {"1": {"a": 1}, "2": {"a": 2}}, "2": {"1": {"b": 1}}}
    )
    every = [evaluate(one, Request(measures=["RR"])) for one in (by_intent, RUNS)]
    table = judgments_table([by_intent, RUNS], every)
    assert table["intents"] == [3, 0]
    assert by_intent.qrels.intents is not None
    assert by_intent.qrels.intents.notes in every[0].notes
    assert every[0].record()["intents"] == by_intent.qrels.intents.notes
    assert "intents" not in every[1].record()
