"""BM25 of a library that many use, on NPL: every score, and the documents ranked first.

bm25s's variant "robertson" is equation (1) without the factor (k1 + 1) and with natural logarithms; it counts
a repeated query term as often as it is there, which is k3 going to infinity.
"""

from math import log

import bm25s
import numpy as np
import pytest

from tests.reference_data import reference_file
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.retrieval import BM25, Search, build_index, build_queries
from topicset_core.retrieval.terms import terms_of

pytestmark = pytest.mark.reference_data


@pytest.mark.parametrize("b", [0.3, 1.0])
def test_bm25_on_npl_against_bm25s(b: float) -> None:
    collection = read_text_collection(reference_file("collections", "npl", "qrels.txt").parent).collection
    index = build_index(collection.documents)
    run = Search(index, build_queries(collection.topics, index)).run(BM25(b=b, k3=1e12), n_documents=11_429)
    assert run.scores is not None
    assert run.n_topics == 93

    peer = bm25s.BM25(k1=1.2, b=b, method="robertson", dtype="float64")
    in_order = sorted(collection.documents, key=lambda document: document.id.encode())
    peer.index([terms_of(document.indexed) for document in in_order], show_progress=False)
    ids = np.array([document.id.encode() for document in in_order])
    for at, topic in enumerate(collection.topics):
        scores = peer.get_scores(terms_of(topic.title)) * 2.2 / log(2)
        part = slice(run.starts[at], run.starts[at + 1])
        theirs = scores[np.searchsorted(ids, run.documents[part])]
        # Single precision of ours, and 1e12 for infinity.
        assert run.scores[part] == pytest.approx(theirs, rel=2e-7)
        assert np.count_nonzero(scores) == theirs.size
