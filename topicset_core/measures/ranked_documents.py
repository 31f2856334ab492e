"""Relevant documents of many lists at once, and sums over each list."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.judged_runs import Grades

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RankedDocuments:
    """Relevant documents of many lists, list after list and best rank first.

    Parameters
    ----------
    lists : ndarray of int64, shape (n_documents,)
        Number of the list of each document: a cell, or a topic for ideal lists.
    ranks : ndarray of int64, shape (n_documents,)
        From 1.
    nth : ndarray of int64, shape (n_documents,)
        1 for the first relevant document of its list, 2 for the second.
    grades : ndarray of int16, shape (n_documents,)
        At least the relevance level.
    starts : ndarray of int64, shape (n_lists + 1,)
        List i has the documents ``starts[i]`` up to ``starts[i + 1]``.
    entries : ndarray of int64, shape (n_documents,)
        Where each stands among the entries of the judged runs; for ideal lists, among these documents.
    """

    lists: Ints
    ranks: Ints
    nth: Ints
    grades: Grades
    starts: Ints
    entries: Ints

    @property
    def n_lists(self) -> int:
        """Number of lists, also of those without a document."""
        return self.starts.size - 1

    def sums(self, values: NDArray[Any], depth: int | None = None) -> Floats:
        """Return for each list the sum of values, one a document, down to a depth."""
        seen = slice(None) if depth is None else self.ranks <= depth
        # Weighted counts are floats already; the type of bincount does not say so.
        return np.bincount(self.lists[seen], values[seen], self.n_lists).astype(np.float64, copy=False)

    def running_sums(self, values: Ints) -> Ints:
        """Return for each document the sum of values from the top of its list down to itself.

        Whole numbers, so that nothing is lost by taking off what stood before the list.
        """
        before = np.concatenate([[0], np.cumsum(values)])
        sums: Ints = before[1:] - before[self.starts[self.lists]]
        return sums


def ranked(
    lists: Ints,
    n_lists: int,
    grades: Grades,
    *,
    ranks: NDArray[np.int32] | None = None,
    entries: Ints | None = None,
) -> RankedDocuments:
    """Return documents list by list, in their order; without ranks they stand one below the other.

    Parameters
    ----------
    lists : ndarray of int64, shape (n_documents,)
        List of each document, ascending.
    n_lists : int
        Number of lists.
    grades : ndarray of int16, shape (n_documents,)
        At least the relevance level.
    ranks : ndarray of int32, shape (n_documents,), optional
        From 1, rising within a list.
    entries : ndarray of int64, shape (n_documents,), optional
        Where each stands among the entries of the judged runs.
    """
    starts = np.concatenate([[0], np.cumsum(np.bincount(lists, minlength=n_lists))])
    places = np.arange(lists.size)
    nth = places - starts[lists] + 1
    return RankedDocuments(
        lists=lists,
        ranks=nth if ranks is None else ranks.astype(np.int64),
        nth=nth,
        grades=grades,
        starts=starts,
        entries=places if entries is None else entries,
    )
