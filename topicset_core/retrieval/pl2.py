"""PL2, a model of divergence from randomness: equations (2) and (3) of He, Macdonald and Ounis (2008).

::

    score(d, Q) = sum over t in Q of  qtw / (tfn + 1) * (  tfn log2(tfn / lambda)
                                                         + (lambda - tfn) log2(e)
                                                         + .5 log2(2 pi tfn) )                     (2)
    tfn = tf log2(1 + c avg_l / l)                                                                 (3)
    lambda = F / N,  qtw = qtf / qtf_max

F is the number of occurrences of the term in the collection of N documents. Amati and van Rijsbergen
(ACM TOIS 20(4), 2002) have lambda + 1/(12 tfn) - tfn in the second line, a further term of Stirling's
series; the paper and Terrier leave it out, and so does this. A weight may be below 0, for instance that of
a term with fewer occurrences here than on average; it is used as it is.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topicset_core.retrieval.model import Model
from topicset_core.retrieval.parameters import C
from topicset_core.retrieval.postings import Floats, Postings

LOG2_E = np.log2(np.e)


@dataclass(frozen=True, kw_only=True)
class PL2(Model):
    """PL2 with normalisation 2.

    Parameters
    ----------
    c : float
        How little a document's length counts; above 0.

    Raises
    ------
    InputError
        If c is outside its range.
    """

    parameter: ClassVar[str] = "c"

    c: float = 1.0

    def __post_init__(self) -> None:
        C.check(self.c)

    @property
    def name(self) -> str:
        """``pl2``."""
        return "pl2"

    @property
    def label(self) -> str:
        """``pl2_c`` and the value of c."""
        return f"pl2_c{self.c:.12g}"

    def document_weights(self, postings: Postings) -> Floats:
        """Return all of equation (2) but qtw, of each entry."""
        tfn = postings.tf * np.log1p(self.c / postings.relative_lengths) * LOG2_E
        mean = (postings.frequencies / postings.n_documents)[postings.terms]
        information = tfn * np.log2(tfn / mean) + (mean - tfn) * LOG2_E + 0.5 * np.log2(2 * np.pi * tfn)
        weights: Floats = information / (tfn + 1)
        return weights

    def query_weights(self, qtf: Floats, largest_qtf: Floats) -> Floats:
        """Return qtf / qtf_max."""
        return qtf / largest_qtf

    def expanded_weights(self, qtw: Floats) -> Floats:
        """Return qtw itself."""
        return qtw
