"""What a format hands back: the tables found in a text, and sentences on how they were recognised."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import ParseError
from topicset_core.parsing.text import shown


class Scores(NamedTuple):
    """One topics x systems table; `measure` is None where the table itself does not name it."""

    values: NDArray[np.float64]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    measure: str | None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Everything a format found in a text.

    Parameters
    ----------
    tables : tuple of Scores
        At least one; several where a column names several measures.
    recognised : tuple of str
        Sentences about shape, ids and numbers.
    measure_source : str
        Where the measures were named, to follow "comes from"; empty where they were not.
    """

    tables: tuple[Scores, ...]
    recognised: tuple[str, ...]
    measure_source: str = ""


def counted(count: int, noun: str) -> str:
    """Write a count with its noun, for example "1 topic" or "1,153 topics"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def refuse_one_topic(topics: Sequence[str], file: str) -> None:
    """Refuse a table with a single topic.

    Raises
    ------
    ParseError
        If there are fewer than 2 topics.
    """
    if len(topics) < 2:
        raise ParseError(file, None, f"expected at least 2 topics, found only {shown(topics[0])}")
