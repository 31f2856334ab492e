"""TREC topics: ``<top>`` with ``<num>``, ``<title>``, ``<desc>`` and ``<narr>``, closed or not.

A field goes on to the next tag. The words that TREC puts before its contents ("Number:", "Topic:",
"Description:", "Narrative:") are no part of it. Other fields, such as the concepts of TREC-1 to 3, are
passed over, which is said.
"""

import re
from dataclasses import dataclass, field

from topicset_core.collection.topic import Topic
from topicset_core.errors import ParseError
from topicset_core.parsing.json_lines import check_id
from topicset_core.wording import listed, shown

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
