"""What the page on runs gives to take home: score matrices, what came in, record, page, text for a paper."""

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from pages.parts import downloads, frame
from topicset_core.analyses.evaluation import Evaluation
from topicset_core.collection import Qrels, ScoreMatrix
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.exports.evaluation_text import evaluation_text, scores_table
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record


def wide(matrix: ScoreMatrix) -> downloads.Table:
    """Return a matrix as a table: a row a topic, a column a run."""
    columns = dict(zip(matrix.systems, matrix.scores.T.tolist(), strict=True))
    first = "topic"
    while first in columns:  # a run may be called so
        first += "_id"
    return {first: list(matrix.topics)} | columns


def what_came_in(found: Sequence[Evaluation]) -> downloads.Table:
    """Return what is to know of each run, with its collection where there are several."""
    runs = [(one, run) for one in found for run in one.runs]
    collections = {"judgments": [one.collection for one, _ in runs]} if len(found) > 1 else {}
    return collections | {
        "run": [run.system for _, run in runs],
        "topics": [run.n_topics for _, run in runs],
        "topics missing": [len(run.missing_topics) for _, run in runs],
        "topics not judged": [len(run.unused_topics) for _, run in runs],
        "documents": [run.n_retrieved for _, run in runs],
        "tied documents": [run.n_tied for _, run in runs],
        "unjudged at 10": [run.unjudged_at_10 for _, run in runs],
    }


def judgments(collections: Sequence[JudgedRuns], found: Sequence[Evaluation]) -> downloads.Table:
    """Return what is to know of each collection of judgments, with what its evaluation found."""
    every = [one.qrels for one in collections]
    return {
        "judgments": [one.name for one in every],
        "topics": [one.n_topics for one in every],
        "documents": [one.grades.size for one in every],
        "grades": [_counted_grades(one) for one in every],
        "relevant from grade": [one.conventions.relevance_level for one in found],
        "topics without relevant": [len(one.without_relevant) for one in found],
    }


def _counted_grades(qrels: Qrels) -> str:
    """Write how often each grade was given, lowest first; below 0 is pooled but not judged."""
    grades, counts = np.unique(qrels.grades, return_counts=True)
    pairs = zip(grades.tolist(), counts.tolist(), strict=True)
    return ", ".join(f"{count:,} × {grade}" for grade, count in pairs)


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
            downloads.NamedTable(frame.plain(name), f"scores-{file}", lambda matrix=matrix: wide(matrix))  # type: ignore[misc]
            for name, file, matrix in zip(names, _file_names(names), matrices, strict=True)
        ],
        workbook=lambda: (
            {
                "variances": scores_table(found),
                "runs": what_came_in(found),
                "judgments": judgments(collections, found),
            }
            | {name: wide(matrix) for name, matrix in zip(names, matrices, strict=True)}
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
