"""Diagonals of branch and bound: at the centre, and inside the cone."""

import numpy as np
import pytest

from topicset_core.analyses.topic_subsets.kernels import proofs


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
