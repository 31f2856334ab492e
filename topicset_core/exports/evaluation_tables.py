"""An evaluation as tables: scores, runs, judgments."""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.evaluation import Evaluation
from topicset_core.collection import Qrels, ScoreMatrix
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.exports.csv_table import Table
from topicset_core.variance import one_way


def scores_table(evaluations: Sequence[Evaluation]) -> Table:
    """Return for each collection and measure its size, mean, best run and variance, column by column."""
    found = [(one, matrix) for one in evaluations for matrix in one.matrices]
    best: list[object] = [matrix.systems[int(matrix.scores.mean(axis=0).argmax())] for _, matrix in found]
    return {
        "judgments": [one.collection for one, _ in found],
        "measure": [matrix.measure for _, matrix in found],
        "topics": [matrix.n_topics for _, matrix in found],
        "runs": [matrix.n_systems for _, matrix in found],
        "mean score": [float(matrix.scores.mean()) for _, matrix in found],
        "best run": best,
        "its mean": [float(matrix.scores.mean(axis=0).max()) for _, matrix in found],
        "σ² one-way": [one_way(matrix) for _, matrix in found],
    }


def wide_table(matrix: ScoreMatrix) -> Table:
    """Return a matrix column by column: topics, then a run each."""
    columns = dict(zip(matrix.systems, matrix.scores.T.tolist(), strict=True))
    first = "topic"
    while first in columns:  # a run may be called so
        first += "_id"
    return {first: list(matrix.topics)} | columns


def runs_table(found: Sequence[Evaluation]) -> Table:
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


def judgments_table(collections: Sequence[JudgedRuns], found: Sequence[Evaluation]) -> Table:
    """Return what is to know of each collection of judgments, with what its evaluation found."""
    every = [one.qrels for one in collections]
    known = [0 if one.intents is None else len(one.intents.names) for one in every]
    return {
        "judgments": [one.name for one in every],
        "topics": [one.n_topics for one in every],
        "documents": [one.grades.size for one in every],
        "grades": [_counted_grades(one) for one in every],
        **({"intents": known} if any(known) else {}),
        "relevant from grade": [one.conventions.relevance_level for one in found],
        "topics without relevant": [len(one.without_relevant) for one in found],
    }


def _counted_grades(qrels: Qrels) -> str:
    """Write how often each grade was given, lowest first; below 0 is pooled but not judged."""
    grades, counts = np.unique(qrels.grades, return_counts=True)
    pairs = zip(grades.tolist(), counts.tolist(), strict=True)
    return ", ".join(f"{count:,} × {grade}" for grade, count in pairs)
