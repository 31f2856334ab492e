"""A paragraph that cites, as plain text with its references below it or as LaTeX with BibTeX."""

from collections.abc import Sequence
from dataclasses import dataclass

CITATION = "\N{OBJECT REPLACEMENT CHARACTER}"
"""What stands in a paragraph where the citation belongs; no name of a file or measure holds it."""


@dataclass(frozen=True)
class Reference:
    """A work to cite: how it reads, its BibTeX key and fields."""

    key: str
    author: str
    title: str
    place: str
    year: int
    doi: str


SAKAI_2016 = Reference(
    "sakai2016topicsetsize",
    "Sakai, Tetsuya",
    "Topic set size design",
    "Information Retrieval Journal 19, 256-283",
    2016,
    "10.1007/s10791-015-9273-z",
)
SAKAI_2018 = Reference(
    "sakai2018paired",
    "Sakai, Tetsuya",
    "Topic set size design for paired and unpaired data",
    "Proceedings of ICTIR 2018, 199-202",
    2018,
    "10.1145/3234944.3234971",
)
SAKAI_2016_REVIEW = Reference(
    "sakai2016statistical",
    "Sakai, Tetsuya",
    "Statistical significance, power, and sample sizes: a systematic review of SIGIR and TOIS, 2006-2015",
    "Proceedings of SIGIR 2016, 5-14",
    2016,
    "10.1145/2911451.2911492",
)


def cite_plain(paragraph: str, works: Sequence[Reference]) -> str:
    """Return the paragraph with numbers for `CITATION`, and the numbered references below it."""
    numbers = ", ".join(str(position) for position in range(1, len(works) + 1))
    cited = [
        f"[{position}] {work.author}. {work.title}. {work.place} ({work.year}). https://doi.org/{work.doi}"
        for position, work in enumerate(works, start=1)
    ]
    return paragraph.replace(CITATION, f"[{numbers}]") + "\n\n" + "\n".join(cited)


def cite_latex(paragraph: str, works: Sequence[Reference]) -> str:
    """Return the paragraph as LaTeX with a citation for `CITATION`, and the BibTeX entries below it."""
    keys = ",".join(work.key for work in works)
    for plain, latex in _LATEX:
        paragraph = paragraph.replace(plain, latex)
    entries = [
        f"@article{{{work.key},\n  author = {{{work.author}}},\n  title = {{{{{work.title}}}}},\n"
        f"  journal = {{{work.place}}},\n  year = {{{work.year}}},\n  doi = {{{work.doi}}}\n}}"
        for work in works
    ]
    return paragraph.replace(CITATION, f"\\cite{{{keys}}}") + "\n\n" + "\n\n".join(entries)


# The backslash first, as what follows brings new ones.
_LATEX = (
    ("\\", r"\textbackslash "),
    ("&", r"\&"),
    ("%", r"\%"),
    ("$", r"\$"),
    ("#", r"\#"),
    ("_", r"\_"),
    ("{", r"\{"),
    ("}", r"\}"),
    ("~", r"\textasciitilde "),
    ("^", r"\textasciicircum "),
    ("σₜ²", r"$\sigma_t^2$"),
    ("σ²", r"$\sigma^2$"),
    ("α", r"$\alpha$"),
    ("1 − β", r"$1-\beta$"),
    ("β", r"$\beta$"),
    ("δ", r"$\delta$"),
    ("×", r"$\times$"),
)
