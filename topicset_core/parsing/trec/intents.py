"""Judgments by intent: the second of TREC's four columns numbers the intent of a line.

So TREC's web tracks and NTCIR write them (subtopics, intents): a document has a line for each intent, and
lines that differ in the second column alone are what judgments without intents never have. NTCIR's have
levels for grades, and need no differing lines: judgments with levels and without intents have three columns.

The probability of each intent of a topic is in a separate file, in lines of topic, intent and probability.
NTCIREVAL's intent files (Iprob) are read unchanged; a fourth column, inf or nav, gives whether an intent is
informational or navigational, and makes no difference here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels
from topicset_core.collection.qrels import Intents
from topicset_core.errors import ParseError
from topicset_core.parsing import limits
from topicset_core.parsing.archives import File
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.names import refuse_long
from topicset_core.parsing.table import TOPIC_WORDS, plain, words
from topicset_core.parsing.text import first_lines, plain_text, refuse_display_controls
from topicset_core.parsing.trec.lines import (
    COMMENT,
    Line,
    blocks,
    lines_with,
    refuse_columns,
    refuse_crowd,
    refuse_two_grades,
)
from topicset_core.wording import counted, listed, quoted

RECOGNISED = (
    "Judged by intent: some documents have several lines for one topic, which differ in the second column, the "
    "number of the intent or subtopic. If it numbers assessors (trec_eval's qrels_jg), give each a file of its own."
)
RECOGNISED_BY_LEVELS = (
    "Judged by intent: four columns with levels such as L2 are NTCIR's diversity judgments (Dqrels); the "
    "second column numbers the intent."
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
        """Return whether some topic has two values in the column of intents, and not too many for intents."""
        if np.unique(self.intents).size > limits.MOST_INTENTS:
            return False
        order = np.lexsort((self.intents, self.topics))
        of_topic, of_intent = self.topics[order], self.intents[order]
        return bool(((of_topic[1:] == of_topic[:-1]) & (of_intent[1:] != of_intent[:-1])).any())


class Judged(NamedTuple):
    """Documents once each, topic after topic, with their highest grades, and their grades by intent."""

    topics: NDArray[np.int32]
    documents: NDArray[np.bytes_]
    grades: NDArray[np.int16]
    intents: Intents
    notes: tuple[str, ...]


def intent_name(cell: str) -> str:
    """Return an intent in its form for comparisons: 01 and 1 are equal."""
    return cell.lstrip("0") or "0" if _DIGITS.fullmatch(cell) else cell


def are_by_intent(
    intents: NDArray[np.bytes_], repeated: NDArray[np.intp], *, are_levels: bool = False
) -> bool:
    """Return whether some document of a topic has lines that differ in the second column, or any do with levels."""
    if are_levels and (intents != intents[0]).any():
        return True
    return bool((intents[repeated[:, 0]] != intents[repeated[:, 1]]).any())


def judged_by_intent(
    lines: Lines,
    repeated: NDArray[np.intp],
    topic_ids: Sequence[bytes],
    content: bytes,
    file: str,
    recognised: str,
) -> Judged:
    """Collect the lines of each document, `repeated` ones with its first; refuse two grades for one intent."""
    first = np.arange(lines.topics.size)
    first[repeated[:, 0]] = repeated[:, 1]
    kept = np.flatnonzero(first == np.arange(first.size))
    kept = kept[np.argsort(lines.topics[kept], kind="stable")]
    place = np.empty(first.size, dtype=np.int32)
    place[kept] = np.arange(kept.size)
    judgments = place[first]
    names, intents = _numbered(lines, file)
    for name in names:
        refuse_display_controls(name, file, None, "intent")
    if recognised == RECOGNISED:
        _refuse_assessors(names, file)
    order = np.lexsort((intents, judgments))
    same = (np.diff(judgments[order]) == 0) & (np.diff(intents[order]) == 0)
    for one, other in zip(order[:-1][same].tolist(), order[1:][same].tolist(), strict=True):
        if lines.grades[one] != lines.grades[other]:
            topic, document = topic_ids[lines.topics[other]], bytes(lines.documents[other])
            name = intent_name(lines.intents[other].decode())
            of_both = (
                line
                for line in lines_with(content, topic, document)
                if intent_name(line.cells[1].decode()) == name
            )
            where = f"{quoted(document.decode())} and intent {quoted(name)} of topic {quoted(topic.decode())}"
            refuse_two_grades(file, of_both, 3, "each document and intent", where)
    highest = np.full(kept.size, np.iinfo(np.int16).min, dtype=np.int16)
    np.maximum.at(highest, judgments, lines.grades)
    once = order[np.concatenate(([True], ~same))]
    relevant = once[lines.grades[once] > 0]
    known, numbered = np.unique(intents[relevant], return_inverse=True)
    n_topics = len(topic_ids)
    result = Intents(
        names=tuple(names[number % len(names)] for number in known.tolist()),
        starts=np.searchsorted(known // len(names), np.arange(n_topics + 1)).astype(np.int64),
        judgments=judgments[relevant],
        intents=numbered.astype(np.int32),
        grades=lines.grades[relevant],
    )
    notes = [recognised, result.notes]
    unserved = np.unique(intents).size - known.size
    if unserved:
        notes.append(f"No document is relevant to {counted(unserved, 'more intent')}, which are not counted.")
    n_same = int(np.count_nonzero(same))
    if n_same:
        are = "line is" if n_same == 1 else "lines are"
        notes.append(f"{n_same:,} {are} repeated for an intent with the same grade; each counts once.")
    return Judged(lines.topics[kept], lines.documents[kept], highest, result, tuple(notes))


def _refuse_assessors(names: Sequence[str], file: str) -> None:
    """Refuse names in place of numbers of intents: these may be assessors, of whom each judged the document."""
    other = [name for name in names if not _DIGITS.fullmatch(name)]
    if other:
        raise ParseError(
            file,
            None,
            "some documents have several lines for one topic: expected numbers of intents in the second column, "
            f"found {listed(other)}; if these are assessors (qrels_jg of trec_eval), give each a file of its "
            "own, if intents, number them",
        )


def _numbered(lines: Lines, file: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return the names of the second column in their order, and of each line topic and name as one number."""
    cells, codes = np.unique(lines.intents, return_inverse=True)
    if cells.size > limits.MOST_INTENTS:
        expected = (
            f"expected at most {limits.MOST_INTENTS:,} intents in the second column, found {cells.size:,}"
        )
        raise ParseError(file, None, expected)
    spelt = [intent_name(cell.decode()) for cell in cells.tolist()]
    names = sorted(set(spelt), key=lambda name: (not _DIGITS.fullmatch(name), len(name), name))
    place_of = {name: place for place, name in enumerate(names)}
    places = np.array([place_of[name] for name in spelt])
    return names, lines.topics.astype(np.int64) * len(names) + places[codes]


TOLERANCE = 0.01
"""How far the probabilities of a topic may be from 1 together: three intents at .33 are."""

EXPECTED = (
    "probabilities of intents, which have 3 columns (topic, intent, probability), perhaps inf or nav behind"
)
KINDS = (b"inf", b"nav")

BEGIN = "Probabilities of "
"""What sentences on a file of them begin with."""

COLUMNS = (
    TOPIC_WORDS,
    words("intent intentid intentno subtopic subtopicid subtopicno aspect aspectid"),
    words("probability prob p weight likelihood iprob intentprobability"),
)
"""Names of the three columns, as `plain` leaves them: a first line of these is a header."""

_NUMERAL = re.compile(rb"[0-9]*\.?[0-9]+(?:[eE]-?[0-9]+)?|[0-9]+\.")
_NUMERAL_OR_NEARLY = re.compile(rb"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?%?")
_ROUNDING = 1e-9  # of sums: three times .33 is .01 from 1 on paper


@dataclass(frozen=True, kw_only=True, eq=False)
class IntentProbabilities:
    """Probabilities by topic and intent, the file they come from, its comments, and a sentence on them."""

    file: str
    by_topic: Mapping[str, Mapping[str, float]]
    n_comments: int = 0

    @property
    def notes(self) -> str:
        """The recognised format."""
        n_intents = sum(map(len, self.by_topic.values()))
        comments = f" {counted(self.n_comments, 'line')} starting with # ignored." if self.n_comments else ""
        return (
            f"{BEGIN}{counted(n_intents, 'intent')} of {counted(len(self.by_topic), 'topic')}: lines of "
            f"topic, intent and probability.{comments}"
        )

    def sentences_next_to(self, qrels: Qrels) -> str:
        """Return the recognised format, and the part of it that the judgments do not use."""
        judged = self.by_topic.keys() & set(qrels.topics)
        n_known = len(qrels.intents.names) if qrels.intents else 0
        notes, n_unserved = [self.notes], sum(len(self.by_topic[topic]) for topic in judged) - n_known
        if n_unserved:
            are = (
                "has no relevant document and is" if n_unserved == 1 else "have no relevant document and are"
            )
            notes.append(
                f"{n_unserved:,} of these intents {are} left out; the probabilities of the others are unchanged."
            )
        n_topics = len(self.by_topic) - len(judged)
        if n_topics:
            notes.append(
                f"{counted(n_topics, 'topic')} of the file {'is' if n_topics == 1 else 'are'} not judged."
            )
        return " ".join(notes)


def are_probabilities(file: File) -> bool:
    """Return whether the first lines name or have topic, intent and a fraction, or per cents (refused later)."""
    rows = [line.split() for line in first_lines(file.content)]
    rows = [cells for cells in rows if cells and not cells[0].startswith(COMMENT)]
    if rows and _is_header(rows[0]):
        return True
    return (
        bool(rows)
        and all(len(cells) == 3 or (len(cells) == 4 and cells[3] in KINDS) for cells in rows)
        and _NUMERAL_OR_NEARLY.fullmatch(rows[0][2]) is not None
        and (any(len(cells) == 4 or not cells[2].isdigit() for cells in rows) or _are_per_cents(rows))
        and not any(_names_measure(cell) for cells in rows for cell in cells[:2])
    )


def _is_header(cells: Sequence[bytes]) -> bool:
    names = [plain(cell.decode(errors="replace")) for cell in cells]
    return len(names) in (3, 4) and all(name in words for name, words in zip(names[:3], COLUMNS, strict=True))


def _are_per_cents(rows: Sequence[Sequence[bytes]]) -> bool:
    """Return whether whole numbers add up to 100 for the first topic, as grades of documents hardly do."""
    of_topic = [cells[2] for cells in rows if cells[0] == rows[0][0]]
    return len(of_topic) > 1 and all(map(bytes.isdigit, of_topic)) and abs(sum(map(int, of_topic)) - 100) <= 1


def _names_measure(cell: bytes) -> bool:
    """Return whether a cell names a measure, as in outputs of trec_eval; topics and intents may be P1 and R2."""
    name = cell.decode(errors="replace")
    return name == "runid" or ((not name[-1].isdigit() or "@" in name) and measure_name(name) is not None)


def read_probabilities(file: str, content: bytes) -> IntentProbabilities:
    """Read probabilities of intents."""
    by_topic: dict[str, dict[str, float]] = {}
    last: dict[str, int] = {}
    text = plain_text(content, file).content
    for place, line in enumerate(chain.from_iterable(block.lines() for block in blocks(text, file))):
        refuse_crowd(place, file)
        if place == 0 and _is_header(line.cells):
            continue
        topic, intent, value = _probability(line, file)
        of_topic = by_topic.setdefault(topic, {})
        if intent in of_topic:
            expected = f"expected each intent once, found {quoted(intent)} of topic {quoted(topic)} again"
            raise ParseError(file, line.number, expected)
        of_topic[intent] = value
        last[topic] = line.number
    if not by_topic:
        raise ParseError(file, None, f"expected {EXPECTED}, found no line of them")
    for topic, of_topic in by_topic.items():
        total = sum(of_topic.values())
        if abs(total - 1) > TOLERANCE + _ROUNDING:
            raise ParseError(
                file,
                last[topic],
                f"expected probabilities that add up to 1 within {TOLERANCE:g}, those of topic {quoted(topic)} "
                f"add up to {total:.6g}",
            )
    n_comments = sum(line.lstrip().startswith(COMMENT) for line in text.split(b"\n"))
    return IntentProbabilities(file=file, by_topic=by_topic, n_comments=n_comments)


def weighted(qrels: Qrels, given: IntentProbabilities) -> Qrels:
    """Return judgments with the probabilities of intents in a file, which must name each."""
    intents = qrels.intents
    if intents is None:
        raise ParseError(
            given.file,
            None,
            f"expected judgments by intent of its topics, found {quoted(qrels.name)} without intents: no document "
            "has lines that differ in the second column",
        )
    values = []
    for topic, place in zip(intents.topic_of.tolist(), intents.names, strict=True):
        value = given.by_topic.get(qrels.topics[topic], {}).get(place)
        if value is None:
            raise ParseError(
                given.file,
                None,
                "expected a probability for each intent that has a relevant document, found none for intent "
                f"{quoted(place)} of topic {quoted(qrels.topics[topic])} in {quoted(qrels.name)}",
            )
        values.append(value)
    return replace(qrels, intents=replace(intents, probabilities=np.array(values), source=given.file))


def _probability(line: Line, file: str) -> tuple[str, str, float]:
    cells = [cell.decode() for cell in line.cells]
    if len(cells) != 3 and not (len(cells) == 4 and line.cells[3] in KINDS):
        refuse_columns(cells, file, line.number, EXPECTED)
    topic, intent, numeral = cells[:3]
    refuse_long(topic, file, line.number, "topic id")
    refuse_long(intent, file, line.number, "intent")
    refuse_display_controls(topic, file, line.number, "topic id")
    refuse_display_controls(intent, file, line.number, "intent")
    value = float(numeral) if _NUMERAL.fullmatch(line.cells[2]) else -1.0
    if not 0 <= value <= 1:
        raise ParseError(
            file,
            line.number,
            f"topic {quoted(topic)}, intent {quoted(intent)}: expected a probability from 0 to 1, "
            f"found {quoted(numeral)}{_remedy(numeral)}",
        )
    return topic, intent_name(intent), value


def _remedy(numeral: str) -> str:
    """Return the remedy for a value that is nearly a probability."""
    if "," in numeral:
        return "; write it with a decimal point"
    number = numeral.removesuffix("%")
    if _NUMERAL.fullmatch(number.encode()) and 0 <= float(number) <= 100:
        return f"; if these are per cents, write {numeral} as {float(number) / 100:g}"
    return ""
