"""Evaluations: rows that are kept or dropped, what is said, what is recorded."""

import json

import numpy as np
import pytest

from tests.measures.plain_reader import joined, judged, qrels_of
from tests.reference_data import reference_matrix
from topicset_core.analyses.evaluation import Evaluation, evaluate
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.run import Run
from topicset_core.errors import InputError
from topicset_core.measures import Conventions

# Topic 3 has nothing relevant, run1 misses topic 2 and has topic 9, which is not judged.
JUDGMENTS = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": -1}, "3": {"a": 0}, "4": {"a": 1}}
RUN0 = {"1": ["b", "a"], "2": ["c", "a"], "3": ["a"], "4": ["a"]}
RUN1 = {"1": ["x", "a"], "3": ["b"], "4": ["b"], "9": ["a"]}


@pytest.fixture(scope="module")
def small() -> JudgedRuns:
    return joined([RUN0, RUN1], JUDGMENTS)


def evaluated(runs: JudgedRuns, *names: str, **choices: object) -> Evaluation:
    return evaluate(runs, names, **choices)  # type: ignore[arg-type]


def test_defaults_are_those_of_trec_eval(small: JudgedRuns) -> None:
    """A row for each judged topic; 0 where a run misses it and where nothing is relevant."""
    found = evaluated(small, "map", "nDCG@1")
    assert [matrix.measure for matrix in found.matrices] == ["AP", "nDCG@1"]
    matrix = found.matrices[0]
    assert (matrix.topics, matrix.systems, matrix.name) == (("1", "2", "3", "4"), ("run0", "run1"), "qrels")
    assert matrix.scores.tolist() == [[0.5, 0.5], [0.5, 0], [0, 0], [1, 0]]
    assert found.matrices[1].scores.tolist() == [[0, 0], [0, 0], [0, 0], [1, 0]]


@pytest.mark.parametrize(
    ("without_relevant", "missing", "topics"),
    [("drop", "zero", "124"), ("zero", "drop", "134"), ("drop", "drop", "14")],
)
def test_topics_are_dropped_for_all_runs_and_measures(
    small: JudgedRuns, without_relevant: str, missing: str, topics: str
) -> None:
    whole = evaluated(small, "AP", "RR")
    found = evaluated(small, "AP", "RR", topics_without_relevant=without_relevant, missing_topics=missing)
    rows = [whole.topics.index(topic) for topic in topics]
    assert found.topics == tuple(topics)
    for some, every in zip(found.matrices, whole.matrices, strict=True):
        assert np.array_equal(some.scores, every.scores[rows])


def test_all_that_changes_numbers_is_said(small: JudgedRuns) -> None:
    said = "\n".join(evaluated(small, "AP", "nERR@10").said)
    for text in (
        "AP: Average precision of the whole run, relevant from grade 1, divided by the number R",
        "nERR@10: Expected reciprocal rank of the first 10 documents",
        "xmax = 2",
        "qrels: 4 topics of the 4 judged, 2 runs",
        "at least grade 1: 1 topic, '3'; binary measures are 0 there, as in trec_eval.",
        "Nothing returned for some of the 4 judged topics by 1 run ('run1' 1); scores there are 0.",
        "Topics that the qrels have not, in 1 run ('run1' 1), make no difference.",
        "1 of 6 documents in the qrels were pooled but not judged",
        # run0: c of 6; run1: x, b and b of 4
        "Not judged among the first 10 documents a topic: 45.8%, mean over runs, at most 75.0% ('run1').",
    ):
        assert text in said, said
    dropped = "\n".join(evaluated(small, "AP", topics_without_relevant="drop", missing_topics="drop").said)
    assert "2 topics of the 4 judged" in dropped
    assert "'3'; left out." in dropped
    assert "these topics are left out for all runs." in dropped


def test_ties_are_said_and_only_some_runs_are_named() -> None:
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
    found = evaluate(join(runs, qrels_of({"1": {"a": 1}, "2": {"a": 1}})), ["AP"])
    (ties,) = [text for text in found.said if "score of another" in text]
    assert "in 7 runs ('r7' 7, 'r6' 6, 'r5' 5, 'r4' 4, 'r3' 3 and 2 more), stand" in ties
    assert not any("Nothing returned" in text or "pooled but" in text for text in found.said)
    assert found.said[-1].endswith("0.0%, mean over runs.")


def test_the_record_has_every_choice_and_every_fact(small: JudgedRuns) -> None:
    conventions = Conventions(relevance_level=2, gains="exponential", denominator="min(md, R)")
    found = evaluated(small, "AP@5", "nDCG", "ERR", conventions=conventions, missing_topics="drop")
    record = json.loads(json.dumps(found.record(), allow_nan=False))
    assert record["conventions"] == {
        "relevance_level": 2,
        "gains": "exponential",
        "largest_grade": None,
        "denominator": "min(md, R)",
    }
    assert [measure["conventions"] for measure in record["measures"]] == [
        {"depth": 5, "relevance_level": 2, "denominator": "min(md, R)"},
        {"depth": None, "gains": "exponential"},
        {"depth": None, "largest_grade": 2, "normalised": False},
    ]
    assert record["without_relevant"] == ["1", "3", "4"]
    assert (record["n_topics"], record["n_judged_topics"]) == (3, 4)
    assert (record["n_judgments"], record["n_pooled_unjudged"], record["largest_grade"]) == (6, 1, 2)
    assert (record["missing_topics"], record["topics_without_relevant"]) == ("drop", "zero")
    assert record["runs"][1] == {
        "system": "run1",
        "n_topics": 3,
        "n_retrieved": 4,
        "missing_topics": ["2"],
        "unused_topics": ["9"],
        "n_tied": 0,
        "unjudged_at_10": 0.75,
    }
    assert record["means"]["AP@5"] == {"run0": 0, "run1": 0}


@pytest.mark.parametrize(
    ("names", "choices", "said"),
    [
        ((), {}, "at least 1 measure"),
        (("AP", "map"), {}, "measures = 'AP': must be named once"),
        (("XY",), {}, "must be one of AP"),
        (("AP",), {"conventions": Conventions(relevance_level=3)}, "at most 2, the largest grade"),
        (
            ("ERR",),
            {"conventions": Conventions(largest_grade=1)},
            "at least the largest grade in the qrels, 2",
        ),
        (("AP",), {"missing_topics": "keep"}, "missing_topics = 'keep': must be one of zero, drop"),
        (("AP",), {"topics_without_relevant": ""}, "must be one of zero, drop"),
        (
            ("AP",),
            {"conventions": Conventions(relevance_level=2), "topics_without_relevant": "drop"},
            "at least 2 after some are dropped",
        ),
    ],
)
def test_refused(small: JudgedRuns, names: tuple[str, ...], choices: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluated(small, *names, **choices)


def test_progress_rises_and_can_stop(small: JudgedRuns) -> None:
    class Stopped(Exception):  # noqa: N818
        pass

    seen: list[float] = []
    evaluated(small, "AP", "RR", report=seen.append)
    assert seen == [0, 0.5, 1]

    def stop(fraction: float) -> None:
        if fraction > 0:
            raise Stopped

    with pytest.raises(Stopped):
        evaluated(small, "AP", "RR", report=stop)


@pytest.mark.reference_data
def test_dl_2019_against_the_computed_matrices() -> None:
    """The track counts grades 2 and 3 as relevant, and uses all grades as gains."""
    conventions = Conventions(relevance_level=2)
    found = evaluated(judged("dl2019-passage"), "AP", "P@10", "nDCG@10", conventions=conventions)
    for matrix, name in zip(found.matrices, ("ap", "p10", "ndcg10"), strict=True):
        computed = reference_matrix(f"dl2019_passage_{name}", matrix.measure)
        rows = [matrix.topics.index(topic) for topic in computed.topics]
        columns = [matrix.systems.index(system) for system in computed.systems]
        # The file has 6 significant digits.
        half = 5.001e-7
        assert matrix.scores[np.ix_(rows, columns)] == pytest.approx(computed.scores, abs=half, rel=0)
    assert not found.without_relevant


def test_zeros_for_topics_that_runs_miss_are_said(small: JudgedRuns) -> None:
    """Run1 misses topic 2 of four judged ones; no run has topic 5 of the second collection."""
    assert evaluated(small, "AP").said_of_zeros == (
        "qrels: 1 topic of 4 missed by some run. They score 0 there; under the conventions they can be left out."
    )
    more = joined([RUN0, RUN1], JUDGMENTS | {"5": {"a": 1}})
    assert "2 topics of 5 missed by some run, 1 of them by every run" in evaluated(more, "AP").said_of_zeros
    assert evaluated(more, "AP", missing_topics="drop").said_of_zeros == ""
    assert evaluated(joined([RUN0], JUDGMENTS), "AP").said_of_zeros == ""
