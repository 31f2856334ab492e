"""Rankings and judgments, which scores are computed from: told apart so that the refusal can say so."""

import re
from typing import NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.intent_probabilities import TOLERANCE
from topicset_core.parsing.measure_rows import is_measure_rows
from topicset_core.parsing.numerals import is_fraction, is_numeral, is_whole
from topicset_core.parsing.table import Table
from topicset_core.parsing.trec_columns import is_beir_header
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


def is_judgments(table: Table, choices: Choices) -> bool:
    """Say whether the first rows are judgments: topic, iteration or intent, document, grade; or BEIR's three."""
    if is_beir_header(table.header.cells):
        return True
    rows = [row.cells for row in table.rows[:20]]
    if not all(len(cells) == 4 and is_whole(cells[3]) for cells in rows):
        return False
    if all(cells[1].upper() in ("0", "Q0") for cells in rows):
        # Where documents are numbers so is every cell, and there is no header: no table of scores is like that.
        return all(map(is_whole, [cells[2] for cells in rows])) or not any(is_numeral(c[2]) for c in rows)
    # Rows of run, topic, measure and value are told by their measures.
    return all(is_whole(c[1]) and not is_numeral(c[2]) for c in rows) and not is_measure_rows(table, choices)


def is_intent_probabilities(table: Table, _: Choices) -> bool:
    """Say whether rows are topic, intent and a fraction, and the fractions of each topic add up to 1."""
    totals: dict[str, float] = {}
    intents: set[tuple[str, str]] = set()
    for cells in (row.cells for row in table.rows):
        if len(cells) != 3 or not (is_whole(cells[1]) and is_fraction(cells[2])) or "," in cells[2]:
            return False
        totals[cells[0]] = totals.get(cells[0], 0.0) + float(cells[2])
        intents.add((cells[0], cells[1]))
    several = len(intents) == len(table.rows) > len(totals)
    return several and all(abs(total - 1) <= TOLERANCE for total in totals.values())


def refuse_intent_probabilities(table: Table, _: Choices) -> NoReturn:
    """Refuse probabilities of intents.

    Raises
    ------
    ParseError
        Always.
    """
    raise ParseError(
        table.file,
        table.header.line,
        "expected scores of runs on topics, found probabilities of intents (topic, intent, probability, which add "
        "up to 1 in each topic); they are brought with relevance judgments by intent",
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
