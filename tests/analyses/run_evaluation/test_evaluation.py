"""Evaluations: kept and dropped rows, notes and records."""

from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.measures.plain_reader import joined, qrels_of
from tests.refusals import refused
from tests.words import numbers_in
from topicset_core.analyses.run_evaluation import Evaluation, Request, evaluate
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.run import Run
from topicset_core.errors import InputError
from topicset_core.measures import Conventions
from topicset_core.progress import ReportProgress, silently

# Topic 3 has nothing relevant, run1 misses topic 2 and has topic 9, which is not judged.
JUDGMENTS = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": -1}, "3": {"a": 0}, "4": {"a": 1}}
RUN0 = {"1": ["b", "a"], "2": ["c", "a"], "3": ["a"], "4": ["a"]}
RUN1 = {"1": ["x", "a"], "3": ["b"], "4": ["b"], "9": ["a"]}


@pytest.fixture(scope="module")
def small() -> JudgedRuns:
    return joined([RUN0, RUN1], JUDGMENTS)


def evaluated(
    runs: JudgedRuns, *names: str, report_progress: ReportProgress = silently, **choices: Any
) -> Evaluation:
    return evaluate(runs, Request(measures=names, **choices), report_progress=report_progress)


def test_defaults_are_those_of_trec_eval(small: JudgedRuns) -> None:
    """A row for each judged topic; 0 where a run misses it and where nothing is relevant."""
    result = evaluated(small, "map", "nDCG@1")
    assert [matrix.measure for matrix in result.matrices] == ["AP", "nDCG@1"]
    matrix = result.matrices[0]
    assert (matrix.topics, matrix.systems, matrix.name) == (("1", "2", "3", "4"), ("run0", "run1"), "qrels")
    assert matrix.scores.tolist() == [[0.5, 0.5], [0.5, 0], [0, 0], [1, 0]]
    assert result.matrices[1].scores.tolist() == [[0, 0], [0, 0], [0, 0], [1, 0]]
    (of_grade_2,) = evaluated(small, "map", conventions=Conventions(relevance_level=2)).matrices
    assert of_grade_2.scores.tolist() == [[0, 0], [0.5, 0], [0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("without_relevant", "missing", "topics"),
    [("drop", "zero", "124"), ("zero", "drop", "134"), ("drop", "drop", "14")],
)
def test_topics_are_dropped_for_all_runs_and_measures(
    small: JudgedRuns, without_relevant: str, missing: str, topics: str
) -> None:
    whole = evaluated(small, "AP", "RR")
    result = evaluated(small, "AP", "RR", topics_without_relevant=without_relevant, missing_topics=missing)
    rows = [whole.topics.index(topic) for topic in topics]
    assert result.topics == tuple(topics)
    for some, every in zip(result.matrices, whole.matrices, strict=True):
        assert np.array_equal(some.scores, every.scores[rows])


def test_everything_that_changes_numbers_is_reported(small: JudgedRuns, golden: SnapshotAssertion) -> None:
    note = evaluated(small, "AP", "nERR@10").notes
    results = [numbers_in(remark.replace("'run1'", "")) for remark in note]
    for numbers in (
        [4, 4, 2],  # topics of those judged, runs
        [1, 1, 3],  # grade, topics without a document of it, the topic
        [4, 1, 1],  # judged topics, runs that lack some, topics that this one lacks
        [1, 6],  # documents that were pooled but not judged, of all
        [10, 45.8, 75],  # of the first 10, c of 6 of run0, and x, b and b of 4 of run1; the mean and the most
    ):
        assert any(numbers == one[: len(numbers)] for one in results), numbers
    dropped = evaluated(small, "AP", topics_without_relevant="drop", missing_topics="drop").notes
    assert [2, 4] in [numbers_in(remark)[:2] for remark in dropped]
    assert [note, dropped] == golden


def test_ties_are_reported_and_only_some_runs_are_named(golden: SnapshotAssertion) -> None:
    runs = [
        Run(
            tag=f"r{number}",
            topics=("1", "2"),
            starts=np.array([0, 1, 2]),
            documents=np.array([b"a", b"a"]),
            n_tied=number,
        )
        for number in range(8)
    ]
    result = evaluated(join(runs, qrels_of({"1": {"a": 1}, "2": {"a": 1}})), "AP")
    (ties,) = [remark for remark in result.notes if "'r7' 7, 'r6' 6, 'r5' 5, 'r4' 4, 'r3' 3 " in remark]
    assert numbers_in(ties.partition("'r3' 3")[2])[0] == 2  # runs that are not named
    assert numbers_in(result.notes[-1])[-1] == 0  # per cent not judged
    assert result.notes == golden


@pytest.mark.parametrize(
    ("names", "choices", "parameter"),
    [
        ("", {}, "measures"),
        ("AP map", {}, "measures"),  # the same twice
        ("XY", {}, "measure"),
        ("AP", {"conventions": Conventions(relevance_level=3)}, "relevance_level"),
        ("ERR", {"conventions": Conventions(largest_grade=1)}, "largest_grade"),
        ("AP", {"missing_topics": "keep"}, "missing_topics"),
        ("AP", {"topics_without_relevant": ""}, "topics_without_relevant"),
        ("AP", {"conventions": Conventions(relevance_level=2), "topics_without_relevant": "drop"}, "topics"),
    ],
)
def test_refused(small: JudgedRuns, names: str, choices: dict[str, Any], parameter: str) -> None:
    error = refused(evaluated, small, *names.split(), **choices)
    assert error.parameter == parameter
    assert ("after some are dropped" in error.rule) == (parameter == "topics")
    with pytest.raises(InputError, match=r"topics = 1: must be at least 2$"):  # without a word of dropping
        evaluated(joined([{"1": ["a"]}], {"1": {"a": 1}}), "AP")


def test_progress_rises(small: JudgedRuns) -> None:
    seen: list[float] = []
    evaluated(small, "AP", "RR", report_progress=seen.append)
    assert seen == [0, 0.5, 1]


def test_zeros_for_missing_topics_are_reported(small: JudgedRuns, golden: SnapshotAssertion) -> None:
    """Run1 misses topic 2 of four judged ones; no run has topic 5 of the second collection."""
    few = evaluated(small, "AP").note_on_zeros
    more = joined([RUN0, RUN1], JUDGMENTS | {"5": {"a": 1}})
    many = evaluated(more, "AP").note_on_zeros
    # Topics that some run misses, of all, that every run misses; and the score of 0.
    assert (numbers_in(few), numbers_in(many)) == ([1, 4, 0], [2, 5, 1, 0])
    assert [few, many] == golden
    assert evaluated(more, "AP", missing_topics="drop").note_on_zeros == ""
    assert evaluated(joined([RUN0], JUDGMENTS), "AP").note_on_zeros == ""
