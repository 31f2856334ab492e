"""Scores that are kept, and the order of documents against trec_eval's own.

Through pytrec-eval-terrier (trec_eval 9.0.8: single precision); trec_eval 10 compares in double precision, as
Python's sorting does.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.parsing.trec_examples import documents_of, run_text
from topicset_core.parsing.trec.runs import read_run, read_runs

FAR_TOO_LARGE = 1e300
"""Infinite in single precision: larger scores are tied with it."""

SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1 + 2**-52, 1 + 2**-23, 1 + 2**-24, 1 - 2**-25, 16777216.0, 16777217.0]),
    st.sampled_from([FAR_TOO_LARGE, -FAR_TOO_LARGE, 1e308, 1e-46, 5e-324, 0.1, 0.1 + 2**-30]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(0, 1).map(lambda score: round(score, 1)),
)
IDS = st.one_of(
    st.sampled_from(["a", "ab", "abc", "Z", "z", "9", "10", "1", "-", "é", "\uffff", "\U00010000", "\x80"]),
    st.text(
        st.characters(exclude_categories=("C", "Z"), exclude_characters="\ufffc"), min_size=1, max_size=12
    ),
).filter(lambda one: len(one.split()) == 1 and "\x7f" not in one)


def order_of_trec_eval(scores: dict[str, float]) -> list[str]:
    """Each document in turn is the only relevant one: the inverse of its reciprocal rank is its rank."""
    import pytrec_eval

    rank = {}
    for document in scores:
        evaluator = pytrec_eval.RelevanceEvaluator({"1": {document: 1}}, {"recip_rank"})
        rank[document] = round(1 / evaluator.evaluate({"1": scores})["1"]["recip_rank"])
    assert sorted(rank.values()) == list(range(1, len(scores) + 1))
    return sorted(rank, key=rank.__getitem__)


@settings(max_examples=100)
@given(st.dictionaries(IDS, SCORES, min_size=1, max_size=12))
def test_order_against_trec_eval(scores: dict[str, float]) -> None:
    content = run_text(*(("1", document, repr(score)) for document, score in scores.items()))
    single = read_run("r", content, precision="single").run
    assert documents_of(single) == {"1": order_of_trec_eval(scores)}
    in_double = sorted(scores, key=lambda one: (scores[one], one.encode()), reverse=True)
    assert documents_of(read_run("r", content).run) == {"1": in_double}


@pytest.mark.parametrize(
    ("first", "second", "n_tied", "n_listed"),
    [
        # Sentences: on the run; on its ties; on ties by rounding.
        ("1", "1.0", 2, 2),
        ("0", "-0.0", 2, 2),
        ("1.0", "1.0000001", 0, 2),  # apart in single precision, whose step above 1 is 1.19e-7
        ("1.0", "1.00000001", 2, 3),
        ("16777216", "16777217", 2, 3),  # 2^24 and the first whole number that is no float32
        ("0.9752302810058760", "0.9752302810058769", 2, 3),
        ("1e39", "2e39", 2, 3),  # both infinite in single precision
    ],
    ids=["one", "zero", "apart", "rounded", "2-to-the-24", "last-digits", "infinite"],
)
def test_scores_are_compared_in_single_precision_by_choice(
    first: str, second: str, n_tied: int, n_listed: int, golden: SnapshotAssertion
) -> None:
    """As in trec_eval up to 9.0.8: here z comes first if the scores are tied, else a does."""
    text = run_text(("1", "z", first), ("1", "a", second))
    read = read_run("r", text, precision="single")
    assert read.run.n_tied == n_tied
    assert documents_of(read.run) == {"1": ["z", "a"] if n_tied else ["a", "z"]}
    assert order_of_trec_eval({"z": float(first), "a": float(second)}) == documents_of(read.run)["1"]
    assert len(read.notes) == n_listed
    double = read_run("r", text)
    assert double.run.n_tied == (2 if float(first) == float(second) else 0)
    assert documents_of(double.run) == {"1": ["z", "a"] if double.run.n_tied else ["a", "z"]}
    assert " ".join([*read.notes, *double.notes[1:]]) == golden


def test_the_choice_of_single_precision_is_noted_once() -> None:
    files = [(name, run_text(("1", "a", 1), tag=name)) for name in ("one", "two")]
    assert read_runs(files, precision="single").notes == (
        "Scores of runs are compared in single precision, as in trec_eval 9.",
    )
    assert read_runs(files).notes == ()


def test_scores_determine_the_order_not_ranks_or_lines(golden: SnapshotAssertion) -> None:
    text = b"1 Q0 low 1 0.1 t\n1 Q0 high 9 0.9 t\n1 Q0 middle 2 0.5 t\n2 Q0 x x 1 t\n"
    read = read_run("r", text)
    assert documents_of(read.run) == {"1": ["high", "middle", "low"], "2": ["x"]}
    assert " ".join(read.notes) == golden


def test_ties_do_not_count_as_reordered(golden: SnapshotAssertion) -> None:
    read = read_run("r", run_text(("1", "a", 2), ("1", "b", 2), ("1", "c", 1)))
    assert documents_of(read.run) == {"1": ["b", "a", "c"]}
    assert " ".join(read.notes) == golden  # of ties, and not of an order


def test_topics_may_be_mixed_and_keep_the_order_of_the_file() -> None:
    rows = [
        ("2", "b", 1.0),
        ("1", "x", 0.5),
        ("2", "a", 3.0),
        ("10", "q", 0.0),
        ("1", "y", 0.7),
        ("2", "c", 2.0),
    ]
    run = read_run("r", run_text(*rows)).run
    assert run.topics == ("2", "1", "10")
    assert run.starts.tolist() == [0, 3, 5, 6]
    assert documents_of(run) == {"2": ["a", "c", "b"], "1": ["y", "x"], "10": ["q"]}
    assert run.n_tied == 0


def test_order_of_many_ties_against_python_sorting() -> None:
    """Larger than one block, so that ties and topics go across blocks."""
    rng = np.random.default_rng(7)
    rows = [
        (str(topic), f"d{document:05d}", int(score))
        for topic in range(3)
        for document, score in zip(rng.permutation(20_000)[:12_000], rng.integers(0, 50, 12_000), strict=True)
    ]
    rows = [rows[index] for index in rng.permutation(len(rows))]
    run = read_run("r", run_text(*rows)).run
    for topic, documents in documents_of(run).items():
        expected = sorted(((score, document) for t, document, score in rows if t == topic), reverse=True)
        assert documents == [document for _, document in expected]
    assert run.n_tied == len(rows)  # 240 documents a score


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
