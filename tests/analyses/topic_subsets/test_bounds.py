"""The bounds of branch and bound are bounds: against all completions, NumPy and extended precision."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from tests.analyses.topic_subsets.plain import matrix_of, random_matrix
from tests.reference_data import reference_matrix
from topicset_core.analyses.topic_subsets.by_measure import CorrelationCriterion
from topicset_core.analyses.topic_subsets.certificates import Attempt, QuadraticForm, form_of
from topicset_core.analyses.topic_subsets.kernels import proofs

LEAST_FREE = 5  # free topics from which nodes have bounds


def opposed(seed: int) -> np.ndarray:
    """Scores of 11 topics, a third of which rank the runs in reverse order."""
    rng = np.random.default_rng(seed)
    sign = np.where(np.arange(11) % 3 == 0, -1.0, 1.0)
    return sign[:, None] * rng.normal(0, 1, 7) + rng.normal(0, 0.7, (11, 7))


def criterion_named(name: str) -> CorrelationCriterion:
    return CorrelationCriterion.of(
        {
            "ordinary": random_matrix(11, 7, seed=71).scores,
            "few runs": random_matrix(11, 3, seed=72).scores,
            "opposed": opposed(73),
        }[name]
    )


def requested(criterion: CorrelationCriterion, cardinality: int, sign: int, target: float) -> QuadraticForm:
    question = form_of(criterion, cardinality, sign, target, np.arange(cardinality))
    assert isinstance(question, QuadraticForm)
    return question


class Node:
    """Arguments of a node's bound, computed plainly."""

    def __init__(self, question: QuadraticForm, cardinality: int, fixed: np.ndarray) -> None:
        n, self.depth = len(question.order), len(fixed)
        whole = np.concatenate([fixed, np.zeros(n - self.depth)])
        self.question, self.fixed = question, fixed
        self.m = cardinality - int(fixed.sum())
        self.const = float(whole @ question.a @ whole)
        self.lin = 2 * question.a @ whole
        self.s = float(question.b @ whole)
        self.reach = self.s + float(question.top[self.depth, self.m])

    def bound(self, attempt: Attempt) -> float:
        n = len(self.lin)
        return float(
            proofs.node_bound(
                self.depth,
                self.m,
                self.const,
                self.lin,
                self.question.b,
                self.reach,
                self.s,
                self.question.free_sums[self.depth],
                attempt.tables,
                self.question.chord,
                self.question.f_size,
                self.question.s_size,
                np.empty(n),
                np.empty(n),
            )
        )

    def completions(self) -> np.ndarray:
        """All sets of the node, (k, n), one per row."""
        n = len(self.lin)
        chosen = np.array(list(itertools.combinations(range(self.depth, n), self.m)))
        whole = np.tile(np.concatenate([self.fixed, np.zeros(n - self.depth)]), (len(chosen), 1))
        np.put_along_axis(whole, chosen, 1.0, axis=1)
        return whole


def forms(matrix: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """The quadratic form of each row."""
    return np.einsum("ki,ij,kj->k", sets, matrix, sets, optimize=True)


def nodes(question: QuadraticForm, cardinality: int, n_nodes: int, seed: int) -> Iterator[Node]:
    """Random nodes that have a bound."""
    rng = np.random.default_rng(seed)
    n, result = len(question.order), 0
    while result < n_nodes:
        fixed = rng.integers(0, 2, rng.integers(0, n - LEAST_FREE + 1)).astype(float)
        if 0 < cardinality - fixed.sum() < n - len(fixed):
            result += 1
            yield Node(question, cardinality, fixed)


@pytest.mark.parametrize("name", ["ordinary", "few runs", "opposed"])
@pytest.mark.parametrize(("sign", "target"), [(1, 0.9), (1, 0.5), (-1, 0.3), (-1, 0.05)])
@pytest.mark.parametrize("tau", [0.05, 0.5, 1.3, 5.0])
def test_bounds_of_random_nodes_against_all_completions(
    name: str, sign: int, target: float, tau: float
) -> None:
    criterion = criterion_named(name)
    # Where a set of the opposed topics has a negative covariance, "worst" has this form from 9 topics on only.
    cardinality = 9 if name == "opposed" and sign < 0 else 5
    question = requested(criterion, cardinality, sign, target)
    attempt = Attempt.of(question, tau)
    for node in nodes(question, cardinality, 40, seed=74):
        least = forms(question.a, node.completions()).min()
        bound = node.bound(attempt)
        assert np.isfinite(bound)
        assert bound <= least


@pytest.mark.parametrize("cardinality", [2, 4, 6])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.9999])
@pytest.mark.parametrize("tau", [0.5, 1.3, 5.0])
def test_no_node_with_a_set_below_a_negative_target_is_pruned(
    cardinality: int, share: float, tau: float
) -> None:
    criterion = criterion_named("opposed")
    total = float(criterion.b.sum())

    def correlations(sets: np.ndarray) -> np.ndarray:
        return np.asarray(sets @ criterion.b / np.sqrt(forms(criterion.cov, sets) * total))

    every = np.array(list(itertools.combinations(range(criterion.n_topics), cardinality)))
    worst = correlations(np.eye(criterion.n_topics)[every].sum(axis=1)).min()
    assert worst < -0.4
    target = share * worst
    question = requested(criterion, cardinality, -1, target)
    attempt = Attempt.of(question, tau)
    to_topics = np.argsort(question.order)
    n_open = n_without = n_closed = 0
    for node in nodes(question, cardinality, 500, seed=75):
        if node.reach <= 0:
            continue
        if correlations(node.completions()[:, to_topics]).min() < target:
            assert node.bound(attempt) <= 0
            n_open += 1
        else:
            n_without += 1
            n_closed += node.bound(attempt) > 0
    assert n_open > 0
    assert n_closed > 0 or n_without < 100


@pytest.mark.reference_data
@pytest.mark.parametrize(("cardinality", "sign", "target"), [(20, 1, 0.9928), (20, -1, 0.64), (3, -1, -0.02)])
def test_tables_are_convex_and_more_than_rounding_comes_off_bounds(
    cardinality: int, sign: int, target: float
) -> None:
    criterion = CorrelationCriterion.of(reference_matrix("trec8_adhoc_top96_ap").scores)
    question = requested(criterion, cardinality, sign, target)
    attempt = Attempt.of(question, 1.3)
    inverses, _, diagonals, _, residuals, *_ = attempt.tables
    n = len(question.order)
    for depth in range(n - LEAST_FREE + 1):
        f = n - depth
        basis = np.linalg.svd(np.ones((1, f)))[2][1:].T
        for taken in (diagonals[depth, :f], diagonals[depth, :f] + residuals[depth, :f]):
            m = question.a[depth:, depth:] - np.diag(taken)
            eigenvalues = np.linalg.eigvalsh(basis.T @ m @ basis)
            assert eigenvalues[0] > 1e-9 * eigenvalues[-1]  # rounding of eigenvalues is 1e-15 of the largest
        assert np.isfinite(inverses[depth]).all()
    taken_off = [
        extended(node, attempt) - node.bound(attempt)
        for node in nodes(question, cardinality, 60, seed=77)
        if node.reach > 0
    ]
    # More than rounding is subtracted, and not enough to leave nodes open: F is about 1 there.
    assert min(taken_off) > 0
    assert np.median(taken_off) < 1e-6


def extended(node: Node, attempt: Attempt) -> float:
    """The bound of a node in extended precision, by elimination in the conditions of its minimum."""
    question, depth = node.question, node.depth
    f = len(node.lin) - depth
    long = np.longdouble
    a = question.a.astype(long)
    fixed = node.fixed.astype(long)
    _, _, diagonals, curvatures, residuals, *_ = (table.astype(long) for table in attempt.tables)
    m = a[depth:, depth:] - np.diag(diagonals[depth, :f])
    lin = 2 * a[depth:, :depth] @ fixed + diagonals[depth, :f]
    const = fixed @ a[:depth, :depth] @ fixed
    conditions = np.zeros((f + 1, f + 1), dtype=long)
    conditions[:f, :f], conditions[:f, f], conditions[f, :f] = 2 * m, 1, 1

    def minimum(linear: np.ndarray) -> tuple[np.longdouble, np.ndarray]:
        z = eliminated(conditions, np.append(-linear, long(node.m)))[:f]
        return const + linear @ z + z @ m @ z, z

    low, z = minimum(lin)
    if question.chord > 0:
        b = question.b.astype(long)
        s = b[:depth] @ fixed
        reach = s + np.sort(b[depth:])[::-1][: node.m].sum()
        least = np.sqrt(question.chord * max(low, long(0)))
        if least > reach:
            return 1.0
        slope = (least + reach) / question.chord
        low, z = minimum(lin - slope * b[depth:])
        low += least * reach / question.chord - slope * s
    near, far = z**2, (1 - z) ** 2
    ahead = (np.minimum(near, far) * curvatures[depth, :f]).max()
    rest = np.minimum(residuals[depth, :f] * near, residuals[depth, :f] * far).sum()
    return float(low + max(ahead, rest))


def eliminated(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Gauss's elimination with pivots, as NumPy has no solver in extended precision."""
    matrix, right = matrix.copy(), right.copy()
    n = len(right)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(matrix[k:, k])))
        matrix[[k, pivot]], right[[k, pivot]] = matrix[[pivot, k]], right[[pivot, k]]
        for i in range(k + 1, n):
            factor = matrix[i, k] / matrix[k, k]
            matrix[i, k:] -= factor * matrix[k, k:]
            right[i] -= factor * right[k]
    for k in range(n - 1, -1, -1):
        right[k] = (right[k] - matrix[k, k + 1 :] @ right[k + 1 :]) / matrix[k, k]
    return right


def test_topics_with_equal_scores_are_fixed_one_after_the_other() -> None:
    scores = random_matrix(8, 5, seed=78).scores
    criterion = CorrelationCriterion.of(
        matrix_of(np.vstack([scores, scores[2:4] + 0.25, scores[2:3]])).scores
    )
    question = requested(criterion, 4, 1, 0.9)
    order = question.order.tolist()
    for group in ((2, 8, 10), (3, 9)):
        places = [order.index(topic) for topic in group]
        assert sorted(places) == list(range(min(places), min(places) + len(group)))
    assert question.same.sum() == 3
    assert not question.same[0]


def test_possible_cancellation_is_subtracted_from_bounds() -> None:
    criterion = criterion_named("opposed")
    question = requested(criterion, 5, 1, 0.5)
    attempt = Attempt.of(question, 1.3)
    scale, square = criterion.cov[:5, :5].sum(), 0.5**2 * criterion.b.sum()  # of the set known, and v
    for chosen in map(list, itertools.combinations(range(11), 5)):
        terms = (
            np.abs(criterion.cov[np.ix_(chosen, chosen)]).sum()
            + np.abs(criterion.b[chosen]).sum() ** 2 / square
        )
        assert terms <= question.f_size * scale
    larger = replace(question, f_size=question.f_size + 1e9)
    for node in nodes(question, 5, 20, seed=79):
        less = node.bound(attempt) - Node(larger, 5, node.fixed).bound(attempt)
        assert less == pytest.approx(1e9 * proofs.ROUNDING, rel=1e-6)  # 2e-5, of bounds known to 1e-14


@pytest.mark.parametrize("tau", [1e-4, 1e-2, 1.0])
def test_centres_against_their_conditions(tau: float) -> None:
    rng = np.random.default_rng(76)
    half = rng.normal(0, 1, (17, 9))
    a = half @ half.T - np.outer(half.sum(axis=1), half.sum(axis=1)) / 7
    d = proofs.diagonal(a, tau)
    p = np.empty((17, 17))
    assert proofs.centre(a, d, tau, 50, p)
    # The inverse on the hyperplane, from an orthonormal basis of it.
    basis = np.linalg.svd(np.ones((1, 17)))[2][1:].T
    inner = basis.T @ (a - np.diag(d)) @ basis
    plain = basis @ np.linalg.inv(inner) @ basis.T
    assert p == pytest.approx(plain, rel=1e-6, abs=1e-9 / tau)  # conditions of up to 1e6
    assert np.linalg.eigvalsh(inner)[0] > 0
    # Squared Newton decrements below 1e-4 leave the diagonal of P within some percent of 1 / tau.
    assert np.diagonal(p) * tau == pytest.approx(np.ones(17), abs=0.03)


def test_no_centre_from_a_diagonal_that_is_not_convex() -> None:
    d = np.array([0.5, 1.5, 1.5])
    assert not proofs.centre(np.eye(3), d, 0.1, 5, np.empty((3, 3)))
    assert d.tolist() == [0.5, 1.5, 1.5]
