"""What a weighting model is: a weight for each term in a document, and one for each term in a query."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from topicset_core.retrieval.postings import Floats, Postings


@dataclass(frozen=True, kw_only=True)
class Model(ABC):
    """A weighting model with its parameters; equal when these are.

    The score of a document is the sum over the terms of the query of the document's weight times
    the query's weight.
    """

    parameter: ClassVar[str]
    """Name of the one that is trained."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Short name, for example "bm25"."""

    @property
    @abstractmethod
    def label(self) -> str:
        """Name with the trained parameter, for example "bm25_b0.75": the tag of a run in a sweep."""

    @abstractmethod
    def document_weights(self, postings: Postings) -> Floats:
        """Return the weight of each entry of the postings, shape (n_entries,)."""

    @abstractmethod
    def query_weights(self, qtf: Floats, largest_qtf: Floats) -> Floats:
        """Return the weights of the terms of a query.

        Parameters
        ----------
        qtf : ndarray of float64, shape (n,)
            How often each term occurs in its query.
        largest_qtf : ndarray of float64, shape (n,)
            The largest qtf of that query.
        """

    @abstractmethod
    def expanded_weights(self, qtw: Floats) -> Floats:
        """Return the weights of the terms of an expanded query from their qtw, shape (n,)."""
