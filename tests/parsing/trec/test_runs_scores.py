"""Scores of runs: kept where requested, each next to its document, in double precision."""

import numpy as np

from tests.parsing.trec_examples import documents_of, run_text
from topicset_core.parsing.trec.runs import read_run, read_runs

# Topics interleaved, lines out of order, one tie, and two scores that differ beyond single precision only.
LOW, HIGH = 16777216.0, 16777216.5
TEXT = run_text(
    ("1", "a", 0.1), ("2", "x", LOW), ("1", "b", 7e-3), ("2", "y", HIGH), ("1", "c", 2), ("1", "d", 0.1)
)


def test_scores_have_the_order_of_their_documents() -> None:
    run = read_run("r", TEXT, keep_scores=True).run
    assert documents_of(run) == {"1": ["c", "d", "a", "b"], "2": ["y", "x"]}
    assert run.scores is not None
    assert run.scores.dtype == np.float64
    assert run.scores.tolist() == [2.0, 0.1, 0.1, 7e-3, HIGH, LOW]


def test_ties_in_single_precision_are_ordered_by_id() -> None:
    text = run_text(("1", "a", HIGH), ("1", "b", LOW))
    assert documents_of(read_run("r", text).run) == {"1": ["a", "b"]}
    run = read_run("r", text, keep_scores=True, precision="single").run
    assert documents_of(run) == {"1": ["b", "a"]}
    assert run.scores is not None
    assert run.scores.tolist() == [LOW, HIGH]


def test_scores_are_not_kept_by_default() -> None:
    (without,), (kept,) = (
        read_runs([("r", TEXT)]).runs,
        read_runs([("r", TEXT)], keep_scores=True).runs,
    )
    assert without.scores is None
    assert kept.scores is not None
    assert without.documents.tolist() == kept.documents.tolist()
    assert read_run("r", TEXT).run.scores is None
