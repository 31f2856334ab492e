"""Which terms occur in which documents, and the counts that weighting models are made of."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Indices = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Postings:
    """Which documents some terms occur in: one entry for each term and document that holds it.

    Parameters
    ----------
    starts : ndarray of int32, shape (n_terms + 1,)
        Entries of term i are ``starts[i]`` up to ``starts[i + 1]``.
    documents : ndarray of int32, shape (n_entries,)
        Row of the document, ascending within a term.
    tf : ndarray of float64, shape (n_entries,)
        How often the term occurs in the document.
    lengths : ndarray of float64, shape (n_documents,)
        Number of terms in each document of the collection, l.
    """

    starts: Indices
    documents: Indices
    tf: Floats
    lengths: Floats

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
    def n_holding(self) -> Floats:
        """Number of documents that hold each term, n."""
        return np.diff(self.starts).astype(np.float64)

    @cached_property
    def frequencies(self) -> Floats:
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
