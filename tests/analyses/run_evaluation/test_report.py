"""The paragraph on how runs were scored, and tables: every run, every grade, and columns that cannot collide."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import judged
from tests.golden.files import without_versions
from tests.measures.plain_intents import joined_by_intent
from tests.measures.plain_reader import joined
from tests.variance.matrices import of
from tests.words import numbers_in
from topicset_core.analyses.run_evaluation import Evaluation, Request, Rows, evaluate
from topicset_core.analyses.run_evaluation.report import (
    file_names,
    judgments_table,
    report,
    runs_table,
    scores_table,
    wide_table,
)

RUNS = {"one": {"1": "abc", "2": "cba", "3": "abc"}, "two": {"1": "bac", "2": "acb"}}
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": 0}, "3": {"b": 0}}


def _evaluation(*, level_rows: Rows = "zero", missing: Rows = "zero") -> Evaluation:
    request = Request(measures=["AP", "P@1"], topics_without_relevant=level_rows, missing_topics=missing)
    return evaluate(judged(RUNS, QRELS), request)


@pytest.mark.parametrize(("rows", "missing"), [("zero", "zero"), ("drop", "zero"), ("zero", "drop")])
def test_special_topics_are_reported(rows: Rows, missing: Rows, golden: SnapshotAssertion) -> None:
    plain, _ = report([_evaluation(level_rows=rows, missing=missing)], []).text
    assert without_versions(plain) == golden


def test_collections_are_named_and_their_variances_pooled() -> None:
    second = judged(
        {"one": {"7": "ab", "8": "ba"}}, {"7": {"a": 1}, "8": {"a": 1}}, name=r"q_1 & 50% <b>\x{}$"
    )
    plain, latex = report([_evaluation(), evaluate(second, Request(measures=["AP", "P@1"]))], []).text
    assert numbers_in(plain)[:4] == [2, 3, 1, 2]  # runs and topics of each
    assert plain.index("(small)") < plain.index(r"(q_1 & 50% <b>\x{}$)")
    assert r"(q\_1 \& 50\% \textless{}b\textgreater{}\textbackslash{}x\{\}\$)" in latex
    # P@1: variance 1/3 with weight 2, and of 1 and 0 1/2 with weight 1.
    assert f"P@1 σ² = {(2 / 3 + 1 / 2) / 3:.4g}" in plain


def test_the_table_has_a_row_for_each_collection_and_measure() -> None:
    second = judged({"<b>": {"7": "ab", "8": "ba"}}, {"7": {"a": 1}, "8": {"a": 1}}, name="$q$")
    table = scores_table([_evaluation(), evaluate(second, Request(measures=["AP", "P@1"]))])
    assert table["judgments"] == ["small", "small", "$q$", "$q$"]
    assert table["measure"] == ["AP", "P@1"] * 2
    assert (table["topics"], table["runs"]) == ([3, 3, 2, 2], [2, 2, 1, 1])
    assert table["best run"] == ["two", "one", "<b>", "<b>"]  # P@1: both 1/3, the first is named
    assert table["its mean"] == pytest.approx([1 / 2, 1 / 3, 3 / 4, 1 / 2], abs=1e-15)
    assert table["mean score"] == pytest.approx([(4 / 9 + 1 / 2) / 2, 1 / 3, 3 / 4, 1 / 2], abs=1e-15)
    assert table["σ² one-way"][1:] == pytest.approx([1 / 3, 1 / 8, 1 / 2], abs=1e-15)


COUNTED = joined(
    [{"1": ["b", "a"], "2": ["c"], "9": ["a"]}, {"1": ["x", "a"]}],
    {"1": {"a": 1, "b": 0}, "2": {"c": -1, "d": 2}},
)


def test_runs_called_like_the_first_column_keep_their_columns() -> None:
    matrix = of([[0.1, 0.2], [0.3, 0.4]], topics="78", systems=("topic", "topic_id"))
    assert wide_table(matrix) == {"topic_id_id": ["7", "8"], "topic": [0.1, 0.3], "topic_id": [0.2, 0.4]}


def test_runs_are_counted_against_the_judged_topics() -> None:
    result = evaluate(COUNTED, Request(measures=["AP"]))
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
    assert next(iter(runs_table([result, result]))) == "judgments"


def test_grades_are_counted_lowest_first() -> None:
    table = judgments_table([COUNTED], [evaluate(COUNTED, Request(measures=["AP"]))])
    assert table["grades"] == [
        "1 \N{MULTIPLICATION SIGN} -1, 1 \N{MULTIPLICATION SIGN} 0, "
        "1 \N{MULTIPLICATION SIGN} 1, 1 \N{MULTIPLICATION SIGN} 2"
    ]
    (without_relevant,) = [name for name in table if "without" in name]
    assert (table["topics"], table["documents"], table[without_relevant]) == ([2], [4], [0])
    assert "intents" not in table


def test_intents_are_counted_if_judgments_have_them() -> None:
    by_intent = joined_by_intent(
        [{"1": ["a"], "2": ["b"]}], {"1": {"1": {"a": 1}, "2": {"a": 2}}, "2": {"1": {"b": 1}}}
    )
    every = [evaluate(one, Request(measures=["RR"])) for one in (by_intent, COUNTED)]
    table = judgments_table([by_intent, COUNTED], every)
    assert table["intents"] == [3, 0]
    assert by_intent.qrels.intents is not None
    assert by_intent.qrels.intents.notes in every[0].notes
    assert every[0].record()["intents"] == by_intent.qrels.intents.notes
    assert "intents" not in every[1].record()


def test_file_names_of_matrices_differ() -> None:
    assert file_names(["a b", "a-b-2", "a-b", "P@10", "a/b"]) == ["a-b", "a-b-2", "a-b-3", "P@10", "a-b-4"]
