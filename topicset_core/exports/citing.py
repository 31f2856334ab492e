"""A paragraph that cites, as plain text with its references below it or as LaTeX with BibTeX."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

CITATION = "\N{OBJECT REPLACEMENT CHARACTER}"
"""What stands in a paragraph where the citation belongs; no name of a file or measure holds it."""


@dataclass(frozen=True)
class Reference:
    """A work to cite.

    Parameters
    ----------
    key : str
        Its BibTeX key.
    author, title : str
        As BibTeX has them.
    venue : str
        Journal, or proceedings.
    volume : int or None
        Of a journal; None makes the work one of proceedings.
    pages : str
        First and last, with a hyphen; "" where they are not known for certain.
    year : int
        Of publication.
    doi : str
        Without its resolver; "" where it is not known for certain.
    """

    key: str
    author: str
    title: str
    venue: str
    volume: int | None
    pages: str
    year: int
    doi: str

    @property
    def plain(self) -> str:
        """The work as a line of plain text."""
        place = self.venue if self.volume is None else f"{self.venue} {self.volume}"
        pages = f", {self.pages}" if self.pages else ""
        resolved = f" https://doi.org/{self.doi}" if self.doi else ""
        return f"{self.author}. {self.title}. {place}{pages} ({self.year}).{resolved}"

    @property
    def bibtex(self) -> str:
        """The work as a BibTeX entry."""
        kind, venue = ("inproceedings", "booktitle") if self.volume is None else ("article", "journal")
        fields = {"author": self.author, "title": f"{{{self.title}}}", venue: self.venue}
        fields |= {} if self.volume is None else {"volume": str(self.volume)}
        fields |= {"pages": self.pages.replace("-", "--"), "year": str(self.year), "doi": self.doi}
        known = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
        return f"@{kind}{{{self.key},\n" + ",\n".join(known) + "\n}"


SAKAI_2016 = Reference(
    "sakai2016topicsetsize",
    "Sakai, Tetsuya",
    "Topic set size design",
    "Information Retrieval Journal",
    19,
    "256-283",
    2016,
    "10.1007/s10791-015-9273-z",
)
SAKAI_2018 = Reference(
    "sakai2018paired",
    "Sakai, Tetsuya",
    "Topic set size design for paired and unpaired data",
    "Proceedings of ICTIR 2018",
    None,
    "199-202",
    2018,
    "10.1145/3234944.3234971",
)
SAKAI_2016_REVIEW = Reference(
    "sakai2016statistical",
    "Sakai, Tetsuya",
    "Statistical significance, power, and sample sizes: a systematic review of SIGIR and TOIS, 2006-2015",
    "Proceedings of SIGIR 2016",
    None,
    "5-14",
    2016,
    "10.1145/2911451.2911492",
)


def cite_plain(paragraph: str, works: Sequence[Reference]) -> str:
    """Return the paragraph with numbers for `CITATION`, and the numbered references below it."""
    numbers = ", ".join(str(position) for position in range(1, len(works) + 1))
    cited = [f"[{position}] {work.plain}" for position, work in enumerate(works, start=1)]
    return paragraph.replace(CITATION, f"[{numbers}]") + "\n\n" + "\n".join(cited)


def cite_latex(paragraph: str, works: Sequence[Reference]) -> str:
    """Return the paragraph as LaTeX with a citation for `CITATION`, and the BibTeX entries below it."""
    keys = ",".join(work.key for work in works)
    text = _SYMBOLS.sub(lambda found: _LATEX[found[0]], " ".join(paragraph.split()))
    entries = [work.bibtex for work in works]
    return text.replace(CITATION, f"\\cite{{{keys}}}") + "\n\n" + "\n\n".join(entries)


# What means something to LaTeX, or is not in its first fonts. The empty braces keep a following
# space; "1 − β" stands before its parts, so that it becomes one formula.
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{symbol: f"\\{symbol}" for symbol in "&%$#_{}"},
    "1 − β": r"$1-\beta$",
    "σₜ²": r"$\sigma_t^2$",
    "σ²": r"$\sigma^2$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "δ": r"$\delta$",
    "σ": r"$\sigma$",
    "−": "$-$",
    "×": r"$\times$",
}
_SYMBOLS = re.compile("|".join(map(re.escape, _LATEX)))
