"""Topic ids of lines to indices, in the order in which topics first appear."""

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import ParseError


class TopicIndex:
    """Numbers topics as they come.

    Topics stand together in nearly every file, so a dictionary is asked once for each stretch of
    lines with the same topic and not for each line.
    """

    def __init__(self) -> None:
        self._index: dict[bytes, int] = {}

    @property
    def ids(self) -> list[bytes]:
        """The topic ids so far, each at its index."""
        return list(self._index)

    def add(self, column: NDArray[np.bytes_]) -> NDArray[np.int32]:
        """Return the index of the topic of each line.

        Parameters
        ----------
        column : ndarray of bytes, shape (n,)
            Topic ids, at least one.
        """
        begins = np.concatenate(([0], np.flatnonzero(column[1:] != column[:-1]) + 1))
        indices = [self._index.setdefault(topic, len(self._index)) for topic in column[begins].tolist()]
        lengths = np.diff(begins, append=column.size)
        return np.repeat(np.array(indices, dtype=np.int32), lengths)

    def names(self, file: str) -> tuple[str, ...]:
        """Return the topic ids as text.

        Raises
        ------
        ParseError
            If one of them is nothing but white space of Unicode, or holds a byte order mark.
        """
        return tuple(name_of(topic, file, "topic id") for topic in self._index)

    def starts(self, topics: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return where each topic starts among lines in the order of their topics.

        Parameters
        ----------
        topics : ndarray of int32, shape (n,)
            Index of the topic of each line, in any order; each topic has a line.
        """
        counts = np.bincount(topics)
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))


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
