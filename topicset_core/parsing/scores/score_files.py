"""Scores in files or in pasted text to score matrices: the door through which uploads come in."""

import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.names import lookalikes
from topicset_core.parsing.opening import OpenedTable, open_file
from topicset_core.parsing.scores.entries import without_summary_runs
from topicset_core.parsing.scores.filling import fill
from topicset_core.parsing.scores.formats import read_table
from topicset_core.parsing.scores.joining import Group, OneTable, grouped, name_measures
from topicset_core.parsing.table import refuse_odd_names
from topicset_core.wording import listed, quoted


@dataclass(frozen=True, kw_only=True)
class ReadScores:
    """The scores found in one or more files.

    Parameters
    ----------
    matrices : tuple of ScoreMatrix
        In the order of the files; several where they contain several measures or collections.
    recognised : tuple of str
        Notes for the user: the format of each table and why, omitted or changed
        parts, and unusual values.
    notes : tuple of tuple of str
        For each matrix the notes that concern it; most notes of its file concern all its matrices.
    files : tuple of tuple of str
        For each matrix the files it comes from; several where files of one run each were joined.
    errors : tuple of ParseError
        One for each file, sheet or join that could not be read; the others are read all the same.
    """

    matrices: tuple[ScoreMatrix, ...]
    recognised: tuple[str, ...]
    notes: tuple[tuple[str, ...], ...] = ()
    files: tuple[tuple[str, ...], ...] = ()
    errors: tuple[ParseError, ...] = ()


def read_scores(
    content: bytes | str, file: str, measure: str | None = None, choices: Choices | None = None
) -> ReadScores:
    """Read score matrices from the content of a file or from pasted text, all of it or nothing.

    Parameters
    ----------
    content : bytes or str
        A table as text, JSON, an xlsx workbook, or a gzip or zip archive of these.
    file : str
        The file as the user named it, or "pasted text"; the matrices are named after it.
    measure : str, optional
        The same as ``choices.measure``, which it comes before. Without either the name comes from
        a column or rows of measures, from the header above the topic ids, from the name of the
        sheet, or from the end of the file name; else the measure is called "score".
    choices : Choices, optional
        Decisions of the user where the file leaves them open. Without them nothing is filled, dropped
        or averaged; only rows and columns that sum up others are taken out, which is reported.

    Raises
    ------
    ParseError
        If anything in the file is not a complete table of numbers in a shape that is known.
    """
    choices = choices or Choices()
    if measure and measure.strip():
        choices = replace(choices, measure=measure.strip())
    read = _read([(file, content)], choices)
    if read.errors:
        raise read.errors[0]
    return read


def read_score_files(files: Sequence[tuple[str, bytes | str]], choices: Choices | None = None) -> ReadScores:
    """Read several files together; files of one run each are joined into one matrix per measure.

    Topics that some of the joined runs have and others have not are missing scores. A file that
    cannot be read is an error next to the contents of the others.

    Parameters
    ----------
    files : sequence of (str, bytes or str)
        Name and content of each file.
    choices : Choices, optional
        Decisions of the user where the files leave them open.

    Returns
    -------
    ReadScores
        With an error for each file, sheet, member of an archive, or join that could not be read.
    """
    return _read(files, choices or Choices())


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause the search for cycles of objects: reading makes millions of cells and no cycle.

    The search visits all cells again and again: a third of the time that a million rows take.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_collector_paused()
def _read(files: Sequence[tuple[str, bytes | str]], choices: Choices) -> ReadScores:
    errors: list[ParseError] = []
    recognised: list[str] = []
    tables: list[OneTable] = []
    for file, content in files:
        opened = open_file(content, file)
        errors += opened.errors
        recognised += opened.notes
        for table in opened.tables:
            try:
                tables.append(_read_table(table, choices))
            except ParseError as error:
                errors.append(error)
    matrices: list[ScoreMatrix] = []
    notes: list[tuple[str, ...]] = []
    from_files: list[tuple[str, ...]] = []
    for group in grouped(tables):
        try:
            new = _matrices(group, choices)
        except ParseError as error:
            errors.append(error)
            continue
        recognised += [*group.notes, *group.named]
        several = len(new) > 1
        for (matrix, sentences), measure in zip(new, group.measures, strict=True):
            matrices.append(matrix)
            notes.append((*group.notes, measure.sentence, *sentences))
            from_files.append(group.files)
            recognised += [f"{matrix.measure}: {one}" if several else one for one in sentences]
    return ReadScores(
        matrices=tuple(matrices),
        recognised=tuple(recognised),
        notes=tuple(notes),
        files=tuple(from_files),
        errors=tuple(errors),
    )


def _read_table(result: OpenedTable, choices: Choices) -> OneTable:
    reading = read_table(result.table, choices)
    for entries in reading.tables:
        refuse_odd_names(result.table, "topic id", entries.topics)
        refuse_odd_names(result.table, "run name", entries.systems)
        refuse_odd_names(result.table, "measure", [entries.measure or ""])
    layout = f"{result.table.layout[0].upper()}{result.table.layout[1:]}."
    reading = replace(reading, recognised=(*reading.recognised, layout))
    measures, sentence = name_measures(reading, result.source, (choices.measure or "").strip())
    return OneTable(reading, result.source, result.archive, measures, sentence)


def _matrices(group: Group, choices: Choices) -> list[tuple[ScoreMatrix, list[str]]]:
    name = (choices.collection or "").strip() or group.name
    new = []
    for measure in group.measures:
        scores, sentences = fill(measure.parts, group.file, choices)
        scores, taken_out = without_summary_runs(scores)
        matrix = ScoreMatrix(
            scores=scores.values,
            topics=scores.topics,
            systems=scores.systems,
            measure=measure.name,
            name=name,
        )
        new.append((matrix, [*sentences, *remarks(matrix), *taken_out]))
    return new


MOST_PAIRS = 5
"""Runs that are equal are named up to this many pairs, and counted beyond."""

INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
"""Soft hyphens, spaces of no width, marks of direction, byte order marks."""


def remarks(matrix: ScoreMatrix) -> Iterator[str]:
    """Return notes on unusual scores of a matrix."""
    outside = int(np.count_nonzero((matrix.scores < 0) | (matrix.scores > 1)))
    if outside:
        scores = "1 score lies" if outside == 1 else f"{outside:,} scores lie"
        low, high = matrix.scores.min(), matrix.scores.max()
        yield f"{scores} outside 0 to 1 (lowest {low:g}, highest {high:g})."
    yield from _equal_topics(matrix)
    hidden = [name for name in (*matrix.topics, *matrix.systems) if INVISIBLE.search(name)]
    if hidden:
        yield f"Ids with invisible characters: {listed(hidden)}."
    yield from _equal_runs(matrix)


def _equal_topics(matrix: ScoreMatrix) -> Iterator[str]:
    """Name topics that may be one: as two they count twice in every sample size."""
    pairs = lookalikes(matrix.topics)
    if pairs:
        more = f"; and {len(pairs) - MOST_PAIRS:,} more" if len(pairs) > MOST_PAIRS else ""
        named = "; ".join(f"{quoted(one)} and {quoted(other)}" for one, other in pairs[:MOST_PAIRS])
        yield f"Topics whose ids differ only in zeros were kept separate: {named}{more}."


def _equal_runs(matrix: ScoreMatrix) -> Iterator[str]:
    """Name runs with equal columns: a test of their difference divides zero by zero."""
    first_with: dict[bytes, str] = {}
    pairs = []
    for system, column in zip(matrix.systems, matrix.scores.T, strict=True):
        same = first_with.setdefault(column.tobytes(), system)
        if same != system:
            pairs.append(f"{quoted(same)} and {quoted(system)}")
    if pairs:
        more = f"; and {len(pairs) - MOST_PAIRS:,} more" if len(pairs) > MOST_PAIRS else ""
        yield f"Runs with the same score on every topic: {'; '.join(pairs[:MOST_PAIRS])}{more}."
