"""The formats of scores that are known: how each is told from the others, who reads it, what users are told."""

from collections.abc import Callable
from typing import NamedTuple

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.scores.entries import Reading
from topicset_core.parsing.scores.long import (
    has_long_header,
    is_headerless_long,
    read_headerless_long,
    read_long,
)
from topicset_core.parsing.scores.measure_columns import has_measure_columns, read_measure_columns
from topicset_core.parsing.scores.measure_rows import (
    is_ir_measures_records,
    is_measure_rows,
    read_ir_measures_records,
    read_measure_rows,
)
from topicset_core.parsing.scores.no_scores import holds_no_scores, refuse_no_scores
from topicset_core.parsing.scores.ntcireval import is_ntcireval, read_ntcireval
from topicset_core.parsing.scores.web_track import is_web_track, read_web_track
from topicset_core.parsing.scores.wide import is_plain_matrix, read_plain_matrix, read_wide
from topicset_core.parsing.table import Table


class Format(NamedTuple):
    """A shape of table: how it is told from the others, who reads it, and what users are told of it.

    `words` are Markdown; empty where those of another format speak of this one too.
    """

    recognises: Callable[[Table, Choices], bool]
    read: Callable[[Table, Choices], Reading]
    words: str = ""


def _is_anything(_: Table, __: Choices) -> bool:
    """Say yes: a table that names no columns and is not long beyond doubt can only be wide."""
    return True


WIDE = Format(
    _is_anything,
    read_wide,
    "**Tables** of topics by runs, or of runs by topics as NewBestSub reads them, with or without names",
)
PLAIN_MATRIX = Format(is_plain_matrix, read_plain_matrix)
LONG = Format(
    has_long_header,
    read_long,
    "**Long tables**: topic, run, score, perhaps measure, in columns of these names",
)
HEADERLESS_LONG = Format(is_headerless_long, read_headerless_long)
MEASURE_ROWS = Format(
    is_measure_rows,
    read_measure_rows,
    "**trec_eval -q**, and **ir_measures -q** as text or JSON lines: one file a run",
)
IR_MEASURES_RECORDS = Format(is_ir_measures_records, read_ir_measures_records)
NTCIREVAL = Format(
    is_ntcireval,
    read_ntcireval,
    "**NTCIREVAL** (nev, Dnev, Topicsys-matrix) and **pyNTCIREVAL**: one file a run, or a run and topic",
)
WEB_TRACK = Format(
    is_web_track, read_web_track, "**gdeval** and **ndeval**: CSV that begins with runid,topic"
)
MEASURE_COLUMNS = Format(
    has_measure_columns,
    read_measure_columns,
    "**Tables or JSON lines of measures**, as evaluators of generated answers write them: one file a run",
)

NO_SCORES = Format(holds_no_scores, refuse_no_scores)

ROWS = (NTCIREVAL, NO_SCORES, WEB_TRACK, IR_MEASURES_RECORDS, LONG, MEASURE_ROWS)
"""Shapes with one score a row, which cannot be taken for wide tables, and what holds no scores."""

ANY_TABLE = (PLAIN_MATRIX, WIDE)
FORMATS = (*ROWS, HEADERLESS_LONG, MEASURE_COLUMNS, *ANY_TABLE)
"""In the order in which they are asked; the first that recognises a table reads it."""

TOLD = (WIDE, LONG, MEASURE_ROWS, NTCIREVAL, WEB_TRACK, MEASURE_COLUMNS)
"""Those with words for users, in the order in which pages list them."""


def read_table(table: Table, choices: Choices) -> Reading:
    """Read a table in the first format that recognises it; a chosen orientation says what columns are.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    formats = FORMATS if choices.orientation == "auto" else (*ROWS, *ANY_TABLE)
    return next(known for known in formats if known.recognises(table, choices)).read(table, choices)
