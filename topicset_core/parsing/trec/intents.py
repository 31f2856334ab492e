"""Judgments by intent: the second of TREC's four columns numbers the intent that a line judges for.

So TREC's web tracks and NTCIR write them (subtopics, intents): a document has a line for each intent, and
lines that differ in the second column alone are what judgments without intents never have. NTCIR's have
levels for grades, and need no such lines: judgments with levels and without intents have three columns.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.intents import Intents
from topicset_core.errors import ParseError
from topicset_core.parsing.trec.lines import lines_with
from topicset_core.parsing.trec.ntcir_rel import grade_of
from topicset_core.wording import counted, shown

RECOGNISED = (
    "Judged by intent: some documents have several lines for one topic, which differ in the second column, the "
    "number of the intent or subtopic."
)
RECOGNISED_BY_LEVELS = (
    "Judged by intent: four columns with levels such as L2 are those of NTCIR's diversity judgments (Dqrels), the "
    "second of which numbers the intent."
)
RECOGNISED_BY_PROBABILITIES = (
    "Judged by intent: the second column has several values in a topic, and a file of probabilities names them as "
    "intents."
)
_DIGITS = re.compile(r"[0-9]+")


class Lines(NamedTuple):
    """The columns of judgments: index of the topic, intent, document and grade of each line."""

    topics: NDArray[np.int32]
    intents: NDArray[np.bytes_]
    documents: NDArray[np.bytes_]
    grades: NDArray[np.int16]

    def have_several_intents(self) -> bool:
        """Say whether some topic has two values in the column of intents."""
        order = np.lexsort((self.intents, self.topics))
        of_topic, of_intent = self.topics[order], self.intents[order]
        return bool(((of_topic[1:] == of_topic[:-1]) & (of_intent[1:] != of_intent[:-1])).any())


class Judged(NamedTuple):
    """Documents once each, topic after topic, with their highest grades, and their grades by intent."""

    topics: NDArray[np.int32]
    documents: NDArray[np.bytes_]
    grades: NDArray[np.int16]
    intents: Intents
    said: tuple[str, ...]


def intent_name(cell: str) -> str:
    """Return an intent as it is compared: 01 and 1 are the same one."""
    return cell.lstrip("0") or "0" if _DIGITS.fullmatch(cell) else cell


def are_by_intent(
    intents: NDArray[np.bytes_], repeated: Sequence[tuple[int, int]], *, are_levels: bool = False
) -> bool:
    """Say whether some document of a topic has lines that differ in the second column, or any do with levels."""
    if are_levels and (intents != intents[0]).any():
        return True
    rows = np.array(repeated, dtype=np.int64).reshape(-1, 2)
    return bool((intents[rows[:, 0]] != intents[rows[:, 1]]).any())


def judged_by_intent(
    lines: Lines,
    repeated: Sequence[tuple[int, int]],
    topic_ids: Sequence[bytes],
    content: bytes,
    file: str,
    recognised: str = "",
) -> Judged:
    """Bring the lines of each document together.

    Parameters
    ----------
    lines : Lines
        In the order of the file.
    repeated : sequence of (int, int)
        Lines whose document their topic had before, and the first line that has it.
    topic_ids : sequence of bytes
        Topics by their index.
    content, file : bytes, str
        Where the lines are from, to name them in errors.
    recognised : str, optional
        The sentence on how intents were recognised; without it, by repeated documents or by levels.

    Raises
    ------
    ParseError
        If a document has two grades for one intent.
    """
    first = np.arange(lines.topics.size)
    rows = np.array(repeated, dtype=np.int64).reshape(-1, 2)
    first[rows[:, 0]] = rows[:, 1]
    kept = np.flatnonzero(first == np.arange(first.size))
    kept = kept[np.argsort(lines.topics[kept], kind="stable")]
    place = np.empty(first.size, dtype=np.int32)
    place[kept] = np.arange(kept.size)
    judgments = place[first]
    names, intents = _numbered(lines)
    order = np.lexsort((intents, judgments))
    same = (np.diff(judgments[order]) == 0) & (np.diff(intents[order]) == 0)
    for one, other in zip(order[:-1][same].tolist(), order[1:][same].tolist(), strict=True):
        if lines.grades[one] != lines.grades[other]:
            topic = topic_ids[lines.topics[other]]
            _refuse_two_grades(file, content, topic, bytes(lines.documents[other]), lines.intents[other])
    highest = np.full(kept.size, np.iinfo(np.int16).min, dtype=np.int16)
    np.maximum.at(highest, judgments, lines.grades)
    once = order[np.concatenate(([True], ~same))]
    relevant = once[lines.grades[once] > 0]
    known, numbered = np.unique(intents[relevant], return_inverse=True)
    n_topics = len(topic_ids)
    found = Intents(
        names=tuple(names[number % len(names)] for number in known.tolist()),
        starts=np.searchsorted(known // len(names), np.arange(n_topics + 1)).astype(np.int64),
        judgments=judgments[relevant],
        intents=numbered.astype(np.int32),
        grades=lines.grades[relevant],
    )
    by_lines = RECOGNISED if are_by_intent(lines.intents, repeated) else RECOGNISED_BY_LEVELS
    said = [recognised or by_lines, found.said]
    unserved = np.unique(intents).size - known.size
    if unserved:
        said.append(f"No document is relevant to {counted(unserved, 'more intent')}, which are not counted.")
    n_same = int(np.count_nonzero(same))
    if n_same:
        are = "line is" if n_same == 1 else "lines are"
        said.append(f"{n_same:,} {are} repeated for an intent with the same grade; each counts once.")
    return Judged(lines.topics[kept], lines.documents[kept], highest, found, tuple(said))


def _numbered(lines: Lines) -> tuple[list[str], NDArray[np.int64]]:
    """Return the names of the second column in their order, and of each line topic and name as one number."""
    cells, codes = np.unique(lines.intents, return_inverse=True)
    spelt = [intent_name(cell.decode()) for cell in cells.tolist()]
    names = sorted(set(spelt), key=lambda name: (not _DIGITS.fullmatch(name), len(name), name))
    places = np.array([names.index(name) for name in spelt])
    return names, lines.topics.astype(np.int64) * len(names) + places[codes]


def _refuse_two_grades(file: str, content: bytes, topic: bytes, document: bytes, intent: bytes) -> None:
    name = intent_name(intent.decode())
    found = [
        line for line in lines_with(content, topic, document) if intent_name(line.cells[1].decode()) == name
    ]
    other = next(line for line in found if grade_of(line.cells[3]) != grade_of(found[0].cells[3]))
    raise ParseError(
        file,
        other.number,
        f"expected one grade for each document and intent, found {other.cells[3].decode()} for "
        f"{shown(document.decode())} and intent {shown(name)} of topic {shown(topic.decode())}, which has "
        f"the grade {found[0].cells[3].decode()} on line {found[0].number:,}",
    )
