"""The documents to be judged: all that some run has among its first ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.run import Run
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, eq=False)
class Pool:
    """How many documents per pool of each depth has."""

    topics: tuple[str, ...]  # topics that some run has, in the order of the runs or of the request
    # (n_topics, deepest): documents of each topic in the pool of depth 1, 2, and so on
    sizes: NDArray[np.int64]

    @property
    def deepest(self) -> int:
        """Largest depth that was counted."""
        return int(self.sizes.shape[1])

    def documents_per_topic(self, depth: int) -> float:
        """Return the mean size of a pool of this depth."""
        if not 1 <= depth <= self.deepest:
            raise InputError("pool_depth", depth, f"must be from 1 to {self.deepest}")
        return float(self.sizes[:, depth - 1].mean())


def pooled_documents(runs: Sequence[Run], deepest: int, topics: Sequence[str] | None = None) -> Pool:
    """Count the documents that runs contribute to pools of every depth."""
    if not runs:
        raise InputError("runs", 0, "must be at least 1 run")
    if deepest < 1:
        raise InputError("pool_depth", deepest, "must be at least 1")
    returned = dict.fromkeys(topic for run in runs for topic in run.topics)
    counted = tuple(returned if topics is None else (topic for topic in topics if topic in returned))
    if not counted:
        raise InputError("topics", 0, "must be at least 1 topic that some run has")
    rows = [{topic: row for row, topic in enumerate(run.topics)} for run in runs]
    sizes = np.empty((len(counted), deepest), dtype=np.int64)
    for place, topic in enumerate(counted):
        tops = [
            run.documents[run.starts[row] : min(run.starts[row] + deepest, run.starts[row + 1])]
            for run, of_run in zip(runs, rows, strict=True)
            if (row := of_run.get(topic)) is not None
        ]
        ranks = np.concatenate([np.arange(top.size) for top in tops])
        # By rank, so that the first of each document is its best.
        order = np.argsort(ranks, kind="stable")
        _, first = np.unique(np.concatenate(tops)[order], return_index=True)
        sizes[place] = np.cumsum(np.bincount(ranks[order][first], minlength=deepest))
    return Pool(topics=counted, sizes=sizes)
