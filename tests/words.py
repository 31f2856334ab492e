"""Numbers in sentences: tests assert the numbers, the golden record contains the words."""

import re

_NUMBER = re.compile(r"(?:(?<![\w.])[-−])?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+(?:e[-+]?\d+)?)")


def numbers_in(text: str) -> list[float]:
    """Return the numbers of a text in order: "1,850 topics, r = .95" has 1850 and 0.95."""
    return [float(result.replace(",", "").replace("−", "-")) for result in _NUMBER.findall(text)]
