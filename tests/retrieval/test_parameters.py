"""Bounds and defaults of parameters, and names of settings."""

from collections.abc import Callable

import pytest

from tests.retrieval.searching import search_of
from topicset_core.errors import InputError
from topicset_core.retrieval import (
    BM25,
    PL2,
    SWEEP_OF_B,
    SWEEP_OF_C,
    SWEEP_OF_EXPAND_DOCUMENTS,
    SWEEP_OF_EXPAND_TERMS,
    Expansion,
)
from topicset_core.retrieval.bo1 import EXPAND_DOCUMENTS, EXPAND_TERMS
from topicset_core.retrieval.models import K1, K3, B, C

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
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.parameter == parameter


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
