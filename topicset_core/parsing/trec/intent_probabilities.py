"""How likely each intent of a topic is: lines of topic, intent and probability.

NTCIREVAL's intent files (Iprob) are read as they are; a fourth column, inf or nav, says whether an intent is
informational or navigational, and makes no difference here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from topicset_core.collection import Qrels
from topicset_core.errors import ParseError
from topicset_core.parsing.archives import File
from topicset_core.parsing.ids import refuse_long
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.table import TOPIC_WORDS, plain
from topicset_core.parsing.text import first_lines, plain_text
from topicset_core.parsing.trec.columns import refuse_columns
from topicset_core.parsing.trec.intents import intent_name
from topicset_core.parsing.trec.lines import COMMENT, Line, blocks
from topicset_core.wording import counted, shown

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
    frozenset(
        ("intent", "intentid", "intentno", "subtopic", "subtopicid", "subtopicno", "aspect", "aspectid")
    ),
    frozenset(("probability", "prob", "p", "weight", "likelihood", "iprob", "intentprobability")),
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
    def said(self) -> str:
        """What was recognised."""
        n_intents = sum(map(len, self.by_topic.values()))
        comments = (
            f" {counted(self.n_comments, 'line')} starting with # passed over." if self.n_comments else ""
        )
        return (
            f"{BEGIN}{counted(n_intents, 'intent')} of {counted(len(self.by_topic), 'topic')}: lines of "
            f"topic, intent and probability.{comments}"
        )

    def said_beside(self, qrels: Qrels) -> str:
        """Return what was recognised, and what of it the judgments have no use for."""
        judged = self.by_topic.keys() & set(qrels.topics)
        n_known = len(qrels.intents.names) if qrels.intents else 0
        said, n_unserved = [self.said], sum(len(self.by_topic[topic]) for topic in judged) - n_known
        if n_unserved:
            are = (
                "has no relevant document and is" if n_unserved == 1 else "have no relevant document and are"
            )
            said.append(
                f"{n_unserved:,} of these intents {are} left out; the others stay as likely as the file says."
            )
        n_topics = len(self.by_topic) - len(judged)
        if n_topics:
            said.append(
                f"{counted(n_topics, 'topic')} of the file {'is' if n_topics == 1 else 'are'} not judged."
            )
        return " ".join(said)


def are_probabilities(file: File) -> bool:
    """Say whether the first lines are of topic, intent and probability, or inf and nav behind, or name these.

    Fractions in the third column tell, or per cents, which are refused later with what to do about them.
    """
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
    """Say whether whole numbers add up to 100 for the first topic, as grades of documents hardly do."""
    of_topic = [cells[2] for cells in rows if cells[0] == rows[0][0]]
    return len(of_topic) > 1 and all(map(bytes.isdigit, of_topic)) and abs(sum(map(int, of_topic)) - 100) <= 1


def _names_measure(cell: bytes) -> bool:
    """Say whether a cell names a measure, as in outputs of trec_eval; topics and intents may be P1 and R2."""
    name = cell.decode(errors="replace")
    return name == "runid" or ((not name[-1].isdigit() or "@" in name) and measure_name(name) is not None)


def read_probabilities(file: str, content: bytes) -> IntentProbabilities:
    """Read probabilities of intents.

    Parameters
    ----------
    file : str
        The file as the user named it.
    content : bytes
        Its text.

    Raises
    ------
    ParseError
        At the first line that is none, if an intent is named twice, or if the probabilities of a topic
        do not add up to 1 within `TOLERANCE`.
    """
    by_topic: dict[str, dict[str, float]] = {}
    last: dict[str, int] = {}
    text = plain_text(content, file).content
    for place, line in enumerate(_lines(file, text)):
        if place == 0 and _is_header(line.cells):
            continue
        topic, intent, value = _probability(line, file)
        of_topic = by_topic.setdefault(topic, {})
        if intent in of_topic:
            raise ParseError(
                file,
                line.number,
                f"expected each intent once, found {shown(intent)} of topic {shown(topic)} again",
            )
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
                f"expected probabilities that add up to 1 within {TOLERANCE:g}, those of topic {shown(topic)} "
                f"add up to {total:.6g}",
            )
    n_comments = sum(line.lstrip().startswith(COMMENT) for line in text.split(b"\n"))
    return IntentProbabilities(file=file, by_topic=by_topic, n_comments=n_comments)


def weighted(qrels: Qrels, given: IntentProbabilities) -> Qrels:
    """Return judgments whose intents are as likely as a file says.

    Raises
    ------
    ParseError
        If the judgments are not by intent, or an intent that has a relevant document has no probability.
    """
    intents = qrels.intents
    if intents is None:
        raise ParseError(
            given.file,
            None,
            f"expected judgments by intent of its topics, found {shown(qrels.name)} without intents: no document "
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
                f"{shown(place)} of topic {shown(qrels.topics[topic])} in {shown(qrels.name)}",
            )
        values.append(value)
    return replace(qrels, intents=replace(intents, probabilities=np.array(values), source=given.file))


def _lines(file: str, text: bytes) -> Iterator[Line]:
    for block in blocks(text, file):
        yield from block.lines()


def _probability(line: Line, file: str) -> tuple[str, str, float]:
    cells = [cell.decode() for cell in line.cells]
    if len(cells) != 3 and not (len(cells) == 4 and line.cells[3] in KINDS):
        refuse_columns(cells, file, line.number, EXPECTED)
    topic, intent, numeral = cells[:3]
    refuse_long(topic, file, line.number, "topic id")
    refuse_long(intent, file, line.number, "intent")
    value = float(numeral) if _NUMERAL.fullmatch(line.cells[2]) else -1.0
    if not 0 <= value <= 1:
        raise ParseError(
            file,
            line.number,
            f"topic {shown(topic)}, intent {shown(intent)}: expected a probability from 0 to 1, "
            f"found {shown(numeral)}{_remedy(numeral)}",
        )
    return topic, intent_name(intent), value


def _remedy(numeral: str) -> str:
    """Say what to do about what is nearly a probability."""
    if "," in numeral:
        return "; write it with a decimal point"
    number = numeral.removesuffix("%")
    if _NUMERAL.fullmatch(number.encode()) and 0 <= float(number) <= 100:
        return f"; if these are per cents, write {numeral} as {float(number) / 100:g}"
    return ""
