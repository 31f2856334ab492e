"""Search of all topics at once: runs of one setting after the other over the same queries.

Scores of all topics are one product of sparse matrices, queries times documents; parts that do not depend
on the setting are computed once. A document is returned if it has a term of the query, whatever its score.

Scores become rankings in the house's order: score descending, then document id descending. They are rounded to
single precision before they are compared, so that sums that differ by rounding alone are ties on any machine.

Queries are expanded by Bo1, equation (4) of He, Macdonald and Ounis (2008)::

    w(t) = tf_x log2((1 + P_n) / P_n) + log2(1 + P_n),   P_n = F / N                               (4)
    qtw  = qtw + w(t) / w_max

tf_x is the number of occurrences of the term in the exp_doc documents ranked first, F that in the whole
collection of N documents (the appendix writes "of the query term"; it is that of the term t, in the query or
not). The exp_term terms with the largest w join the query; w_max is the largest w among them. The qtw of a
term of the original query is qtf / qtf_max before, as in the paper's equation (2), and that of any other 0:
both models use it this way here, as in Terrier, whose queries are normalised before they are expanded.

By default Terrier also asks that a term occurs in two of the documents ranked first; the paper does not state
so, and this does not ask it. Of terms with equal w, those first in the alphabet join first.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.run import Run
from topicset_core.errors import InputError
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import Parameter
from topicset_core.retrieval.index import Floats, Index, Indices, Postings, Queries
from topicset_core.retrieval.models import Model

if TYPE_CHECKING:
    from scipy.sparse import csr_array

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
class Expansion(Inputs):
    """How much a query is expanded."""

    documents: int = given(EXPAND_DOCUMENTS)
    terms: int = given(EXPAND_TERMS)

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


def most_informative(starts: NDArray[np.int64], rows: Indices, postings: Postings) -> Informative:
    """Order terms of the documents ranked first, ``rows[starts[i]:starts[i + 1]]`` for topic i, by w(t) of (4)."""
    from scipy.sparse import csr_array

    n_topics = starts.size - 1
    shape = (n_topics, postings.n_documents)
    chosen = csr_array((np.ones(rows.size), rows, starts), shape=shape)
    occurring = chosen @ postings.by_document
    occurring.sort_indices()
    p_n = postings.collection_frequencies[occurring.indices] / postings.n_documents
    w = occurring.data * np.log2((1 + p_n) / p_n) + np.log2(1 + p_n)
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


N_DOCUMENTS = Parameter(
    name="n_documents",
    command_name="documents",
    symbol="n_documents",
    label="Documents returned for a topic",
    help="The highest ranked documents that contain a term of the topic, up to this number.",
    lower=1,
    upper=inf,
    default=1000,  # as in TREC's ad hoc tracks
    step=100,
    integer=True,
)


class Ranked(NamedTuple):
    """Documents of each topic, best first: those of topic i are ``rows[starts[i]:starts[i + 1]]``, perhaps none."""

    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    scores: NDArray[np.float32]
    n_tied: int  # documents with the same score as another of the topic


def ranked(scores: "csr_array", n_documents: int) -> Ranked:
    """Take the best documents of each topic."""
    compared = scores.data.astype(np.float32)
    rows: list[NDArray[np.int32]] = []
    kept: list[NDArray[np.float32]] = []
    for begin, end in zip(scores.indptr[:-1].tolist(), scores.indptr[1:].tolist(), strict=True):
        of_topic, documents = compared[begin:end], scores.indices[begin:end]
        if of_topic.size > n_documents:
            lowest = np.partition(of_topic, -n_documents)[-n_documents]
            in_reach = of_topic >= lowest  # with all that tie at the last rank
            of_topic, documents = of_topic[in_reach], documents[in_reach]
        order = np.lexsort((documents, -of_topic))[:n_documents]
        rows.append(documents[order])
        kept.append(of_topic[order])
    starts = np.concatenate(([0], np.cumsum([documents.size for documents in kept])))
    return Ranked(starts, np.concatenate(rows), np.concatenate(kept), sum(map(_n_tied, kept)))


def _n_tied(scores: NDArray[np.float32]) -> int:
    equal = scores[1:] == scores[:-1]
    return int(np.count_nonzero(np.append(equal, False) | np.append(False, equal))) if scores.size else 0


class Search:
    """Queries over an index, to be run with any model."""

    def __init__(self, index: Index, queries: Queries) -> None:
        if not queries.terms.size:
            raise InputError("topics", len(queries.topics), "must have at least 1 word of the documents")
        self.index = index
        self.queries = queries
        self._used, self._columns = np.unique(queries.terms, return_inverse=True)
        self._postings = index.postings.only(self._used)
        # The last ones are kept: settings of an expansion come one after the other.
        self._weighted = lru_cache(maxsize=1)(
            lambda model: _documents(index.postings, model.document_weights(index.postings))
        )
        self._informative = lru_cache(maxsize=1)(self._informative_terms)

    def run(
        self,
        model: Model,
        expansion: Expansion | None = None,
        *,
        n_documents: int = int(N_DOCUMENTS.default),
        tag: str | None = None,
    ) -> Run:
        """Rank the documents for all topics."""
        depth = int(N_DOCUMENTS.check(n_documents))
        if expansion is None:
            scores, name = self._first_scores(model), model.label
        else:
            scores, name = self._expanded_scores(model, expansion), f"{model.label}_{expansion.label}"
        result = ranked(scores, depth)
        sizes = np.diff(result.starts)
        return Run(
            tag=name if tag is None else tag,
            topics=tuple(
                topic for topic, size in zip(self.queries.topics, sizes.tolist(), strict=True) if size
            ),
            starts=np.concatenate(([0], np.cumsum(sizes[sizes > 0]))),
            documents=self.index.documents[result.rows],
            n_tied=result.n_tied,
            scores=result.scores.astype(np.float64),
        )

    def _first_scores(self, model: Model) -> "csr_array":
        """Score with the given queries, over the postings of their terms alone."""
        queries = self.queries
        weights = model.query_weights(queries.qtf, queries.largest_qtf[queries.topic_of])
        shape = (len(queries.topics), self._used.size)
        query_weights = _matrix(weights, self._columns, queries.starts, shape)
        return _scores(query_weights, _documents(self._postings, model.document_weights(self._postings)))

    def _expanded_scores(self, model: Model, expansion: Expansion) -> "csr_array":
        """Score with expanded queries, which may have any term of the index."""
        n_terms = self.index.postings.n_terms
        informative = self._informative(model, expansion.documents)
        topics, terms, qtw = expanded(self.queries, informative, expansion.terms, n_terms)
        sizes = np.bincount(topics, minlength=len(self.queries.topics))
        starts = np.concatenate(([0], np.cumsum(sizes)))
        query_weights = _matrix(model.expanded_weights(qtw), terms, starts, (sizes.size, n_terms))
        return _scores(query_weights, self._weighted(model))

    def _informative_terms(self, model: Model, n_documents: int) -> Informative:
        first = ranked(self._first_scores(model), n_documents)
        return most_informative(first.starts, first.rows, self.index.postings)


def _scores(query_weights: "csr_array", documents: "csr_array") -> "csr_array":
    """Return an entry for each topic and document that share a term, its score."""
    result = cast("csr_array", query_weights @ documents)
    result.data = result.data.real
    return result


def _documents(postings: Postings, weights: Floats) -> "csr_array":
    """Return weights as a matrix, shape (n_terms, n_documents)."""
    # Products of sparse matrices drop what sums to 0, but these documents contain a term of the query. An imaginary
    # part of 1 keeps it: it only adds up to weights of queries, which are above 0.
    shape = (postings.n_terms, postings.n_documents)
    return _matrix(weights + 1j, postings.documents, postings.starts, shape)


def _matrix(
    data: NDArray[np.inexact],
    columns: NDArray[np.integer],
    starts: NDArray[np.integer],
    shape: tuple[int, int],
) -> "csr_array":
    from scipy.sparse import csr_array

    return csr_array((data, columns, starts), shape=shape)
