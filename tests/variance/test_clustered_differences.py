"""Cluster-robust standard errors against clubSandwich, statsmodels, their definition with matrices, simulation."""

from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm

from tests.reference_data import reference_matrix
from tests.variance.matrices import of
from tests.variance.test_group_components import drawn, grouped
from topicset_core.variance import clustered_differences

SIZES = (3, 2, 4, 1, 5)
# R: d <- c(...); coef_test(lm(d ~ 1), vcov = "CR2", cluster = g, test = "Satterthwaite")
DIFFERENCES = (
    *(0.12, -0.05, 0.30, 0.08, 0.11, -0.20, 0.02, 0.05, -0.07, 0.25),
    *(0.31, 0.18, 0.22, 0.09, 0.40),
)


def test_against_clubsandwich() -> None:
    """clubSandwich 0.5.8 in R 4.2.2: estimate, standard error, degrees of freedom and p, to 12 decimals."""
    scores = np.column_stack([DIFFERENCES, np.zeros(15)])
    found = clustered_differences(grouped(scores, SIZES))
    values = found.differences[0], found.standard_errors[0], found.df, found.p_values[0]
    assert values == pytest.approx(
        (0.120666666667, 0.072741847663, 3.133020344288, 0.191858057426), abs=1e-12
    )


@pytest.mark.reference_data
def test_real_scores_against_clubsandwich() -> None:
    """Runs 1 and 59 of Robust 2004 in its five blocks of topics, by the same R program, to 15 digits."""
    matrix = reference_matrix("robust2004_ap")
    blocks = {topic: f"b{sum(int(topic) > last for last in (350, 400, 450, 650))}" for topic in matrix.topics}
    found = clustered_differences(matrix.grouped(blocks).taken(range(249), [0, 58]))
    values = found.differences[0], found.standard_errors[0], found.df, found.p_values[0]
    expected = (-0.0432236947791164, 0.0127969997994654, 3.999697000303, 0.0278493305724236)
    assert values == pytest.approx(expected, rel=1e-12)


def test_equal_groups_against_statsmodels() -> None:
    """Of equal groups CR2 is CR1 with g / (g - 1), the correction of statsmodels for one regressor."""
    matrix = drawn((4,) * 6, 0.3, 3)
    found = clustered_differences(matrix)
    assert found.df == pytest.approx(5, rel=1e-12)
    groups = np.repeat(np.arange(6), 4)
    for place, (first, second) in enumerate(combinations(range(3), 2)):
        d = matrix.scores[:, first] - matrix.scores[:, second]
        fitted = sm.OLS(d, np.ones(24)).fit(cov_type="cluster", cov_kwds={"groups": groups})
        assert found.standard_errors[place] == pytest.approx(fitted.bse[0], rel=1e-12)
        assert found.differences[place] == pytest.approx(fitted.params[0], rel=1e-12)


def test_against_the_definition_with_matrices() -> None:
    """Pustejovsky and Tipton (2018), Eqs. 3 to 9, with the identity as working model."""
    n, x = 15, np.ones((15, 1))
    inverse = np.linalg.inv(x.T @ x)
    hat = np.eye(n) - x @ inverse @ x.T
    d = np.array(DIFFERENCES)
    residuals = hat @ d
    parts, meat, start = [], 0.0, 0
    for size in SIZES:
        rows = slice(start, start + size)
        start += size
        values, vectors = np.linalg.eigh(hat[rows, rows])
        adjustment = vectors @ np.diag(values**-0.5) @ vectors.T
        parts.append(hat[rows].T @ adjustment @ x[rows] @ inverse)
        meat += float((x[rows].T @ adjustment @ residuals[rows])[0] ** 2)
    gram = np.hstack(parts).T @ np.hstack(parts)
    found = clustered_differences(grouped(np.column_stack([d, np.zeros(n)]), SIZES))
    assert found.standard_errors[0] == pytest.approx(np.sqrt(meat) / n, rel=1e-12)
    assert found.df == pytest.approx(np.trace(gram) ** 2 / np.square(gram).sum(), rel=1e-12)


def test_equal_systems_do_not_differ() -> None:
    scores = drawn(SIZES, 0.3).scores
    found = clustered_differences(grouped(np.hstack([scores, scores, scores + 1]), SIZES))
    assert found.p_values[0] == 1
    assert found.p_values[1] < 1e-6


@pytest.mark.parametrize("sizes", [(6,) * 5, (1, 2, 4, 8, 10) * 2])
def test_type_one_error(sizes: tuple[int, ...]) -> None:
    """Long simulations have 3 to 6 % at rho = .5; as if topics were independent 19 % and more."""
    pairs = clustered_differences(drawn(sizes, 0.5, 600))
    disjoint = (pairs.first % 2 == 0) & (pairs.second == pairs.first + 1)  # 300 independent pairs
    assert 0.005 <= np.mean(pairs.p_values[disjoint] <= 0.05) <= 0.11
    t = np.abs(pairs.differences / pairs.independent_errors)[disjoint]
    assert np.mean(t > 1.96) > 0.15


def test_one_row_per_pair() -> None:
    found = clustered_differences(drawn(SIZES, 0.1, 4))
    assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == list(
        combinations(range(4), 2)
    )
    assert of(np.eye(3)).group_sizes == {}
