"""nERR-IA and ERR-IA: expected reciprocal rank for an intent, and its mean over the intents of a topic.

References
----------
O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan. Expected reciprocal rank for graded relevance. CIKM 2009,
621-630. doi:10.1145/1645953.1646033
O. Chapelle, S. Ji, C. Liao, E. Velipasaoglu, L. Lai, S.-L. Wu. Intent-based diversification of web search
results: metrics and algorithms. Information Retrieval 14 (2011), 572-592. doi:10.1007/s10791-011-9167-7
"""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from topicset_core.measures.cascade import Cascade, names_of_forms
from topicset_core.measures.measure import Offered
from topicset_core.measures.ranked_documents import Floats


@dataclass(frozen=True, kw_only=True)
class ERRIA(Cascade):
    """nERR-IA, or ERR-IA where it is not normalised; see `Cascade`."""

    NAMES = names_of_forms("nERR-IA", r"nerr[_-]?ia", "ERR-IA", r"err[_-]?ia")
    OFFERED = (
        Offered("nERR-IA@10", 20, at_first=True),
        Offered("graded-nERR-IA@10", 70),
        Offered("ERR-IA@10", 90),
    )

    @property
    def definition(self) -> str:
        """What is computed and where it comes from."""
        return (
            f"Intent-aware expected reciprocal rank of the first {self.depth:,} documents, summed over intents, "
            f"{self.conventions_in_words} (Chapelle et al., CIKM 2009; Information Retrieval 14, 2011)."
        )

    def discounts(self, ranks: NDArray[Any]) -> Floats:
        """Return 1 / r."""
        reciprocal: Floats = 1.0 / ranks
        return reciprocal
