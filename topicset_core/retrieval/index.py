"""An inverted index of a small collection, held in memory, and topics as terms of it.

Terms are words in lower case, without stop words, stemmed. Words are stretches of letters and digits. Of a
single s, such as that of a possessive, the stemmer leaves nothing. Stop words are the 119 of the `lunr`
package, all of them words of grammar; longer lists, such as that of the `stop-words` package, also drop
"computer", "information" and "high", which topics of technical collections ask for. Stemming is Porter's of
1980 by `PyStemmer`, the Snowball project's own code.

He, Macdonald and Ounis (2008, section 4.2) used Terrier: Porter's stemmer as here, but its own, longer
list of stop words and its own tokeniser.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.text_collection import Document, Topic, TopicFields
from topicset_core.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WORD = re.compile(r"[^\W_]+")
MOST_KEPT = 200_000
"""Words whose stems are kept: more than small collections have."""


def terms_of(text: str) -> list[str]:
    """Return the terms of a text in their order, repeated as often as they occur."""
    term_of = _term_of()
    return [term for word in WORD.findall(text.lower()) if (term := term_of(word))]


@cache
def _term_of() -> Callable[[str], str]:
    """Return the function that maps a word to its term, or to nothing if it is a stop word."""
    from lunr.stop_word_filter import WORDS
    from Stemmer import Stemmer

    stem = Stemmer("porter").stemWord

    @lru_cache(maxsize=MOST_KEPT)
    def term_of(word: str) -> str:
        return "" if word in WORDS else str(stem(word))

    return term_of


Floats = NDArray[np.float64]
Indices = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Postings:
    """Which documents some terms occur in: one entry for each term and document that contains it."""

    starts: Indices  # (n_terms + 1,): entries of term i are `starts[i]` up to `starts[i + 1]`
    documents: Indices  # (n_entries,): row of the document, ascending within a term
    tf: Floats  # (n_entries,): how often the term occurs in the document
    lengths: Floats  # (n_documents,): number of terms in each document of the collection, l

    @property
    def n_documents(self) -> int:
        """Number of documents in the collection, N."""
        return self.lengths.size

    @property
    def n_terms(self) -> int:
        """Number of terms here."""
        return self.starts.size - 1

    @cached_property
    def average_length(self) -> float:
        """Mean number of terms in a document of the collection, avg_l."""
        return float(self.lengths.mean())

    @cached_property
    def document_frequencies(self) -> Floats:
        """Number of documents that contain each term, n."""
        return np.diff(self.starts).astype(np.float64)

    @cached_property
    def collection_frequencies(self) -> Floats:
        """How often each term occurs in the collection, F."""
        return np.bincount(self.terms, weights=self.tf, minlength=self.n_terms).astype(np.float64)

    @cached_property
    def terms(self) -> Indices:
        """Term of each entry."""
        return np.repeat(np.arange(self.n_terms, dtype=np.int32), np.diff(self.starts))

    @cached_property
    def relative_lengths(self) -> Floats:
        """Length of the document of each entry over the mean length, l / avg_l."""
        relative: Floats = self.lengths[self.documents] / self.average_length
        return relative

    @cached_property
    def by_document(self) -> "csr_array":
        """Occurrences, shape (n_documents, n_terms)."""
        from scipy.sparse import csr_array

        shape = (self.n_terms, self.n_documents)
        return csr_array((self.tf, self.documents, self.starts), shape=shape).T.tocsr()

    def only(self, terms: Indices) -> "Postings":
        """Return the postings of some terms, numbered in the order given."""
        sizes = np.diff(self.starts)[terms]
        starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
        entries = np.arange(starts[-1]) + np.repeat(self.starts[terms] - starts[:-1], sizes)
        return Postings(
            starts=starts, documents=self.documents[entries], tf=self.tf[entries], lengths=self.lengths
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Index:
    """A collection ready to be searched.

    Rows of documents are in descending order of their ids by bytes, so that of two documents with
    the same score the one with the lower row comes first, as in trec_eval.

    Parameters
    ----------
    documents : ndarray of bytes, shape (n_documents,)
        Document ids in UTF-8.
    terms : tuple of str
        In alphabetical order.
    postings : Postings
        Of all terms.
    """

    documents: NDArray[np.bytes_]
    terms: tuple[str, ...]
    postings: Postings

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Number of each term."""
        return {term: number for number, term in enumerate(self.terms)}


def build_index(documents: Iterable[Document]) -> Index:
    """Index title and text of documents.

    Parameters
    ----------
    documents : iterable of Document
        Ids unique. Where a text begins with its title, the title is not counted twice.

    Raises
    ------
    InputError
        If none of them has a term.
    """
    held = sorted(documents, key=lambda document: document.id.encode(), reverse=True)
    number_of: dict[str, int] = {}
    terms: list[int] = []
    counts: list[int] = []
    sizes: list[int] = []
    lengths: list[int] = []
    for document in held:
        frequencies = Counter(terms_of(document.indexed))
        terms.extend(number_of.setdefault(term, len(number_of)) for term in frequencies)
        counts.extend(frequencies.values())
        sizes.append(len(frequencies))
        lengths.append(frequencies.total())
    if not terms:
        raise InputError("documents", len(held), "must have at least 1 word that is no stop word")
    names = sorted(number_of)
    place = np.empty(len(names), dtype=np.int32)
    place[[number_of[name] for name in names]] = np.arange(len(names), dtype=np.int32)
    term_of = place[terms]
    order = np.argsort(term_of, kind="stable")  # documents stay ascending within a term
    row_of = np.repeat(np.arange(len(held), dtype=np.int32), sizes)
    postings = Postings(
        starts=np.concatenate(([0], np.cumsum(np.bincount(term_of)))).astype(np.int32),
        documents=row_of[order],
        tf=np.array(counts, dtype=np.float64)[order],
        lengths=np.array(lengths, dtype=np.float64),
    )
    return Index(
        documents=np.array([document.id.encode() for document in held]),
        terms=tuple(names),
        postings=postings,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Queries:
    """Topics as terms of an index: one entry for each topic and term of it that the index has."""

    topics: tuple[str, ...]
    starts: Indices  # (n_topics + 1,): entries of topic i are `starts[i]` up to `starts[i + 1]`
    terms: Indices  # (n_entries,): number of the term in the index, ascending within a topic
    qtf: Floats  # (n_entries,): how often the term occurs in the query
    # (n_topics,): the largest qtf among all terms of the query, also terms that no document has
    largest_qtf: Floats

    @cached_property
    def topic_of(self) -> Indices:
        """Topic of each entry."""
        return np.repeat(np.arange(len(self.topics), dtype=np.int32), np.diff(self.starts))


def build_queries(topics: Sequence[Topic], index: Index, fields: TopicFields = "title") -> Queries:
    """Convert topics to terms of an index."""
    counted = [Counter(terms_of(topic.query(fields))) for topic in topics]
    number_of = index.number_of
    known = [
        sorted((number_of[term], n) for term, n in counts.items() if term in number_of) for counts in counted
    ]
    entries = np.array([*chain(*known)], dtype=np.int64).reshape(-1, 2)
    return Queries(
        topics=tuple(topic.id for topic in topics),
        starts=np.cumsum([0, *map(len, known)], dtype=np.int32),
        terms=entries[:, 0].astype(np.int32),
        qtf=entries[:, 1].astype(np.float64),
        largest_qtf=np.array([max(counts.values(), default=0) for counts in counted], dtype=np.float64),
    )
