"""One file of relevance judgments to the noun: lines, what is repeated in them, and what is said of it.

Where the second of four columns tells several intents of a topic apart and no document has lines for two of
them, it may number intents or iterations: it is ignored, which is said, and judgments by intent are kept
beside, for whoever brings the probabilities of these intents.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels
from topicset_core.collection.intents import Intents
from topicset_core.errors import ParseError
from topicset_core.parsing.naming import source_of
from topicset_core.parsing.trec_archives import File
from topicset_core.parsing.trec_intents import (
    RECOGNISED_BY_PROBABILITIES,
    Lines,
    are_by_intent,
    judged_by_intent,
)
from topicset_core.parsing.trec_lines import blocks, lines_with
from topicset_core.parsing.trec_order import repeated_rows
from topicset_core.parsing.trec_qrels_lines import QrelsLines, grade_of
from topicset_core.parsing.trec_text import PlainText, plain_text
from topicset_core.parsing.watching import Watch
from topicset_core.wording import counted, listed, shown

IGNORED = (
    "The second column holds several values in a topic, as where it numbers intents, but no document has lines "
    "for two of them: it was ignored, as trec_eval does. If it numbers intents, bring their probabilities too "
    "(lines of topic, intent, probability; equal ones if none are known)."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadQrels:
    """Judgments, the file they come from, and sentences on what was found in it.

    Where the file leaves open whether it judges by intent, `by_intent` is the reading that takes it so.
    """

    qrels: Qrels
    file: str
    said: tuple[str, ...]
    by_intent: "ReadQrels | None" = None


def read_file(file: File, watch: Watch) -> ReadQrels:
    """Read the judgments of a file.

    Raises
    ------
    ParseError
        At the first line that is no judgment, or where a document has two grades.
    """
    text = plain_text(file.content, file.name)
    lines = QrelsLines(file.name)
    for block in blocks(text.content, file.name):
        lines.add(block)
        share = block.end / len(text.content)
        watch.reached(file.begin + share * (file.end - file.begin))
    topics, grades, documents = lines.joined()
    repeated = repeated_rows(topics, documents)
    columns = None
    if lines.are_levels or (lines.n_columns == 4 and (repeated or lines.second_varies)):
        intents = _second_column(text.content, file.name)
        columns = Lines(topics, intents, documents, grades)
        if are_by_intent(intents, repeated, are_levels=lines.are_levels):
            return _by_intent(file.name, text, lines, columns, repeated)
    for row, first in repeated:
        if grades[row] != grades[first]:
            topic = lines.topics.ids[topics[row]]
            _refuse_two_grades(file.name, text.content, topic, bytes(documents[row]), lines.n_columns)
    by_intent = None
    if columns is not None and columns.have_several_intents():
        by_intent = _by_intent(
            file.name, text, lines, columns, repeated, recognised=RECOGNISED_BY_PROBABILITIES
        )
    kept = np.ones(topics.size, dtype=np.bool_)
    kept[[row for row, _ in repeated]] = False
    topics, grades, documents = topics[kept], grades[kept], documents[kept]
    order = np.argsort(topics, kind="stable")
    qrels = _qrels(file.name, lines, topics, documents[order], grades[order])
    more = [*text.said, *said_of(qrels), *lines.asides()]
    if repeated:
        are = "judgment is" if len(repeated) == 1 else "judgments are"
        more.append(f"{len(repeated):,} {are} repeated with the same grade; each counts once.")
    if by_intent is not None:
        more.append(IGNORED)
    return ReadQrels(qrels=qrels, file=file.name, said=tuple(more), by_intent=by_intent)


def _by_intent(
    file: str,
    text: PlainText,
    lines: QrelsLines,
    columns: Lines,
    repeated: list[tuple[int, int]],
    recognised: str = "",
) -> ReadQrels:
    """Read the second column as the intent of each line."""
    judged = judged_by_intent(columns, repeated, lines.topics.ids, text.content, file, recognised)
    qrels = _qrels(file, lines, judged.topics, judged.documents, judged.grades, judged.intents)
    return ReadQrels(
        qrels=qrels, file=file, said=(*text.said, *said_of(qrels), *lines.asides(), *judged.said)
    )


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


def said_of(qrels: Qrels) -> list[str]:
    """Say how large judgments are, which grades they give, and what is unusual in them."""
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
