"""Cells to numbers: accepted numerals, decimal commas, messages about other text; pasted differences."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.score_matrix import LARGEST_SCORE
from topicset_core.errors import ParseError
from topicset_core.wording import counted, quoted

NUMERAL = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?", re.ASCII)
"""Narrower than `float`, which also takes 1_000, nan, infinity and digits of other scripts."""

_OF_NUMERALS = b"0123456789+-.eE"
"""Of texts in these characters `float` accepts exactly the numerals."""

WHOLE = re.compile(r"[+-]?\d+", re.ASCII)

MISSING = frozenset(("", "NA"))
"""Cells without a score: empty, or NA as R writes it."""

NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE | re.ASCII)

THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)
"""A thousand and more in English notation, and one and some thousandths elsewhere."""

REMEDIES = (
    (
        re.compile(r"[+-]?nan|n\.?[/.]?a\.?|#n/a|null|nil|none|missing|[-\u2010-\u2015.?*]+", re.IGNORECASE),
        "leave the cell empty, or write NA, if the score is missing",
    ),
    (re.compile(rf"(?:{NUMERAL.pattern}) ?%", re.ASCII), "write numbers without %, such as 0.45 for 45%"),
    (re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?", re.ASCII), "write thousands without commas"),
    (re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+,\d*", re.ASCII), "write thousands without points"),
    (
        re.compile(rf"[\u2010-\u2015\u2212](?:{NUMERAL.pattern})", re.ASCII),
        "write minus as the hyphen of keyboards",
    ),
)
"""Frequent cell contents in place of a number, and how to correct them."""


class Place(NamedTuple):
    """The place of a score: its file and line, and the remaining place in words for a message."""

    file: str
    line: int
    words: str
    unit: str = "line"  # what `line` counts

    @property
    def where(self) -> str:
        """The line within its file: "on line 3", "in row 3"."""
        return f"{'on' if self.unit == 'line' else 'in'} {self.unit} {self.line}"

    def refuse(self, expected: str) -> NoReturn:
        """Refuse the cell at this place."""
        raise ParseError(self.file, self.line, f"{self.words}: {expected}", self.unit)


class Numbers(NamedTuple):
    """Numbers read from cells, 0 in empty ones, and whether decimal commas were used."""

    values: NDArray[np.float64]
    empty: NDArray[np.bool_]
    decimal_comma: bool


def is_numeral(cell: str) -> bool:
    """Return whether a cell is written as a number."""
    return NUMERAL.fullmatch(cell) is not None


def is_whole(cell: str) -> bool:
    """Return whether a cell is written as a whole number, as topic ids often are."""
    return WHOLE.fullmatch(cell) is not None


def is_fraction(cell: str) -> bool:
    """Return whether a cell is written as a number with a point, comma or exponent; topic ids rarely are."""
    return is_numeral(cell) and not is_whole(cell)


def value_of(numeral: str) -> float:
    """Return the number of a numeral with a decimal point or a decimal comma."""
    return float(numeral.replace(",", "."))


def read_numbers(cells: Sequence[str], place: Callable[[int], Place]) -> Numbers:
    """Read every cell that is not empty as a finite number; refuse the first that is invalid, with its `place`."""
    values = _plain_numbers(cells)
    if values is not None:
        empty, decimal_comma = np.zeros(len(cells), dtype=np.bool_), False
    else:
        for index, cell in enumerate(cells):
            if not NUMERAL.fullmatch(cell) and cell not in MISSING:
                refuse_cell(cell, place(index))
        empty = np.array([cell in MISSING for cell in cells], dtype=np.bool_)
        decimal_comma = _decimal_comma(cells, place)
        numerals = [cell.replace(",", ".") for cell in cells] if decimal_comma else cells
        values = np.array([0.0 if cell in MISSING else float(cell) for cell in numerals])
    too_large = np.flatnonzero(~(np.abs(values) <= LARGEST_SCORE))
    if too_large.size:
        index = int(too_large[0])
        where = place(index)
        where.refuse(f"expected a number within {LARGEST_SCORE:g}, found {quoted(cells[index])}")
    return Numbers(values, empty, decimal_comma)


def _plain_numbers(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """Return the numbers if all cells are numerals without a comma, as in most files; else None."""
    if "".join(cells).encode("utf-8", "surrogatepass").translate(None, _OF_NUMERALS):
        return None
    try:
        return np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:  # an empty cell, or as 1-2
        return None


def refuse_cell(cell: str, where: Place) -> NoReturn:
    """Refuse a cell that is not a finite number."""
    expected = "a finite number" if NOT_FINITE.fullmatch(cell) else "a number"
    remedy = next((f"; {remedy}" for pattern, remedy in REMEDIES if pattern.fullmatch(cell)), "")
    where.refuse(f"expected {expected}, found {quoted(cell)}{remedy}")


def _decimal_comma(cells: Sequence[str], place: Callable[[int], Place]) -> bool:
    """Return whether decimal commas are used; refuse a mixture, where 1,234 could be a thousand."""
    marks = ((index, "," in cell) for index, cell in enumerate(cells) if "," in cell or "." in cell)
    _, first = next(marks, (0, False))
    other = next((index for index, mark in marks if mark != first), None)
    if other is not None:
        usual, result = ("commas", "a point") if first else ("points", "a comma")
        where = place(other)
        expected = (
            f"expected decimal {usual} as in the scores before, found {result} in {quoted(cells[other])}"
        )
        where.refuse(expected)
    commas = [index for index, cell in enumerate(cells) if "," in cell] if first else []
    # Commas that all may separate thousands: 1,234 would be read as 1.234.
    if commas and all(THOUSANDS.fullmatch(cells[index]) for index in commas):
        where = place(commas[0])
        where.refuse(
            f"expected a number that is plain, found {quoted(cells[commas[0]])}, which may be "
            f"{cells[commas[0]].replace(',', '.')} or {cells[commas[0]].replace(',', '')}; write it with a decimal "
            "point, or without the comma if that separates thousands"
        )
    return first


def read_differences(text: str) -> tuple[float, ...]:
    """Return a difference per line: its number, or the first minus the second of its last two cells."""
    # A line is one number; two scores; or a topic and two scores, with tabs, semicolons or spaces between them. A
    # first line without a number is a heading.
    results: list[float] = []
    width = 0
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.replace(";", " ").split()
        if not cells:
            continue
        if not results and not width and not any(map(is_numeral, cells)):
            continue
        width = width or len(cells)
        if len(cells) != width or width > 3:
            expected = (
                "a number, two scores, or a topic and two scores" if width > 3 else counted(width, "cell")
            )
            raise ParseError(
                "pasted text", number, f"expected {expected}, found {counted(len(cells), 'cell')}"
            )
        scores = cells[-2:] if width > 1 else cells
        wrong = [cell for cell in scores if not is_numeral(cell)]
        if wrong:
            raise ParseError("pasted text", number, f"expected a number, found {quoted(wrong[0])}")
        values = [value_of(cell) for cell in scores]
        results.append(values[0] - values[1] if width > 1 else values[0])
    return tuple(results)
