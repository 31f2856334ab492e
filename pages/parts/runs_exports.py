"""What the page on runs gives to take home: score matrices, what came in, record, page, text for a paper."""

from collections.abc import Callable, Sequence
from functools import partial

import plotly.graph_objects as go

from pages.parts import downloads, frame
from topicset_core.analyses.evaluation import Evaluation
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.exports.evaluation_tables import (
    judgments_table,
    runs_table,
    scores_table,
    wide_table,
)
from topicset_core.exports.evaluation_text import evaluation_text
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record


def offer(
    found: Sequence[Evaluation],
    collections: Sequence[JudgedRuns],
    *,
    said: str,
    chart: Callable[[], tuple[go.Figure, str]],
) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    found : sequence of Evaluation
        One a collection.
    collections : sequence of JudgedRuns
        What was scored.
    said : str
        The answer in words.
    chart : callable
        The figure in print style and what it says, made at the click.
    """
    matrices = [matrix for one in found for matrix in one.matrices]
    text = evaluation_text(found)
    several = len(found) > 1
    names = [f"{one.measure} {one.name}" if several else one.measure for one in matrices]
    downloads.every_kind(
        "scores",
        tables=[
            downloads.NamedTable(frame.plain(name), f"scores-{file}", partial(wide_table, matrix))
            for name, file, matrix in zip(names, _file_names(names), matrices, strict=True)
        ],
        workbook=lambda: (
            {
                "variances": scores_table(found),
                "runs": runs_table(found),
                "judgments": judgments_table(collections, found),
            }
            | {name: wide_table(matrix) for name, matrix in zip(names, matrices, strict=True)}
        ),
        record=lambda: json_record(found, measure="", variance_source="", matrices=matrices),
        page=lambda: html_page("Scores of runs", said, [chart()], scores_table(found), text[0]),
        text=text,
    )


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in ".@-" else "-" for letter in name)


def _file_names(names: Sequence[str]) -> list[str]:
    """Return names that any system takes as those of files, no two alike."""
    found: list[str] = []
    for name in names:
        plain = _file_name(name)
        taken = sum(_file_name(other) == plain for other in names[: len(found)])
        found.append(f"{plain}-{taken + 1}" if taken else plain)
    return found
