"""Branch and bound finds and proves what enumeration finds, from bad starts, wherever it runs."""

import itertools
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context

import numpy as np
import pytest

from tests.analyses.topic_subsets.plain import constant_rows, matrix_of, plain_enumeration, random_matrix
from topicset_core.analyses.topic_subsets.by_measure import CorrelationCriterion
from topicset_core.analyses.topic_subsets.certificates import PROOF_TOLERANCE, Proof, certify
from topicset_core.analyses.topic_subsets.criterion import Valued
from topicset_core.collection import ScoreMatrix
from topicset_core.execution.batches import in_chains
from topicset_core.progress import Cancelled, silently


def duplicated(matrix: ScoreMatrix, n_copies: int) -> ScoreMatrix:
    """The matrix with its first topics repeated at the end, one of them shifted by a constant."""
    copies = matrix.scores[:n_copies] + np.arange(n_copies)[:, None] / 8
    return matrix_of(np.vstack([matrix.scores, copies]))


def opposed(n_topics: int, n_systems: int, seed: int) -> ScoreMatrix:
    """Scores of which a third of the topics rank the runs in reverse order: worst correlations are negative."""
    rng = np.random.default_rng(seed)
    sign = np.where(np.arange(n_topics) % 3 == 0, -1.0, 1.0)
    quality = rng.normal(0, 1, n_systems)
    return matrix_of(np.round(sign[:, None] * quality + rng.normal(0, 0.7, (n_topics, n_systems)), 3))


MATRICES = {
    "ordinary": random_matrix(12, 8, seed=51),
    "few runs": random_matrix(13, 4, seed=52),
    "two runs": random_matrix(9, 2, seed=53),
    "three runs": random_matrix(11, 3, seed=54, decimals=1),
    "ties": random_matrix(11, 5, seed=55, decimals=1),
    "constant topics": constant_rows(random_matrix(11, 6, seed=56), 3),
    "topics twice": duplicated(random_matrix(8, 6, seed=57), 4),
    "opposed": opposed(12, 9, seed=58),
    "few opposed": opposed(13, 4, seed=59),
    "many runs": random_matrix(14, 40, seed=60, decimals=4),
}


def every_value(scores: np.ndarray, cardinality: int) -> tuple[np.ndarray, np.ndarray]:
    """All subsets with a correlation, (k, c), and their correlations, as scipy computes them."""
    subsets = np.array(list(itertools.combinations(range(len(scores)), cardinality)))
    means = scores[subsets].sum(axis=1)
    means = means[:, : scores.shape[1]] - means.mean(axis=1, keepdims=True)
    full = scores.sum(axis=0) - scores.sum(axis=0).mean()
    norms = np.linalg.norm(means, axis=1)
    defined = norms > 1e-12
    return subsets[defined], (means[defined] @ full) / (norms[defined] * np.linalg.norm(full))


def start_at(criterion: CorrelationCriterion, topics: np.ndarray) -> Valued:
    value = criterion.value(topics.tolist())
    assert value is not None
    return Valued(value, tuple(topics.tolist()))


def done(proof: Proof) -> Proof:
    while not proof.is_done:
        proof = proof.step()
    return proof


@pytest.mark.parametrize("name", MATRICES)
def test_small_matrices_against_all_subsets_from_a_bad_start(name: str) -> None:
    matrix = MATRICES[name]
    criterion = CorrelationCriterion.of(matrix.scores)
    for cardinality in range(1, matrix.n_topics + 1):
        subsets, values = every_value(matrix.scores, cardinality)
        for sign in (1, -1):
            expected = sign * float(max(sign * values))
            start = start_at(criterion, subsets[int(np.argmin(sign * values))])
            proof = done(Proof(criterion, cardinality, sign, start, budget=2_000_000))
            assert proof.status == "proved", (cardinality, sign)
            # A set that misses the best by no more than the tolerance is as good; values are rounded at 1e-14.
            assert proof.known.value == pytest.approx(expected, abs=PROOF_TOLERANCE + 1e-13)
            assert sign * (proof.bound - expected) > -1e-13
            assert abs(proof.bound - proof.known.value) <= PROOF_TOLERANCE * 1.001


def test_every_value_against_scipy() -> None:
    matrix = MATRICES["constant topics"]
    values = every_value(matrix.scores, 4)[1]
    plain, _ = plain_enumeration(matrix.scores, 4, "pearson")
    assert np.sort(values)[::-1] == pytest.approx([value for value, _ in plain], abs=1e-14)


def test_a_worst_correlation_of_zero() -> None:
    # The third topic has no covariance with the sum, (-2, -2, -2, 6): -8 + 4 + 4 + 0.
    criterion = CorrelationCriterion.of(np.array([[-3.0, -3, 3, 3], [-3, 3, -3, 3], [4, -2, -2, 0]]))
    proof = done(Proof(criterion, 1, -1, Valued(criterion.value([1]) or 0.0, (1,)), budget=1000))
    assert proof.known == Valued(0.0, (2,))
    assert (proof.status, proof.bound) == ("proved", -PROOF_TOLERANCE)


@cache
def sets_known() -> tuple[CorrelationCriterion, dict[tuple[int, int], Valued]]:
    criterion = CorrelationCriterion.of(random_matrix(28, 20, seed=61, decimals=4).scores)
    sizes = (4, 9, 17, 23)
    starts = {
        (c, sign): criterion.local_search(np.arange(c).reshape(1, -1), c, sign)[0]
        for c in sizes
        for sign in (1, -1)
    }
    return criterion, starts


def outcome(proof: Proof) -> tuple[object, ...]:
    return proof.cardinality, proof.sign, proof.known, proof.status, proof.bound, proof.n_nodes


def outcomes(budget: int, executor: Executor | None) -> list[tuple[object, ...]]:
    criterion, known = sets_known()
    return sorted(outcome(proof) for proof in certify(criterion, known, budget, silently, executor))


BUDGETS = (100_000_000, 30_000)
"""Of nodes: with the first all are proved, with the second most are not."""


@pytest.mark.slow
@pytest.mark.parametrize("budget", BUDGETS)
def test_steps_and_threads_change_nothing(budget: int) -> None:
    criterion, known = sets_known()
    whole = outcomes(budget, None)
    assert {one[3] for one in whole} == ({"proved"} if budget > 30_000 else {"proved", "gap"})
    with ThreadPoolExecutor(3) as threads:
        assert outcomes(budget, threads) == whole
    tiny = [Proof(criterion, c, sign, known[c, sign], budget, step_work=700 * 28**2) for c, sign in known]
    n_steps = 0

    def count(_: float) -> None:
        nonlocal n_steps
        n_steps += 1

    assert sorted(outcome(proof) for _, proof in in_chains(tiny, count, None)) == whole
    assert n_steps > 200


def test_a_step_does_not_change_its_chain() -> None:
    criterion, known = sets_known()
    proof = Proof(criterion, 17, 1, known[17, 1], 100_000, step_work=3000 * 28**2)
    for _ in range(6):
        proof = proof.step()
    assert not proof.is_done
    assert outcome(done(proof)) == outcome(done(proof))


def test_bounds_after_the_node_limit_are_valid() -> None:
    matrix = random_matrix(16, 9, seed=62)
    criterion = CorrelationCriterion.of(matrix.scores)
    statuses = set()
    for budget, cardinality, sign in itertools.product((1, 40, 400), (3, 8, 12), (1, -1)):
        subsets, values = every_value(matrix.scores, cardinality)
        extreme = max(sign * values)
        start = start_at(criterion, subsets[int(np.argmin(sign * values))])
        proof = done(Proof(criterion, cardinality, sign, start, budget))
        statuses.add(proof.status)
        assert sign * proof.bound >= extreme - 1e-13  # rounding
        assert sign * proof.known.value <= extreme + 1e-13
        assert proof.n_nodes <= 1.3 * budget + 8
    assert "gap" in statuses


def reports_until_cancelled(executor: Executor | None) -> int:
    """Return how many reports there were in work that is cancelled from the third."""
    criterion, known = sets_known()
    n_reports = 0

    def stop(_: float) -> None:
        nonlocal n_reports
        n_reports += 1
        if n_reports == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(certify(criterion, known, 10_000_000, stop, executor))
    return n_reports


def test_proofs_are_cancelled_from_their_report() -> None:
    assert reports_until_cancelled(None) == 3
    with ThreadPoolExecutor(3) as threads:
        assert reports_until_cancelled(threads) == 3


@pytest.mark.cluster
def test_processes_change_nothing_and_can_be_cancelled() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        for budget in BUDGETS:
            assert outcomes(budget, process) == outcomes(budget, None)
        assert reports_until_cancelled(process) == 3


def test_progress_grows_to_the_end() -> None:
    criterion, known = sets_known()
    fractions: list[float] = []
    with ThreadPoolExecutor(2) as executor:
        list(certify(criterion, known, 50_000, fractions.append, executor))
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
