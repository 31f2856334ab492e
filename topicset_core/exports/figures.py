"""Figures with their names and descriptions; figures and tables as HTML that works without a network."""

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from topicset_core.exports.drawing import Drawing
from topicset_core.exports.tables import Table

if TYPE_CHECKING:  # drawing is an extra
    import plotly.graph_objects as go


class Figure(NamedTuple):
    """A figure of a report."""

    name: str  # short name, once in a report: pages and the command line know the figure by it
    drawing: Drawing  # the figure as plain data
    alt: str  # description of the figure, for readers who cannot see it

    @property
    def drawn(self) -> "go.Figure":
        """The figure as the chart library has it."""
        return self.drawing.to_plotly()


_MARK_HEIGHT = 24  # pixels


def marked_as_sample(figure: Figure) -> Figure:
    """Return a figure with a note below its title that its data are simulated; an empty one does not change."""
    marked = Drawing(figure.drawing.layout)
    marked.data = figure.drawing.data
    font = {"size": 13, "color": marked.layout.get("font", {}).get("color")}
    top = marked.layout.get("margin", {}).get("t", 0) + _MARK_HEIGHT
    marked.update_layout(
        title={"subtitle": {"text": "<b>Simulated sample data</b>", "font": font}}, margin={"t": top}
    )
    if "height" in marked.layout:
        marked.layout["height"] += _MARK_HEIGHT
    return Figure(figure.name, marked, f"{figure.alt} Simulated sample data.")


_STYLE = """
body { font: 16px/1.5 Helvetica, Arial, sans-serif; color: #111; max-width: 60rem; margin: 2rem auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.9rem; text-align: right; }
th.words, td.words { text-align: left; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f6f4; padding: 0.8rem; }
"""


HEAD = """<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
"""
"""Begins the head of a page that needs no network and may not use it, whatever a figure in it asks for."""

FIGURE_FILES = (".html", ".svg", ".png")
"""Endings of files that a figure can be written to."""

WIDTH, SCALE = 900, 3
"""Pixels of a saved figure, and of a PNG for each of these."""

PRINT_FONT = "Helvetica, Arial, sans-serif"
"""In saved figures: fonts that are there wherever one is opened, so that its margins are right there."""


def figure_file(figure: Figure, ending: str) -> bytes:
    """Return a figure as a file."""
    if ending == ".html":
        return str(figure.drawn.to_html(include_plotlyjs=True, default_width="100%")).encode()
    image: bytes = figure.drawn.to_image(format=ending.removeprefix("."), width=WIDTH, scale=SCALE)
    return image


def html_page(
    title: str,
    sentence: str,
    figures: Sequence[Figure],
    table: Table,
    text: str,
) -> bytes:
    """Return a page with a sentence, figures, a table and a text.

    The chart library is in the file, so it has some 5 MB and opens anywhere.
    """
    charts = []
    for position, figure in enumerate(figures):
        library = position == 0
        plotted = figure.drawing.to_plotly(is_checked=False)
        drawn = plotted.to_html(
            full_html=False, include_plotlyjs=library, default_width="100%", validate=False
        )
        charts.append(f'<figure role="figure" aria-label="{escape(figure.alt)}">{drawn}</figure>')
    is_words = [any(isinstance(value, str) for value in column) for column in table.values()]
    rows = [list(map(_shown, row)) for row in zip(*table.values(), strict=True)]
    page = (
        f'<!doctype html><html lang="en"><head>{HEAD}<title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(title)}</h1><p>{escape(sentence)}</p>"
        f"{''.join(charts)}{table_of(list(map(str, table)), rows, is_words)}"
        f"<pre>{escape(text)}</pre></body></html>"
    )
    return page.encode("utf-8")


def table_of(
    header: Sequence[str], rows: Sequence[Sequence[str]], is_words: Sequence[bool], kind: str = ""
) -> str:
    """Return cells as an HTML table of this class, columns of words marked as such."""

    def line(cells: Sequence[str], tag: str) -> str:
        looks = (' class="words"' if words else "" for words in is_words)
        marked = (f"<{tag}{look}>{escape(cell)}</{tag}>" for cell, look in zip(cells, looks, strict=True))
        return f"<tr>{''.join(marked)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    of_kind = f' class="{kind}"' if kind else ""
    return f"<table{of_kind}><thead>{line(header, 'th')}</thead><tbody>{body}</tbody></table>"


def _shown(value: object) -> str:
    """Return a number as people read it, and nothing if it is not available."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
