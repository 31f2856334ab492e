"""Ids of topics, documents and runs: what can be none, and which may be one though not written alike."""

import re
from collections.abc import Iterable

from topicset_core.errors import ParseError
from topicset_core.parsing.json_records import NO_CHARACTER
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.wording import shown

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


def name_of(cell: bytes, file: str, what: str) -> str:
    """Return an id or a tag as text.

    Raises
    ------
    ParseError
        If it is nothing but white space of Unicode, such as a no-break space, or holds a byte order mark, as
        where files were put together.
    """
    name = cell.decode()
    if "\ufeff" in name:
        raise ParseError(
            file,
            None,
            f"expected a {what}, found {name!r}, with a byte order mark in it: where files are put together, take "
            "the mark off each",
        )
    if not name.strip():
        raise ParseError(file, None, f"expected a {what}, found {name!r}, which nobody can see")
    return name


def check_id(found: str, file: str, line: int) -> None:
    """Refuse an id that could not stand in a line of a run.

    Raises
    ------
    ParseError
        If it is empty, too long, or has white space or what is no character in it.
    """
    if found.split() != [found] or NO_CHARACTER.search(found):
        raise ParseError(file, line, f"expected an id without white space, found {shown(found)}")
    if len(found.encode()) > LONGEST_ID:
        raise ParseError(file, line, f"expected an id of at most {LONGEST_ID} bytes, found {shown(found)}")


def refuse_long(cell: str, file: str, line: int, what: str) -> None:
    """Refuse an id or a tag that is too long to be one.

    Raises
    ------
    ParseError
        If it has more than 500 bytes.
    """
    n_bytes = len(cell.encode())
    if n_bytes > LONGEST_ID:
        raise ParseError(
            file, line, f"expected a {what} of at most {LONGEST_ID} bytes, found one of {n_bytes:,}"
        )
