"""Proofs where topics all but cancel, so that sums of covariances have few digits left: no false proof.

Found by comparing thousands of small matrices with all their subsets: 1e-6 of a correlation was lost there.
"""

import itertools

import numpy as np
import pytest

from topicset_core.analyses.topic_subsets.by_measure import CorrelationCriterion
from topicset_core.analyses.topic_subsets.certificates import PROOF_TOLERANCE, Proof, QuadraticForm, form_of
from topicset_core.analyses.topic_subsets.criterion import Valued


def cancelling(size: int, seed: int) -> np.ndarray:
    """Whole scores of 8 topics, the second four minus the first four but for up to 50."""
    rng = np.random.default_rng(seed)
    half = rng.integers(0, 101, (4, 6)).astype(float) * size
    return np.vstack([half, -half + rng.integers(-50, 51, (4, 6))])


def every_value(scores: np.ndarray, cardinality: int) -> tuple[np.ndarray, np.ndarray]:
    """All subsets and their correlations: sums of whole numbers are exact, their products nearly."""
    subsets = np.array(list(itertools.combinations(range(len(scores)), cardinality)))
    exact = scores * scores.shape[1] - scores.sum(axis=1, keepdims=True)
    sums, full = exact[subsets].sum(axis=1).astype(np.longdouble), exact.sum(axis=0).astype(np.longdouble)
    return subsets, ((sums @ full) / np.sqrt((sums * sums).sum(axis=1) * (full @ full))).astype(float)


@pytest.mark.parametrize("size", [10, 10**3, 10**5])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_against_all_subsets_from_a_bad_start(size: int, seed: int) -> None:
    scores = cancelling(size, seed)
    criterion = CorrelationCriterion.of(scores)
    for cardinality, sign in itertools.product(range(1, 9), (1, -1)):
        subsets, values = every_value(scores, cardinality)
        start = tuple(subsets[int(np.argmin(sign * values))].tolist())
        value = criterion.value(start)
        assert value is not None
        proof = Proof(criterion, cardinality, sign, Valued(value, start), budget=20_000)
        while not proof.is_done:
            proof = proof.step()
        # Scores less their mean are rounded at 1e-16 of the largest, which is up to 1e7 times the remaining sums.
        assert sign * proof.bound >= max(sign * values) - 1e-9 / 2
        assert proof.status == "proved"
        assert sign * proof.known.value >= max(sign * values) - 1.5 * PROOF_TOLERANCE


def test_topics_that_differ_by_more_than_rounding_are_distinct() -> None:
    scores = np.vstack([cancelling(1, 4), cancelling(1, 4)[:3]])
    scores[9, 0] += 1e-9
    scores[10, 0] += 1e-14  # of 100: rounding
    question = form_of(CorrelationCriterion.of(scores), 4, 1, 0.9, np.arange(4))
    assert isinstance(question, QuadraticForm)
    assert question.same.sum() == 2
