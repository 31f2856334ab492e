"""Labels of long axes: none so long that the picture shrinks; as many as fit is the chart library's part."""

from collections.abc import Sequence
from typing import Any

from topicset_core.charts.style import literal

LONGEST = 22
"""Characters of a label; the full name shows on hovering."""


def category_axis(names: Sequence[str]) -> dict[str, Any]:
    """Return settings of an axis of categories called by names, some of which may be long.

    Names that are numbers, as topic ids are, stay names; a name is labelled where there is room for it.
    """
    labels = {name: literal(shortened(name)) for name in names}
    aliases = {name: label for name, label in labels.items() if label != name}
    return {"type": "category", "showgrid": False, "labelalias": aliases}


def shortened(name: str) -> str:
    """Return the name, its middle left out where it is long: run names differ at either end."""
    if len(name) <= LONGEST:
        return name
    half = (LONGEST - 1) // 2
    return f"{name[: LONGEST - 1 - half]}…{name[-half:]}"
