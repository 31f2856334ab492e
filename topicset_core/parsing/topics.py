"""Topics with their words: JSON Lines with ``id`` and ``text``, or TREC's topics with fields."""

from dataclasses import dataclass

from topicset_core.collection.topic import Topic
from topicset_core.errors import ParseError
from topicset_core.parsing.json_lines import opened, records
from topicset_core.parsing.trec_topic_text import topics_in
from topicset_core.wording import counted, shown


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
