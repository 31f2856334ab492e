"""An answer as an HTML page that needs no network."""

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from topicset_core.exports.figures import PRINT_FONT, Figure, below_title
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
    # The chart library is in the file, so it has some 5 MB and opens anywhere.
    drawn = []
    for place, figure in enumerate(figures):
        above, below, _ = below_title(figure.drawing)
        drawn.append(
            above
            + below.to_plotly(is_checked=False).to_html(
                full_html=False, include_plotlyjs=place == 0, default_width="100%", validate=False
            )
        )
    return rendered(
        title=title,
        sentence=sentence,
        figures=list(zip([figure.alt for figure in figures], drawn, strict=True)),
        header=list(table),
        rows=[list(map(written, row)) for row in zip(*table.values(), strict=True)],
        is_words=[any(isinstance(value, str) for value in column) for column in table.values()],
        text=text,
    )


def written(value: object) -> str:
    """Return a number as people read it, and nothing if it is not available."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
