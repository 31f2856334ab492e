"""What a design page gives to take home: tables, workbook, record, page, text for a paper."""

from collections.abc import Callable, Sequence

import plotly.graph_objects as go

from pages.parts import downloads
from topicset_core.analyses.sizing import Curves
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.results import PowerResult, WidthResult
from topicset_core.exports.csv_table import Table
from topicset_core.exports.html_page import html_page
from topicset_core.exports.methods_text import methods_latex, methods_text
from topicset_core.exports.record import json_record

Result = PowerResult | WidthResult


def offer(
    exact: Result,
    published: Result | str,
    curves: Curves,
    *,
    measure: str,
    variance_source: str,
    matrices: Sequence[ScoreMatrix],
    seed: int | None,
    sentence: str,
    link: str,
    charts: Callable[[], Sequence[tuple[go.Figure, str]]],
) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    exact, published : result, or why there is none
        The answers.
    curves : Curves
        The numbers behind the charts.
    measure, variance_source : str
        As shown.
    matrices : sequence of ScoreMatrix
        The scores that the variance came from.
    seed : int or None
        Of the resamples behind the interval, where there are any.
    sentence : str
        The answer in words, in Markdown.
    link : str
        The full link.
    charts : callable
        The figures in print style, made at the click.
    """
    how = {"measure": measure, "variance_source": variance_source}
    text = methods_text(exact, **how), methods_latex(exact, **how)
    said = f"{exact.required_topics:,} topics {unmarked(sentence)}"
    downloads.every_kind(
        "topic-set-size",
        tables=(
            downloads.NamedTable("Topics", "topics-by-difference", lambda: _topics(curves)),
            downloads.NamedTable("By topics", "by-topics", lambda: _sizes(exact, curves)),
        ),
        workbook=lambda: {"topics by difference": _topics(curves), "by topics": _sizes(exact, curves)},
        record=lambda: json_record(
            [result for result in (exact, published) if not isinstance(result, str)],
            matrices=matrices,
            seed=seed,
            link=link,
            **how,
        ),
        page=lambda: html_page(
            f"{exact.design}: {exact.required_topics:,} topics",
            said,
            charts(),
            _table(exact, curves),
            f"{text[0]}\n\n{link}",
        ),
        text=text,
    )


def unmarked(sentence: str) -> str:
    """Return a sentence of a page without its Markdown."""
    return sentence.replace("**", "").replace(chr(92), "")


def _column(exact: Result) -> str:
    return "max_width" if isinstance(exact, WidthResult) else "min_d"


def _topics(curves: Curves) -> Table:
    return {"difference": curves.topics[0].difference.tolist()} | {
        f"topics, {curve.label}": curve.topics.tolist() for curve in curves.topics
    }


def _table(exact: Result, curves: Curves) -> Table:
    return {_column(exact): curves.table[0].difference.tolist()} | {
        curve.label: curve.topics.tolist() for curve in curves.table
    }


def _sizes(exact: Result, curves: Curves) -> Table:
    what = "expected_width" if isinstance(exact, WidthResult) else "power"
    return {
        "n_topics": curves.sizes.n_topics.tolist(),
        f"{what}_exact": curves.sizes.exact.tolist(),
        f"{what}_excel_tool": curves.sizes.published.tolist(),
    }
