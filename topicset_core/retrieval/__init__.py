"""Search of a small collection: what training sensitivity needs to make its own sweep of runs.

::

    index = build_index(collection.documents)
    search = Search(index, build_queries(collection.topics, index, "title"))
    runs = [search.run(BM25(b=b)) for b in (0.25, 0.5, 0.75)]
    run = search.run(PL2(c=1.0), Expansion(documents=3, terms=10))
"""

from topicset_core.retrieval.index import Index, build_index, build_queries
from topicset_core.retrieval.models import BM25, PL2, Model
from topicset_core.retrieval.search import (
    N_DOCUMENTS,
    SWEEP_OF_EXPAND_DOCUMENTS,
    SWEEP_OF_EXPAND_TERMS,
    Expansion,
    Search,
)

MODELS: tuple[type[Model], ...] = (BM25, PL2)
"""All weighting models; `parameter` of each is trained."""

__all__ = [
    "BM25",
    "MODELS",
    "N_DOCUMENTS",
    "PL2",
    "SWEEP_OF_EXPAND_DOCUMENTS",
    "SWEEP_OF_EXPAND_TERMS",
    "Expansion",
    "Index",
    "Model",
    "Search",
    "build_index",
    "build_queries",
]
