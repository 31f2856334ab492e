"""What an answer says: each sentence and each number beside the headline once, with the places where it is read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from topicset_core.exports.citing import cite_latex, cite_plain
from topicset_core.references import Reference

PLACES = ("headline", "tile", "page", "export", "terminal", "paper")
"""Large letters of the page, number beside them, tab of the page, files and records, command, text for a paper."""


@dataclass(frozen=True)
class Finding:
    """A sentence of an answer, its headline, or a number beside that."""

    text: str  # of a number: what to know of it
    on: str = "page export terminal paper"  # places, in words
    tab: str = ""  # the tab of the page, by its label; the first where not given
    value: str = ""  # the number of a tile; of a headline the part that stands out
    label: str = ""  # of a tile
    start: int = 0  # of a headline: where its value begins in the text

    def __post_init__(self) -> None:
        unknown = set(self.on.split()).difference(PLACES)
        if unknown:
            raise ValueError(f"no place {', '.join(sorted(unknown))}; places are {', '.join(PLACES)}")

    def is_on(self, place: str) -> bool:
        """Return whether it is read there."""
        return place in self.on.split()

    def off(self, place: str) -> "Finding":
        """Return it for all its places but one."""
        return replace(self, on=" ".join(one for one in self.on.split() if one != place))


def headline(before: str, value: str, after: str = "", *, also_on: str = "") -> Finding:
    """Return the answer in large letters; its value stands out."""
    return Finding(f"{before}{value}{after}", f"headline {also_on}", value=value, start=len(before))


def tile(label: str, value: str, note: str = "") -> Finding:
    """Return a number beside the headline, and what to know of it."""
    return Finding(note, "tile", label=label, value=value)


def found_on(findings: Iterable[Finding], place: str) -> list[Finding]:
    """Return what is read in a place, in its order."""
    return [finding for finding in findings if finding.is_on(place)]


def texts(findings: Iterable[Finding], place: str) -> list[str]:
    """Return the sentences that are read in a place."""
    return [finding.text for finding in found_on(findings, place) if finding.text]


def cited(findings: Iterable[Finding], works: Sequence[Reference]) -> tuple[str, str]:
    """Return the text for a paper, plain and LaTeX, with its references."""
    paragraph = " ".join(texts(findings, "paper"))
    return cite_plain(paragraph, works), cite_latex(paragraph, works)
