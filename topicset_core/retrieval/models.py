"""Weighting models: a weight for each term in a document, and one for each term in a query.

BM25 and PL2 are as in the appendix of He, Macdonald and Ounis (2008), with its defaults of k1, k3, b and c;
of each the length normalisation is trained. The equations are in the classes.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from topicset_core.inputs import Inputs, given
from topicset_core.parameters import Parameter
from topicset_core.retrieval.index import Floats, Postings

B = Parameter(
    name="b",
    label="b, length normalisation of BM25",
    help="How much the length of a document counts: 0 not at all, 1 fully.",
    lower=0,
    upper=1,
    lower_included=True,
    default=0.75,
    step=0.05,
)

K1 = Parameter(
    name="k1",
    label="k1 of BM25",
    help="How soon further occurrences of a term in a document stop counting; 0: immediately.",
    lower=0,
    upper=inf,
    lower_included=True,
    default=1.2,
    step=0.1,
)

K3 = Parameter(
    name="k3",
    label="k3 of BM25",
    help="How soon further occurrences of a term in a topic stop counting; 0: immediately.",
    lower=0,
    upper=inf,
    lower_included=True,
    default=1000,
)

C = Parameter(
    name="c",
    label="c, length normalisation of PL2",
    help="How little the length of a document counts: the larger, the less.",
    lower=1e-9,  # far beyond any use: further out, rounding would decide
    upper=1e9,
    lower_included=True,
    default=1,
    step=0.5,
)

SWEEP_OF_B = tuple(number / 20 for number in range(21))
"""0, .05, ... 1."""

SWEEP_OF_C = tuple(float(f"{0.1 * 500 ** (number / 29):.2g}") for number in range(30))
"""30 values from .1 to 50, each about 1.24 times the one before."""

LOG2_E = np.log2(np.e)


@dataclass(frozen=True, kw_only=True)
class Model(Inputs, ABC):
    """A weighting model: scores are sums over the terms of a query, of the document's weight times the query's."""

    name: ClassVar[str]
    """Short name, for example "bm25"."""

    parameter: ClassVar[Parameter]
    """The parameter that is trained, a field of the model."""

    swept: ClassVar[tuple[float, ...]]
    """Its values in a sweep."""

    @property
    def trained(self) -> float:
        """Value of the parameter that is trained."""
        return float(getattr(self, self.parameter.name))

    @property
    def label(self) -> str:
        """Name with the trained parameter, for example "bm25_b0.75": the tag of a run in a sweep."""
        return f"{self.name}_{self.parameter.name}{self.trained:.12g}"

    @abstractmethod
    def document_weights(self, postings: Postings) -> Floats:
        """Return the weight of each entry of the postings, shape (n_entries,)."""

    @abstractmethod
    def query_weights(self, qtf: Floats, largest_qtf: Floats) -> Floats:
        """Return the weights of the terms of a query."""

    @abstractmethod
    def expanded_weights(self, qtw: Floats) -> Floats:
        """Return the weights of the terms of an expanded query from their qtw, shape (n,)."""


@dataclass(frozen=True, kw_only=True)
class BM25(Model):
    """BM25.

    Equation (1) of He, Macdonald and Ounis (2008).

    ::

        score(d, Q) = sum over t in Q of  w1 * (k1 + 1) tf / (K + tf) * (k3 + 1) qtf / (k3 + qtf)      (1)
        K = k1 ((1 - b) + b l / avg_l)

    The appendix does not define w1; it is the weight of Robertson and Sparck Jones without relevance
    information, as in the paper's reference [23], log((N - n + .5) / (n + .5)) with n documents out of N that
    contain the term. Its logarithm is taken to base 2 as in Terrier; another base multiplies all scores by
    the same number. The weight is below 0 for a term that more than half of the documents contain; it is used
    unchanged.

    k3 is 1000, as in the appendix; Terrier's own default is 8. In an expanded query the weight qtw of a term
    (see `search`) replaces qtf.
    """

    name: ClassVar[str] = "bm25"
    parameter: ClassVar[Parameter] = B
    swept: ClassVar[tuple[float, ...]] = SWEEP_OF_B

    b: float = given(B)
    k1: float = given(K1)
    k3: float = given(K3)

    def document_weights(self, postings: Postings) -> Floats:
        """Return w1 (k1 + 1) tf / (K + tf) of each entry."""
        n = postings.document_frequencies
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


@dataclass(frozen=True, kw_only=True)
class PL2(Model):
    """PL2 with normalisation 2.

    A model of divergence from randomness: equations (2) and (3) of He, Macdonald and Ounis (2008).

    ::

        score(d, Q) = sum over t in Q of  qtw / (tfn + 1) * (  tfn log2(tfn / lambda)
                                                             + (lambda - tfn) log2(e)
                                                             + .5 log2(2 pi tfn) )                     (2)
        tfn = tf log2(1 + c avg_l / l)                                                                 (3)
        lambda = F / N,  qtw = qtf / qtf_max

    F is the number of occurrences of the term in the collection of N documents. Amati and van Rijsbergen
    (ACM TOIS 20(4), 2002) have lambda + 1/(12 tfn) - tfn in the second line, a further term of Stirling's
    series; the paper and Terrier leave it out, and so does this. A weight may be below 0, for instance that
    of a term with fewer occurrences here than on average; it is used unchanged.
    """

    name: ClassVar[str] = "pl2"
    parameter: ClassVar[Parameter] = C
    swept: ClassVar[tuple[float, ...]] = SWEEP_OF_C

    c: float = given(C)

    def document_weights(self, postings: Postings) -> Floats:
        """Return all of equation (2) but qtw, of each entry."""
        tfn = postings.tf * np.log1p(self.c / postings.relative_lengths) * LOG2_E
        mean = (postings.collection_frequencies / postings.n_documents)[postings.terms]
        information = tfn * np.log2(tfn / mean) + (mean - tfn) * LOG2_E + 0.5 * np.log2(2 * np.pi * tfn)
        weights: Floats = information / (tfn + 1)
        return weights

    def query_weights(self, qtf: Floats, largest_qtf: Floats) -> Floats:
        """Return qtf / qtf_max."""
        return qtf / largest_qtf

    def expanded_weights(self, qtw: Floats) -> Floats:
        """Return qtw itself."""
        return qtw
