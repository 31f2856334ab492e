"""alpha-nDCG and alpha-DCG: gain that a document has for intents not served above it, discounted by rank.

References
----------
C. L. A. Clarke, M. Kolla, G. V. Cormack, O. Vechtomova, A. Ashkan, S. Büttcher, I. MacKinnon. Novelty and
diversity in information retrieval evaluation. SIGIR 2008, 659-666. doi:10.1145/1390334.1390446
For the graded form: C. L. A. Clarke, N. Craswell, I. Soboroff, A. Ashkan. A comparative analysis of cascade
measures for novelty and diversity. WSDM 2011, 75-84. doi:10.1145/1935826.1935847
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.measures.cascade import Cascade, names_of_forms
from topicset_core.measures.measure import Offered
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class AlphaNDCG(Cascade):
    """alpha-nDCG, or alpha-DCG where it is not normalised; see `Cascade`."""

    NAMES = names_of_forms("alpha-nDCG", r"(?:alpha|α)[_-]?ndcg", "alpha-DCG", r"(?:alpha|α)[_-]?dcg")
    OFFERED = (
        Offered("alpha-nDCG@10", 10, at_first=True),
        Offered("graded-alpha-nDCG@10", 60),
        Offered("alpha-DCG@10", 80),
    )

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
        source = "Clarke et al., WSDM 2011" if self.graded else "Clarke et al., SIGIR 2008"
        return (
            f"Discounted cumulative gain of the first {self.depth:,} documents for all intents, each gain less the "
            f"more documents above serve the intent, discount log2(rank + 1), {self.conventions_in_words} "
            f"({source})."
        )

    def discounts(self, ranks: NDArray[Any]) -> Floats:
        """Return 1 / log2(r + 1)."""
        return 1 / np.log2(ranks + 1.0)
