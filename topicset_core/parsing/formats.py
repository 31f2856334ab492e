"""The shapes of tables that are known, and how each is told from the others."""

from collections.abc import Callable
from typing import NamedTuple

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.long import has_long_header, is_headerless_long, read_headerless_long, read_long
from topicset_core.parsing.measure_columns import has_measure_columns, read_measure_columns
from topicset_core.parsing.measure_rows import (
    is_ir_measures_records,
    is_measure_rows,
    read_ir_measures_records,
    read_measure_rows,
)
from topicset_core.parsing.not_scores import (
    is_intent_probabilities,
    is_judgments,
    is_levels,
    is_ranking,
    refuse_intent_probabilities,
    refuse_judgments,
    refuse_levels,
    refuse_ranking,
)
from topicset_core.parsing.ntcireval import is_ntcireval, read_ntcireval
from topicset_core.parsing.reading import Reading
from topicset_core.parsing.summaries_alone import (
    is_means,
    is_topic_subsets,
    refuse_means,
    refuse_topic_subsets,
)
from topicset_core.parsing.table import Table
from topicset_core.parsing.web_track import is_web_track, read_web_track
from topicset_core.parsing.wide import is_plain_matrix, read_plain_matrix, read_wide


class Format(NamedTuple):
    """A shape of table: how it is told from the others, and who reads it."""

    recognises: Callable[[Table, Choices], bool]
    read: Callable[[Table, Choices], Reading]


def _is_anything(_: Table, __: Choices) -> bool:
    """Say yes: a table that names no columns and is not long beyond doubt can only be wide."""
    return True


WIDE = (Format(is_plain_matrix, read_plain_matrix), Format(_is_anything, read_wide))
ROWS = (
    Format(is_ntcireval, read_ntcireval),
    Format(is_ranking, refuse_ranking),
    Format(is_judgments, refuse_judgments),
    Format(is_levels, refuse_levels),
    Format(is_intent_probabilities, refuse_intent_probabilities),
    Format(is_topic_subsets, refuse_topic_subsets),
    Format(is_means, refuse_means),
    Format(is_web_track, read_web_track),
    Format(is_ir_measures_records, read_ir_measures_records),
    Format(has_long_header, read_long),
    Format(is_measure_rows, read_measure_rows),
)
"""Shapes with one score a row, which cannot be taken for wide tables."""

FORMATS = (
    *ROWS,
    Format(is_headerless_long, read_headerless_long),
    Format(has_measure_columns, read_measure_columns),
    *WIDE,
)
"""In the order in which they are asked; the first that recognises a table reads it."""


def read_table(table: Table, choices: Choices) -> Reading:
    """Read a table in the first format that recognises it; a chosen orientation says what columns are.

    Raises
    ------
    ParseError
        At the first place that does not fit.
    """
    formats = FORMATS if choices.orientation == "auto" else (*ROWS, *WIDE)
    return next(known for known in formats if known.recognises(table, choices)).read(table, choices)
