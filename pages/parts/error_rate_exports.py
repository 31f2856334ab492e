"""What the error rate page gives to take home."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import plotly.graph_objects as go

from pages.parts import downloads
from pages.parts.error_rate_form import Asked
from topicset_core.analyses.error_rate.counts import ErrorRates
from topicset_core.analyses.error_rate.fits import ExponentialFit, exponential_fits
from topicset_core.analyses.error_rate.reading import Reading
from topicset_core.analyses.error_rate.theory import Theory
from topicset_core.exports.error_rate_tables import fit_table, long_table, wide_table
from topicset_core.exports.error_rate_text import error_rate_text
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record


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
        return (
            self.reading.record()
            | {"prepared": list(self.asked.said)}
            | self.counted.record()
            | {"fits": [None if fit is None else {"b1": fit.b1, "b2": fit.b2} for fit in self.fits]}
        )


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
            downloads.NamedTable(
                "Error rates", "error-rates", lambda: long_table(counted, answered.expected)
            ),
            downloads.NamedTable("Fits", "error-rate-fits", lambda: fit_table(answered.fits)),
        ],
        workbook=lambda: {
            "error rates": long_table(counted, answered.expected),
            "fits": fit_table(answered.fits),
        },
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
