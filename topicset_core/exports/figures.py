"""Figures with their names and descriptions, and as files."""

from typing import TYPE_CHECKING, NamedTuple

from topicset_core.exports.drawing import Drawing

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
