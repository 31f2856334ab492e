"""BM25 of a library that many use, on NPL: every score, and the documents ranked first.

bm25s's variant "robertson" is equation (1) without the factor (k1 + 1) and with natural logarithms; it counts
a repeated query term at each occurrence, which is k3 going to infinity.
"""

from functools import cache
from math import log

import numpy as np
import pytest

from tests.retrieval.searching import public_collection
from topicset_core.retrieval import BM25
from topicset_core.retrieval.index import terms_of

pytestmark = [pytest.mark.reference_data, pytest.mark.slow]


@cache
def npl_by_id() -> tuple[np.ndarray, list[list[str]]]:
    """Ids of the documents in the order of their bytes, and their terms."""
    collection, _ = public_collection("npl")
    in_order = sorted(collection.documents, key=lambda document: document.id.encode())
    ids = np.array([document.id.encode() for document in in_order])
    return ids, [terms_of(document.indexed) for document in in_order]


@pytest.mark.parametrize("b", [0.3, 1.0])
def test_bm25_on_npl_against_bm25s(b: float) -> None:
    import bm25s

    collection, search = public_collection("npl")
    run = search.run(BM25(b=b, k3=1e12), n_documents=11_429)
    assert run.scores is not None
    assert run.n_topics == 93

    peer = bm25s.BM25(k1=1.2, b=b, method="robertson", dtype="float64")
    ids, terms = npl_by_id()
    peer.index(terms, show_progress=False)
    for at, topic in enumerate(collection.topics):
        scores = peer.get_scores(terms_of(topic.title)) * 2.2 / log(2)
        part = slice(run.starts[at], run.starts[at + 1])
        theirs = scores[np.searchsorted(ids, run.documents[part])]
        # Single precision of ours, and 1e12 for infinity.
        np.testing.assert_allclose(run.scores[part], theirs, rtol=2e-7, equal_nan=False)
        assert np.count_nonzero(scores) == theirs.size
