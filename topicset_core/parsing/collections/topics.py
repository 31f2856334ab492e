"""Topics with their words: JSON Lines with ``id`` and ``text``, or TREC's topics with fields."""

import re
from dataclasses import dataclass, field

from topicset_core.collection.topic import Topic
from topicset_core.errors import ParseError
from topicset_core.parsing.collections.json_lines import opened, records
from topicset_core.parsing.ids import check_id
from topicset_core.wording import counted, listed, shown


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadTopics:
    """Topics in the order of the file, and sentences on what was found in it."""

    topics: tuple[Topic, ...]
    said: tuple[str, ...]


def read_topics(file: str, content: bytes) -> ReadTopics:
    """Read topics; what the file begins with says which format it is in.

    Parameters
    ----------
    file : str
        The file as the user named it.
    content : bytes
        JSON Lines or TREC topics; text, or gzip.

    Raises
    ------
    ParseError
        If something in it is no topic, or one is there twice, or nothing is there.
    """
    text = opened(file, content)
    start = text.lstrip()[:1]
    if not start:
        raise ParseError(file, None, "expected topics, found an empty file")
    if start == b"<":
        found, passed_over = topics_in(file, text.decode())
        topics = tuple(topic for topic, _ in found.values())
        kind = "TREC topics"
    elif start == b"{":
        topics, passed_over = _from_json(file, text), ()
        kind = "topics in JSON Lines"
    else:
        raise ParseError(
            file,
            None,
            "expected topics in JSON Lines, beginning with {, or TREC's, beginning with <top>, "
            f"found {shown(text.lstrip()[:40].decode(errors='ignore'))}",
        )
    said = [f"Topics: {len(topics):,}, read as {kind}."]
    n_full = sum(topic.has_fields for topic in topics)
    if n_full:
        said.append(f"{counted(n_full, 'topic')} with a description or a narrative beside the title.")
    if passed_over:
        said.append(f"Other fields were passed over: {', '.join(passed_over)}.")
    return ReadTopics(topics=topics, said=tuple(said))


def _from_json(file: str, text: bytes) -> tuple[Topic, ...]:
    topics: dict[str, Topic] = {}
    line_of: dict[str, int] = {}
    for record in records(file, text):
        name = record.name()
        if name in topics:
            raise ParseError(
                file,
                record.line,
                f"expected each topic once, found {shown(name)} again, which line {line_of[name]:,} has already",
            )
        words = record.text("text")
        if not words.strip():
            raise ParseError(
                file, record.line, f"expected words in the text of topic {shown(name)}, found none"
            )
        line_of[name] = record.line
        topics[name] = Topic(id=name, title=words)
    return tuple(topics.values())


FIELDS = ("num", "title", "desc", "narr")
# A known tag anywhere, or any tag at the beginning of a line: text may hold a "<" of its own.
TAG = re.compile(
    r"<(?P<known>/?(?:top|num|title|desc|narr))\s*>|^[ \t]*<(?P<other>/?[a-z]+)\s*>", re.I | re.M
)
LABEL = re.compile(r"\s*(?:Number|Topic|Description|Narrative)\s*:", re.I)


@dataclass
class _Open:
    """A topic that is being read; `at` is the field that text belongs to."""

    line: int
    at: str = ""
    fields: dict[str, str] = field(default_factory=dict)


def topics_in(file: str, text: str) -> tuple[dict[str, tuple[Topic, int]], tuple[str, ...]]:
    """Read TREC topics.

    Parameters
    ----------
    file : str
        The file as the user named it.
    text : str
        Its content.

    Returns
    -------
    dict of str to (Topic, int)
        Each topic and its line, by id, in the order of the file.
    tuple of str
        Names of fields that were passed over.

    Raises
    ------
    ParseError
        If a topic is not closed, lacks its number or title, has a field twice, or is there twice, or
        text stands outside of topics.
    """
    found: dict[str, tuple[Topic, int]] = {}
    passed_over: dict[str, None] = {}
    topic: _Open | None = None
    end = 0
    line = 1
    for tag in TAG.finditer(text):
        _add_text(topic, text[end : tag.start()], file, line)
        line += text.count("\n", end, tag.end())
        end = tag.end()
        name = (tag["known"] or tag["other"]).lower()
        if name == "top":
            if topic is not None:
                raise ParseError(
                    file, line, f"expected </top> for the topic of line {topic.line:,}, found <top>"
                )
            topic = _Open(line)
        elif topic is None:
            raise ParseError(file, line, f"expected <top> before anything else, found <{name}>")
        elif name == "/top":
            made = _closed(topic, file)
            if made.id in found:
                first = found[made.id][1]
                raise ParseError(
                    file,
                    topic.line,
                    f"expected each topic once, found {shown(made.id)} again, which line {first:,} has already",
                )
            found[made.id] = made, topic.line
            topic = None
        elif name.startswith("/"):
            topic.at = ""
        else:
            if name in topic.fields:
                raise ParseError(file, line, f"expected each field once in a topic, found <{name}> again")
            if name not in FIELDS:
                passed_over[f"<{name}>"] = None
            topic.at = name
            topic.fields[name] = ""
    if topic is not None:
        raise ParseError(
            file, topic.line, "expected </top> at the end of each topic, found none for this one"
        )
    _add_text(None, text[end:], file, line)
    return found, tuple(passed_over)


def _add_text(topic: _Open | None, text: str, file: str, line: int) -> None:
    """Give text to the field that is open; there must be none outside of one."""
    if topic is not None and topic.at:
        topic.fields[topic.at] += text
    elif text.strip():
        line += text[: len(text) - len(text.lstrip())].count("\n")
        raise ParseError(
            file, line, f"expected text within the fields of a topic, found {shown(text.strip())}"
        )


def _closed(topic: _Open, file: str) -> Topic:
    parts = {name: " ".join(LABEL.sub("", text, count=1).split()) for name, text in topic.fields.items()}
    for name, what in (("num", "number"), ("title", "title")):
        if not parts.get(name):
            has = listed([f"<{name}>" for name in topic.fields]) or "no field"
            raise ParseError(file, topic.line, f"expected a {what} in <{name}> of each topic, found {has}")
    check_id(parts["num"], file, topic.line)
    return Topic(
        id=parts["num"],
        title=parts["title"],
        description=parts.get("desc", ""),
        narrative=parts.get("narr", ""),
    )
