"""The way to a certificate: ask, restart from better sets, and say how far it came where the nodes run out."""

from copy import copy
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from topicset_core.analyses.topic_subsets.by_correlation import CorrelationJudge
from topicset_core.analyses.topic_subsets.certificates.attempt import (
    ENTRY_NODES,
    TAUS,
    Attempt,
    farthest,
    set_up_nodes,
)
from topicset_core.analyses.topic_subsets.certificates.question import Question, question_of
from topicset_core.analyses.topic_subsets.judge import Valued, best_of

PROOF_TOLERANCE = 1e-9
"""A proved set may be exceeded by no more than this."""

_STEP_WORK = 2e9  # nodes times pairs of topics; about a fifth of a second
_NARROWINGS = 8  # halvings of what is open, where the nodes ran out
_SHARE = 40  # of the nodes are spent on each of them

_RUNNING, _DONE, _FOUND = 0, 1, 2  # as in the kernel


@dataclass(eq=False)
class Proof:
    """Search for the certificate of one cardinality and side; a `Chain`.

    Parameters
    ----------
    judge : CorrelationJudge
        Of the matrix.
    cardinality, sign : int
        Size of the sets; 1 for the best, -1 for the worst.
    known : Valued
        The best (worst) set known.
    budget : int
        Nodes to look at for a proof; a fifth more may be spent on the bound where there is none.
    bound : float
        What no set exceeds (falls below), as far as it is known.
    status : {"open", "proved", "gap"}
        How it stands.
    n_nodes : int
        Nodes looked at.
    step_work : float
        How much is done in a step.
    """

    judge: CorrelationJudge
    cardinality: int
    sign: int
    known: Valued
    budget: int
    bound: float = field(init=False)
    status: Literal["open", "proved", "gap"] = field(default="open", init=False)
    n_nodes: int = field(default=0, init=False)
    step_work: float = _STEP_WORK
    _target: float = field(init=False)
    _left: int = field(init=False)
    _narrowings: int = field(default=-1, init=False)  # -1 as long as a proof is looked for
    _taus: tuple[float, ...] = field(default=TAUS, init=False)
    _untried: tuple[float, ...] = field(default=(), init=False)
    _question: Question | None = field(default=None, init=False)
    _leader: Attempt | None = field(default=None, init=False)
    _running: Attempt | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.bound = float(self.sign)
        self._left = self.budget
        # Of the topics with the largest (smallest) covariances the set that has the right sign if any has.
        extreme = tuple(
            sorted(np.argsort(-self.sign * self.judge.b, kind="stable")[: self.cardinality].tolist())
        )
        value = self.judge.value(extreme)
        if value is not None and self.sign * (value - self.known.value) > 0:
            self.known = Valued(value, extreme)
        self._aim(self.known.value + self.sign * PROOF_TOLERANCE)

    @property
    def is_done(self) -> bool:
        """See `Chain.is_done`."""
        return self.status != "open"

    @property
    def progress(self) -> float:
        """See `Chain.progress`: the share of the nodes spent."""
        return 1.0 if self.is_done else min(0.99, self.n_nodes / (1.25 * self.budget))

    def step(self) -> "Proof":
        """See `Chain.step`."""
        further = copy(self)
        further._leader = self._leader and self._leader.copied()
        further._running = self._running and self._running.copied()
        if self._running is self._leader:
            further._running = further._leader
        work = self.step_work
        while work > 0 and not further.is_done:
            work -= further._turn(work) * self.judge.n_topics**2
        return further

    def _aim(self, target: float) -> None:
        """Take up a target, of which nothing was asked yet."""
        self._target = target
        self._untried, self._question, self._leader, self._running = self._taus, None, None, None

    def _turn(self, work: float) -> float:
        """Do one thing, and return how many nodes take as long."""
        set_up = set_up_nodes(self.judge.n_topics)
        if self._question is None:
            self._ask()
            return set_up / 2
        entering = self._leader is None or self._running is not self._leader
        if self._running is None:
            if self._untried:
                tau, *untried = self._untried
                self._untried = tuple(untried)
                self._running = Attempt.of(self._question, tau)
                return set_up
            self._running = self._leader
            return 0.0
        running = self._running
        allowed = min(self._left, ENTRY_NODES - running.n_nodes) if entering else self._left
        before = running.n_nodes
        running.run(
            self.judge, self.cardinality, self.sign, min(allowed, 1 + int(work / self.judge.n_topics**2))
        )
        done = running.n_nodes - before
        self.n_nodes += done
        self._left -= done
        if running.status == _DONE:
            self._answered()
        elif running.status == _FOUND:
            self._improve(running.found)
        elif self._left == 0:
            self._give_up(running.tau)
        elif entering and running.n_nodes == ENTRY_NODES:
            self._leader = running if self._leader is None else farthest([self._leader, running])
            self._running = None
        return float(done)

    def _ask(self) -> None:
        if abs(self._target) >= 1 and self._target * self.sign > 0:
            self._answered()  # no correlation is beyond 1
            return
        asked = question_of(
            self.judge, self.cardinality, self.sign, self._target, np.array(self.known.topics, dtype=np.int64)
        )
        if asked == "none":
            self._answered()
        elif asked == "open":
            self._give_up(self._taus[0])
        else:
            self._question = asked

    def _answered(self) -> None:
        """No set is beyond the target."""
        if self._narrowings < 0:
            self.status, self.bound = "proved", self._target
        else:
            self.bound = self._target
            self._narrow(self.known.value)

    def _improve(self, topics: tuple[int, ...]) -> None:
        """Go on from a set beyond the target, after swaps."""
        value = self.judge.value(topics)
        found = self.judge.settle(np.array([topics], dtype=np.int64), self.cardinality, self.sign)
        if value is not None:
            found.append(Valued(value, topics))
        better = best_of([*found, self.known], self.sign)[0]
        if better == self.known:  # but for rounding
            self._give_up(self._taus[0])
            return
        self.known = better
        if self._narrowings < 0:
            self._aim(better.value + self.sign * PROOF_TOLERANCE)
        else:
            self._narrow(better.value)

    def _give_up(self, tau: float) -> None:
        """Leave the present target open."""
        if self._narrowings < 0:
            self._narrowings, self._taus = 0, (tau,)
            self._narrow(self.known.value)
        else:
            self._narrow(self._target)

    def _narrow(self, low: float) -> None:
        """Try to prove half of what is open between `low` and the bound."""
        if self._narrowings == _NARROWINGS or abs(self.bound - low) <= PROOF_TOLERANCE:
            self.status = "gap"
            return
        self._narrowings += 1
        self._left = max(1, self.budget // _SHARE)
        self._aim((low + self.bound) / 2)
