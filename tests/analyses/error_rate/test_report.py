"""Tables of error rates: counts, rates in the units of their headings; the paragraph."""

from dataclasses import replace

import numpy as np
import pytest

from topicset_core.analyses.error_rate.experiment import ErrorRates, error_rates
from topicset_core.analyses.error_rate.extrapolation import check_extrapolation
from topicset_core.analyses.error_rate.prediction import predict
from topicset_core.analyses.error_rate.report import check_table, fit_table, long_table, paragraph
from topicset_core.analyses.error_rate.theory import theory
from topicset_core.samples import simulated_task

MATRIX = simulated_task()[0]


@pytest.fixture(scope="module")
def counted() -> ErrorRates:
    return error_rates(MATRIX, cardinalities=(5, 20), n_trials=200, seed=3)


def test_the_long_table_has_one_row_per_size_and_bin(counted: ErrorRates) -> None:
    expected = theory(MATRIX, counted.cardinalities)
    table = long_table(counted, expected)
    assert {len(column) for column in table.values()} == {2 * 21}
    row = 21 + 3  # size 20, the bin from .03 to .04
    assert (table["topics"][row], table["difference_above"][row], table["difference_up_to"][row]) == (
        20,
        0.03,
        0.04,
    )
    assert table["pairs"][row] == counted.counts[1, 4, 0]
    assert table["error_rate"][row] == counted.counts[1, 4, 1] / counted.counts[1, 4, 0]
    assert table["theory_paired"][row] == expected.paired[1, 3]
    assert table["theory_paired"][41] is None  # Eq. 8 has no midpoint for the open bin


def test_bins_without_pairs_are_empty_cells() -> None:
    """Two runs and one trial: one pair, so all bins but one are empty."""
    two = replace(MATRIX, scores=MATRIX.scores[:, :2], systems=MATRIX.systems[:2])
    once = error_rates(two, cardinalities=(20,), n_trials=1, seed=0)
    rates = long_table(once, theory(two, (20,)))["error_rate"]
    assert sum(rate is None for rate in rates) == 20


def test_the_paragraph_cites_the_bootstrap_if_it_was_used(counted: ErrorRates) -> None:
    reading = predict(MATRIX, n_topics=50, difference=0.05, max_error=0.05)
    for used in (False, True):
        _, latex = paragraph(reading, replace(counted, with_replacement=used))
        assert ("sakai2006bootstrap" in latex) == used


def test_bins_without_a_fit_or_a_reversal_are_left_out() -> None:
    assert fit_table([None]) == {"difference": [], "b1": [], "b2": [], "largest_residual": []}
    result = check_extrapolation(MATRIX, n_trials=50, seed=0)
    assert len(check_table(result)["difference"]) == np.isfinite(result.observed[:10]).sum()
