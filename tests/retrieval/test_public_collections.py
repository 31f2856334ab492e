"""Cranfield and NPL: near the figures that come with the collections, and the expectations from the paper.

docs/reference_data.md gives, for a plain BM25 with Porter stems and a list of 33 stop words, k1 = 1.2
and b = .75, Cranfield MAP .295, P@10 .229, nDCG@10 .359, NPL MAP .285, P@10 .348, and asks for figures near
these. Tolerance .01: with a list of 33 stop words in place of ours, MAP is .293 and .286 here, so the
list alone moves it by .008 and .004.
"""

from math import log

import numpy as np
import pytest

from tests.retrieval.searching import public_collection
from topicset_core.collection import Run
from topicset_core.collection.judged_runs import join
from topicset_core.collection.text_collection import TextCollection
from topicset_core.measures import GradedRuns, measure_named
from topicset_core.retrieval import (
    BM25,
    PL2,
    SWEEP_OF_B,
    SWEEP_OF_C,
    Expansion,
)
from topicset_core.retrieval.index import terms_of

pytestmark = pytest.mark.reference_data


def means(collection: TextCollection, runs: list[Run], measure: str) -> list[float]:
    assert collection.qrels is not None
    graded = GradedRuns(join(runs, collection.qrels))
    result: list[float] = measure_named(measure).scores_of(graded).mean(axis=0).tolist()
    return result


@pytest.mark.parametrize(
    ("name", "n_topics", "figures"),
    [
        ("cranfield", 225, {"AP": 0.295, "P@10": 0.229, "nDCG@10": 0.359}),
        ("npl", 93, {"AP": 0.285, "P@10": 0.348}),
    ],
)
def test_near_the_known_figures(name: str, n_topics: int, figures: dict[str, float]) -> None:
    collection, search = public_collection(name)
    run = search.run(BM25(b=0.75))
    assert run.n_topics == n_topics
    for measure, figure in figures.items():
        assert means(collection, [run], measure) == pytest.approx([figure], abs=0.01)


def some(sweep: tuple[float, ...]) -> list[float]:
    """Both ends of a sweep and every third setting between them."""
    return [sweep[0], *sweep[1:-1:3], sweep[-1]]


@pytest.mark.parametrize("name", ["cranfield", "npl"])
def test_pl2_at_its_best_is_as_good_as_bm25_as_in_the_paper(name: str) -> None:
    """Tables 2 and 3 without expansion: MAP(MAP) of the two models differ by at most .0126 (TREC 6, full)."""
    collection, search = public_collection(name)
    bm25 = means(collection, [search.run(BM25(b=b)) for b in some(SWEEP_OF_B)], "AP")
    pl2 = means(collection, [search.run(PL2(c=c)) for c in some(SWEEP_OF_C)], "AP")
    assert max(pl2) == pytest.approx(max(bm25), abs=0.0126)
    # No model is best at an end of its sweep: the grids contain the optimum.
    for result in (bm25, pl2):
        assert 0 < result.index(max(result)) < len(result) - 1


@pytest.mark.parametrize("model", [BM25(b=0.75), PL2(c=1)], ids=["bm25", "pl2"])
def test_expansion_helps_on_cranfield_as_in_the_paper(model: BM25 | PL2) -> None:
    """Tables 2 and 3: expansion raises MAP(MAP) in 15 of 16 cases, by .0024 to .0595."""
    collection, search = public_collection("cranfield")
    plain, expanded = means(
        collection, [search.run(model), search.run(model, Expansion(documents=3, terms=40))], "AP"
    )
    assert 0.0024 <= expanded - plain <= 0.0595


@pytest.mark.slow
@pytest.mark.parametrize("b", [0.3, 1.0])
def test_bm25_on_npl_against_bm25s(b: float) -> None:
    """bm25s's variant "robertson" is equation (1) without the factor (k1 + 1) and with natural logarithms.

    It counts a repeated query term at each occurrence, which is k3 going to infinity.
    """
    import bm25s

    collection, search = public_collection("npl")
    run = search.run(BM25(b=b, k3=1e12), n_documents=11_429)
    assert run.scores is not None
    in_order = sorted(collection.documents, key=lambda document: document.id.encode())
    ids = np.array([document.id.encode() for document in in_order])
    peer = bm25s.BM25(k1=1.2, b=b, method="robertson", dtype="float64")
    peer.index([terms_of(document.indexed) for document in in_order], show_progress=False)
    for at, topic in enumerate(collection.topics):
        scores = peer.get_scores(terms_of(topic.title)) * 2.2 / log(2)
        part = slice(run.starts[at], run.starts[at + 1])
        theirs = scores[np.searchsorted(ids, run.documents[part])]
        # Single precision of ours, and 1e12 for infinity.
        np.testing.assert_allclose(run.scores[part], theirs, rtol=2e-7, equal_nan=False)
        assert np.count_nonzero(scores) == theirs.size
