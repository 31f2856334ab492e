"""The paragraph and the tables on how runs were scored."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import judged
from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core import __version__
from topicset_core.analyses.run_evaluation import Evaluation, Request, Rows, evaluate
from topicset_core.analyses.run_evaluation.report import methods_text, scores_table
from topicset_core.exports.citing import CITATION

RUNS = {"one": {"1": "abc", "2": "cba", "3": "abc"}, "two": {"1": "bac", "2": "acb"}}
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": 0}, "3": {"b": 0}}


def _evaluation(*, level_rows: Rows = "zero", missing: Rows = "zero") -> Evaluation:
    request = Request(measures=["AP", "P@1"], topics_without_relevant=level_rows, missing_topics=missing)
    return evaluate(judged(RUNS, QRELS), request)


def test_the_paragraph_contains_every_number_and_cites(golden: SnapshotAssertion) -> None:
    plain, latex = methods_text([_evaluation()])
    # AP: "one" has a first, third, never: 1, 1/3, 0; "two" second, first and misses topic 3: 1/2, 1, 0.
    variance = np.mean([np.var([1, 1 / 3, 0], ddof=1), np.var([1 / 2, 1, 0], ddof=1)])
    assert numbers_in(plain)[:2] == [2, 3]  # runs and topics
    assert f"AP σ² = {variance:.4g}, P@1 σ² = 0.3333" in plain  # 1 0 0 and 0 1 0
    assert f"Topicset {__version__}" in plain
    assert "https://doi.org/10.1007/s10791-015-9273-z" in plain
    assert r"\cite{sakai2016topicsetsize}" in latex
    assert CITATION not in plain + latex
    assert without_versions(f"{plain}\n\n{latex}") == golden


@pytest.mark.parametrize(("rows", "missing"), [("zero", "zero"), ("drop", "zero"), ("zero", "drop")])
def test_special_topics_are_reported(rows: Rows, missing: Rows, golden: SnapshotAssertion) -> None:
    plain, _ = methods_text([_evaluation(level_rows=rows, missing=missing)])
    assert without_versions(plain) == golden


def test_collections_are_named_and_their_variances_pooled() -> None:
    second = judged(
        {"one": {"7": "ab", "8": "ba"}}, {"7": {"a": 1}, "8": {"a": 1}}, name=r"q_1 & 50% <b>\x{}$"
    )
    plain, latex = methods_text([_evaluation(), evaluate(second, Request(measures=["AP", "P@1"]))])
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
