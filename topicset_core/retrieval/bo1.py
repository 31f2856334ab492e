"""Query expansion by Bo1: equation (4) of He, Macdonald and Ounis (2008).

::

    w(t) = tf_x log2((1 + P_n) / P_n) + log2(1 + P_n),   P_n = F / N                               (4)
    qtw  = qtw + w(t) / w_max

tf_x is the number of occurrences of the term in the exp_doc documents ranked first, F that in the whole
collection of N documents (the appendix writes "of the query term"; it is that of the term t, in the query or
not). The exp_term terms with the largest w join the query; w_max is the largest w among them. The qtw of a
term of the original query is qtf / qtf_max before, as in the paper's equation (2), and that of any other 0:
both models use it this way here, as in Terrier, whose queries are normalised before they are expanded.

By default Terrier also asks that a term occurs in two of the documents ranked first; the paper does not state
so, and this does not ask it.
Of terms with equal w, those first in the alphabet join first.
"""

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from topicset_core.parameters import Parameter
from topicset_core.retrieval.index import Floats, Indices, Postings, Queries

EXPAND_DOCUMENTS = Parameter(
    name="expand_documents",
    symbol="exp_doc",
    label="exp_doc, documents that queries are expanded from",
    help="The documents ranked first, whose most informative terms join the query.",
    lower=2,
    upper=inf,
    default=3,
    integer=True,
)

EXPAND_TERMS = Parameter(
    name="expand_terms",
    symbol="exp_term",
    label="exp_term, terms that join the query",
    help="The most informative terms of the documents ranked first; some may be in the query already.",
    lower=1,
    upper=inf,
    default=10,
    step=5,
    integer=True,
)

SWEEP_OF_EXPAND_DOCUMENTS = tuple(range(3, 11))
"""3 to 10, the paper's sweep (section 4.2)."""

SWEEP_OF_EXPAND_TERMS = tuple(range(10, 101, 5))
"""10, 15, ... 100, the paper's sweep."""


@dataclass(frozen=True, kw_only=True)
class Expansion:
    """How much a query is expanded."""

    documents: int  # exp_doc, documents ranked first that terms are taken from
    terms: int  # exp_term, terms that join the query

    def __post_init__(self) -> None:
        # 3.0 is a whole number too.
        object.__setattr__(self, "documents", int(EXPAND_DOCUMENTS.check(self.documents)))
        object.__setattr__(self, "terms", int(EXPAND_TERMS.check(self.terms)))

    @property
    def label(self) -> str:
        """``bo1``, documents and terms, for the tag of a run."""
        return f"bo1_{self.documents}d{self.terms}t"


@dataclass(frozen=True, kw_only=True, eq=False)
class Informative:
    """Terms of the documents ranked first for each topic, the most informative first."""

    starts: Indices  # (n_topics + 1,): entries of topic i are `starts[i]` up to `starts[i + 1]`
    terms: Indices  # (n_entries,)
    shares: Floats  # (n_entries,)


def informativeness(tf_x: Floats, frequencies: Floats, n_documents: int) -> Floats:
    """Return w(t) of equation (4)."""
    p_n = frequencies / n_documents
    w: Floats = tf_x * np.log2((1 + p_n) / p_n) + np.log2(1 + p_n)
    return w


def most_informative(starts: NDArray[np.int64], rows: Indices, postings: Postings) -> Informative:
    """Order by w(t) the terms of the documents ranked first: for topic i ``rows[starts[i]:starts[i + 1]]``."""
    from scipy.sparse import csr_array

    n_topics = starts.size - 1
    shape = (n_topics, postings.n_documents)
    chosen = csr_array((np.ones(rows.size), rows, starts), shape=shape)
    occurring = chosen @ postings.by_document
    occurring.sort_indices()
    frequencies = postings.collection_frequencies[occurring.indices]
    w = informativeness(occurring.data, frequencies, postings.n_documents)
    topic_of = np.repeat(np.arange(n_topics), np.diff(occurring.indptr))
    order = np.lexsort((occurring.indices, -w, topic_of))  # terms are numbered in alphabetical order
    largest = w[order][np.minimum(occurring.indptr[:-1], w.size - 1)]
    return Informative(
        starts=occurring.indptr,
        terms=occurring.indices[order],
        shares=w[order] / largest[topic_of],
    )


def expanded(
    queries: Queries, informative: Informative, n_terms: int, n_index_terms: int
) -> tuple[Indices, Indices, Floats]:
    """Add the most informative terms to each query."""
    sizes = np.minimum(np.diff(informative.starts), n_terms)
    topics = np.repeat(np.arange(sizes.size), sizes)
    begins = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    added = np.arange(topics.size) + np.repeat(informative.starts[:-1] - begins, sizes)
    keys = np.concatenate(
        (
            queries.topic_of.astype(np.int64) * n_index_terms + queries.terms,
            topics * n_index_terms + informative.terms[added],
        )
    )
    weights = np.concatenate((queries.qtf / queries.largest_qtf[queries.topic_of], informative.shares[added]))
    unique, places = np.unique(keys, return_inverse=True)
    qtw = np.bincount(places, weights=weights).astype(np.float64)
    topic_of, terms = np.divmod(unique, n_index_terms)
    return topic_of.astype(np.int32), terms.astype(np.int32), qtw
