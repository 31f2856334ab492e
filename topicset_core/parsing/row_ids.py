"""Does the first column of a wide table hold ids, or the scores of the first run?

Its name tells, or its cells. Where neither settles it the table is refused, since reading ids as
scores, or scores as ids, would give a wrong variance without a sign of it.
"""

import math
from typing import NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.numerals import MISSING, is_fraction, is_numeral, is_whole, value_of
from topicset_core.parsing.orientation import ID_WORDS, RUN_WORDS, TOPIC_ID, TOPIC_WORDS
from topicset_core.parsing.table import Row, Table, plain
from topicset_core.wording import shown

NAMES_OF_IDS = TOPIC_WORDS | RUN_WORDS | ID_WORDS


class RowIds(NamedTuple):
    """Header and ids of a wide table: `ids` is None, and scores begin at once, where it has none."""

    header: Row
    ids: tuple[str, ...] | None
    first_score: int
    nameless: bool


def row_ids(table: Table) -> RowIds:
    """Find the ids of the rows.

    Raises
    ------
    ParseError
        If the first row is no header, or the first column may be ids or scores.
    """
    _refuse_missing_header(table)
    header, body = table.header, table.body
    if not body:
        raise ParseError(table.file, header.line, "expected rows of scores below the header, found none")
    first = tuple(row.cells[0] for row in body)
    if corner_is_missing(table):
        return RowIds(Row(header.line, ["", *header.cells]), first, 1, True)
    if len(header.cells) > 1 and (
        names_ids(table) or _numbers_are_ids(table) or _first_column_is_ids(table, header.cells[0])
    ):
        return RowIds(header, first, 1, False)
    return RowIds(header, None, 0, False)


def names_ids(table: Table) -> bool:
    """Say whether the first cell of the header shows that ids stand below it."""
    corner, *others = table.header.cells
    if plain(corner) in NAMES_OF_IDS:
        return True
    # Runs may be called p1, p2, p3: then the first says no more about ids than the others.
    # With another measure below it the row is no header: trec_eval writes measure, topic, value.
    below = table.body[0].cells[0] if table.body else ""
    return measure_name(corner) is not None and not any(map(measure_name, [*others, below]))


def corner_is_missing(table: Table) -> bool:
    """Say whether every row has one cell more than the header, as R writes tables with row names."""
    width = len(table.header.cells)
    if plain(table.header.cells[0]) in NAMES_OF_IDS or any(is_fraction(row.cells[0]) for row in table.body):
        return False
    return bool(table.body) and all(len(row.cells) == width + 1 for row in table.body)


def _refuse_missing_header(table: Table) -> None:
    """Refuse a first row of scores: taken for run names, a topic would be lost without a word."""
    first, *others = table.header.cells
    if others and names_ids(table):
        return
    if first and not others and plain(first) in NAMES_OF_IDS:
        raise ParseError(
            table.file,
            table.header.line,
            f"expected run names beside {shown(first)}, found one cell; cells can be separated by tabs, "
            "semicolons, commas or spaces",
        )
    names = others or [first]
    fractions = [name for name in names if is_fraction(name)]
    if fractions or all(map(is_numeral, names)):
        # R names columns of ids by nothing and topics by numbers: 401 402 403 above "A" .1 .2 .3.
        if not fractions and corner_is_missing(table):
            return
        if not fractions and _numbers_are_ids(table):
            return
        raise ParseError(
            table.file,
            table.header.line,
            "expected a header row: 'topic' and the runs in a wide table, 'topic', 'run' and 'score' in a long "
            f"one; found the number {shown((fractions or names)[0])}",
        )


def _numbers_are_ids(table: Table) -> bool:
    """Say whether numbers in the first row are topic ids beyond doubt, as above runs by topics.

    They are whole, all different and beyond all scores; the first cell beside them and most cells
    below it are neither numbers nor look like topic ids.
    """
    corner, *names = table.header.cells
    below = [cell for row in table.body for cell in row.cells[1:]]
    ids = [row.cells[0] for row in table.body]
    # A run may be named 1, as one of TREC-8 is; most are not.
    n_words = sum(not is_numeral(one) and not TOPIC_ID.fullmatch(one) for one in ids)
    if not all(map(is_whole, names)) or 2 * n_words <= len(ids):
        return False
    if is_numeral(corner) or TOPIC_ID.fullmatch(corner):
        return False
    highest = max((value_of(cell) for cell in below if is_numeral(cell)), default=math.inf)
    return len(set(names)) == len(names) and all(value_of(name) > highest for name in names)


def _first_column_is_ids(table: Table, corner: str) -> bool:
    """Judge the first column by its cells, where its name does not tell.

    Raises
    ------
    ParseError
        If its cells do not tell either.
    """
    first = [row.cells[0] for row in table.body]
    words = [row for row in table.body if not is_numeral(row.cells[0]) and row.cells[0] not in MISSING]
    if len(words) == len(first):
        return True
    if words:  # scores with a slip among them, or ids such as 401 and 402b
        _refuse_first_column(table, words[0], corner, "some of its cells are numbers, {} is not")
    if not all(map(is_whole, first)):
        return False
    others = [cell for row in table.body for cell in row.cells[1:] if is_numeral(cell)]
    ids, scores = [value_of(cell) for cell in first], [value_of(cell) for cell in others]
    if not scores or max(scores) <= 1 < max(ids):
        return True
    # Topic ids are all different; scores of the other runs reach as high.
    if len(set(first)) < len(first) and max(ids) <= max(scores):
        return False
    _refuse_first_column(table, table.body[0], corner, "it holds whole numbers such as {}")


def _refuse_first_column(table: Table, row: Row, corner: str, reason: str) -> NoReturn:
    raise ParseError(
        table.file,
        row.line,
        f"the first column, {shown(corner)}, may be topic ids or scores: "
        f"{reason.format(shown(row.cells[0]))}; name it 'topic' if it holds topic ids, "
        "else put a column of topic ids before it",
    )
