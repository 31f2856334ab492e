"""Certificates: that no subset of c topics has a higher (lower) correlation, by branch and bound.

Whether a set S with indicator w beats a correlation is a question about a quadratic form (`QuadraticForm`), as in
Dinkelbach's treatment of ratios. Its least value over sets of c topics is bounded from below by making it
convex: a diagonal is taken out of its matrix, which is a linear term for binary variables (`proofs.centre`,
`proofs.diagonal`). Where the bound leaves a doubt, a topic is put into the set or ruled out, in an order fixed
beforehand, and the two smaller questions are bounded (`proofs.search`). `Proof` puts the question with the
correlation of the best set known; if a better one is found, it asks again with that.

Bounds are computed in floating point. Therefore what rounding may have added comes off each of them, and the
question is put for a correlation that is PROOF_TOLERANCE beyond the set known, as no bound can tell sets that
tie: what is proved is that no subset is better by more than PROOF_TOLERANCE.

The question
------------
With C, b and T as in `kernels.pearson`, a set with indicator w has Q = w'Cw, s = b'w and the correlation
r = s / sqrt(Q T). For a target correlation t let v = t^2 T.

- Best, r > t > 0: s > 0 and s^2 > v Q, that is F(w) = w'(C - bb'/v)w < 0. As the mean of s over all sets of c
  topics is c T / n > 0, some set has a positive correlation, and therefore the best has one.
- Worst, where every s is positive: r < t is F(w) = w'(bb'/v - C)w < 0. Every s is positive where the sum of the c
  smallest b is; no set then has a correlation below 0.
- Worst with t < 0: r < t is s < 0 and s^2 > v Q. F as for the best set would be below 0 at all sets of high
  positive correlation, too. Therefore with u = -s from u_low to u_high over the completions of a node, where
  u_low^2 = v times a lower bound of Q, s^2 is replaced by its chord (McCormick 1976)::

      F(w) = Q - ((u_low + u_high) u - u_low u_high) / v < 0

  and nodes without a completion of u > 0 are closed.

F is divided by the Q of the set known, so that at sets like it Q is 1.

C_ij and b_i are dot products, off by some 2^-53 of |z_i| |z_j| and |z_i| |full| for the rows z of centred scores
and their sum. Therefore with L the sum of the c largest |z_i|, Q is off by that share of L^2 at most, s of L
|full| and s^2 / v of L^2 / t^2, however much cancels: `f_size` and `s_size`.

How far the diagonal stays inside its cone decides how many nodes there are, by factors of a thousand, and the best
distance differs between questions. Therefore a few are tried on the first nodes of the tree, and the one that
came farthest goes on: all fix topics in the same order.

References
----------
W. Dinkelbach. On nonlinear fractional programming. Management Science 13(7), 492-498 (1967).
doi:10.1287/mnsc.13.7.492
A. Billionnet, S. Elloumi, M.-C. Plateau. Improving the performance of standard solvers for quadratic 0-1 programs
by a tight convex reformulation: The QCR method. Discrete Applied Mathematics 157(6), 1185-1197 (2009).
doi:10.1016/j.dam.2007.12.007
L. Vandenberghe, S. Boyd. Semidefinite programming. SIAM Review 38(1), 49-95 (1996). doi:10.1137/1038003
G. P. McCormick. Computability of global solutions to factorable nonconvex programs: Part I. Mathematical
Programming 10, 147-175 (1976). doi:10.1007/BF01580665
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.by_measure import CorrelationCriterion
from topicset_core.analyses.topic_subsets.criterion import Floats, Topics, Valued, best_of
from topicset_core.execution.batches import in_chains
from topicset_core.progress import ReportProgress

_LEAST_TARGET = 1e-6  # below, terms of F are so large that rounding decides
_SHARP = 0.05  # of the mean diagonal: nearly the largest trace, and still far from singular


@dataclass(frozen=True, eq=False)
class QuadraticForm:
    """F, which is below 0 at sets beyond a target, in the order of branching."""

    # (n_topics,): topics as they are fixed: those whose diagonal the bound covers worst come first, identical
    # ones together
    order: Topics
    a: Floats  # (n_topics, n_topics)
    b: Floats  # (n_topics,): linear form that must be positive at sets beyond the target
    top: Floats  # (n_topics + 1, n_topics + 1): largest sum of b over m of the topics from a depth on
    free_sums: Floats  # (n_topics + 1,): sum of b over the topics from a depth on
    # Sizes of what F and s are computed from, which rounding is a share of
    f_size: float
    s_size: float
    # (n_topics,): whether a topic has the same scores as the one before it, but for a constant
    same: NDArray[np.bool_]
    limit: float  # sets whose r |r| T, times the sign, is above this are beyond the target
    chord: float  # v where s^2 is replaced by its chord, else 0
    sharp: Floats  # (n_topics,): diagonal of nearly the largest trace


def form_of(
    criterion: CorrelationCriterion, cardinality: int, sign: int, target: float, known: Topics
) -> QuadraticForm | Literal["none", "open"]:
    """Return F for a target; ``"none"`` if no set can be beyond, ``"open"`` where no form is known to be right."""
    from topicset_core.analyses.topic_subsets.kernels import proofs

    # From the scores and not from C, whose rows may all but cancel.
    cov, full = criterion.cov, criterion.centred.sum(axis=0)
    b, total = criterion.centred @ full, float(full @ full)
    least = float(np.sort(b)[:cardinality].sum())
    if sign < 0 and target <= 0 and least >= 0:
        return "none"
    if abs(target) < _LEAST_TARGET:
        return "open"
    square = target * target * total
    scale = float(cov[np.ix_(known, known)].sum())
    chord, linear = 0.0, np.zeros_like(b)
    largest = float(np.sort(np.linalg.norm(criterion.centred, axis=1))[-cardinality:].sum())
    f_size = largest * largest / scale * (1 + 1 / (target * target))
    if sign > 0:
        if target <= 0:
            return "open"
        a, linear = (cov - np.outer(b, b) / square) / scale, b
    elif target > 0:
        # A sum this small may be one below 0 but for rounding.
        if least <= 1e-13 * total:
            return "open"
        a = (np.outer(b, b) / square - cov) / scale
    else:
        a, linear, chord, f_size = cov / scale, -b / np.sqrt(scale), square, largest * largest / scale
    sharp = proofs.diagonal(a, _SHARP * float(np.abs(np.diagonal(a)).mean()))
    order, same = _ordered(np.diagonal(a) - sharp, criterion.centred)
    linear = linear[order]
    top = _largest_sums(linear) if linear.any() else np.ones((len(b) + 1, len(b) + 1))
    return QuadraticForm(
        order=order,
        a=np.ascontiguousarray(a[np.ix_(order, order)]),
        b=linear,
        top=top,
        free_sums=np.append(np.cumsum(linear[::-1])[::-1], 0.0),
        f_size=f_size,
        s_size=largest * np.sqrt(total / scale),
        same=same,
        limit=sign * target * abs(target) * total,
        chord=chord,
        sharp=sharp[order],
    )


def _ordered(uncovered: Floats, centred: Floats) -> tuple[Topics, NDArray[np.bool_]]:
    """Return topics by falling `uncovered`, identical ones after their first, and which are identical."""
    near = 2.0**-48 * float(np.abs(centred).max())  # rounding of a mean over runs
    interchangeable: list[list[int]] = []
    for topic in np.argsort(-uncovered, kind="stable").tolist():
        for group in interchangeable:
            if np.abs(centred[topic] - centred[group[0]]).max() <= near:
                group.append(topic)
                break
        else:
            interchangeable.append([topic])
    order = [topic for group in interchangeable for topic in group]
    same = [place > 0 for group in interchangeable for place in range(len(group))]
    return np.array(order, dtype=np.int64), np.array(same)


def _largest_sums(b: Floats) -> Floats:
    n = len(b)
    top = np.zeros((n + 1, n + 1))
    for depth in range(n):
        top[depth, 1 : n - depth + 1] = np.cumsum(np.sort(b[depth:])[::-1])
    return top


TAUS = (1.3, 0.8, 2.0, 0.5, 3.2)
"""Distances from the edge of the cone that are tried, in units of the mean size of the sharp diagonal."""

ENTRY_NODES = 20_000
"""Nodes that each tau is tried on."""

_LEAST_FREE = 5  # with fewer free topics, sets are evaluated
_SHARP_TAU = 0.1  # of tau
_SET_UP_NODES = 40  # a set-up takes as long as this number of nodes per pair of topics


class SearchState(NamedTuple):
    """Where a search of the tree is, by depth; see `proofs.search`."""

    lin: Floats
    const: Floats
    s_fixed: Floats
    n_chosen: Topics
    tried: Topics
    chosen: Topics
    counters: Topics

    @classmethod
    def at_root(cls, n: int) -> "SearchState":
        """Return the state before the first of n topics is fixed."""
        return cls(
            lin=np.zeros((n + 1, n)),
            const=np.zeros(n + 1),
            s_fixed=np.zeros(n + 1),
            n_chosen=np.zeros(n + 1, dtype=np.int64),
            tried=np.zeros(n + 1, dtype=np.int64),
            chosen=np.zeros(n, dtype=np.int64),
            counters=np.zeros(2, dtype=np.int64),
        )


@dataclass(eq=False)
class Attempt:
    """A search of the tree that can be interrupted anywhere."""

    form: QuadraticForm
    tau: float
    tables: tuple[Floats, ...]  # what bounds need, of `proofs.set_up`
    state: SearchState
    status: int = 0  # RUNNING, DONE or IMPROVED of the kernel

    @classmethod
    def of(cls, form: QuadraticForm, tau: float) -> "Attempt":
        """Set up the bounds for one of the taus."""
        from topicset_core.analyses.topic_subsets.kernels import proofs

        distance = tau * max(float(np.abs(form.sharp).mean()), 1e-9)
        d = proofs.diagonal(form.a, distance)
        tables = proofs.set_up(form.a, form.b, d, form.sharp, distance, _SHARP_TAU * distance, _LEAST_FREE)
        return cls(form, tau, tables, SearchState.at_root(len(form.order)))

    @property
    def n_nodes(self) -> int:
        """Nodes visited."""
        return int(self.state.counters[1])

    @property
    def place(self) -> tuple[int, ...]:
        """Where in the tree it is; larger is farther."""
        return tuple(self.state.tried[: max(0, int(self.state.counters[0]))].tolist())

    @property
    def members(self) -> tuple[int, ...]:
        """Topics of the set beyond the target, once one was found."""
        return tuple(sorted(self.form.order[self.state.chosen > 0].tolist()))

    def copied(self) -> "Attempt":
        """Return the same search with a state of its own: arrays from elsewhere are never written to."""
        return replace(self, state=SearchState._make(array.copy() for array in self.state))

    def run(self, criterion: CorrelationCriterion, cardinality: int, sign: int, n_nodes: int) -> None:
        """Go on for up to this number of nodes."""
        from topicset_core.analyses.topic_subsets.kernels import proofs

        form = self.form
        self.status = proofs.search(
            form.a,
            form.b,
            form.top,
            form.free_sums,
            form.same,
            form.f_size,
            form.s_size,
            criterion.centred[form.order],
            criterion.centred.sum(axis=0),
            form.limit,
            float(sign),
            criterion.tolerance,
            form.chord,
            cardinality,
            _LEAST_FREE,
            self.tables,
            *self.state,
            n_nodes,
        )


PROOF_TOLERANCE = 1e-9
"""A proved set may be exceeded by no more than this."""

_STEP_WORK = 2e9  # nodes times pairs of topics; about a fifth of a second
_NARROWINGS = 8  # halvings of the open interval, where the nodes ran out
_SHARE = 40  # of the nodes are spent on each of them

_RUNNING, _DONE, _IMPROVED = 0, 1, 2  # as in the kernel


@dataclass(eq=False)
class Proof:
    """Search for the certificate of one cardinality and side; a `Chain`."""

    criterion: CorrelationCriterion
    # Size of the sets
    cardinality: int
    sign: int
    known: Valued  # the best (worst) set known
    budget: int  # nodes to evaluate for a proof
    bound: float = field(init=False)  # value that no set exceeds (falls below), as far as known
    status: Literal["open", "proved", "gap"] = field(default="open", init=False)
    n_nodes: int = field(default=0, init=False)
    step_work: float = _STEP_WORK  # how much is done in a step
    _target: float = field(init=False)
    _left: int = field(init=False)
    _narrowings: int = field(default=-1, init=False)  # -1 as long as a proof is looked for
    _taus: tuple[float, ...] = field(default=TAUS, init=False)
    _untried: tuple[float, ...] = field(default=(), init=False)
    _form: QuadraticForm | None = field(default=None, init=False)
    _leader: Attempt | None = field(default=None, init=False)
    _running: Attempt | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.bound = float(self.sign)
        self._left = self.budget
        # Of the topics with the largest (smallest) covariances the set that has the right sign if any has.
        extreme = tuple(
            sorted(np.argsort(-self.sign * self.criterion.b, kind="stable")[: self.cardinality].tolist())
        )
        value = self.criterion.value(extreme)
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
            work -= further._advance(work) * self.criterion.n_topics**2
        return further

    def _aim(self, target: float) -> None:
        """Start with a new target."""
        self._target = target
        self._untried, self._form, self._leader, self._running = self._taus, None, None, None

    def _advance(self, work: float) -> float:
        """Do one thing, and return how many nodes take as long."""
        set_up = _SET_UP_NODES * self.criterion.n_topics**2
        if self._form is None:
            self._ask()
            return set_up / 2
        entering = self._leader is None or self._running is not self._leader
        if self._running is None:
            if self._untried:
                tau, *untried = self._untried
                self._untried = tuple(untried)
                self._running = Attempt.of(self._form, tau)
                return set_up
            self._running = self._leader
            return 0.0
        running = self._running
        allowed = min(self._left, ENTRY_NODES - running.n_nodes) if entering else self._left
        before = running.n_nodes
        allowed = min(allowed, 1 + int(work / self.criterion.n_topics**2))
        running.run(self.criterion, self.cardinality, self.sign, allowed)
        done = running.n_nodes - before
        self.n_nodes += done
        self._left -= done
        if running.status == _DONE:
            self._answer()
        elif running.status == _IMPROVED:
            self._improve(running.members)
        elif self._left == 0:
            self._give_up(running.tau)
        elif entering and running.n_nodes == ENTRY_NODES:
            if self._leader is None or running.place > self._leader.place:
                self._leader = running
            self._running = None
        return float(done)

    def _ask(self) -> None:
        if abs(self._target) >= 1 and self._target * self.sign > 0:
            self._answer()  # no correlation is beyond 1
            return
        known = np.array(self.known.topics, dtype=np.int64)
        form = form_of(self.criterion, self.cardinality, self.sign, self._target, known)
        if form == "none":
            self._answer()
        elif form == "open":
            self._give_up(self._taus[0])
        else:
            self._form = form

    def _answer(self) -> None:
        """No set is beyond the target."""
        if self._narrowings < 0:
            self.status, self.bound = "proved", self._target
        else:
            self.bound = self._target
            self._narrow(self.known.value)

    def _improve(self, topics: tuple[int, ...]) -> None:
        """Go on from a set beyond the target, after exchanges."""
        value = self.criterion.value(topics)
        result = self.criterion.local_search(np.array([topics], dtype=np.int64), self.cardinality, self.sign)
        if value is not None:
            result.append(Valued(value, topics))
        better = best_of([*result, self.known], self.sign)[0]
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
        """Try to prove half of the interval between `low` and the bound."""
        if self._narrowings == _NARROWINGS or abs(self.bound - low) <= PROOF_TOLERANCE:
            self.status = "gap"
            return
        self._narrowings += 1
        self._left = max(1, self.budget // _SHARE)
        self._aim((low + self.bound) / 2)


_HARDEST = {1: 0.35, -1: 0.45}  # share of the topics at which proofs took longest on nine real matrices


def certify(
    criterion: CorrelationCriterion,
    known: Mapping[tuple[int, int], Valued],
    budget: int,
    report: ReportProgress,
    executor: Executor | None,
) -> Iterator[Proof]:
    """Yield the proof of each set, or how far it came, as they end."""

    def before(key: tuple[int, int]) -> tuple[float, ...]:
        # Proofs of the best take longer than proofs of the worst.
        cardinality, sign = key
        return -sign, abs(cardinality / criterion.n_topics - _HARDEST[sign]), cardinality

    proofs = [Proof(criterion, *key, known[key], budget) for key in sorted(known, key=before)]
    for _, proof in in_chains(proofs, report, executor):
        yield proof


def seconds_of_proofs(n_topics: int, n_proofs: int) -> float:
    """Return about how long proofs take, in CPU seconds, where they are not hard; the set-up grows as n^4."""
    return 0.1 * n_proofs * (n_topics / 50) ** 4
