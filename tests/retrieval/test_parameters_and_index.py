"""Bounds and defaults of parameters, words that become terms, and the counts that an index keeps."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.refusals import refused
from tests.retrieval.searching import search_of
from topicset_core.collection.text_collection import Document, Topic
from topicset_core.retrieval import (
    BM25,
    PL2,
    SWEEP_OF_EXPAND_DOCUMENTS,
    SWEEP_OF_EXPAND_TERMS,
    Expansion,
    build_index,
    build_queries,
)
from topicset_core.retrieval.index import terms_of
from topicset_core.retrieval.models import K1, K3, SWEEP_OF_B, SWEEP_OF_C, B, C
from topicset_core.retrieval.search import EXPAND_DOCUMENTS, EXPAND_TERMS

NAN = float("nan")


@pytest.mark.parametrize(
    ("make", "parameter"),
    [
        (lambda: BM25(b=1.01), "b"),
        (lambda: BM25(b=NAN), "b"),
        (lambda: BM25(k1=-1), "k1"),
        (lambda: BM25(k3=float("inf")), "k3"),
        (lambda: PL2(c=0), "c"),
        (lambda: PL2(c=2e9), "c"),
        (lambda: Expansion(documents=1, terms=10), "expand_documents"),
        (lambda: Expansion(documents=3, terms=0), "expand_terms"),
        (lambda: search_of({"a": "ox"}, {"1": "ox"}).run(BM25(), n_documents=0), "n_documents"),
    ],
)
def test_values_out_of_bounds_are_refused(make: Callable[[], object], parameter: str) -> None:
    assert refused(make).parameter == parameter


def test_defaults_are_those_of_the_appendix() -> None:
    assert (B.default, K1.default, K3.default, C.default) == (0.75, 1.2, 1000, 1)


def test_sweeps_of_expansion_are_those_of_section_4_2() -> None:
    """They begin with Terrier's defaults, 3 documents and 10 terms."""
    assert tuple(range(3, 11)) == SWEEP_OF_EXPAND_DOCUMENTS
    assert tuple(range(10, 101, 5)) == SWEEP_OF_EXPAND_TERMS
    assert (EXPAND_DOCUMENTS.default, EXPAND_TERMS.default) == (3, 10)


def test_sweeps_contain_the_defaults_and_name_runs_uniquely() -> None:
    assert SWEEP_OF_B[0] == 0
    assert SWEEP_OF_B[-1] == 1
    assert 0.75 in SWEEP_OF_B
    assert len({BM25(b=b).label for b in SWEEP_OF_B}) == len(SWEEP_OF_B) == 21
    assert len({PL2(c=c).label for c in SWEEP_OF_C}) == len(SWEEP_OF_C) == 30
    assert (SWEEP_OF_C[0], SWEEP_OF_C[-1]) == (0.1, 50)


def test_runs_are_named_after_their_settings_by_default() -> None:
    search = search_of({"a": "ox elk", "b": "elk"}, {"1": "ox"})
    assert search.run(BM25(b=0.1 + 0.2)).tag == "bm25_b0.3"
    assert search.run(PL2(c=2.5)).tag == "pl2_c2.5"
    assert search.run(PL2(), Expansion(documents=3, terms=10)).tag == "pl2_c1_bo1_3d10t"
    assert search.run(BM25(), tag="mine").tag == "mine"


@pytest.mark.parametrize("model", [BM25(b=0), BM25(b=1), BM25(k1=0), BM25(k3=0), PL2(c=1e-9), PL2(c=1e9)])
def test_scores_at_the_bounds_are_finite(model: BM25 | PL2) -> None:
    search = search_of({"a": "ox elk ox", "b": "elk", "c": "ox " * 900, "d": "ox"}, {"1": "ox elk ox"})
    for expansion in (None, Expansion(documents=2, terms=1)):
        run = search.run(model, expansion)  # a Run refuses scores that are not
        assert run.documents.size == 4


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        # The examples of Porter's paper (Program 14(3), 1980), of steps 1a, 1b and 2 in turn.
        ("caresses ponies cats", ["caress", "poni", "cat"]),
        ("plastered motoring conflated hopping", ["plaster", "motor", "conflat", "hop"]),
        ("relational conditional", ["relat", "condit"]),
        # Words.
        ("The boundary-layer's flows, at Mach 2.5!", ["boundari", "layer", "flow", "mach", "2", "5"]),
        ("BOUNDARY_LAYER DIGITAL COMPUTERS", ["boundari", "layer", "digit", "comput"]),
        ("the document’s Größe, naïve", ["document", "größe", "naïv"]),
        ("the S-curve's s, plans'", ["curv", "plan"]),
        ("it is of the .,;\n", []),
        ("", []),
    ],
)
def test_text_to_terms(text: str, terms: list[str]) -> None:
    assert terms_of(text) == terms


def test_index_counts_title_and_text_and_a_repeated_title_once() -> None:
    documents = [
        Document(id="a", title="ox elk", text="ox elk . yak"),  # begins with its title
        Document(id="c", title="ox", text="elk ox"),
        Document(id="b", title="", text="yak yak"),
        Document(id="e", title="the", text=""),
    ]
    index = build_index(documents)
    assert index.documents.tolist() == [b"e", b"c", b"b", b"a"]
    assert index.terms == ("elk", "ox", "yak")
    postings = index.postings
    assert postings.lengths.tolist() == [0, 3, 2, 3]
    assert postings.average_length == 2
    assert postings.document_frequencies.tolist() == [2, 2, 2]
    assert postings.collection_frequencies.tolist() == [2, 3, 3]
    counts = postings.by_document.toarray()
    assert counts.tolist() == [[0, 0, 0], [1, 2, 0], [0, 0, 2], [1, 1, 1]]
    some = postings.only(np.array([2, 0], dtype=np.int32))
    assert some.collection_frequencies.tolist() == [3, 2]
    assert some.documents.tolist() == [2, 3, 1, 3]
    assert some.n_documents == 4


def test_queries_count_terms_of_the_requested_fields() -> None:
    index = build_index([Document(id="a", title="", text="ox elk yak")])
    topics = [
        Topic(id="1", title="ox", description="ox elk ox", narrative="emu emu emu emu"),
        Topic(id="2", title="emu"),
    ]
    title = build_queries(topics, index)
    assert (title.terms.tolist(), title.qtf.tolist(), title.largest_qtf.tolist()) == ([1], [1], [1, 1])
    full = build_queries(topics, index, "full")
    assert (full.terms.tolist(), full.qtf.tolist()) == ([0, 1], [1, 3])
    assert full.largest_qtf.tolist() == [4, 1]  # emu, though no document has it
    assert full.topic_of.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("make", "parameter", "value"),
    [
        (lambda: build_index([Document(id="a", title="the", text="of")]), "documents", 1),
        (lambda: search_of({"a": "ox"}, {"1": "elk"}), "topics", 1),
        (lambda: search_of({"a": "ox"}, {}), "topics", 0),
    ],
)
def test_impossible_searches_are_refused(make: Callable[[], object], parameter: str, value: int) -> None:
    error = refused(make)
    assert (error.parameter, error.value) == (parameter, value)
