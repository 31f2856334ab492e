"""Bounds and defaults of parameters, and names of settings."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

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
from topicset_core.retrieval.models import K1, K3, B, C

NAN = float("nan")


@pytest.mark.parametrize(
    ("make", "value", "parameter"),
    [
        pytest.param(lambda x: BM25(b=x), -0.01, "b", id="b-below-0"),
        pytest.param(lambda x: BM25(b=x), 1.01, "b", id="b-above-1"),
        pytest.param(lambda x: BM25(b=x), NAN, "b", id="b-nan"),
        pytest.param(lambda x: BM25(b=x), "1", "b", id="b-text"),
        pytest.param(lambda x: BM25(k1=x), -1, "k1", id="k1-below-0"),
        pytest.param(lambda x: BM25(k3=x), float("inf"), "k3", id="k3-infinite"),
        pytest.param(lambda x: PL2(c=x), 0, "c", id="c-0"),
        pytest.param(lambda x: PL2(c=x), NAN, "c", id="c-nan"),
        pytest.param(lambda x: PL2(c=x), 2e9, "c", id="c-too-large"),
        pytest.param(lambda x: Expansion(documents=x, terms=10), 1, "expand_documents", id="1-document"),
        pytest.param(lambda x: Expansion(documents=x, terms=10), 2.5, "expand_documents", id="2.5-documents"),
        pytest.param(lambda x: Expansion(documents=3, terms=x), 0, "expand_terms", id="no-term"),
        pytest.param(
            lambda x: search_of({"a": "ox"}, {"1": "ox"}).run(BM25(), n_documents=x),
            0,
            "n_documents",
            id="nothing-returned",
        ),
    ],
)
def test_values_out_of_bounds_are_refused(
    make: Any, value: Any, parameter: str, golden: SnapshotAssertion
) -> None:
    with pytest.raises(InputError) as caught:
        make(value)
    assert caught.value.parameter == parameter
    assert caught.value.value is value
    assert str(caught.value) == golden


def test_defaults_are_those_of_the_appendix() -> None:
    assert BM25() == BM25(b=0.75, k1=1.2, k3=1000)
    assert PL2() == PL2(c=1)
    assert (B.default, K1.default, K3.default, C.default) == (0.75, 1.2, 1000, 1)


def test_sweeps_of_expansion_are_those_of_section_4_2() -> None:
    assert SWEEP_OF_EXPAND_DOCUMENTS == (3, 4, 5, 6, 7, 8, 9, 10)
    assert SWEEP_OF_EXPAND_TERMS == (
        10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100
    )  # fmt: skip


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


def test_whole_numbers_may_be_written_as_floats() -> None:
    search = search_of({"a": "ox elk", "b": "elk", "c": "ox yak gnu"}, {"1": "ox"})
    numbers: list[tuple[Any, Any]] = [(2.0, 3.0), (2, 3)]
    written, whole = (
        search.run(PL2(), Expansion(documents=two, terms=three), n_documents=two) for two, three in numbers
    )
    assert written.documents.tolist() == whole.documents.tolist()
    assert written.tag == whole.tag == "pl2_c1_bo1_2d3t"


@pytest.mark.parametrize("model", [BM25(b=0), BM25(b=1), BM25(k1=0), BM25(k3=0), PL2(c=1e-9), PL2(c=1e9)])
def test_scores_at_the_bounds_are_finite(model: BM25 | PL2) -> None:
    search = search_of({"a": "ox elk ox", "b": "elk", "c": "ox " * 900, "d": "ox"}, {"1": "ox elk ox"})
    for expansion in (None, Expansion(documents=2, terms=1)):
        run = search.run(model, expansion)  # a Run refuses scores that are not
        assert run.documents.size == 4
