"""Labels of long axes: as many as there is room for, none so long that the picture shrinks."""

from collections.abc import Sequence
from typing import Any

LONGEST = 22
"""Characters of a label; the full name shows on hovering."""


def ticks(names: Sequence[str], most: int, *, at_names: bool) -> dict[str, Any]:
    """Return settings of an axis that labels every name, or every k-th from the first.

    Parameters
    ----------
    names : sequence of str
        In their order.
    most : int
        Labels there is room for.
    at_names : bool
        Whether the axis is one of categories, where the names themselves are the places: a place
        by number would be taken for a category of that name. Else the places count from 0.
    """
    step = -(-len(names) // most)
    labelled = range(0, len(names), step)
    return {
        "tickmode": "array",
        "tickvals": [names[place] for place in labelled] if at_names else list(labelled),
        "ticktext": [shortened(names[place]) for place in labelled],
    }


def shortened(name: str) -> str:
    """Return the name, its middle left out where it is long: run names differ at either end."""
    if len(name) <= LONGEST:
        return name
    half = (LONGEST - 1) // 2
    return f"{name[: LONGEST - 1 - half]}…{name[-half:]}"
