"""Random small collections against search in plain Python, document by document; ties of rankings."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tests.retrieval.plain_search import Texts, Weight, saturated
from tests.retrieval.searching import returned, search_of
from topicset_core.retrieval import (
    BM25,
    PL2,
    Expansion,
    Model,
)
from topicset_core.retrieval.index import terms_of
from topicset_core.retrieval.search import ranked

# Scores are in single precision (2^-24 relative); sums of both signs lose some of it where they cancel.
CLOSE: dict[str, Any] = {"rel": 2e-7, "abs": 2e-6}


def new(seed: int) -> tuple[dict[str, str], dict[str, str]]:
    """Documents and topics of up to 30 words each out of 40, frequent ones first; some ids tie by prefix."""
    rng = np.random.default_rng(seed)
    vocabulary = np.array([f"w{number}" for number in range(40)])
    share = 1 / np.arange(1, 41)

    def words(longest: int) -> str:
        return " ".join(rng.choice(vocabulary, rng.integers(1, longest), p=share / share.sum()).tolist())

    documents = {f"d{number}": words(31) for number in rng.permutation(60).tolist()}
    documents |= {"d": documents["d1"], "ä": documents["d1"], "d1x": ""}  # ties, and a document of no words
    return documents, {f"t{number}": words(9) for number in range(7)}


def both(seed: int, model: str) -> tuple[Model, Weight, Texts, dict[str, str], dict[str, str]]:
    documents, topics = new(seed)
    texts = Texts({name: terms_of(text) for name, text in documents.items()})
    value = float(np.random.default_rng((seed, 1)).uniform(0.05, 1))
    if model == "bm25":
        return BM25(b=value), texts.bm25(value), texts, documents, topics
    return PL2(c=value * 10), texts.pl2(value * 10), texts, documents, topics


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("model_name", ["bm25", "pl2"])
def test_scores_order_and_expanded_queries(seed: int, model_name: str) -> None:
    model, weight, texts, documents, topics = both(seed, model_name)
    search = search_of(documents, topics)
    qtf = {topic: Counter(terms_of(text)) for topic, text in topics.items()}

    def ranking(qtw: Mapping[str, float], depth: int) -> list[tuple[str, float]]:
        weights = {term: saturated(x) if model_name == "bm25" else x for term, x in qtw.items()}
        return texts.ranking(weights, weight, depth)

    for depth in (1, 20, 1000):
        run = search.run(model, n_documents=depth)
        for topic, counts in qtf.items():
            divisor = 1 if model_name == "bm25" else max(counts.values())
            expected = ranking({term: n / divisor for term, n in counts.items()}, depth)
            result = returned(run, topic)
            assert [name for name, _ in result] == [name for name, _ in expected]
            assert [score for _, score in result] == pytest.approx([score for _, score in expected], **CLOSE)
    for n_documents, n_terms in ((3, 10), (2, 1), (10, 5), (10, 100), (100, 15)):
        run = search.run(model, Expansion(documents=n_documents, terms=n_terms))
        first = search.run(model, n_documents=n_documents)
        for topic, counts in qtf.items():
            best = [name for name, _ in returned(first, topic)]
            expected = ranking(texts.expanded(counts, best, n_terms), 1000)
            # Only scores: where terms have equal w in exact arithmetic, sums may round apart.
            assert dict(returned(run, topic)) == pytest.approx(dict(expected), **CLOSE)


def test_tied_documents_are_in_descending_order_of_ids() -> None:
    search = search_of({"b": "ox elk", "a": "ox elk", "ä": "ox elk", "c": "elk", "e": "yak"}, {"1": "ox"})
    run = search.run(BM25())
    assert [name for name, _ in returned(run, "1")] == ["ä", "b", "a"]  # by bytes: ä is above all ASCII
    assert run.n_tied == 3
    cut = search.run(BM25(), n_documents=2)
    assert [name for name, _ in returned(cut, "1")] == ["ä", "b"]


def test_a_document_with_a_term_is_returned_at_any_score() -> None:
    documents = {"a": "ox", "b": "ox elk", "c": "ox yak", "d": "elk yak"}  # ox is in more than half
    result = returned(search_of(documents, {"1": "ox"}).run(BM25()), "1")
    assert {name for name, _ in result} == {"a", "b", "c"}
    assert all(score < 0 for _, score in result)
    even = returned(search_of({"a": "ox", "b": "elk"}, {"1": "ox"}).run(BM25()), "1")
    assert even == [("a", 0.0)]  # in exactly half: log2(1) = 0


def test_topics_with_no_term_of_the_documents_are_not_in_the_run() -> None:
    search = search_of({"a": "ox", "b": "elk"}, {"1": "yak", "2": "ox", "3": "the", "4": "elk"})
    assert search.run(PL2()).topics == ("2", "4")
    assert search.run(PL2(), Expansion(documents=3, terms=10)).topics == ("2", "4")


@pytest.mark.parametrize("expansion", [None, Expansion(documents=3, terms=10)])
def test_a_run_does_not_depend_on_earlier_runs(expansion: Expansion | None) -> None:
    documents, topics = new(5)
    used = search_of(documents, topics)
    for value in (0.2, 0.9):
        for terms in (10, 20):
            used.run(BM25(b=value), Expansion(documents=5, terms=terms))
    model = BM25(b=0.4)
    run = used.run(model, expansion)
    again = used.run(model, expansion)
    fresh = search_of(dict(reversed(documents.items())), topics).run(model, expansion)
    for other in (again, fresh):
        assert other.documents.tobytes() == run.documents.tobytes()
        assert other.scores is not None
        assert run.scores is not None
        assert other.scores.tobytes() == run.scores.tobytes()


@pytest.mark.parametrize(
    ("away", "rows", "n_tied"),
    [
        # 1 + 2^-30 is 1 in single precision, as trec_eval reads it: the lower row first; 1 + 2^-20 is not.
        (2.0**-30, [0, 1, 2], 2),
        (2.0**-20, [1, 0, 2], 0),
    ],
)
def test_scores_equal_in_single_precision_tie(away: float, rows: list[int], n_tied: int) -> None:
    from scipy.sparse import csr_array

    scores = csr_array(np.array([[1.0, 1.0 + away, 0.5]]))
    result = ranked(scores, 10)
    assert result.rows.tolist() == rows
    assert result.n_tied == n_tied
    assert ranked(scores, 1).rows.tolist() == rows[:1]
