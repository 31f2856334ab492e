"""The judgments that a shallower pool would have left."""

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.judged_runs import REMOVED, Grades, JudgedRuns
from topicset_core.errors import InputError


def grades_at(runs: JudgedRuns, depth: int, best_ranks: NDArray[np.int32] | None = None) -> Grades:
    """Return the grades, all documents removed that no run has among its first `depth`.

    So Sakai 2016, section 6.3, makes depth-pd qrels from deeper ones.

    Parameters
    ----------
    runs : JudgedRuns
        Runs and their judgments.
    depth : int
        Pool depth, from 1.
    best_ranks : ndarray of int32, shape (n_judgments,), optional
        Best rank of each document among the runs that are pooled, 0 where none has it; by default
        that of all runs.

    Raises
    ------
    InputError
        If the depth is below 1.
    """
    if depth < 1:
        raise InputError("pool_depth", depth, "must be at least 1")
    ranks = runs.best_ranks if best_ranks is None else best_ranks
    return np.where((ranks >= 1) & (ranks <= depth), runs.qrels.grades, REMOVED)
