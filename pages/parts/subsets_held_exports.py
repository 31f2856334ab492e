"""What the held-out view of the topic subsets page gives to take home."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from pages.parts import downloads
from pages.parts.subsets_held_form import HeldOutAsked
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve
from topicset_core.analyses.topic_subsets.held_out.error_rates import HeldOutErrorRates
from topicset_core.analyses.topic_subsets.held_out.sentences import size_sentence
from topicset_core.exports.csv_table import Table
from topicset_core.exports.held_out_records import (
    error_rates_record,
    error_rates_table,
    held_out_record,
    held_out_table,
)
from topicset_core.exports.held_out_text import held_out_error_rates_text, held_out_text
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record


@dataclass(frozen=True)
class Answered:
    """The question and all that was found for it."""

    held: HeldOutAsked
    curve: HeldOutCurve
    rates: HeldOutErrorRates | None

    def record(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON."""
        asked = self.held.asked
        return {
            "sentence": size_sentence(self.curve, self.held.cardinality),
            "target": asked.target,
            "prepared": list(asked.said),
            "teams": None if self.held.request.teams is None else self._teams(),
            **held_out_record(self.curve),
            "error_rates": None if self.rates is None else error_rates_record(self.rates),
        }

    def _teams(self) -> dict[str, str]:
        return dict(zip(self.held.asked.matrix.systems, self.held.request.teams or (), strict=True))


def offer(answered: Answered, charts: Callable[[], list[tuple[go.Figure, str]]]) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    answered : Answered
        What the view shows.
    charts : callable
        The figures in print style and what they say, made at the click.
    """
    # A file is made at the click, outside of the session: what belongs to it is taken here.
    held, curve, rates = answered.held, answered.curve, answered.rates
    asked, url = held.asked, held.url
    text = held_out_text(curve, asked.target)
    tables = [downloads.NamedTable("Curve", "topic-subsets-held-out", lambda: held_out_table(curve))]
    if rates is not None:
        more = held_out_error_rates_text(rates)
        text = f"{text[0]}\n\n{more[0]}", f"{text[1]}\n\n{more[1]}"
        tables.append(
            downloads.NamedTable(
                "Error rates", "topic-subsets-held-out-error-rates", lambda: error_rates_table(rates)
            )
        )

    def workbook() -> dict[str, Table]:
        sheets = {"held out": held_out_table(curve)}
        return sheets if rates is None else sheets | {"error rates": error_rates_table(rates)}

    downloads.every_kind(
        "topic-subsets-held-out",
        tables=tables,
        workbook=workbook,
        record=lambda: json_record(
            [answered],
            measure=asked.matrix.measure,
            variance_source=" ".join(asked.said) or "as loaded",
            matrices=[matrix for matrix in (asked.matrix, held.judged) if matrix is not None],
            seed=curve.request.seed,
            link=url,
        ),
        page=lambda: html_page(
            f"A few good topics, held out: {held.of_what}",
            size_sentence(curve, held.cardinality),
            charts(),
            held_out_table(curve),
            f"{text[0]}\n\n{url}",
        ),
        text=text,
    )
