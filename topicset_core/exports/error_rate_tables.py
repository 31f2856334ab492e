"""Error rates as tables: to look at, to calculate with, fitted, and checked beyond the topics."""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.error_rate.counts import ErrorRates, Floats
from topicset_core.analyses.error_rate.extrapolation import ExtrapolationCheck
from topicset_core.analyses.error_rate.fits import ExponentialFit
from topicset_core.analyses.error_rate.theory import Theory
from topicset_core.analyses.error_rate.units import N_BINS, UPPER_EDGES
from topicset_core.charts.error_rate_curves import bin_label
from topicset_core.exports.csv_table import Table

_SHOWN_BINS = (0, 1, 2, 3, 4, 6, 9, 14, 19)
_CHECKED_BINS = 10


def wide_table(counted: ErrorRates) -> Table:
    """Return error rates in per cent, a row a size, a column for some of the bins."""
    return {"topics": list(counted.cardinalities)} | {
        bin_label(place): [_known(rate) for rate in 100 * counted.error_rates[:, place]]
        for place in _SHOWN_BINS
    }


def long_table(counted: ErrorRates, expected: Theory) -> Table:
    """Return everything counted and expected, a row a size and bin; rates from 0 to 1."""
    rows = [(place, bin_) for place in range(len(counted.cardinalities)) for bin_ in range(N_BINS + 1)]
    rates, errors = counted.error_rates, counted.standard_errors

    def formula(values: Floats) -> list[object]:
        return [_known(values[place, bin_]) if bin_ < values.shape[1] else None for place, bin_ in rows]

    return {
        "topics": [counted.cardinalities[place] for place, _ in rows],
        "difference_above": [bin_ / 100 for _, bin_ in rows],
        "difference_up_to": [UPPER_EDGES[bin_] for _, bin_ in rows],
        "pairs": [int(counted.pairs[row]) for row in rows],
        "reversals": [int(counted.reversals[row]) for row in rows],
        "error_rate": [_known(rates[row]) for row in rows],
        "standard_error": [_known(errors[row]) for row in rows],
        "theory_given_observed": formula(expected.conditional),
        "theory_paired": formula(expected.paired),
        "theory_independent": formula(expected.independent),
    }


def fit_table(fits: Sequence[ExponentialFit | None]) -> Table:
    """Return the fitted exponentials, a row a bin."""
    there = [fit for fit in fits if fit is not None]
    return {
        "difference": [bin_label(fit.bin) for fit in there],
        "b1": [fit.b1 for fit in there],
        "b2": [fit.b2 for fit in there],
        "largest_residual": [fit.largest_residual for fit in there],
    }


def check_table(found: ExtrapolationCheck) -> Table:
    """Return what was predicted beside what was observed, in per cent, for the first ten bins with pairs."""
    bins = [place for place in range(_CHECKED_BINS) if np.isfinite(found.observed[place])]
    columns = {
        "observed, %": found.observed,
        "predicted, %": found.predicted,
        "from, %": found.low,
        "to, %": found.high,
        "fitted exponential, %": found.exponential,
    }
    return (
        {"difference": [bin_label(place) for place in bins]}
        | {name: [100 * float(values[place]) for place in bins] for name, values in columns.items()}
        | {"apart, standard errors": [float(found.departures[place]) for place in bins]}
    )


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
