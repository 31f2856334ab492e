"""The order of documents: trec_eval's, and what is repeated or tied in it.

trec_eval sorts by score, descending, and where scores are equal by document id, descending in the
order of bytes (``strcmp``). Up to version 9.0.8, which `pytrec-eval-terrier` 0.5.11 has inside too, it
keeps a score as a C ``float``: it is read in double precision (``atof``) and rounded to single, so that
scores that differ by less are tied (its issue 34). The development version after that compares in
double precision. Published results of TREC are those of the released versions, so scores are compared
in single precision here, and it is said where that ties documents.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Ranking(NamedTuple):
    """Rows best first, topic after topic.

    `rows` gives the row of each place; `n_tied` counts documents with the score of another one of
    their topic, `n_tied_by_rounding` those of them whose scores differ in double precision, and
    `n_reordered` topics whose lines did not stand in the order of their scores.
    """

    rows: NDArray[np.intp]
    n_tied: int
    n_tied_by_rounding: int
    n_reordered: int


def ranking(topics: NDArray[np.int32], scores: NDArray[np.float64], documents: NDArray[np.bytes_]) -> Ranking:
    """Put rows into trec_eval's order.

    Parameters
    ----------
    topics : ndarray of int32, shape (n,)
        Index of the topic of each row.
    scores : ndarray of float64, shape (n,)
        All finite.
    documents : ndarray of bytes, shape (n,)
        Document ids, none repeated within a topic.
    """
    with np.errstate(over="ignore"):  # beyond the range of single precision a score is infinite
        compared = scores.astype(np.float32)
    rows = np.arange(topics.size)
    next_topic = topics[1:] != topics[:-1]
    if (topics[1:] < topics[:-1]).any() or ((compared[1:] > compared[:-1]) & ~next_topic).any():
        rows = np.lexsort((-compared, topics))
    in_order, topic_of = compared[rows], topics[rows]
    n_reordered = _n_reordered(rows, topic_of)  # before ties are put into the order of their ids
    equal = (in_order[1:] == in_order[:-1]) & (topic_of[1:] == topic_of[:-1])
    tied = np.flatnonzero(np.concatenate(([False], equal)) | np.concatenate((equal, [False])))
    n_by_rounding = 0
    if tied.size:
        group = np.concatenate(([0], np.cumsum(~equal)))[tied]
        # Ascending by group from the last and then by id: from behind, both are as they should be.
        by_id = np.lexsort((documents[rows[tied]], -group))[::-1]
        rows[tied] = rows[tied][by_id]
        n_by_rounding = _n_distinct_in_double(group, scores[rows[tied]])
    return Ranking(rows, int(tied.size), n_by_rounding, n_reordered)


def _n_distinct_in_double(group: NDArray[np.intp], scores: NDArray[np.float64]) -> int:
    """Count scores that no other one of their group equals."""
    order = np.lexsort((scores, group))
    scores, group = scores[order], group[order]
    equal = (scores[1:] == scores[:-1]) & (group[1:] == group[:-1])
    shared = np.concatenate(([False], equal)) | np.concatenate((equal, [False]))
    return int(np.count_nonzero(~shared))


def _n_reordered(rows: NDArray[np.intp], topic_of: NDArray[np.int32]) -> int:
    """Count topics in which a row follows one that stood behind it."""
    fell = (rows[1:] < rows[:-1]) & (topic_of[1:] == topic_of[:-1])
    return int(np.unique(topic_of[1:][fell]).size)


def repeated_rows(topics: NDArray[np.int32], documents: NDArray[np.bytes_]) -> list[tuple[int, int]]:
    """Find documents that a topic has more than once.

    Parameters
    ----------
    topics : ndarray of int32, shape (n,)
        Index of the topic of each row.
    documents : ndarray of bytes, shape (n,)
        Document ids.

    Returns
    -------
    list of (int, int)
        Each row whose document its topic had before, and the first row that has it; ascending.
    """
    n_words = -(-documents.itemsize // 8)
    words = documents.astype(f"S{8 * n_words}").view(np.uint64).reshape(-1, n_words)
    # Equal ids have equal hashes; different ones with equal hashes are told apart below.
    hashes = topics.astype(np.uint64)
    for word in words.T:
        hashes = (hashes ^ word) * np.uint64(0x9E3779B97F4A7C15)
        hashes ^= hashes >> np.uint64(29)
    in_order = np.sort(hashes)
    suspect = in_order[1:][in_order[1:] == in_order[:-1]]
    if not suspect.size:
        return []
    first: dict[tuple[int, bytes], int] = {}
    repeated = []
    for row in np.flatnonzero(np.isin(hashes, suspect)).tolist():
        seen = first.setdefault((int(topics[row]), bytes(documents[row])), row)
        if seen != row:
            repeated.append((row, seen))
    return repeated
