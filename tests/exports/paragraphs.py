"""Reading paragraphs that are made for papers."""

from collections.abc import Sequence

from tests.words import numbers_in


def in_a_row(numbers: Sequence[float], text: str) -> bool:
    """Return whether numbers stand in a text one after the other, with words between them only."""
    found = numbers_in(text)
    return any(found[place : place + len(numbers)] == list(numbers) for place in range(len(found)))
