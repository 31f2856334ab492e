"""A paragraph that cites, as plain text with its references below it or as LaTeX with BibTeX."""

import re
import unicodedata
from collections.abc import Sequence

from topicset_core.references import Reference

CITATION = "\N{OBJECT REPLACEMENT CHARACTER}"
"""The mark in a paragraph where the citation belongs; no name of a file or measure holds it."""


def cite_plain(paragraph: str, works: Sequence[Reference]) -> str:
    """Return the paragraph with numbers for `CITATION`, and the numbered references below it."""
    numbers = ", ".join(str(position) for position in range(1, len(works) + 1))
    cited = [f"[{position}] {work.plain}" for position, work in enumerate(works, start=1)]
    return paragraph.replace(CITATION, f"[{numbers}]") + "\n\n" + "\n".join(cited)


def cite_latex(paragraph: str, works: Sequence[Reference]) -> str:
    """Return the paragraph as LaTeX with a citation for `CITATION`, and the BibTeX entries below it."""
    keys = ",".join(work.key for work in works)
    text = escaped(" ".join(paragraph.split()))
    entries = [work.bibtex for work in works]
    return text.replace(CITATION, f"\\cite{{{keys}}}") + "\n\n" + "\n\n".join(entries)


def escaped(text: str) -> str:
    """Return text for LaTeX: special characters are escaped."""
    return _SYMBOLS.sub(lambda result: _LATEX[result[0]], _MINUS.sub("−", text))


# What means something to LaTeX, or is not in its first fonts. The empty braces keep a following
# space; what is longer comes first, so that it becomes one formula.
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
    "σₑ²": r"$\sigma_e^2$",
    "σ²": r"$\sigma^2$",
    "ρ²": r"$\rho^2$",
    "χ²": r"$\chi^2$",
    "p₀₁": "$p_{01}$",
    "p₁₀": "$p_{10}$",
    "minD": r"$\mathit{minD}$",
    "minΔ": r"$\mathit{min\Delta}$",
    **{letter: rf"$\{unicodedata.name(letter).split()[-1].lower()}$" for letter in "αβγδεζηθικμνξπρστυφχψω"},
    "λ": r"$\lambda$",
    **{chr(0x2080 + digit): f"$_{digit}$" for digit in range(10)},
    "²": "$^2$",
    "Δ": r"$\Delta$",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "√": r"$\surd$",
    "–": "--",
    "’": "'",
    "“": "``",
    "”": "''",
}
_MINUS = re.compile(r"(?<![\w.)-])-(?=\d*\.\d)")  # of a number with decimals; names have hyphens
_IN_A_NAME = "[A-Za-z0-9_]"
_SYMBOLS = re.compile(
    "|".join(
        f"(?<!{_IN_A_NAME}){symbol}(?!{_IN_A_NAME})" if symbol.startswith("min") else re.escape(symbol)
        for symbol in _LATEX
    )
)


def split_plain(text: str) -> tuple[str, tuple[str, ...]]:
    """Return paragraph and references of a text that `cite_plain` made, with `CITATION` for the numbers."""
    paragraph, _, below = text.partition("\n\n[1] ")
    works = tuple(re.split(r"\n\[\d+\] ", below)) if below else ()
    numbers = ", ".join(str(position) for position in range(1, len(works) + 1))
    return paragraph.replace(f"[{numbers}]", CITATION) if works else paragraph, works
