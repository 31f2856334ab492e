"""Tables of error rates: counts, rates in the units of their headings; the paragraph."""

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core import __version__
from topicset_core.analyses.error_rate.experiment import ErrorRates, error_rates, exponential_fits
from topicset_core.analyses.error_rate.extrapolation import check_extrapolation
from topicset_core.analyses.error_rate.prediction import Prediction, percent, predict
from topicset_core.analyses.error_rate.report import check_table, fit_table, long_table, paragraph, wide_table
from topicset_core.analyses.error_rate.theory import theory
from topicset_core.exports.citing import CITATION
from topicset_core.samples import simulated_task

MATRIX = simulated_task()[0]


@pytest.fixture(scope="module")
def counted() -> ErrorRates:
    return error_rates(MATRIX, cardinalities=(5, 20), n_trials=200, seed=3)


def test_the_wide_table_is_in_per_cent(counted: ErrorRates) -> None:
    table = wide_table(counted)
    assert table["topics"] == [5, 20]
    assert len(table) == 10
    (second,) = [name for name in table if "01" in name and "02" in name]
    assert table[second] == (100 * counted.error_rates[:, 1]).tolist()


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


def test_fits_and_checks(counted: ErrorRates) -> None:
    fits = exponential_fits(counted)
    assert len(fit_table(fits)["b1"]) == sum(fit is not None for fit in fits)
    assert fit_table([None]) == {"difference": [], "b1": [], "b2": [], "largest_residual": []}
    result = check_extrapolation(MATRIX, n_trials=50, seed=0)
    table = check_table(result)
    assert table["observed, %"][0] == 100 * result.observed[0]
    (apart,) = [name for name in table if "standard" in name]
    assert table[apart][0] == result.departures[0]
    assert len(table["difference"]) == np.isfinite(result.observed[:10]).sum()


def test_the_record_of_counts_is_plain(counted: ErrorRates) -> None:
    record = counted.record()
    assert record["reversals"] == counted.counts[:, 1:, 1].tolist()
    assert (record["cardinalities"], record["n_trials"], len(record["bins"])) == ([5, 20], 200, 21)
    assert counted.largest_standard_error(10) == np.nanmax(counted.standard_errors[:, :10])
    assert error_rates(MATRIX, cardinalities=(5,), n_trials=1).largest_standard_error(10) is None


@pytest.fixture(scope="module")
def reading() -> Prediction:
    return predict(MATRIX, n_topics=50, difference=0.05, max_error=0.05)


@pytest.mark.parametrize("bootstrap", [False, True])
def test_the_paragraph_contains_every_number_and_cites(
    bootstrap: bool, reading: Prediction, golden: SnapshotAssertion
) -> None:
    counted = error_rates(MATRIX, cardinalities=[5, 20], n_trials=1200, seed=3, with_replacement=bootstrap)
    plain, latex = paragraph(reading, counted)
    assert reading.interval is not None
    for share in (reading.error, reading.interval.low, reading.interval.high):
        assert percent(share).removesuffix(" %") in plain
    assert f" {reading.resolved_difference:.3g}" in plain
    # Runs, topics and method; trials, sizes and seed.
    assert {20, 50, reading.required_topics, 1200, 2, 5, 3} <= {*numbers_in(plain)}
    assert f"Topicset {__version__}" in plain
    assert "https://doi.org/10.1145/564376.564432" in plain
    assert ("sakai2006bootstrap" in latex) == bootstrap
    assert without_versions(f"{plain}\n\n{latex}") == golden
    assert r"\cite{voorhees2002effect,lin2005revisiting" in latex
    assert CITATION not in plain + latex
    # Uncertain values are left out, not printed empty.
    entry = latex.partition("{lin2005revisiting,")[2].partition("\n}")[0]
    assert "year = {2005}" in entry
    assert "doi" not in entry
    assert "pages" not in entry
