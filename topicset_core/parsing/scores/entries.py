"""What a format hands back: the scores found in a table, and sentences on how they were recognised."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.parsing.numerals import Place


class Scores(NamedTuple):
    """One complete topics x systems table."""

    values: NDArray[np.float64]
    topics: tuple[str, ...]
    systems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Entries:
    """Scores of one measure, one after the other, as a file gives them; perhaps with gaps and repeats.

    Parameters
    ----------
    topics, systems : sequence of str
        Topic id and run name of each score.
    values : ndarray of float64, shape (n_entries,)
        The scores; 0 where the cell is empty.
    empty : ndarray of bool, shape (n_entries,)
        Whether the cell holds nothing.
    place : callable
        Gives the place of the score with an index; asked only when something is to be said of it.
    measure : str or None
        The measure in the spelling of the file; None where the table itself does not name it.
    decimal_comma : bool
        Whether the scores are written with decimal commas.
    """

    topics: Sequence[str]
    systems: Sequence[str]
    values: NDArray[np.float64]
    empty: NDArray[np.bool_]
    place: Callable[[int], Place]
    measure: str | None
    decimal_comma: bool


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Everything a format found in a table.

    Parameters
    ----------
    tables : tuple of Entries
        At least one; several where the table holds several measures.
    recognised : tuple of str
        Sentences about shape, ids and numbers.
    measure_source : str
        Where the measures were named, to follow "comes from"; empty where they were not.
    one_run : bool
        Whether the table holds the scores of a single run without naming it beside each: such
        tables are joined.
    run_name : str
        The name of that run, where the table tells it somewhere; else empty.
    part_of_run : bool
        Whether the table holds a part of the topics of the run that `run_name` names: other tables
        may hold others.
    names : mapping of str to str
        What measures are called here, by their spelling in the file, where the format itself knows.
    """

    tables: tuple[Entries, ...]
    recognised: tuple[str, ...]
    measure_source: str = ""
    one_run: bool = False
    run_name: str = ""
    part_of_run: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
