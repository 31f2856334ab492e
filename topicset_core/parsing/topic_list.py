"""A list of topic ids: the topics of a small benchmark, or those to train or test on."""

from collections.abc import Sequence

from topicset_core.collection.selection import pieces
from topicset_core.errors import ParseError
from topicset_core.parsing.text import LINE_END, decode
from topicset_core.wording import counted, quoted


def read_topic_list(file: str, content: bytes | str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the topics that a list names, in its order.

    A line contains one id, or several with commas, semicolons or spaces between them; text after a tab on it
    is left alone, as in lists of topics with their text. A line that is an id as a whole is not split, and
    ids may have commas or spaces in them as long as another character is between them, or quotes around them.
    Empty lines and lines that begin with # are skipped.
    """
    lines: dict[str, int] = {}
    unknown: dict[str, int] = {}
    topics = set(known)
    for number, line in enumerate(LINE_END.split(decode(content, file)), start=1):
        topic = line.partition("\t")[0].strip()
        if not topic or topic.startswith("#"):
            continue
        for one in pieces(topic, topics.__contains__):
            if one not in topics:
                unknown.setdefault(one, number)
                continue
            if one in lines:
                before = f"after line {lines[one]:,}" if lines[one] < number else "on the same line"
                raise ParseError(
                    file, number, f"expected each topic once, found {quoted(one)} again {before}"
                )
            lines[one] = number
    if unknown:
        first, *others = unknown
        more = f", and {counted(len(others), 'other')} like it" if others else ""
        expected = f"expected a topic that has scores or judgments, found {quoted(first)}{more}"
        raise ParseError(file, unknown[first], expected)
    if not lines:
        raise ParseError(file, None, "expected topic ids, one per line, found an empty file")
    return tuple(lines)
