"""Scores to rankings in the house's order: score descending, then document id descending.

Scores are rounded to single precision before they are compared: so sums that differ by rounding alone are
ties on any machine.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Ranked(NamedTuple):
    """Documents of each topic, best first.

    Documents of topic i are ``rows[starts[i]:starts[i + 1]]``, perhaps none; `n_tied` counts documents
    with the same score as another of the topic.
    """

    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    scores: NDArray[np.float32]
    n_tied: int


def ranked(scores: "csr_array", n_documents: int) -> Ranked:
    """Take the best documents of each topic."""
    compared = scores.data.astype(np.float32)
    rows: list[NDArray[np.int32]] = []
    kept: list[NDArray[np.float32]] = []
    for begin, end in zip(scores.indptr[:-1].tolist(), scores.indptr[1:].tolist(), strict=True):
        of_topic, documents = compared[begin:end], scores.indices[begin:end]
        if of_topic.size > n_documents:
            lowest = np.partition(of_topic, -n_documents)[-n_documents]
            in_reach = of_topic >= lowest  # with all that tie at the last rank
            of_topic, documents = of_topic[in_reach], documents[in_reach]
        order = np.lexsort((documents, -of_topic))[:n_documents]
        rows.append(documents[order])
        kept.append(of_topic[order])
    starts = np.concatenate(([0], np.cumsum([one.size for one in kept])))
    return Ranked(starts, np.concatenate(rows), np.concatenate(kept), sum(map(_n_tied, kept)))


def _n_tied(scores: NDArray[np.float32]) -> int:
    equal = scores[1:] == scores[:-1]
    return int(np.count_nonzero(np.append(equal, False) | np.append(False, equal))) if scores.size else 0
