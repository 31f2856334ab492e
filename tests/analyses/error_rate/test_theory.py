"""Theory over the experiment, fitted exponentials, and table 1 of Lin and Hauptmann."""

import numpy as np
import pytest
import scipy

from tests.reference_data import reference_matrix
from tests.variance.matrices import of as matrix_of
from topicset_core.analyses.error_rate.experiment import error_rates, exponential_fits
from topicset_core.analyses.error_rate.theory import (
    Pairs,
    conditional_rates,
    level_variances,
    pairs_of,
    theory,
)
from topicset_core.errors import InputError
from topicset_core.samples.simulated import simulated_task
from topicset_core.variance import one_way
from topicset_core.variance.pair_differences import mean_pair_difference_variance

# Issue of this analysis, at c = 25 on TREC-8's 96 runs, per cent in bins 1, 5 and 10, printed to .1;
# Eq. 8 with paired and with independent variances, the conditional form, and an experiment of theirs,
# within the half point that 9.2 states.
PAIRED, INDEPENDENT, CONDITIONAL = (49.1, 12.5, 0.2), (49.8, 35.8, 11.7), (44.9, 14.3, 2.6)
EXPERIMENT = (45.3, 14.8, 2.5)
BINS = [0, 4, 9]


@pytest.mark.reference_data
def test_three_forms_of_theory_on_trec_8_against_the_stated_values() -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    result = theory(matrix, [25])
    assert 100 * result.paired[0, BINS] == pytest.approx(PAIRED, abs=0.05)
    assert 100 * result.independent[0, BINS] == pytest.approx(INDEPENDENT, abs=0.05)
    assert 100 * result.conditional[0, BINS] == pytest.approx(CONDITIONAL, abs=0.05)
    shown = 100 * error_rates(matrix, cardinalities=[25], n_trials=10_000, seed=0).error_rates[0, BINS]
    assert shown == pytest.approx(EXPERIMENT, abs=0.5)
    # The third form fits: within a point where the others are off by several.
    errors = [
        np.abs(shown - 100 * form[0, BINS]).max()
        for form in (result.conditional, result.paired, result.independent)
    ]
    assert errors[0] < 1 < 3 < min(errors[1:])


def test_conditional_rates_against_simulation() -> None:
    # A few pairs of known differences and variances, 2,000,000 pairs of experiments each, seed 11; five
    # standard errors of a binomial are allowed.
    true, variances = np.array([0.0, 0.03, 0.08, 0.15]), np.array([0.02, 0.05, 0.01, 0.08])
    pairs = Pairs(
        n_topics=50,
        differences=true,
        paired_variances=variances,
        independent_variances=2 * variances,
        n_constant=0,
    )
    expected = conditional_rates(pairs, true, 20)
    rng = np.random.default_rng(11)
    counted, wrong = np.zeros(21), np.zeros(21)
    for delta, variance in zip(true, variances, strict=True):
        first, second = rng.normal(delta, np.sqrt(variance / 20), (2, 2_000_000))
        cell = np.minimum(np.ceil(np.abs(first) * 100).astype(int), 21) - 1
        counted += np.bincount(cell, minlength=21)
        wrong += np.bincount(cell[first * second < 0], minlength=21)
    error = np.sqrt(expected * (1 - expected) / counted)
    assert (np.abs(wrong / counted - expected) < 5 * error).all()


def test_constant_differences_never_reverse_and_identical_runs_are_left_out() -> None:
    base = np.array([0.1, 0.4, 0.35, 0.8, 0.15, 0.5])
    pairs = pairs_of(matrix_of(np.column_stack([base, base + 0.055, base])))
    assert pairs.n_constant == 1
    assert pairs.paired_variances.tolist() == [0.0, 0.0]
    rates = conditional_rates(pairs, pairs.differences, 3)
    assert rates[5] == 0.0  # both are .055 apart, always
    assert np.isnan(np.delete(rates, 5)).all()
    assert (theory(matrix_of(np.column_stack([base, base + 0.055])), [3]).paired == 0).all()


def test_moments_of_pairs_against_the_variances() -> None:
    matrix = simulated_task()[0]
    pairs = pairs_of(matrix)
    assert pairs.paired_variances.mean() == pytest.approx(mean_pair_difference_variance(matrix), rel=1e-12)
    assert pairs.independent_variances.mean() == pytest.approx(2 * one_way(matrix), rel=1e-12)
    shrunk = pairs.deflated_differences
    noise = pairs.paired_variances.mean() / 50
    assert np.mean(shrunk**2) == pytest.approx(np.mean(pairs.differences**2) - noise, rel=1e-12)


@pytest.mark.parametrize("scores", [np.zeros((5, 3)), np.tile([[0.1], [0.7], [0.2]], 4), [[0.1], [0.2]]])
def test_identical_or_single_runs_are_refused(scores: object) -> None:
    with pytest.raises(InputError):
        theory(matrix_of(scores), [1])


def test_exponential_fits_against_scipy() -> None:
    counted = error_rates(simulated_task()[0], n_trials=2000, seed=2)
    sizes = np.array(counted.cardinalities)
    for fit, rates in zip(exponential_fits(counted), counted.error_rates.T, strict=True):
        assert fit is not None
        there = np.isfinite(rates)
        scipys, _ = scipy.optimize.curve_fit(
            lambda n, b1, b2: b1 * np.exp(-b2 * n), sizes[there], rates[there], (0.5, 0.05), ftol=1e-14
        )
        assert (fit.b1, fit.b2) == pytest.approx(scipys, rel=1e-5)  # curve_fit stops at this step
        assert fit.largest_residual == pytest.approx(
            np.abs(fit.at(sizes[there]) - rates[there]).max(), rel=1e-12
        )


def test_bins_without_errors_or_with_too_few_sizes_have_no_fit() -> None:
    scores = np.array([[0.30, 0.29], [0.31, 0.30]] * 4)
    assert exponential_fits(error_rates(matrix_of(scores), n_trials=20)) == (None,) * 21
    two_sizes = error_rates(simulated_task()[0], cardinalities=[1, 2], n_trials=20)
    assert exponential_fits(two_sizes) == (None,) * 21


@pytest.mark.reference_data
def test_level_variances_of_trec_3_against_9_1() -> None:
    # 9.1: recomputed .000377, .000379, .000385, printed to six decimals; the paper prints .000464,
    # .000294 and .000434 by a method that it does not state.
    rows = level_variances(reference_matrix("trec3_adhoc_ap"))
    assert [row.variance for row in rows] == pytest.approx([0.000377, 0.000379, 0.000385], abs=0.5e-6)
    assert [(row.low, row.high) for row in rows] == [(0.01, 0.02), (0.02, 0.03), (0.03, 0.04)]


def test_levels_are_closed_below() -> None:
    base = np.array([0.1, 0.4, 0.3, 0.8])
    noise = np.array([0.01, -0.01, 0.02, -0.02])
    rows = level_variances(matrix_of(np.column_stack([base, base + 0.02 + noise])))
    assert [row.n_pairs for row in rows] == [0, 1, 0]
    # Variance of the noise is (1 + 1 + 4 + 4) e-4 / 3, of its mean a quarter of that.
    assert rows[1].variance == pytest.approx(10e-4 / 12, rel=1e-9)
    assert rows[0].variance is None
