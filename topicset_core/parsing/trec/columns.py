"""Lines of runs and of judgments told apart, and what is said of a line that is neither."""

from typing import NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.numerals import NOT_FINITE, is_numeral, is_whole
from topicset_core.parsing.table import plain
from topicset_core.wording import shown

RUN = "a run, which has 6 columns (topic, Q0, document, rank, score, tag)"
JUDGMENTS = "relevance judgments, which have 4 columns (topic, iteration, document, grade)"

HEADERS = frozenset(
    (
        "score",
        "sim",
        "similarity",
        "rsv",
        "rel",
        "relevance",
        "relevancy",
        "grade",
        "label",
        "judgment",
        "judgement",
    )
)
"""What headers call the column of scores or of grades; runs and judgments have no header."""

BEIR = ("queryid", "corpusid", "score")
"""BEIR's header without its hyphens."""


def looks_like_run(cells: list[str]) -> bool:
    """Say whether a line is one of a run."""
    return len(cells) == 6 and is_numeral(cells[4])


def is_beir_header(cells: list[str]) -> bool:
    """Say whether a line names the three columns of BEIR's judgments."""
    return tuple(map(plain, cells)) == BEIR


def looks_like_judgment(cells: list[str]) -> bool:
    """Say whether a line is one of relevance judgments, or the header of BEIR's."""
    return (len(cells) == 4 and is_whole(cells[3])) or is_beir_header(cells)


def refuse_columns(cells: list[str], file: str, line: int, expected: str, remark: str = "") -> NoReturn:
    """Refuse a line that has not the columns it should have.

    Raises
    ------
    ParseError
        Always.
    """
    found = f"found {len(cells)} column{'s' if len(cells) > 1 else ''}"
    if not remark and len(cells) == 1 and ("," in cells[0] or ";" in cells[0]):
        remark = "; columns are separated by tabs or spaces"
    raise ParseError(file, line, f"expected {expected}, {found}{remark}")


def header_remark(cell: str) -> str:
    """Say what to do about a line that looks like a header by its score or grade."""
    return "; if this is a header, take the line out" if plain(cell) in HEADERS else ""


def refuse_score(cell: str, file: str, line: int, where: str) -> NoReturn:
    """Refuse a score that is no finite number.

    Raises
    ------
    ParseError
        Always.
    """
    expected = "a number"
    if NOT_FINITE.fullmatch(cell) or (is_numeral(cell) and "," not in cell):
        expected = "a finite number"
    elif is_numeral(cell):
        expected = "a number with a decimal point"
    raise ParseError(
        file, line, f"{where}: expected {expected} as score, found {shown(cell)}{header_remark(cell)}"
    )
