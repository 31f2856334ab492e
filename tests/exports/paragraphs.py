"""Reading paragraphs that are made for papers."""

from collections.abc import Sequence

from tests.words import numbers_in


def in_a_row(numbers: Sequence[float], text: str) -> bool:
    """Return whether a text contains numbers one after the other, with only words between them."""
    result = numbers_in(text)
    return any(result[place : place + len(numbers)] == list(numbers) for place in range(len(result)))
