"""Search in plain Python, one document after the other: what the sparse arrays must equal.

Documents and queries are lists of terms here, as `topicset_core.retrieval.index` makes them.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import e, log2, pi

import numpy as np

Terms = Sequence[str]
Weight = Callable[[float, float, str], float]
"""tf, l and the term to the weight of the term in a document."""


@dataclass(frozen=True)
class Texts:
    """Documents as terms, by id."""

    documents: Mapping[str, Terms]

    @cached_property
    def counts(self) -> dict[str, Counter[str]]:
        return {name: Counter(terms) for name, terms in self.documents.items()}

    @cached_property
    def average_length(self) -> float:
        return sum(len(terms) for terms in self.documents.values()) / len(self.documents)

    @cached_property
    def holding(self) -> Counter[str]:
        return Counter(term for counts in self.counts.values() for term in counts)

    @cached_property
    def frequency(self) -> Counter[str]:
        return Counter(term for terms in self.documents.values() for term in terms)

    def bm25(self, b: float, k1: float = 1.2) -> Weight:
        def weight(tf: float, length: float, term: str) -> float:
            n, big_n = self.holding[term], len(self.documents)
            w1 = log2((big_n - n + 0.5) / (n + 0.5))
            return w1 * (k1 + 1) * tf / (k1 * ((1 - b) + b * length / self.average_length) + tf)

        return weight

    def pl2(self, c: float) -> Weight:
        def weight(tf: float, length: float, term: str) -> float:
            tfn = tf * log2(1 + c * self.average_length / length)
            mean = self.frequency[term] / len(self.documents)
            information = tfn * log2(tfn / mean) + (mean - tfn) * log2(e) + 0.5 * log2(2 * pi * tfn)
            return information / (tfn + 1)

        return weight

    def ranking(self, query: Mapping[str, float], weight: Weight, depth: int) -> list[tuple[str, float]]:
        """Documents with a term of the query and their scores, in trec_eval's order."""
        scores = {
            name: sum(
                weight(counts[term], len(self.documents[name]), term) * query_weights
                for term, query_weights in query.items()
                if counts[term]
            )
            for name, counts in self.counts.items()
            if any(counts[term] for term in query)
        }
        by_id = sorted(scores, key=str.encode, reverse=True)
        return [(name, scores[name]) for name in sorted(by_id, key=lambda n: -np.float32(scores[n]))][:depth]

    def expanded(self, query: Counter[str], first: Sequence[str], n_terms: int) -> dict[str, float]:
        """The qtw of each term of a query expanded by Bo1 from the documents ranked first."""
        occurring: Counter[str] = Counter()
        for name in first:
            occurring += self.counts[name]
        w = {}
        for term, tf_x in occurring.items():
            p_n = self.frequency[term] / len(self.documents)
            w[term] = tf_x * log2((1 + p_n) / p_n) + log2(1 + p_n)
        chosen = sorted(w, key=lambda term: (-w[term], term))[:n_terms]
        qtw = {term: qtf / max(query.values()) for term, qtf in query.items()}
        for term in chosen:
            qtw[term] = qtw.get(term, 0.0) + w[term] / w[chosen[0]]
        return qtw


def saturated(qtw: float, k3: float = 1000.0) -> float:
    """The weight that BM25 gives a term of a query."""
    return (k3 + 1) * qtw / (k3 + qtw)
