"""An attempt to answer a question within a number of nodes.

How far the diagonal stays inside its cone decides how many nodes there are, by factors of a thousand, and the best
distance differs between questions. So a few are tried on the first nodes of the tree, and the one that came
farthest goes on. As all fix topics in the same order, how far each came can be compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.by_correlation import CorrelationJudge
from topicset_core.analyses.topic_subsets.certificates.question import Question
from topicset_core.analyses.topic_subsets.judge import Floats

TAUS = (1.3, 0.8, 2.0, 0.5, 3.2)
"""Distances from the edge of the cone that are tried, in units of the mean size of the sharp diagonal."""

ENTRY_NODES = 20_000
"""Nodes that each tau is tried on."""

_LEAST_FREE = 5  # with fewer free topics, sets are looked at
_SHARP = 0.1  # of tau
_SET_UP_NODES = 40  # a set-up takes as long as so many nodes a pair of topics


@dataclass(eq=False)
class Attempt:
    """A search of the tree that can be interrupted anywhere.

    Parameters
    ----------
    question : Question
        What is asked.
    tau : float
        In the units of `TAUS`.
    tables : tuple of ndarray
        What bounds need, of `convexification.set_up`.
    lin, const, s_fixed, n_chosen, tried, chosen, counters : ndarray
        State of the search, as in the kernel.
    status : int
        RUNNING, DONE or FOUND of the kernel.
    """

    question: Question
    tau: float
    tables: tuple[Floats, ...]
    lin: Floats
    const: Floats
    s_fixed: Floats
    n_chosen: NDArray[np.int64]
    tried: NDArray[np.int64]
    chosen: NDArray[np.int64]
    counters: NDArray[np.int64]
    status: int = 0

    @classmethod
    def of(cls, question: Question, tau: float) -> "Attempt":
        """Set up the bounds for one of the taus."""
        from topicset_core.analyses.topic_subsets.kernels import convexification

        n = len(question.order)
        distance = tau * max(float(np.abs(question.sharp).mean()), 1e-9)
        tables = convexification.set_up(
            question.a,
            question.b,
            convexification.diagonal(question.a, distance),
            question.sharp,
            distance,
            _SHARP * distance,
            _LEAST_FREE,
        )
        return cls(
            question,
            tau,
            tables,
            lin=np.zeros((n + 1, n)),
            const=np.zeros(n + 1),
            s_fixed=np.zeros(n + 1),
            n_chosen=np.zeros(n + 1, dtype=np.int64),
            tried=np.zeros(n + 1, dtype=np.int64),
            chosen=np.zeros(n, dtype=np.int64),
            counters=np.zeros(2, dtype=np.int64),
        )

    @property
    def n_nodes(self) -> int:
        """Nodes looked at."""
        return int(self.counters[1])

    @property
    def place(self) -> tuple[int, ...]:
        """Where in the tree it is; larger is farther."""
        return tuple(self.tried[: max(0, int(self.counters[0]))].tolist())

    @property
    def found(self) -> tuple[int, ...]:
        """Topics of the set beyond the target, once one was found."""
        return tuple(sorted(self.question.order[self.chosen > 0].tolist()))

    def copied(self) -> "Attempt":
        """Return the same search with a state of its own: arrays from elsewhere are never written to."""
        state = ("lin", "const", "s_fixed", "n_chosen", "tried", "chosen", "counters")
        return replace(self, **{name: getattr(self, name).copy() for name in state})

    def run(self, judge: CorrelationJudge, cardinality: int, sign: int, n_nodes: int) -> None:
        """Go on for up to so many nodes."""
        from topicset_core.analyses.topic_subsets.kernels import branch_and_bound

        asked = self.question
        self.status = branch_and_bound.search(
            asked.a,
            asked.b,
            asked.top,
            asked.free_sums,
            asked.same,
            asked.f_size,
            asked.s_size,
            judge.centred[asked.order],
            judge.centred.sum(axis=0),
            asked.limit,
            float(sign),
            judge.tolerance,
            asked.chord,
            cardinality,
            _LEAST_FREE,
            self.tables,
            self.lin,
            self.const,
            self.s_fixed,
            self.n_chosen,
            self.tried,
            self.chosen,
            self.counters,
            n_nodes,
        )


def farthest(attempts: Sequence[Attempt]) -> Attempt:
    """Return the attempt that came farthest; of equals the first."""
    best = attempts[0]
    for other in attempts[1:]:
        if other.place > best.place:
            best = other
    return best


def set_up_nodes(n_topics: int) -> int:
    """Return how many nodes take as long as a set-up."""
    return _SET_UP_NODES * n_topics * n_topics
