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
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels
from topicset_core.collection.intents import Intents
from topicset_core.errors import ParseError
from topicset_core.parsing.archives import File, Files, Watch, each_file
from topicset_core.parsing.limits import LARGEST_GRADE, LONGEST_ID
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.names import refuse_long, source_of
from topicset_core.parsing.text import PlainText, plain_text
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
    JUDGMENTS,
    Block,
    Cells,
    FileLines,
    header_remark,
    is_beir_header,
    lines_with,
    looks_like_run,
    refuse_columns,
    regular_cells,
    repeated_rows,
    tidied,
    whole_numbers,
)
from topicset_core.parsing.trec.ntcir_rel import LEVEL, LevelFiles, grade_of
from topicset_core.parsing.trec.runs import numbered
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted, listed, quoted

IGNORED = (
    "The second column contains several values per topic, as where it numbers intents, but no document has lines "
    "for two of them: it was ignored, as trec_eval does. If it numbers intents, upload their probabilities too "
    "(lines of topic, intent, probability; equal ones if they are unknown)."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadQrels:
    """Judgments, the file they come from, and notes on them.

    Where the file leaves open whether judgments are by intent, `by_intent` is the version by intent.
    """

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
        return tuple(one.qrels for one in self.items)


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
    """Read judgments from files, each of which is a collection: text, gzip, zip and tar archives.

    Only rel files of NTCIR, one per topic, make a collection together: the files of one archive, or without
    one.
    """
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
    for one in levels.collections():
        results.append(ReadQrels(qrels=one.qrels, file=one.file, notes=(*notes_of(one.qrels), *one.notes)))
    return ReadCollections(
        items=_with_distinct_names(results), notes=notes, errors=errors, probabilities=tuple(probabilities)
    )


def _with_distinct_names(result: list[ReadQrels]) -> tuple[ReadQrels, ...]:
    """Give collections of the same name the names of their files, and numbers where these are the same."""
    short = Counter(one.qrels.name for one in result)
    named: dict[str, ReadQrels] = {}
    for one in result:
        name = numbered(one.qrels.name if short[one.qrels.name] == 1 else one.file, named)
        named[name] = replace(one, qrels=replace(one.qrels, name=name))
    return tuple(named.values())


class QrelsLines(FileLines):
    """The columns of judgments; the second is kept on demand, as most files fill it with zeros."""

    def __init__(self, file: str, *, keeps_second: bool = False) -> None:
        super().__init__(file, f"expected {JUDGMENTS}, found no line of them")
        self.second: list[NDArray[np.bytes_]] = []
        self._keeps_second = keeps_second
        self.are_levels = False
        self.second_varies = False
        self._first_second = b""
        self.n_columns = 0  # not known before the first line
        self._is_first_line = True

    def add(self, block: Block) -> None:
        """Take the lines of a block."""
        text = block.text
        if not self.n_columns:
            first = next(block.lines(), None)
            if first is None:
                self._n_comments += tidied(text).n_comments
                return
            is_header = is_beir_header([cell.decode() for cell in first.cells])
            self.n_columns = 3 if is_header else 4
            self.are_levels = LEVEL.fullmatch(first.cells[-1]) is not None
            if is_header:
                lines = text.split(b"\n")
                lines[first.number - block.first_line] = b""
                text = b"\n".join(lines)
        cells = regular_cells(text, self.n_columns)
        if cells is None:
            rest = tidied(text)
            self._n_comments += rest.n_comments
            if not rest.text:
                return
            cells = regular_cells(rest.text, self.n_columns)
        if cells is None or not self._take(cells):
            self._refuse_block(Block(text, block.first_line, block.end))

    def _take(self, cells: Cells) -> bool:
        document = self.n_columns - 2
        if max(cells.longest(column) for column in (0, document, document + 1)) > LONGEST_ID:
            return False
        grades = self._grades(cells.column(document + 1))
        if grades is None or (np.abs(grades) > LARGEST_GRADE).any():
            return False
        topics = self.topics.add(cells.column(0))
        if self.n_columns == 4 and not self.second_varies:
            self._watch_second(cells)
        if self._keeps_second:
            self.second.append(cells.column(1))
        self._columns.append((topics, grades.astype(np.int16), cells.column(document)))
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

    def _refuse_block(self, block: Block) -> NoReturn:
        for number, raw in block.lines():
            cells = [cell.decode() for cell in raw]
            if len(cells) != self.n_columns:
                self._refuse_columns(cells, number)
            self._is_first_line = False
            topic, document, grade = cells[0], cells[-2], cells[-1]
            for cell, what in ((topic, "topic id"), (document, "document id"), (grade, "grade")):
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
        self.refuse(block.first_line, f"expected {JUDGMENTS}, found something else")

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
    if lines.are_levels or (lines.n_columns == 4 and (repeated or lines.second_varies)):
        intents = _second_column(text.content, file.name)
        columns = Lines(topics, intents, documents, grades)
        if are_by_intent(intents, repeated, are_levels=lines.are_levels):
            recognised = RECOGNISED_BY_LEVELS if lines.are_levels else RECOGNISED
            return _by_intent(file.name, text, lines, columns, repeated, recognised)
    for row, first in repeated:
        if grades[row] != grades[first]:
            topic = lines.topics.ids[topics[row]]
            _refuse_two_grades(file.name, text.content, topic, bytes(documents[row]), lines.n_columns)
    by_intent = None
    if columns is not None and columns.have_several_intents():
        by_intent = _by_intent(file.name, text, lines, columns, repeated, RECOGNISED_BY_PROBABILITIES)
    kept = np.ones(topics.size, dtype=np.bool_)
    kept[[row for row, _ in repeated]] = False
    topics, grades, documents = topics[kept], grades[kept], documents[kept]
    order = np.argsort(topics, kind="stable")
    qrels = _qrels(file.name, lines, topics, documents[order], grades[order])
    more = [*text.notes, *notes_of(qrels), *lines.asides()]
    if repeated:
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
    repeated: list[tuple[int, int]],
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
    """Return the noun; documents and grades are sorted by topic."""
    return Qrels(
        name=source_of(file).stem,
        topics=lines.topics.names(file),
        starts=lines.topics.starts(topics),
        documents=documents,
        grades=grades,
        intents=intents,
    )


def _second_column(content: bytes, file: str) -> NDArray[np.bytes_]:
    """Read the file again: only where documents are repeated may its second column have a meaning."""
    return np.concatenate(QrelsLines(file, keeps_second=True).read(content).second)


def _refuse_two_grades(file: str, content: bytes, topic: bytes, document: bytes, n_columns: int) -> None:
    at = 2 if n_columns == 4 else 1
    first, *later = lines_with(content, topic, document, at)
    grade = grade_of(first.cells[at + 1])
    other = next(line for line in later if grade_of(line.cells[at + 1]) != grade)
    raise ParseError(
        file,
        other.number,
        f"expected one grade for each document of a topic, found {other.cells[at + 1].decode()} for "
        f"{quoted(document.decode())} of topic {quoted(topic.decode())}, which has the grade "
        f"{first.cells[at + 1].decode()} on line {first.number:,}",
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
