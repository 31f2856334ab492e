"""Pasted scores of two systems, or their differences, one topic per line."""

from topicset_core.errors import ParseError
from topicset_core.parsing.numerals import is_numeral, value_of
from topicset_core.wording import counted, shown

_SOURCE = "pasted text"


def read_differences(text: str) -> tuple[float, ...]:
    """Return a difference per line: the number of that line, or the first minus the second of its last two cells.

    A line is one number; two scores; or a topic and two scores, with tabs, semicolons or spaces between them. A
    first line without a number is a heading.

    Parameters
    ----------
    text : str
        As pasted; empty lines are skipped.

    Raises
    ------
    ParseError
        With the line that is no difference, or that has more or fewer cells than the first.

    Examples
    --------
    >>> read_differences("q1 .5 .25" + chr(10) + "q2 .25 .5")
    (0.25, -0.25)
    """
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
            raise ParseError(_SOURCE, number, f"expected {expected}, found {counted(len(cells), 'cell')}")
        scores = cells[-2:] if width > 1 else cells
        wrong = [cell for cell in scores if not is_numeral(cell)]
        if wrong:
            raise ParseError(_SOURCE, number, f"expected a number, found {shown(wrong[0])}")
        values = [value_of(cell) for cell in scores]
        results.append(values[0] - values[1] if width > 1 else values[0])
    return tuple(results)
