"""BM25, of which length normalisation is trained: equation (1) of He, Macdonald and Ounis (2008).

::

    score(d, Q) = sum over t in Q of  w1 * (k1 + 1) tf / (K + tf) * (k3 + 1) qtf / (k3 + qtf)      (1)
    K = k1 ((1 - b) + b l / avg_l)

The appendix does not say what w1 is; it is the weight of Robertson and Sparck Jones without relevance
information, as in the paper's reference [23], log((N - n + .5) / (n + .5)) with n documents out of N that
hold the term. Its logarithm is taken to base 2 as in Terrier; another base multiplies all scores by the
same number. The weight is below 0 for a term that more than half of the documents hold; it is used as it is.

k3 is 1000, as the appendix says; Terrier's own default is 8. In an expanded query the weight qtw of a term
(see `bo1`) stands in the place of qtf.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topicset_core.retrieval.model import Model
from topicset_core.retrieval.parameters import K1, K3, B
from topicset_core.retrieval.postings import Floats, Postings


@dataclass(frozen=True, kw_only=True)
class BM25(Model):
    """BM25.

    Parameters
    ----------
    b : float
        How much a document's length counts, from 0 to 1.
    k1 : float
        How soon further occurrences in a document stop counting; at least 0.
    k3 : float
        The same for occurrences in the query; at least 0.

    Raises
    ------
    InputError
        If a parameter breaks its rule.
    """

    parameter: ClassVar[str] = "b"

    b: float = 0.75
    k1: float = 1.2
    k3: float = 1000.0

    def __post_init__(self) -> None:
        for parameter, value in ((B, self.b), (K1, self.k1), (K3, self.k3)):
            parameter.check(value)

    @property
    def name(self) -> str:
        """``bm25``."""
        return "bm25"

    @property
    def label(self) -> str:
        """``bm25_b`` and the value of b."""
        return f"bm25_b{self.b:.12g}"

    def document_weights(self, postings: Postings) -> Floats:
        """Return w1 (k1 + 1) tf / (K + tf) of each entry."""
        n = postings.n_holding
        w1 = np.log2((postings.n_documents - n + 0.5) / (n + 0.5))
        length_factor = self.k1 * ((1 - self.b) + self.b * postings.relative_lengths)
        weights: Floats = w1[postings.terms] * (self.k1 + 1) * postings.tf / (length_factor + postings.tf)
        return weights

    def query_weights(self, qtf: Floats, largest_qtf: Floats) -> Floats:  # noqa: ARG002 - PL2 needs it
        """Return (k3 + 1) qtf / (k3 + qtf)."""
        return self.expanded_weights(qtf)

    def expanded_weights(self, qtw: Floats) -> Floats:
        """Return (k3 + 1) qtw / (k3 + qtw)."""
        weights: Floats = (self.k3 + 1) * qtw / (self.k3 + qtw)
        return weights
