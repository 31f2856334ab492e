"""An inverted index of a small collection, held in memory."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.document import Document
from topicset_core.errors import InputError
from topicset_core.retrieval.postings import Postings
from topicset_core.retrieval.terms import terms_of


@dataclass(frozen=True, kw_only=True, eq=False)
class Index:
    """A collection ready to be searched.

    Rows of documents stand in descending order of their ids by bytes, so that of two documents with
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
    held = sorted(((document.id.encode(), document) for document in documents), key=lambda pair: pair[0])
    number_of: dict[str, int] = {}
    terms: list[int] = []
    counts: list[int] = []
    sizes: list[int] = []
    lengths: list[int] = []
    for _, document in reversed(held):
        found = Counter(terms_of(document.indexed))
        terms.extend(number_of.setdefault(term, len(number_of)) for term in found)
        counts.extend(found.values())
        sizes.append(len(found))
        lengths.append(found.total())
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
        documents=np.array([identity for identity, _ in reversed(held)]),
        terms=tuple(names),
        postings=postings,
    )
