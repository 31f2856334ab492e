"""Scores in a file or in pasted text to score matrices: the door through which uploads come in."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.parsing.long import has_long_header, is_headerless_long, read_headerless_long, read_long
from topicset_core.parsing.measure_names import measure_in_file_name, measure_name
from topicset_core.parsing.reading import Reading
from topicset_core.parsing.text import Table, decode, plain, shown, split
from topicset_core.parsing.wide import read_wide

UNKNOWN_MEASURE = "score"

SUMMARY_WORDS = frozenset(("all", "mean", "amean", "average", "avg", "total", "sum", "median", "overall"))
"""Ids that name a summary rather than a topic or a run, as `plain` leaves them."""


@dataclass(frozen=True, kw_only=True)
class ReadScores:
    """What was found in a file of scores.

    Parameters
    ----------
    matrices : tuple of ScoreMatrix
        At least one, in the order of the file; several where it holds several measures.
    recognised : tuple of str
        Sentences for the user: what the table was taken for and why, and what is unusual in it.
    """

    matrices: tuple[ScoreMatrix, ...]
    recognised: tuple[str, ...]


MOST_PAIRS = 5
"""Runs that are equal are named up to this many pairs, and counted beyond."""


class Format(NamedTuple):
    """A shape of table: how it is told from the others, and who reads it."""

    recognises: Callable[[Table], bool]
    read: Callable[[Table], Reading]


def _is_anything(_: Table) -> bool:
    """Say yes: a table that names no columns and is not long beyond doubt can only be wide."""
    return True


FORMATS = (
    Format(has_long_header, read_long),
    Format(is_headerless_long, read_headerless_long),
    Format(_is_anything, read_wide),
)
"""In the order in which they are asked; the first that recognises a table reads it."""


def read_scores(content: bytes | str, file: str, measure: str | None = None) -> ReadScores:
    """Read score matrices from the content of a file or from pasted text.

    A wide table has one row a topic and one column a run; a long table has one row a score.
    Nothing is dropped, filled, reordered or renamed.

    Parameters
    ----------
    content : bytes or str
        Text separated by commas, semicolons, tabs or spaces.
    file : str
        The file as the user named it, or "pasted text"; the matrices are named after it.
    measure : str, optional
        Name of the measure. Without it the name comes from a column of measures, from the header
        above the topic ids, or from the end of the file name; else the measure is called "score".

    Raises
    ------
    ParseError
        If the content is not a complete table of numbers in a shape that is known.
    """
    table = split(decode(content, file), file)
    reading = next(known for known in FORMATS if known.recognises(table)).read(table)
    stem = _stem(file)
    measures, origin = _measures(reading, file, stem, (measure or "").strip())
    matrices = tuple(
        ScoreMatrix(scores=found.values, topics=found.topics, systems=found.systems, measure=name, name=stem)
        for found, name in zip(reading.tables, measures, strict=True)
    )
    several = len(matrices) > 1
    remarks = tuple(
        f"{matrix.measure}: {remark}" if several else remark
        for matrix in matrices
        for remark in _remarks(matrix)
    )
    one_column = len(table.header.cells) == 1
    separated = "There is one column." if one_column else f"Cells are separated by {table.delimiter.name}."
    return ReadScores(matrices=matrices, recognised=(*reading.recognised, separated, origin, *remarks))


def _stem(file: str) -> str:
    """Return the file name without folder and extension."""
    name = file.replace("\\", "/").rstrip("/")
    return PurePosixPath(name).stem.strip() or file.strip() or "scores"


def _measures(reading: Reading, file: str, stem: str, given: str) -> tuple[list[str], str]:
    """Name the measure of each table, and say where the names come from.

    Raises
    ------
    ParseError
        If one name is given for several measures.
    """
    written = [found.measure for found in reading.tables if found.measure is not None]
    if given:
        if len(written) > 1:
            named = ", ".join(map(shown, written[:5]))
            raise ParseError(
                file, None, f"expected scores of one measure, {shown(given)}, found {len(written)}: {named}"
            )
        return [given], f"The measure is {given}, as given."
    if written:
        names = _project_names(written)
        spelt = [f"{name} (written {shown(as_is)})" if name != as_is else name for name, as_is in names]
        measures = "measure is" if len(names) == 1 else "measures are"
        return [
            name for name, _ in names
        ], f"The {measures} {', '.join(spelt)}, from {reading.measure_source}."
    in_name = measure_in_file_name(stem)
    if in_name:
        return [in_name], f"The measure is {in_name}, from the end of the file name {shown(file)}."
    return [UNKNOWN_MEASURE], f"The measure is not named, so it is called {UNKNOWN_MEASURE!r}."


def _project_names(written: list[str]) -> list[tuple[str, str]]:
    """Pair each measure's name in this project with its spelling in the file.

    A spelling stays as it is where it is unknown, or where another one has the same name: that the
    file tells map from AP is no reason to mix them.
    """
    names = [measure_name(spelling) or spelling for spelling in written]
    uses = Counter(names)
    return [(name if uses[name] == 1 else as_is, as_is) for name, as_is in zip(names, written, strict=True)]


def _remarks(matrix: ScoreMatrix) -> Iterator[str]:
    """Say what is unusual about the scores and ids of a matrix, none of which is an error."""
    outside = int(np.count_nonzero((matrix.scores < 0) | (matrix.scores > 1)))
    if outside:
        scores = "1 score lies" if outside == 1 else f"{outside:,} scores lie"
        low, high = matrix.scores.min(), matrix.scores.max()
        yield f"{scores} outside 0 to 1 (lowest {low:g}, highest {high:g})."
    for kind, ids in (("Topic", matrix.topics), ("Run", matrix.systems)):
        for one in ids:
            if plain(one) in SUMMARY_WORDS:
                yield f"{kind} {shown(one)} was kept, but its name is that of a summary: is it one?"
    yield from _remark_on_equal_runs(matrix)


def _remark_on_equal_runs(matrix: ScoreMatrix) -> Iterator[str]:
    """Name runs with equal columns: a test of their difference divides zero by zero."""
    first_with: dict[bytes, str] = {}
    pairs = []
    for system, column in zip(matrix.systems, matrix.scores.T, strict=True):
        same = first_with.setdefault(column.tobytes(), system)
        if same != system:
            pairs.append(f"{shown(same)} and {shown(system)}")
    if pairs:
        more = f"; and {len(pairs) - MOST_PAIRS:,} more" if len(pairs) > MOST_PAIRS else ""
        yield f"Runs with the same score on every topic: {'; '.join(pairs[:MOST_PAIRS])}{more}."
