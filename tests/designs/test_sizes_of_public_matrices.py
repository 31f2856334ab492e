"""Sizes from the variances of public matrices, and what numbers of topics detect."""

import pytest

from tests.designs.asking import (
    anova_topics,
    interval_topics,
    stated,
    t_topics_of_variance,
)
from topicset_core.designs import paired_t


@pytest.mark.parametrize(
    ("variance", "expected"),
    # TREC-3 ad hoc AP (julian-urbano/gt4ireval, data/adhoc3.rda): Eq. 36, Eq. 37; sizes at minD .05 and .10
    # by plain_designs.py.
    [
        (0.03356198554857143, [213, 55, 206, 52, 212, 54, 419, 105, 422, 106, 415, 106]),
        (0.01091966740532705, [71, 20, 68, 18, 70, 19, 137, 35, 138, 36, 137, 36]),
    ],
)
def test_trec_3_sizes_against_plain_designs(variance: float, expected: list[int]) -> None:
    differences = (0.05, 0.10)
    computed = [t_topics_of_variance(d, variance) for d in differences]
    computed += [
        anova_topics(m, d, variance, method)
        for m in (2, 10)
        for method in ("minus", "exact")
        for d in differences
    ]
    computed += [interval_topics(d, variance) for d in differences]
    assert computed == expected


@pytest.mark.parametrize(
    ("variance", "n_topics", "min_d"),
    # sigma_t^2 of public matrices: mean Var(d) over all pairs of runs of TREC Robust 2004 (.0264) and of the
    # 96 best of TREC-8 (.0225), and twice the one-way estimate of the former (.0902). Differences
    # detected at (.05, .20) by noncentral t, four decimals.
    [
        (0.02639751134, 50, 0.0657),
        (0.02639751134, 150, 0.0374),
        (0.02251670774, 50, 0.0606),
        (0.02251670774, 150, 0.0345),
        (0.09022079557, 50, 0.1214),
    ],
)
def test_detectable_differences_against_scipy(variance: float, n_topics: int, min_d: float) -> None:
    delta = paired_t.detectable_delta(n_topics, alpha=0.05, beta=0.20)
    assert float(paired_t.min_d_of(delta, variance)) == stated(min_d, 4)


def test_robust_2004_sizes_against_scipy() -> None:
    # The same variances; n by noncentral t.
    assert [t_topics_of_variance(d, 0.02639751134 / 2) for d in (0.05, 0.10)] == [85, 23]
    assert t_topics_of_variance(0.05, 0.09022079557 / 2) == 286
