"""Relevance judgments: TREC's four columns, topic, iteration, document and grade, or BEIR's three.

Columns are separated by tabs or spaces; the second of four is ignored, but where a document has lines
that differ in it, or grades are levels: then it numbers intents (`trec_intents`). BEIR's files are known by
their header: query-id, corpus-id, score. A grade below 0 means that the document was pooled but not judged,
as trec_eval takes it (its form_res_rels.c).

Stricter than trec_eval, whose ``atol`` reads 2.5 as 2 and x as 0: a grade is a whole number. Softer
in one thing: a judgment that is repeated with the same grade is counted once and said, where
trec_eval stops at any repeated document.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels
from topicset_core.collection.intents import Intents
from topicset_core.errors import ParseError
from topicset_core.parsing.intent_probabilities import (
    IntentProbabilities,
    are_probabilities,
    read_probabilities,
)
from topicset_core.parsing.naming import source_of
from topicset_core.parsing.ntcir_rel import LevelFiles
from topicset_core.parsing.trec_archives import File
from topicset_core.parsing.trec_files import each_file
from topicset_core.parsing.trec_intents import Lines, are_by_intent, judged_by_intent
from topicset_core.parsing.trec_lines import blocks, lines_with
from topicset_core.parsing.trec_order import repeated_rows
from topicset_core.parsing.trec_qrels_lines import QrelsLines, grade_of
from topicset_core.parsing.trec_text import plain_text
from topicset_core.parsing.watching import Watch
from topicset_core.progress import Report, silently
from topicset_core.wording import counted, listed, shown


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadQrels:
    """Judgments, the file they come from, and sentences on what was found in it."""

    qrels: Qrels
    file: str
    said: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadCollections:
    """What was found in files of judgments.

    Parameters
    ----------
    found : tuple of ReadQrels
        In the order of the files; each file is a collection of its own.
    said : tuple of str
        Sentences on what was left out of archives.
    errors : tuple of ParseError
        One for each file that could not be read; the others are read all the same.
    probabilities : tuple of IntentProbabilities
        How likely intents are, from files that say so.
    """

    found: tuple[ReadQrels, ...]
    said: tuple[str, ...]
    errors: tuple[ParseError, ...]
    probabilities: tuple[IntentProbabilities, ...] = ()

    @property
    def qrels(self) -> tuple[Qrels, ...]:
        """The judgments alone."""
        return tuple(one.qrels for one in self.found)


def read_qrels(file: str, content: bytes) -> ReadQrels:
    """Read the judgments of one collection.

    Parameters
    ----------
    file : str
        The file as the user named it; the collection is named after it.
    content : bytes
        Text, or an archive with one file.

    Raises
    ------
    ParseError
        If it is not judgments from the first line to the last.
    """
    read = read_collections([(file, content)])
    if read.errors:
        raise read.errors[0]
    if len(read.found) != 1:
        raise ParseError(file, None, f"expected one file of relevance judgments, found {len(read.found)}")
    return read.found[0]


def read_collections(
    files: Sequence[tuple[str, bytes | Path]],
    report: Report = silently,
) -> ReadCollections:
    """Read judgments from files, each of which is a collection: text, gzip, zip and tar archives.

    Only rel files of NTCIR, one a topic, make a collection together: those of an archive, or those without.

    Parameters
    ----------
    files : sequence of (str, bytes or Path)
        Name and content of each file, or where it is: then it is read when its turn comes.
    report : callable, optional
        Takes the fraction done, after each block of lines; what it raises ends the reading.

    Returns
    -------
    ReadCollections
        With an error for each file that holds no judgments. Collections are named after their files
        without folder and extension; where these are the same, after the whole file names.
    """
    found: list[ReadQrels] = []
    probabilities: list[IntentProbabilities] = []
    levels = LevelFiles()

    def read(file: File, watch: Watch) -> None:
        if levels.takes(file):
            levels.add(file, watch)
        elif are_probabilities(file):
            probabilities.append(read_probabilities(file.name, file.content))
        else:
            found.append(_read(file, watch))

    said, errors = each_file(files, read, report)
    for one in levels.collections():
        found.append(ReadQrels(qrels=one.qrels, file=one.file, said=(*_said(one.qrels), *one.said)))
    return ReadCollections(
        found=_told_apart(found), said=said, errors=errors, probabilities=tuple(probabilities)
    )


def _told_apart(found: list[ReadQrels]) -> tuple[ReadQrels, ...]:
    """Give collections of the same name the names of their files, and numbers where these are the same."""
    short = Counter(one.qrels.name for one in found)
    named: dict[str, ReadQrels] = {}
    for one in found:
        name = stem = one.qrels.name if short[one.qrels.name] == 1 else one.file
        number = 1
        while name in named:
            number += 1
            name = f"{stem} ({number})"
        named[name] = replace(one, qrels=replace(one.qrels, name=name))
    return tuple(named.values())


def _read(file: File, watch: Watch) -> ReadQrels:
    text = plain_text(file.content, file.name)
    lines = QrelsLines(file.name)
    for block in blocks(text.content, file.name):
        lines.add(block)
        share = block.end / len(text.content)
        watch.reached(file.begin + share * (file.end - file.begin))
    topics, grades, documents = lines.joined()
    repeated = repeated_rows(topics, documents)
    if lines.are_levels or (repeated and lines.n_columns == 4):
        intents = _second_column(text.content, file.name)
        if are_by_intent(intents, repeated, are_levels=lines.are_levels):
            columns = Lines(topics, intents, documents, grades)
            judged = judged_by_intent(columns, repeated, lines.topics.ids, text.content, file.name)
            qrels = _qrels(file.name, lines, judged.topics, judged.documents, judged.grades, judged.intents)
            said = (*text.said, *_said(qrels), *lines.asides(), *judged.said)
            return ReadQrels(qrels=qrels, file=file.name, said=said)
    for row, first in repeated:
        if grades[row] != grades[first]:
            topic = lines.topics.ids[topics[row]]
            _refuse_two_grades(file.name, text.content, topic, bytes(documents[row]), lines.n_columns)
    kept = np.ones(topics.size, dtype=np.bool_)
    kept[[row for row, _ in repeated]] = False
    topics, grades, documents = topics[kept], grades[kept], documents[kept]
    order = np.argsort(topics, kind="stable")
    qrels = _qrels(file.name, lines, topics, documents[order], grades[order])
    more = [*text.said, *_said(qrels), *lines.asides()]
    if repeated:
        are = "judgment is" if len(repeated) == 1 else "judgments are"
        more.append(f"{len(repeated):,} {are} repeated with the same grade; each counts once.")
    return ReadQrels(qrels=qrels, file=file.name, said=tuple(more))


def _qrels(
    file: str,
    lines: QrelsLines,
    topics: NDArray[np.int32],
    documents: NDArray[np.bytes_],
    grades: NDArray[np.int16],
    intents: Intents | None = None,
) -> Qrels:
    """Return the noun; documents and grades stand topic after topic."""
    return Qrels(
        name=source_of(file).stem,
        topics=lines.topics.names(file),
        starts=lines.topics.starts(topics),
        documents=documents,
        grades=grades,
        intents=intents,
    )


def _second_column(content: bytes, file: str) -> NDArray[np.bytes_]:
    """Read the file once more: only where documents are repeated may its second column say something."""
    lines = QrelsLines(file, keeps_second=True)
    for block in blocks(content, file):
        lines.add(block)
    return np.concatenate(lines.second)


def _refuse_two_grades(file: str, content: bytes, topic: bytes, document: bytes, n_columns: int) -> None:
    at = 2 if n_columns == 4 else 1
    first, *later = lines_with(content, topic, document, at)
    grade = grade_of(first.cells[at + 1])
    other = next(line for line in later if grade_of(line.cells[at + 1]) != grade)
    raise ParseError(
        file,
        other.number,
        f"expected one grade for each document of a topic, found {other.cells[at + 1].decode()} for "
        f"{shown(document.decode())} of topic {shown(topic.decode())}, which has the grade "
        f"{first.cells[at + 1].decode()} on line {first.number:,}",
    )


def _said(qrels: Qrels) -> list[str]:
    grades, counts = np.unique(qrels.grades, return_counts=True)
    each = ", ".join(
        f"{grade} ({count:,})" for grade, count in zip(grades.tolist(), counts.tolist(), strict=True)
    )
    said = [
        f"Judgments {shown(qrels.name)}: {counted(qrels.n_topics, 'topic')}, "
        f"{counted(qrels.documents.size, 'judgment')}. Grades and how often each is given: {each}."
    ]
    n_negative = int(np.count_nonzero(qrels.grades < 0))
    if n_negative:
        are = "judgment is" if n_negative == 1 else "judgments are"
        said.append(f"{n_negative:,} {are} below 0: pooled but not judged, as trec_eval takes them.")
    best = np.maximum.reduceat(qrels.grades, qrels.starts[:-1])
    barren = [topic for topic, grade in zip(qrels.topics, best.tolist(), strict=True) if grade < 1]
    if barren:
        said.append(
            f"No document has a grade of at least 1 in {counted(len(barren), 'topic')}: {listed(barren)}."
        )
    return said
