"""Files that hold results, but no scores of single topics: told apart so that the refusal can say so."""

import re
from typing import NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.numerals import is_fraction, is_numeral, is_whole
from topicset_core.parsing.orientation import TOPIC_ID
from topicset_core.parsing.table import Table, plain
from topicset_core.wording import shown

TOP_SOLUTIONS = ("cardinality", "correlation", "topics")
FUN = re.compile(r"(?:.*[-_/])?fun\.csv", re.IGNORECASE)
BITS = re.compile(r"[01]{4,}")


def is_means(table: Table, _: Choices) -> bool:
    """Say whether there is one number for each name, of a measure or of a run."""
    if table.is_records:
        return [plain(cell) for cell in table.header.cells] == ["measure", "value"]
    return all(
        len(row.cells) == 2
        and is_fraction(row.cells[1])
        and not is_numeral(row.cells[0])
        and not TOPIC_ID.fullmatch(row.cells[0])
        for row in table.rows
    )


def refuse_means(table: Table, _: Choices) -> NoReturn:
    """Refuse means over topics.

    Raises
    ------
    ParseError
        Always.
    """
    measures = table.is_records or any(measure_name(row.cells[0]) for row in table.rows)
    what = "measure" if measures else "name"
    how = (
        "call ir_measures with --by_query or trec_eval with -q"
        if measures
        else "bring the files they were computed from; if these are topics, put 'topic' and the run above them"
    )
    raise ParseError(
        table.file,
        table.header.line,
        f"expected scores of single topics, found one number for each {what}, as means over topics are; {how}",
    )


def is_topic_subsets(table: Table, _: Choices) -> bool:
    """Say whether these are results of NewBestSub: correlations of topic subsets, or the subsets."""
    if tuple(map(plain, table.header.cells)) == TOP_SOLUTIONS:
        return True
    if all(len(row.cells) == 1 and len(row.cells[0]) == len(table.header.cells[0]) for row in table.rows):
        return all(BITS.fullmatch(row.cells[0]) for row in table.rows)
    return bool(FUN.fullmatch(table.file)) and all(
        len(cells) == 2 and all(map(is_numeral, cells)) and any(map(_is_cardinality, cells))
        for _, cells in table.rows
    )


def refuse_topic_subsets(table: Table, _: Choices) -> NoReturn:
    """Refuse results of NewBestSub.

    Raises
    ------
    ParseError
        Always.
    """
    raise ParseError(
        table.file,
        table.header.line,
        "expected scores of runs on topics, found results of NewBestSub "
        f"({shown(' '.join(table.header.cells))}): topic subsets and their correlations; bring the table that it "
        "read, with a row a run and a column a topic",
    )


def _is_cardinality(cell: str) -> bool:
    return is_whole(cell) or cell.endswith(".0")
