"""Charts and tables as one HTML file that works without a network."""

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from topicset_core.exports.csv_table import Table

if TYPE_CHECKING:  # drawing is an extra
    import plotly.graph_objects as go

_STYLE = """
body { font: 16px/1.5 Helvetica, Arial, sans-serif; color: #111; max-width: 60rem; margin: 2rem auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.9rem; text-align: right; }
th.words, td.words { text-align: left; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f6f4; padding: 0.8rem; }
"""


def html_page(
    title: str,
    sentence: str,
    figures: Sequence[tuple["go.Figure", str]],
    table: Table,
    text: str,
) -> bytes:
    """Return a page with a sentence, charts (with what they say), a table and a text.

    The chart library is in the file, so it has some 5 MB and opens anywhere.
    """
    charts = []
    for position, (figure, alt) in enumerate(figures):
        library = position == 0
        drawn = figure.to_html(full_html=False, include_plotlyjs=library, default_width="100%")
        charts.append(f'<figure role="figure" aria-label="{escape(alt)}">{drawn}</figure>')
    looks = [
        ' class="words"' if any(isinstance(value, str) for value in column) else ""
        for column in table.values()
    ]
    header = "".join(f"<th{look}>{escape(str(name))}</th>" for name, look in zip(table, looks, strict=True))
    rows = "".join(
        "<tr>"
        + "".join(f"<td{look}>{escape(_shown(value))}</td>" for value, look in zip(row, looks, strict=True))
        + "</tr>"
        for row in zip(*table.values(), strict=True)
    )
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(title)}</h1><p>{escape(sentence)}</p>"
        f"{''.join(charts)}<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>"
        f"<pre>{escape(text)}</pre></body></html>"
    )
    return page.encode("utf-8")


def _shown(value: object) -> str:
    """Return a number as people read it, and nothing where there is none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
