"""Cranfield and NPL: near the figures that come with the collections, and every score against bm25s.

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
from topicset_core.retrieval import BM25
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


@pytest.mark.slow
def test_bm25_on_npl_against_bm25s() -> None:
    """bm25s's variant "robertson" is equation (1) without the factor (k1 + 1) and with natural logarithms.

    It counts a repeated query term at each occurrence, which is k3 going to infinity.
    """
    import bm25s

    collection, search = public_collection("npl")
    run = search.run(BM25(b=0.3, k3=1e12), n_documents=11_429)
    assert run.scores is not None
    in_order = sorted(collection.documents, key=lambda document: document.id.encode())
    ids = np.array([document.id.encode() for document in in_order])
    peer = bm25s.BM25(k1=1.2, b=0.3, method="robertson", dtype="float64")
    peer.index([terms_of(document.indexed) for document in in_order], show_progress=False)
    for at, topic in enumerate(collection.topics):
        scores = peer.get_scores(terms_of(topic.title)) * 2.2 / log(2)
        part = slice(run.starts[at], run.starts[at + 1])
        theirs = scores[np.searchsorted(ids, run.documents[part])]
        # Single precision of ours, and 1e12 for infinity.
        np.testing.assert_allclose(run.scores[part], theirs, rtol=2e-7, equal_nan=False)
        assert np.count_nonzero(scores) == theirs.size
