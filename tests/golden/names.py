"""Texts that many pages and files share: a record has their names, and this module the texts."""

from collections.abc import Iterable, Iterator
from functools import cache

from topicset_core import references
from topicset_core.exports import report
from topicset_core.references import Reference

_WORKS = [work for work in vars(references).values() if isinstance(work, Reference)]

NAMES = {
    report._ON_SAMPLE: "<computed from the sample>",
    ":orange-badge[Sample data]": "<sample>",
    " Simulated sample data.": " <sample>",
    " (help: Answers of several pages become one document for a proposal.)": "",
    **{work.plain: f"<{work.key}>" for work in _WORKS},
    **{f"\n\n{work.bibtex}": f" <{work.key} in BibTeX>" for work in _WORKS},
}

_LONG = 50
"""Characters from which on a value is not repeated; of a line without a name, half."""


@cache  # pages share most of their lines
def named(text: str) -> str:
    """Return a text with names in place of what is the same everywhere."""
    for constant, name in NAMES.items():
        text = text.replace(constant, name)
    return text


def once(lines: Iterable[str]) -> Iterator[str]:
    """Return lines without those long ones that were there before; a value that was is shortened."""
    before = ""
    for line in lines:
        key, colon, value = line.partition(": ")
        text = value if colon else line.strip()
        if len(text) < (_LONG if colon else _LONG / 2) or text not in before:
            yield line
        elif colon:
            yield f"{key}: {text[:20]} ... (above)"
        before += f"\n{line}"
