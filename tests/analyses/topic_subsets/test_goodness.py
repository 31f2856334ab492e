"""Goodness of single subsets: against scipy, the equation, and numbers computed by others."""

import itertools

import numpy as np
import pytest
import scipy

from tests.analyses.topic_subsets.plain import (
    matrix_of,
    plain_error_rate,
    plain_goodness,
    plain_kendall,
    plain_pearson,
    random_matrix,
)
from tests.reference_data import reference_matrix
from topicset_core.analyses.topic_subsets.by_measure import criterion_for
from topicset_core.analyses.topic_subsets.exact_sums import whole_numbers
from topicset_core.analyses.topic_subsets.goodness import MEASURES, Goodness, measure_of
from topicset_core.errors import InputError

GOODNESS: tuple[Goodness, ...] = ("pearson", "kendall", "error-rate")

# Fixed subsets of TREC-8 top 96 in whole units of the fourth decimal: pearsonr and kendalltau of scipy, and Eq. 1
# by exact integers. On floating-point means scipy gives .6759543822 and Eq. 1 .0620432548 for 401-410, as
# rounding breaks four ties there; the other values are the same to all digits. In Eq. 1 a tie is no error.
FIXED = {
    tuple(range(10)): (0.844303367796296, 0.6765416495334985, 0.061968982480169556),
    tuple(range(25)): (0.954237461636210, 0.8473349418732177, 0.012840017051844189),
    tuple(range(25, 50)): (0.964397734432224, 0.8196973020399210, 0.019342402526937384),
    (25,): (0.807345710259220, 0.4632434064759051, 0.14386830506275747),
}


def oriented(value: float | None, goodness: Goodness) -> float | None:
    return -value if value is not None and goodness == "error-rate" else value


@pytest.mark.reference_data
@pytest.mark.parametrize("topics", FIXED, ids=lambda topics: f"{topics[0] + 401}-{topics[-1] + 401}")
def test_fixed_subsets_of_trec_8_against_computed_values(topics: tuple[int, ...]) -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    *correlations, as_published = FIXED[topics]
    for goodness, expected in zip(GOODNESS, (*correlations, as_published + _half_ties(topics)), strict=True):
        result = criterion_for(matrix, goodness).value(topics)
        assert oriented(result, goodness) == pytest.approx(expected, abs=2e-15)  # rounding of sums of 96


def _half_ties(topics: tuple[int, ...]) -> float:
    """What half an error for each tie adds to Eq. 1 on TREC-8, in whole numbers of Python."""
    whole = np.rint(reference_matrix("trec8_adhoc_top96_ap").scores * 10_000).astype(int)
    x, y = whole[list(topics)].sum(axis=0).tolist(), whole.sum(axis=0).tolist()
    pairs = list(itertools.combinations(range(len(y)), 2))
    tied = sum(abs(y[i] - y[j]) for i, j in pairs if x[i] == x[j])
    return tied / (2 * sum(abs(y[i] - y[j]) for i, j in pairs))


@pytest.mark.reference_data
def test_half_errors_change_published_error_rates_of_trec_8_by_little() -> None:
    # Four ties of 4,560 pairs on topics 401 to 410, one topic's many: at most .04 points of the error rate.
    added = {topics: 100 * _half_ties(topics) for topics in FIXED}
    assert [round(one, 4) for one in added.values()] == [0.0073, 0.0, 0.0, 0.0383]


@pytest.mark.parametrize("decimals", [1, 15])
def test_plain_formulas_against_scipy(decimals: int) -> None:
    """Other tests take them for SciPy's, and for Eq. 1 of Guiver et al. (2009), pair by pair."""
    rng = np.random.default_rng(6)
    for n_runs in (2, 3, 9, 40):
        for _ in range(25):
            x, y = rng.random((2, n_runs)).round(decimals)
            if np.ptp(x) == 0 or np.ptp(y) == 0:
                continue
            r, tau = scipy.stats.pearsonr(x, y).statistic, scipy.stats.kendalltau(x, y).statistic
            assert plain_pearson(x, y) == pytest.approx(r, abs=1e-14)
            assert plain_kendall(x, y) == pytest.approx(tau, abs=1e-14)
            pairs = list(itertools.combinations(range(n_runs), 2))
            wrong = sum(abs(y[i] - y[j]) for i, j in pairs if (x[i] - x[j]) * (y[i] - y[j]) < 0)
            wrong += sum(abs(y[i] - y[j]) / 2 for i, j in pairs if x[i] == x[j])
            rate = wrong / sum(abs(y[i] - y[j]) for i, j in pairs)
            assert plain_error_rate(x, y) == pytest.approx(rate, abs=1e-14)


@pytest.mark.parametrize("goodness", GOODNESS)
def test_subsets_with_ties_against_scipy(goodness: Goodness) -> None:
    matrix = random_matrix(12, 9, seed=1, decimals=1)
    criterion = criterion_for(matrix, goodness)
    rng = np.random.default_rng(2)
    for _ in range(200):
        topics = np.sort(rng.permutation(12)[: rng.integers(1, 13)]).tolist()
        expected = plain_goodness(matrix.scores, topics, goodness)
        result = oriented(criterion.value(topics), goodness)
        # Sums of nine numbers in another order: a few units of 1e-16.
        assert result == (None if expected is None else pytest.approx(expected, abs=2e-15))


def test_a_tie_in_the_subset_is_half_an_error() -> None:
    # Over all topics a > b > c; on the first topic a and b tie, on the second b and c are in the wrong order.
    matrix = matrix_of([[0.5, 0.5, 0.1], [0.9, 0.2, 0.3], [0.9, 0.6, 0.1]])
    criterion = criterion_for(matrix, "error-rate")
    sums = matrix.scores.sum(axis=0)  # 2.3, 1.3, .5
    total = 2 * (sums[0] - sums[2])  # the three differences add up to twice the largest
    assert criterion.value((0,)) == pytest.approx(-(sums[0] - sums[1]) / 2 / total, abs=1e-15)
    assert criterion.value((1,)) == pytest.approx(-(sums[1] - sums[2]) / total, abs=1e-15)


def test_a_topic_on_which_all_runs_tie_has_an_error_rate_of_a_half() -> None:
    # It says nothing, so a coin decides every pair: 1/2, however far runs are apart over all topics.
    criterion = criterion_for(matrix_of([[0.2, 0.2, 0.2], [0.9, 0.2, 0.3], [0.9, 0.6, 0.1]]), "error-rate")
    assert criterion.value((0,)) == -0.5
    assert criterion.walk(np.array([[0, 1, 2]]), np.array([1])).tolist() == [[-0.5]]


def test_a_pair_that_ties_over_all_topics_has_no_order_to_reverse() -> None:
    # a and b have 1 in all, c has .5: only a - c and b - c count, .5 each, whatever a topic says of a and b.
    criterion = criterion_for(matrix_of([[0.8, 0.2, 0.1], [0.2, 0.8, 0.4]]), "error-rate")
    assert criterion.value((0,)) == 0
    assert criterion.value((1,)) == -0.5  # b - c right, a - c wrong


def test_ties_between_sums_of_full_precision_are_exact() -> None:
    # Two runs with the same three scores on other topics; sums in the given orders differ in the last bit.
    a, b, c = 0.1 / 3, 4 / 3, 2 / 21
    assert a + b + c != c + b + a
    matrix = matrix_of([[a, c, 0.9], [b, b, 0.1], [c, a, 0.3]])
    whole = whole_numbers(matrix.scores).sum(axis=0)
    assert whole[0] == whole[1]
    # Both runs tie over all topics and over all but the third: one untied pair each with the third run.
    assert criterion_for(matrix, "kendall").value((0, 1, 2)) == 1.0


@pytest.mark.parametrize("scale", [1e-90, 1.0, 1e90])
@pytest.mark.parametrize("goodness", GOODNESS)
def test_the_unit_of_scores_does_not_matter(goodness: Goodness, scale: float) -> None:
    matrix = random_matrix(8, 6, seed=3)
    scaled = matrix_of(matrix.scores * scale)
    for topics in ((0,), (1, 4, 6), tuple(range(8))):
        expected = criterion_for(matrix, goodness).value(topics)
        result = criterion_for(scaled, goodness).value(topics)
        assert result == pytest.approx(expected, abs=1e-14)  # scaling by other than powers of 2 rounds


@pytest.mark.parametrize("goodness", GOODNESS)
def test_all_topics_agree_perfectly_with_themselves(goodness: Goodness) -> None:
    matrix = random_matrix(10, 7, seed=4, decimals=1)
    result = oriented(criterion_for(matrix, goodness).value(range(10)), goodness)
    assert result == measure_of(goodness).higher_is_better  # 1, or an error rate of 0


@pytest.mark.parametrize("goodness", GOODNESS)
def test_one_run_and_equal_means_are_refused(goodness: Goodness) -> None:
    for scores, parameter in (([[0.1], [0.2]], "systems"), ([[0.1, 0.3], [0.3, 0.1]], "scores")):
        with pytest.raises(InputError) as caught:
            criterion_for(matrix_of(scores), goodness)
        assert caught.value.parameter == parameter  # worded as in tests/cli/test_subsets.py


def test_unknown_measures_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        measure_of("spearman")
    assert (caught.value.parameter, caught.value.value) == ("goodness", "spearman")
    assert all(name in caught.value.rule for name in GOODNESS)
    assert [measure.key for measure in MEASURES] == list(GOODNESS)
