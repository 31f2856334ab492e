"""Collections whose variances differ by more than their intervals allow."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from tests.variance.matrices import of
from topicset_core.errors import InputError
from topicset_core.variance import disagreement, one_way, pooled_interval
from topicset_core.variance.pooling import pool_of


def test_the_intervals_are_those_of_the_collections() -> None:
    """One run with alternating squared deviations of 1 and 9, and another of ten times as much."""
    small = np.array([[1.0], [-1.0], [3.0], [-3.0]] * 5)
    groups = [of(10 * small, name="large"), of(small, name="small")]
    result = disagreement(groups)
    assert result is not None
    assert result.names == ("small", "large")
    variance = 5 * 20 / 19  # mean square 5
    assert result.variances == pytest.approx((variance, 100 * variance), rel=1e-12)
    own = pooled_interval(groups[1:])
    assert result.intervals[0] == (own.low, own.high)
    third = disagreement([*groups, of(small, name="again")])
    assert third is not None
    bonferroni = pooled_interval(groups[1:], level=1 - 0.1 / 3)  # three pairs
    assert third.intervals[0] == (bonferroni.low, bonferroni.high)


def test_one_collection_and_collections_without_variance_agree() -> None:
    constant = of(np.full((20, 2), 0.5), name="constant")
    other = of(np.random.default_rng(1).uniform(size=(20, 2)), name="other")
    assert disagreement([other]) is None
    assert disagreement([constant, other]) is None
    with pytest.raises(InputError):
        disagreement([other, replace(other, measure="nDCG")])


def test_unlike_scales_are_named() -> None:
    small = of(np.random.default_rng(1).uniform(size=(3, 2)), name="small")
    other = of(np.random.default_rng(2).uniform(0.4, 0.41, size=(3, 2)), name="other")
    per_cent = replace(small, scores=100 * small.scores, name="per cent")
    result = disagreement([per_cent, small, other])
    assert result is not None
    assert (result.names[0], result.names[-1]) == ("other", "per cent")
    assert "scales differ" in result.sentence
    assert f"{per_cent.scores.max():g} in per cent" in result.sentence


def test_a_pool_begins_with_the_first_matrix_and_names_the_others() -> None:
    generator = np.random.default_rng(3)
    rounds = [of(generator.uniform(size=(40, 3)), name=f"round {place}") for place in range(3)]
    web = of(generator.uniform(size=(40, 3)) / 4, name="web")
    kept, reasons = pool_of([rounds[0], web, *rounds[1:]])
    assert kept == tuple(rounds)
    assert [set(one.names) for one in reasons] == [{"round 0", "web"}]
    kept, reasons = pool_of([web, *rounds])
    assert kept == (web,)
    assert len(reasons) == 3
    assert pool_of(rounds) == (tuple(rounds), ())


@pytest.mark.slow
@pytest.mark.parametrize(("n_collections", "n"), [(2, 50), (5, 50), (2, 5)])
def test_collections_of_one_population_seldom_disagree(n_collections: int, n: int) -> None:
    """0 to 6 % as the docstring has it; Bonferroni makes it less for more of them."""
    matrix = reference_matrix("robust2004_ap")
    generator = np.random.default_rng(np.random.SeedSequence(38, spawn_key=(n_collections, n)))
    trials = 400
    flagged = 0
    for _ in range(trials):
        drawn = matrix.scores[generator.integers(matrix.n_topics, size=(n_collections, n))]
        groups = [of(scores, name=f"round {place}") for place, scores in enumerate(drawn)]
        flagged += disagreement(groups) is not None
    assert flagged / trials <= 0.06 + 2 * math.sqrt(0.06 * 0.94 / trials)


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ("robust2003_ap", "robust2004_ap", False),  # two rounds of one task
        ("robust2004_ap", "trec8_adhoc_ap", False),
        ("robust2004_ap", "web2011_ap", True),  # news and web
        ("robust2004_ap", "dl2019_passage_ap", True),
    ],
)
def test_public_collections(first: str, second: str, differ: bool) -> None:
    groups = [reference_matrix(first), reference_matrix(second)]
    result = disagreement(groups)
    assert (result is not None) == differ
    if result is not None:
        assert set(result.variances) == {one_way(matrix) for matrix in groups} or result.variances == (
            pytest.approx(tuple(sorted(one_way(matrix) for matrix in groups)), rel=1e-12)
        )
