"""What the error rate page gives to take home."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go

from pages.parts import downloads
from pages.parts.error_rate_form import Asked
from topicset_core.analyses.error_rate.counts import ErrorRates
from topicset_core.analyses.error_rate.fits import ExponentialFit, exponential_fits
from topicset_core.analyses.error_rate.reading import Reading
from topicset_core.analyses.error_rate.theory import Theory
from topicset_core.analyses.error_rate.units import N_BINS, UPPER_EDGES
from topicset_core.charts.error_rate_curves import bin_label
from topicset_core.exports.error_rate_text import error_rate_text
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record

_TABLE_BINS = (0, 1, 2, 3, 4, 6, 9, 14, 19)


@dataclass(frozen=True)
class Answered:
    """The question and all that was computed for it."""

    asked: Asked
    reading: Reading
    counted: ErrorRates
    expected: Theory

    @cached_property
    def fits(self) -> tuple[ExponentialFit | None, ...]:
        """The exponential of each bin; fitted when a file is made."""
        return exponential_fits(self.counted)

    def record(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON."""
        counted = self.counted
        return self.reading.record() | {
            "prepared": list(self.asked.said),
            "with_replacement": counted.with_replacement,
            "n_trials": counted.n_trials,
            "bins": list(UPPER_EDGES),
            "cardinalities": list(counted.cardinalities),
            "pairs": counted.pairs.tolist(),
            "reversals": counted.reversals.tolist(),
            "ties": counted.ties.tolist(),
            "fits": [None if fit is None else {"b1": fit.b1, "b2": fit.b2} for fit in self.fits],
        }


def offer(answered: Answered, charts: Callable[[], list[tuple[go.Figure, str]]]) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    answered : Answered
        What the page shows.
    charts : callable
        The figures in print style and what they say, made at the click.
    """
    # A file is made at the click, outside of the session: what belongs to it is taken here.
    counted, reading, link = answered.counted, answered.reading, answered.asked.url
    text = error_rate_text(reading, counted)
    downloads.every_kind(
        "error-rate",
        tables=[
            downloads.NamedTable("Error rates", "error-rates", lambda: long_table(answered)),
            downloads.NamedTable("Fits", "error-rate-fits", lambda: fit_table(answered.fits)),
        ],
        workbook=lambda: {"error rates": long_table(answered), "fits": fit_table(answered.fits)},
        record=lambda: json_record(
            [answered],
            measure=reading.measure,
            variance_source=" ".join(answered.asked.said) or "as loaded",
            matrices=[answered.asked.matrix],
            seed=counted.seed,
            link=link,
        ),
        page=lambda: html_page(
            f"Error rate: {reading.measure}, {reading.name}",
            reading.sentence,
            charts(),
            wide_table(counted),
            f"{text[0]}\n\n{link}",
        ),
        text=text,
    )


def wide_table(counted: ErrorRates) -> dict[str, list[Any]]:
    """Return error rates in per cent, a row a size, a column for some of the bins."""
    columns: dict[str, list[Any]] = {"topics": list(counted.cardinalities)}
    for place in _TABLE_BINS:
        rates = 100 * counted.error_rates[:, place]
        columns[bin_label(place)] = [_known(rate) for rate in rates]
    return columns


def long_table(answered: Answered) -> dict[str, list[Any]]:
    """Return everything counted and expected, a row a size and bin."""
    counted, expected = answered.counted, answered.expected
    rows = [(place, bin_) for place in range(len(counted.cardinalities)) for bin_ in range(N_BINS + 1)]
    rates, errors = counted.error_rates, counted.standard_errors

    def formula(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[Any]:
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


def fit_table(fits: Sequence[ExponentialFit | None]) -> dict[str, list[Any]]:
    """Return the fitted exponentials, a row a bin."""
    there = [fit for fit in fits if fit is not None]
    return {
        "difference": [bin_label(fit.bin) for fit in there],
        "b1": [fit.b1 for fit in there],
        "b2": [fit.b2 for fit in there],
        "largest_residual": [fit.largest_residual for fit in there],
    }


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
