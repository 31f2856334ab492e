"""Ids that may be one and the same, but are not written alike: 001 and 1, q01 and q1, 401 and 401.0."""

import re
from collections.abc import Iterable

_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)", re.ASCII)
_DECIMALS = re.compile(r"(?<=\d)\.0+", re.ASCII)


def alike(ids: Iterable[str], others: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Pair ids that differ in zeros alone.

    Parameters
    ----------
    ids : iterable of str
        Ids, each once.
    others : iterable of str, optional
        Ids to pair them with; without them they are paired among themselves.

    Returns
    -------
    list of (str, str)
        In the order of the ids; each id at most once in second place.
    """
    others = tuple(others)
    first_with: dict[str, str] = {}
    pairs = []
    for one in ids:
        other = first_with.setdefault(_without_zeros(one), one)
        if not others and other != one:
            pairs.append((other, one))
    for other in others:
        found = first_with.get(_without_zeros(other), other)
        if found != other:
            pairs.append((found, other))
    return pairs


def _without_zeros(name: str) -> str:
    """Leave out zeros that stand before digits and make no difference to a number, and decimals that are 0."""
    end = _DECIMALS.search(name)
    return _ZEROS.sub("", name[: end.start()] if end and end.end() == len(name) else name)
