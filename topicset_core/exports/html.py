"""An answer as an HTML page that needs no network."""

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from topicset_core.exports.figures import PRINT_FONT, Figure, below_title
from topicset_core.exports.svg import svg
from topicset_core.exports.svg_parts import plain_text
from topicset_core.exports.tables import Table

if TYPE_CHECKING:  # pages are an extra
    from jinja2 import Template


@cache
def _template() -> "Template":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("topicset_core", "exports")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template("page.html")


def rendered(**values: Any) -> bytes:
    """Return the page of these values, every text of them escaped."""
    return _template().render(font=PRINT_FONT, **values).encode("utf-8")


def html_page(title: str, sentence: str, figures: Sequence[Figure], table: Table, text: str) -> bytes:
    """Return a page with a sentence, figures, a table and a text."""
    return rendered(
        title=title,
        sentence=sentence,
        figures=list(map(drawn, figures)),
        header=list(table),
        rows=[list(map(written, row)) for row in zip(*table.values(), strict=True)],
        is_words=[any(isinstance(value, str) for value in column) for column in table.values()],
        text=text,
    )


def drawn(figure: Figure) -> tuple[str, str, str]:
    """Return description and title of a figure as plain texts, and the figure as SVG."""
    title, drawing = figure.drawing.layout["title"]["text"], below_title(figure.drawing)[1]
    return figure.alt, plain_text(title), svg(drawing, figure.alt)


def chart_page(figure: Figure) -> bytes:
    """Return a page with a figure under its title."""
    _, title, image = drawn(figure)
    nothing: dict[str, Any] = {"sentence": "", "header": (), "rows": (), "is_words": (), "text": ""}
    return rendered(title=title, figures=[(figure.alt, "", image)], **nothing)


def written(value: object) -> str:
    """Return a number as people read it, and nothing if it is not available."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
