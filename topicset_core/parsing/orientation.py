"""Which way round a wide table is: are its rows topics and its columns runs, or the reverse?"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from topicset_core.parsing.choices import Orientation
from topicset_core.parsing.numerals import is_numeral, is_whole
from topicset_core.parsing.table import plain
from topicset_core.wording import shown

# As `plain` leaves them.
TOPIC_WORDS = frozenset(
    (
        *("topic", "topics", "topicid", "topicno", "topicnumber", "topicnum", "topicnr"),
        *("query", "queries", "queryid", "queryno", "querynumber", "qid", "qno", "question", "questionid"),
    )
)
RUN_WORDS = frozenset(
    (
        *("run", "runs", "runid", "runname", "runtag", "tag", "system", "systems", "systemid", "systemname"),
        *("model", "models", "modelid", "modelname"),
    )
)
# The empty word is also what is left of "#"; pandas writes "Unnamed: 0".
ID_WORDS = frozenset(("", "id", "ids", "no", "nr", "number", "index", "item", "unnamed0"))
"""Names of a column of ids that leave open whose ids they are."""

TOPIC_ID = re.compile(r"(?:topic|query|qid|q|t)?[_ -]?\d+(?:[_-]\d+)*", re.IGNORECASE | re.ASCII)
"""What topic ids look like in TREC, NTCIR and CLEF: 401, t001, Q12, 1-07."""


class Orient(NamedTuple):
    """Whether rows are topics, and a sentence on why; empty where the name of the ids says it."""

    rows_are_topics: bool
    said: str


def orient(
    corner: str, rows: Sequence[str] | None, columns: Sequence[str] | None, chosen: Orientation
) -> Orient:
    """Tell topics from runs by the choice, then by the name of the ids, then by the ids themselves.

    Parameters
    ----------
    corner : str
        Name of the column of ids; empty where it has none.
    rows : sequence of str or None
        Ids of the rows; None where there are none.
    columns : sequence of str or None
        Names of the columns of scores; None where there are none.
    chosen : {"auto", "topics-by-runs", "runs-by-topics"}
        What the user says.
    """
    if chosen != "auto":
        rows_are_topics = chosen == "topics-by-runs"
        return Orient(rows_are_topics, f"{_words(rows_are_topics)}, as chosen.")
    if columns is None:
        return Orient(
            True, f"{_words(True)}, as is usual; if it is the other way round, choose that orientation."
        )
    if rows is None:
        return Orient(True, "")
    if plain(corner) in RUN_WORDS:
        return Orient(False, f"{_words(False)}: the first column is named {shown(corner)}.")
    columns_look_so = len(columns) > 1 and all(map(TOPIC_ID.fullmatch, columns))
    if plain(corner) in TOPIC_WORDS:
        doubt = len(columns) > 1 and all(map(is_whole, columns)) and not any(map(is_numeral, rows))
        return Orient(
            True,
            "All columns are named by whole numbers and the rows are not: if columns are topics and rows are runs, "
            "choose that orientation."
            if doubt
            else "",
        )
    rows_look_so = all(map(TOPIC_ID.fullmatch, rows))
    if columns_look_so and not rows_look_so:
        examples = f"{shown(columns[0])}, {shown(columns[1])}"
        return Orient(False, f"{_words(False)}: columns are named as topics are ({examples}), rows are not.")
    if columns_look_so == rows_look_so:
        both = "both are" if rows_look_so else "neither are"
        return Orient(
            True,
            f"{_words(True)}, as is usual; {both} named as topics often are. If it is the other way round, choose "
            "that orientation.",
        )
    return Orient(True, "")


def _words(rows_are_topics: bool) -> str:
    rows, columns = ("topics", "runs") if rows_are_topics else ("runs", "topics")
    return f"Rows were taken for {rows} and columns for {columns}"
