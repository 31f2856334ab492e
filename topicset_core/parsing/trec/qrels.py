"""Relevance judgments: TREC's four columns, topic, iteration, document and grade, or BEIR's three.

Columns are separated by tabs or spaces; the second of four is ignored, but where a document has lines
that differ in it, grades are levels, or probabilities of intents are uploaded: then it numbers intents
(`trec.intents`). BEIR's files are known by their header: query-id, corpus-id, score. A grade below 0 means
that the document was pooled but not judged, as trec_eval takes it (its form_res_rels.c).

Stricter than trec_eval, whose ``atol`` reads 2.5 as 2 and x as 0: a grade is a whole number. Softer
in one thing: a judgment that is repeated with the same grade is counted once with a note, where
trec_eval stops at any repeated document.

Where the second of four columns numbers several intents of a topic and no document has lines for two of
them, it may number intents or iterations: it is ignored, which is reported, and judgments by intent are kept
in addition, for users who upload the probabilities of these intents.

NTCIR's judgments have a document and its level on each line, L0 for judged not relevant. In a ``rel`` file, one
per topic, a line is ``document L2`` and the file names the topic (NTCIREVAL's README.adhoc, 1.1:
``./<topicID>/<topicID>.rel``); in an NTCIR-format qrels file, for all topics, it is ``topic document L2`` (1.0).
Where ids contain spaces, semicolons separate. Documents that were not judged have no line.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels
from topicset_core.collection.qrels import Intents
from topicset_core.errors import ParseError
from topicset_core.parsing.archives import File, Files, Watch, each_file
from topicset_core.parsing.limits import LARGEST_GRADE, LONGEST_ID
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.names import name_of, refuse_long, source_of
from topicset_core.parsing.text import PlainText, first_lines, plain_text
from topicset_core.parsing.trec.intents import (
    RECOGNISED,
    RECOGNISED_BY_LEVELS,
    RECOGNISED_BY_PROBABILITIES,
    IntentProbabilities,
    Lines,
    are_by_intent,
    are_probabilities,
    judged_by_intent,
    read_probabilities,
)
from topicset_core.parsing.trec.lines import (
    COMMENT,
    JUDGMENTS,
    Block,
    Cells,
    FileLines,
    Line,
    blocks,
    header_remark,
    is_beir_header,
    lines_with,
    looks_like_run,
    refuse_columns,
    refuse_crowd,
    refuse_two_grades,
    repeated_rows,
    tidied,
    whole_numbers,
)
from topicset_core.parsing.trec.runs import numbered
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted, listed, quoted

LEVEL = re.compile(rb"L(\d+)")
LEVELS = "a document and its level (L0, L1, L2 ...), perhaps with the topic before"

Graded = dict[bytes, tuple[int, int]]
"""Grade of each document of a topic, and the number of its line."""

IGNORED = (
    "The second column contains several values per topic, as where it numbers intents, but no document has lines "
    "for two of them: it was ignored, as trec_eval does. If it numbers intents, upload their probabilities too "
    "(lines of topic, intent, probability; equal ones if they are unknown)."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadQrels:
    """Judgments, their file, notes on them, and their version by intent where the file leaves that open."""

    qrels: Qrels
    file: str
    notes: tuple[str, ...]  # notes on the format and the contents
    by_intent: "ReadQrels | None" = None


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadCollections:
    """The judgments found in files."""

    items: tuple[ReadQrels, ...]  # in the order of the files
    notes: tuple[str, ...]  # notes on omitted files of archives
    errors: tuple[ParseError, ...]  # one for each file that could not be read
    # Probabilities of intents, from files that contain them
    probabilities: tuple[IntentProbabilities, ...] = ()

    @property
    def qrels(self) -> tuple[Qrels, ...]:
        """The judgments alone."""
        return tuple(item.qrels for item in self.items)


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
    if len(read.items) != 1:
        raise ParseError(file, None, f"expected one file of relevance judgments, found {len(read.items)}")
    return read.items[0]


def read_collections(files: Files, report: ReportProgress = silently) -> ReadCollections:
    """Read judgments, each file a collection but for NTCIR's rel files, which make one per archive."""
    results: list[ReadQrels] = []
    probabilities: list[IntentProbabilities] = []
    levels = LevelFiles()

    def read(file: File, watch: Watch) -> None:
        if levels.takes(file):
            levels.add(file, watch)
        elif are_probabilities(file):
            probabilities.append(read_probabilities(file.name, file.content))
        else:
            results.append(read_file(file, watch))

    notes, errors = each_file(files, read, report)
    results += levels.collections()
    return ReadCollections(
        items=_with_distinct_names(results), notes=notes, errors=errors, probabilities=tuple(probabilities)
    )


def _with_distinct_names(result: list[ReadQrels]) -> tuple[ReadQrels, ...]:
    """Give collections of the same name the names of their files, and numbers where these are the same."""
    short = Counter(item.qrels.name for item in result)
    named: dict[str, ReadQrels] = {}
    for item in result:
        name = numbered(item.qrels.name if short[item.qrels.name] == 1 else item.file, named)
        named[name] = replace(item, qrels=replace(item.qrels, name=name))
    return tuple(named.values())


class QrelsLines(FileLines):
    """The columns of judgments; the second is kept on demand, as most files fill it with zeros."""

    expected = JUDGMENTS

    def __init__(self, file: str, *, keeps_second: bool = False) -> None:
        super().__init__(file, f"expected {JUDGMENTS}, found no line of them")
        self.second: list[NDArray[np.bytes_]] = []
        self._keeps_second = keeps_second
        self.are_levels = False
        self.second_varies = False
        self._first_second = b""
        self._is_first_line = True

    def add(self, block: Block) -> None:
        """Take the lines of a block; the first line determines the number of columns."""
        if not self.n_columns:
            first = next(block.lines(), None)
            if first is None:
                self._n_comments += tidied(block.text).n_comments
                return
            is_header = is_beir_header([cell.decode() for cell in first.cells])
            self.n_columns = 3 if is_header else 4
            self.are_levels = LEVEL.fullmatch(first.cells[-1]) is not None
            if is_header:
                lines = block.text.split(b"\n")
                lines[first.number - block.first_line] = b""
                block = Block(b"\n".join(lines), block.first_line, block.end)
        super().add(block)

    def take(self, cells: Cells) -> bool:
        """Take the cells of lines, or return False if one is invalid."""
        document = self.n_columns - 2
        if max(cells.longest(column) for column in range(self.n_columns)) > LONGEST_ID:
            return False
        grades = self._grades(cells.column(document + 1))
        if grades is None or (np.abs(grades) > LARGEST_GRADE).any():
            return False
        topics = self.topics.add(cells.column(0))
        if self.n_columns == 4 and not self.second_varies:
            self._watch_second(cells)
        self._keep(topics, grades.astype(np.int16), cells.column(document))
        if self._keeps_second:
            self.second.append(cells.column(1))
            self.width = max(self.width, cells.longest(1) + cells.longest(document))
        return True

    def _watch_second(self, cells: Cells) -> None:
        """Note whether the second column ever differs from its first cell; in most files it never does."""
        start, length = int(cells.starts[0, 1]), int(cells.lengths[0, 1])
        self._first_second = self._first_second or cells.characters[start : start + length].tobytes()
        first = np.frombuffer(self._first_second, dtype=np.uint8)
        self.second_varies = bool((cells.lengths[:, 1] != first.size).any()) or any(
            (cells.characters[cells.starts[:, 1] + place] != character).any()
            for place, character in enumerate(first.tolist())
        )

    def _grades(self, column: NDArray[np.bytes_]) -> NDArray[np.float64] | None:
        """Read grades, or NTCIR's levels where the first line has one; None if one of them is invalid."""
        if not self.are_levels:
            return whole_numbers(column)
        first = column.view(np.uint8).reshape(column.size, -1)[:, 0]
        digits = column.astype(f"S{max(column.itemsize, 2)}").view(np.uint8).reshape(column.size, -1)[:, 1:]
        is_digit = (digits >= ord("0")) & (digits <= ord("9"))
        if (first != ord("L")).any() or not digits[:, 0].all() or not (is_digit | (digits == 0)).all():
            return None
        return whole_numbers(np.ascontiguousarray(digits).view(f"S{digits.shape[1]}")[:, 0])

    def asides(self) -> list[str]:
        """Return notes on the recognised format where it is not plain, and on omitted lines."""
        notes = []
        if self.n_columns == 3:
            notes.append("There are three columns below BEIR's header: query-id, corpus-id, score.")
        if self.are_levels:
            notes.append("Grades are NTCIR's levels: L2 is 2.")
        return [*notes, *super().asides()]

    def check(self, number: int, raw: list[bytes], cells: list[str]) -> None:
        """Refuse a line that is invalid."""
        if len(cells) != self.n_columns:
            self._refuse_columns(cells, number)
        self._is_first_line = False
        topic, document, grade = cells[0], cells[-2], cells[-1]
        seconds = [(cells[1], "second column")] if self.n_columns == 4 else []
        for cell, what in (
            (topic, "topic id"),
            *seconds,
            (document, "document id"),
            (grade, "grade"),
        ):
            refuse_long(cell, self._file, number, what)
        value = self._grades(np.array([raw[-1]]))
        if value is None or abs(value[0]) > LARGEST_GRADE:
            whole = "level such as L2" if self.are_levels else "whole number"
            lowest = "L0 and L" if self.are_levels else f"-{LARGEST_GRADE:,} and "
            between = "" if value is None else f" between {lowest}{LARGEST_GRADE:,}"
            self.refuse(
                number,
                f"topic {quoted(topic)}, document {quoted(document)}: expected a {whole}{between} as grade, "
                f"found {quoted(grade)}{header_remark(grade)}",
            )

    def _refuse_columns(self, cells: list[str], number: int) -> None:
        remark = ""
        if self.n_columns == 3:
            expected = "judgments with 3 columns, as announced by BEIR's header"
        else:
            expected = JUDGMENTS
            if self._is_first_line and not self._columns and looks_like_run(cells):
                remark = " as in a run; are runs and judgments interchanged?"
            elif len(cells) == 3 and (measure_name(cells[0]) or measure_name(cells[1])):
                remark = (
                    f", {quoted(' '.join(cells))}: scores of a run, as trec_eval and ir_measures write them? They "
                    "belong on the page of score matrices"
                )
            elif len(cells) == 3:
                remark = (
                    "; three are read below BEIR's header only: query-id, corpus-id, score; or, with fractions "
                    "such as 0.25 behind, as probabilities of intents: topic, intent, probability"
                )
        refuse_columns(cells, self._file, number, expected, remark)


def read_file(file: File, watch: Watch) -> ReadQrels:
    """Read the judgments of a file."""
    text = plain_text(file.content, file.name)
    lines = QrelsLines(file.name).read(text.content, watch.within(file))
    topics, grades, documents = lines.joined()
    repeated = repeated_rows(topics, documents)
    columns = None
    if lines.are_levels or (lines.n_columns == 4 and (repeated.size or lines.second_varies)):
        # Only where documents are repeated may the second column have a meaning: the file is read again.
        intents = np.concatenate(QrelsLines(file.name, keeps_second=True).read(text.content).second)
        columns = Lines(topics, intents, documents, grades)
        if are_by_intent(intents, repeated, are_levels=lines.are_levels):
            recognised = RECOGNISED_BY_LEVELS if lines.are_levels else RECOGNISED
            return _by_intent(file.name, text, lines, columns, repeated, recognised)
    for row in repeated[grades[repeated[:, 0]] != grades[repeated[:, 1]], 0].tolist():
        topic, document = lines.topics.ids[topics[row]], bytes(documents[row])
        at = lines.n_columns - 2
        of_both = lines_with(text.content, topic, document, at)
        where = f"{quoted(document.decode())} of topic {quoted(topic.decode())}"
        refuse_two_grades(file.name, of_both, at + 1, "each document of a topic", where)
    by_intent = None
    if columns is not None and columns.have_several_intents():
        by_intent = _by_intent(file.name, text, lines, columns, repeated, RECOGNISED_BY_PROBABILITIES)
    kept = np.ones(topics.size, dtype=np.bool_)
    kept[repeated[:, 0]] = False
    topics, grades, documents = topics[kept], grades[kept], documents[kept]
    order = np.argsort(topics, kind="stable")
    qrels = _qrels(file.name, lines, topics, documents[order], grades[order])
    more = [*text.notes, *notes_of(qrels), *lines.asides()]
    if repeated.size:
        are = "judgment is" if len(repeated) == 1 else "judgments are"
        more.append(f"{len(repeated):,} {are} repeated with the same grade; each counts once.")
    if by_intent is not None:
        more.append(IGNORED)
    return ReadQrels(qrels=qrels, file=file.name, notes=tuple(more), by_intent=by_intent)


def _by_intent(
    file: str,
    text: PlainText,
    lines: QrelsLines,
    columns: Lines,
    repeated: NDArray[np.intp],
    recognised: str,
) -> ReadQrels:
    """Read the second column as the intent of each line."""
    judged = judged_by_intent(columns, repeated, lines.topics.ids, text.content, file, recognised)
    qrels = _qrels(file, lines, judged.topics, judged.documents, judged.grades, judged.intents)
    return ReadQrels(
        qrels=qrels, file=file, notes=(*text.notes, *notes_of(qrels), *lines.asides(), *judged.notes)
    )


def _qrels(
    file: str,
    lines: QrelsLines,
    topics: NDArray[np.int32],
    documents: NDArray[np.bytes_],
    grades: NDArray[np.int16],
    intents: Intents | None = None,
) -> Qrels:
    """Return the judgments; documents and grades are sorted by topic."""
    return Qrels(
        name=source_of(file).stem,
        topics=lines.topics.names(file),
        starts=lines.topics.starts(topics),
        documents=documents,
        grades=grades,
        intents=intents,
    )


def notes_of(qrels: Qrels) -> list[str]:
    """Describe the size of judgments, their grades, and unusual ones."""
    grades, counts = np.unique(qrels.grades, return_counts=True)
    each = ", ".join(
        f"{grade} ({count:,})" for grade, count in zip(grades.tolist(), counts.tolist(), strict=True)
    )
    notes = [
        f"Judgments {quoted(qrels.name)}: {counted(qrels.n_topics, 'topic')}, "
        f"{counted(qrels.documents.size, 'judgment')}. Grades and how often each is given: {each}."
    ]
    n_negative = int(np.count_nonzero(qrels.grades < 0))
    if n_negative:
        are = "judgment is" if n_negative == 1 else "judgments are"
        notes.append(f"{n_negative:,} {are} below 0: pooled but not judged, as trec_eval takes them.")
    best = np.maximum.reduceat(qrels.grades, qrels.starts[:-1])
    barren = [topic for topic, grade in zip(qrels.topics, best.tolist(), strict=True) if grade < 1]
    if barren:
        notes.append(
            f"No document has a grade of at least 1 in {counted(len(barren), 'topic')}: {listed(barren)}."
        )
    return notes


class _Part(NamedTuple):
    """Contents of one file, and the archive it was in."""

    file: str
    archive: str
    topics: dict[bytes, Graded]
    is_rel: bool
    notes: tuple[str, ...]


class LevelFiles:
    """Takes judgments of NTCIR out of the files that were given; rel files make a collection together."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []
        self._n_lines = 0

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
        topics: dict[bytes, Graded] = {}
        named = _topic_of_file(file.name).encode()
        n_columns = n_repeated = 0
        for line, done in _level_lines(text.content, file.name):
            self._n_lines += 1
            refuse_crowd(self._n_lines, file.name)
            n_columns = n_columns or len(line.cells)
            is_rel = n_columns == 2
            topic, document, grade = _level(line, n_columns, named, file.name)
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
        same = [part for part in self._parts if is_rel and part.is_rel and part.archive == file.archive]
        other = next((part for part in same if named in part.topics), None)
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

    def collections(self) -> Iterator[ReadQrels]:
        """Yield the judgments: files with all topics, and rel files together, by their archives."""
        for part in (part for part in self._parts if not part.is_rel):
            how = "Lines of topic, document and level, as NTCIR's qrels have them"
            yield _collection(source_of(part.file).stem, [part], f"{how}: levels are grades, L2 is 2.")
        rel = [part for part in self._parts if part.is_rel]
        for archive in dict.fromkeys(part.archive for part in rel):
            parts = [part for part in rel if part.archive == archive]
            name = source_of(archive or parts[0].file).stem
            if len(parts) > 1 and not archive:
                name = f"{name} and {counted(len(parts) - 1, 'more file')}"
            how = "Lines of document and level, as NTCIR's rel files have them"
            files = counted(len(parts), "file")
            yield _collection(
                name, parts, f"{how}: {files}, each named after its topic; levels are grades, L2 is 2."
            )


def _level_lines(content: bytes, file: str) -> Iterator[tuple[Line, float]]:
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


def _level(line: Line, n_columns: int, named: bytes, file: str) -> tuple[bytes, bytes, int]:
    """Return topic, document and grade of a line that is a judgment as those before it are."""
    cells = line.cells
    match = LEVEL.fullmatch(cells[-1])
    if len(cells) != n_columns or match is None or not all(cells):
        remark = (
            "" if match or len(cells) != n_columns - 1 else ": a labelled ranking (lab)? It is no judgment"
        )
        raise ParseError(file, line.number, f"expected {LEVELS}, found {_shown(b' '.join(cells))}{remark}")
    refuse_long(cells[-2].decode(), file, line.number, "document id")
    refuse_long(cells[0].decode(), file, line.number, "topic id")
    digits = match[1].lstrip(b"0") or b"0"
    if len(digits) > len(str(LARGEST_GRADE)) or int(digits) > LARGEST_GRADE:
        expected = f"expected a level of at most L{LARGEST_GRADE:,}, found {_shown(cells[-1])}"
        raise ParseError(file, line.number, expected)
    return (named if n_columns == 2 else cells[0]), cells[-2], int(digits)


def _topic_of_file(file: str) -> str:
    """Take the topic from a path such as 0001.rel, 0001/0001.rel or 0001/0001.test.rel."""
    path = PurePosixPath(file.replace("\\", "/"))
    stem = source_of(file).stem
    folder = path.parent.name
    return folder if folder and stem.startswith(f"{folder}.") else stem


def _collection(name: str, parts: list[_Part], how: str) -> ReadQrels:
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
    notes = (*notes_of(qrels), how, *(note for part in parts for note in part.notes))
    return ReadQrels(qrels=qrels, file=f"{parts[0].file}{more}", notes=notes)


def _shown(cell: bytes) -> str:
    return quoted(cell.decode())
