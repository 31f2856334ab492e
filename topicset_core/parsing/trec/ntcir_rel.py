"""NTCIR's relevance judgments: a document and its level on each line, L0 for judged not relevant.

In a ``rel`` file, one per topic, a line is ``document L2`` and the file names the topic (NTCIREVAL's
README.adhoc, 1.1: ``./<topicID>/<topicID>.rel``); in an NTCIR-format qrels file, for all topics, it is
``topic document L2`` (1.0). Where ids contain spaces, semicolons separate. Documents that were not judged
have no line.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np

from topicset_core.collection import Qrels
from topicset_core.errors import ParseError
from topicset_core.parsing.archives import File, Watch
from topicset_core.parsing.limits import LARGEST_GRADE
from topicset_core.parsing.names import name_of, refuse_long, source_of
from topicset_core.parsing.text import first_lines, plain_text
from topicset_core.parsing.trec.lines import (
    COMMENT,
    Line,
    blocks,
)
from topicset_core.wording import counted, quoted

LEVEL = re.compile(rb"L(\d+)")
EXPECTED = "a document and its level (L0, L1, L2 ...), perhaps with the topic before"

Grades = dict[bytes, tuple[int, int]]
"""Grade of each document of a topic, and the number of its line."""


class Levels(NamedTuple):
    """Judgments of one collection, the files they come from, and sentences on how they were recognised."""

    qrels: Qrels
    file: str
    notes: tuple[str, ...]


class _Part(NamedTuple):
    """Contents of one file, and the archive it was in."""

    file: str
    archive: str
    topics: dict[bytes, Grades]
    is_rel: bool
    notes: tuple[str, ...]


class LevelFiles:
    """Takes judgments of NTCIR out of the files that were given; rel files make a collection together."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []

    def takes(self, file: File) -> bool:
        """Return whether the first line that is no comment has a level at its end."""
        lines = first_lines(file.content)
        first = next((line for line in lines if line.strip() and not line.startswith(COMMENT)), b"")
        cells = _cells(first, by_semicolons=_are_semicolons(first))
        return 2 <= len(cells) <= 3 and LEVEL.fullmatch(cells[-1]) is not None

    def add(self, file: File, watch: Watch) -> None:
        """Read a file; refuse a topic that another file of the same archive has."""
        text = plain_text(file.content, file.name)
        is_rel = True
        topics: dict[bytes, Grades] = {}
        named = _topic(file.name).encode()
        n_columns = n_repeated = 0
        for line, done in _lines(text.content, file.name):
            n_columns = n_columns or len(line.cells)
            is_rel = n_columns == 2
            topic, document, grade = _judgment(line, n_columns, named, file.name)
            grades = topics.setdefault(topic, {})
            known = grades.setdefault(document, (grade, line.number))
            n_repeated += known[1] != line.number
            if known[0] != grade:
                raise ParseError(
                    file.name,
                    line.number,
                    f"expected one level for each document of a topic, found L{grade} for {_shown(document)}, "
                    f"which has L{known[0]} on line {known[1]:,}",
                )
            watch.within(file)(done)
        same = [one for one in self._parts if is_rel and one.is_rel and one.archive == file.archive]
        other = next((one for one in same if named in one.topics), None)
        if other is not None:
            raise ParseError(
                file.name,
                None,
                f"expected one rel file per topic, found {_shown(named)} judged by {other.file} too; put the files "
                "of each collection into a separate archive",
            )
        repeated = f"{n_repeated:,} repeated with the same level; each counts once."
        notes = [*text.notes, *([f"Judgments in {file.name}: {repeated}"] if n_repeated else [])]
        n_comments = sum(line.startswith(COMMENT) for line in text.content.split(b"\n"))
        if n_comments:
            notes.append(f"{counted(n_comments, 'line')} starting with # in {file.name} ignored.")
        self._parts.append(_Part(file.name, file.archive, topics, is_rel, tuple(notes)))

    def collections(self) -> Iterator[Levels]:
        """Yield the judgments: files with all topics, and rel files together, by their archives."""
        for part in (one for one in self._parts if not one.is_rel):
            how = "Lines of topic, document and level, as NTCIR's qrels have them"
            yield _levels(source_of(part.file).stem, [part], f"{how}: levels are grades, L2 is 2.")
        rel = [one for one in self._parts if one.is_rel]
        for archive in dict.fromkeys(one.archive for one in rel):
            parts = [one for one in rel if one.archive == archive]
            name = source_of(archive or parts[0].file).stem
            if len(parts) > 1 and not archive:
                name = f"{name} and {counted(len(parts) - 1, 'more file')}"
            how = "Lines of document and level, as NTCIR's rel files have them"
            files = counted(len(parts), "file")
            yield _levels(
                name, parts, f"{how}: {files}, each named after its topic; levels are grades, L2 is 2."
            )


def _lines(content: bytes, file: str) -> Iterator[tuple[Line, float]]:
    """Yield the cells of each line that is no comment, and the share of the file that is done."""
    by_semicolons: bool | None = None
    for block in blocks(content, file):
        for number, text in enumerate(block.text.split(b"\n"), start=block.first_line):
            if not text.strip() or text.startswith(COMMENT):
                continue
            if by_semicolons is None:
                by_semicolons = _are_semicolons(text)
            yield Line(number, _cells(text, by_semicolons=by_semicolons)), block.end / len(content)


def _are_semicolons(line: bytes) -> bool:
    return b";" in line and LEVEL.fullmatch(line.rpartition(b";")[2].strip()) is not None


def _cells(line: bytes, *, by_semicolons: bool) -> list[bytes]:
    return [cell.strip() for cell in line.split(b";")] if by_semicolons else line.split()


def _judgment(line: Line, n_columns: int, named: bytes, file: str) -> tuple[bytes, bytes, int]:
    """Return topic, document and grade of a line that is a judgment as those before it are."""
    cells = line.cells
    match = LEVEL.fullmatch(cells[-1])
    if len(cells) != n_columns or match is None or not all(cells):
        remark = (
            "" if match or len(cells) != n_columns - 1 else ": a labelled ranking (lab)? It is no judgment"
        )
        raise ParseError(file, line.number, f"expected {EXPECTED}, found {_shown(b' '.join(cells))}{remark}")
    refuse_long(cells[-2].decode(), file, line.number, "document id")
    refuse_long(cells[0].decode(), file, line.number, "topic id")
    digits = match[1].lstrip(b"0") or b"0"
    if len(digits) > len(str(LARGEST_GRADE)) or int(digits) > LARGEST_GRADE:
        expected = f"expected a level of at most L{LARGEST_GRADE:,}, found {_shown(cells[-1])}"
        raise ParseError(file, line.number, expected)
    return (named if n_columns == 2 else cells[0]), cells[-2], int(digits)


def _topic(file: str) -> str:
    """Take the topic from a path such as 0001.rel, 0001/0001.rel or 0001/0001.test.rel."""
    path = PurePosixPath(file.replace("\\", "/"))
    stem = source_of(file).stem
    folder = path.parent.name
    return folder if folder and stem.startswith(f"{folder}.") else stem


def _levels(name: str, parts: list[_Part], how: str) -> Levels:
    topics = {topic: grades for part in parts for topic, grades in part.topics.items()}
    sizes = [len(grades) for grades in topics.values()]
    qrels = Qrels(
        name=name,
        topics=tuple(name_of(topic, parts[0].file, "topic id") for topic in topics),
        starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        documents=np.array([document for grades in topics.values() for document in grades]),
        grades=np.array(
            [grade for grades in topics.values() for grade, _ in grades.values()], dtype=np.int16
        ),
    )
    more = f" and {counted(len(parts) - 1, 'more file')}" if len(parts) > 1 else ""
    return Levels(qrels, f"{parts[0].file}{more}", (how, *(notes for part in parts for notes in part.notes)))


def _shown(cell: bytes) -> str:
    return quoted(cell.decode())


def grade_of(cell: bytes) -> int:
    """Return the grade of a cell that was read as one: a whole number, or a level of NTCIR."""
    return int(cell.removeprefix(b"L"))
