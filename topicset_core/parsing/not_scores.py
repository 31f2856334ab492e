"""Rankings and judgments, which scores are computed from: told apart so that the refusal can say so."""

import re
from typing import NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.numerals import is_numeral, is_whole
from topicset_core.parsing.table import Table
from topicset_core.wording import shown

LEVEL = re.compile(r"L\d+", re.ASCII)


def is_ranking(table: Table, _: Choices) -> bool:
    """Say whether the first row is that of a TREC run: topic, Q0, document, rank, score, tag."""
    cells = table.header.cells
    return (
        len(cells) == 6
        and (cells[1].upper() == "Q0" or cells[1] == "0")
        and is_whole(cells[3])
        and is_numeral(cells[4])
    )


def is_judgments(table: Table, _: Choices) -> bool:
    """Say whether the first rows are relevance judgments: topic, iteration, document, grade."""
    rows = [row.cells for row in table.rows[:20]]
    return all(
        len(cells) == 4
        and cells[1].upper() in ("0", "Q0")
        and not is_numeral(cells[2])
        and is_whole(cells[3])
        for cells in rows
    )


def refuse_ranking(table: Table, _: Choices) -> NoReturn:
    """Refuse a TREC run.

    Raises
    ------
    ParseError
        Always.
    """
    raise ParseError(
        table.file,
        table.header.line,
        "expected scores of runs on topics, found a ranking of documents (topic, Q0, document, rank, score, tag); "
        "its scores are computed from it and relevance judgments",
    )


def refuse_judgments(table: Table, _: Choices) -> NoReturn:
    """Refuse relevance judgments.

    Raises
    ------
    ParseError
        Always.
    """
    raise ParseError(
        table.file,
        table.header.line,
        "expected scores of runs on topics, found relevance judgments (topic, iteration, document, grade); scores "
        "are computed from them and rankings",
    )


def is_levels(table: Table, _: Choices) -> bool:
    """Say whether the first rows are judgments of NTCIR: document and level, perhaps with the topic."""
    rows = [row.cells for row in table.rows[:20]]
    return all(2 <= len(cells) <= 4 and LEVEL.fullmatch(cells[-1]) for cells in rows)


def refuse_levels(table: Table, _: Choices) -> NoReturn:
    """Refuse judgments of NTCIR.

    Raises
    ------
    ParseError
        Always.
    """
    first = shown(" ".join(table.header.cells))
    raise ParseError(
        table.file,
        table.header.line,
        f"expected scores of runs on topics, found relevance judgments of NTCIR ({first}, a document and its "
        "level); scores are computed from them and rankings",
    )
