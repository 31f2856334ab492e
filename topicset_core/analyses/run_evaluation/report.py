"""The scores of runs as readers get them: findings, tables, figure, record."""

from collections.abc import Sequence
from functools import partial
from itertools import chain, count

import numpy as np

from topicset_core.analyses.run_evaluation.evaluation import Evaluation
from topicset_core.analyses.score_variance.report import variance_by_measure
from topicset_core.collection import Qrels, ScoreMatrix, Selected
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.exports.citing import CITATION
from topicset_core.exports.findings import Finding, headline
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.references import SAKAI_2016
from topicset_core.variance import one_way, pooled
from topicset_core.version import __version__
from topicset_core.wording import counted, joined


def report(
    evaluations: Sequence[Evaluation],
    collections: Sequence[JudgedRuns],
    *,
    selection: Selected | None = None,
) -> Report:
    """Return the scores of collections, all by the same measures, ready to be exported."""
    chosen = selection.entry() if selection else {}
    matrices = matrices_of(evaluations)
    several = len(evaluations) > 1
    names = [f"{one.measure} {one.name}" if several else one.measure for one in matrices]
    return Report(
        name="scores",
        title="Scores of runs",
        findings=findings(evaluations),
        works=(SAKAI_2016,),
        tables=(
            ReportTable("variances", partial(scores_table, evaluations)),
            ReportTable("runs", partial(runs_table, evaluations)),
            ReportTable("judgments", partial(judgments_table, collections, evaluations)),
            *(
                ReportTable(name, partial(wide_table, matrix), name, f"scores-{file}", is_scores=True)
                for name, file, matrix in zip(names, file_names(names), matrices, strict=True)
            ),
        ),
        results=lambda: [one.record() | chosen for one in evaluations],
        figures=lambda: [variance_by_measure(matrices)],
        matrices=matrices,
        request=evaluations[0].request.settings,
        warning=" ".join(one.note_on_zeros for one in evaluations if one.note_on_zeros),
    )


CHECKS = "Conventions and checks"
"""The tab of the page with all that decided the numbers."""


def findings(evaluations: Sequence[Evaluation]) -> list[Finding]:
    """Return the findings: how runs were scored, how their scores vary, and what decided the numbers."""
    variances = {name: f"σ² = {value:.4g}" for name, value in pooled_variances(evaluations).items()}
    first, runs, topics = next(iter(variances)), evaluations[0].runs, evaluations[0].topics
    over = f"over {counted(len(runs), 'run')} and {counted(len(topics), 'topic')}"
    if len(evaluations) > 1:
        over = f"pooled over {len(evaluations)} sets of judgments"
    listed = joined([f"{name} {value}" for name, value in variances.items()])
    method = f"They are residual variances of one-way ANOVA {CITATION} (Topicset {__version__})."
    notes = dict.fromkeys(text for one in evaluations for text in one.notes)
    return [
        headline(f"Within-system variance of {first}: ", variances[first]),
        Finding(_origin(evaluations), "paper"),
        Finding(f"Within-system variances {over}: {listed}."),
        Finding(method, "paper"),
        *(Finding(note, "page terminal", tab=CHECKS) for note in notes),
    ]


def matrices_of(evaluations: Sequence[Evaluation]) -> list[ScoreMatrix]:
    """Return the score matrices, by collection and then by measure."""
    return [matrix for one in evaluations for matrix in one.matrices]


def pooled_variances(evaluations: Sequence[Evaluation]) -> dict[str, float]:
    """Return the within-system variance of each measure, pooled over collections."""
    return {
        measure.name: pooled([one.matrices[place] for one in evaluations])
        for place, measure in enumerate(evaluations[0].measures)
    }


def scores_table(evaluations: Sequence[Evaluation]) -> Table:
    """Return one row per collection and measure: size, mean, best run and variance."""
    results = [(one, matrix) for one in evaluations for matrix in one.matrices]
    best: list[object] = [matrix.systems[int(matrix.scores.mean(axis=0).argmax())] for _, matrix in results]
    return {
        "judgments": [one.collection for one, _ in results],
        "measure": [matrix.measure for _, matrix in results],
        "topics": [matrix.n_topics for _, matrix in results],
        "runs": [matrix.n_systems for _, matrix in results],
        "mean score": [float(matrix.scores.mean()) for _, matrix in results],
        "best run": best,
        "its mean": [float(matrix.scores.mean(axis=0).max()) for _, matrix in results],
        "σ² one-way": [one_way(matrix) for _, matrix in results],
    }


def wide_table(matrix: ScoreMatrix) -> Table:
    """Return a matrix: one row per topic, one column per run, and one for groups of topics."""
    columns = dict(zip(matrix.systems, matrix.scores.T.tolist(), strict=True))
    for name, ids in (("topic", matrix.topics), ("group", matrix.groups)):
        first = name
        while first in columns:  # a run may have this name
            first += "_id"
        columns = columns if ids is None else {first: list(ids)} | columns
    return columns


def runs_table(evaluations: Sequence[Evaluation]) -> Table:
    """Return one row per run, with its collection where there are several."""
    runs = [(one, run) for one in evaluations for run in one.runs]
    collections = {"judgments": [one.collection for one, _ in runs]} if len(evaluations) > 1 else {}
    return collections | {
        "run": [run.system for _, run in runs],
        "topics": [run.n_topics for _, run in runs],
        "topics missing": [len(run.missing_topics) for _, run in runs],
        "topics not judged": [len(run.unused_topics) for _, run in runs],
        "documents": [run.n_retrieved for _, run in runs],
        "tied documents": [run.n_tied for _, run in runs],
        "unjudged at 10": [run.unjudged_at_10 for _, run in runs],
    }


def judgments_table(collections: Sequence[JudgedRuns], evaluations: Sequence[Evaluation]) -> Table:
    """Return one row per collection of judgments, with facts of its evaluation."""
    every = [one.qrels for one in collections]
    known = [0 if one.intents is None else len(one.intents.names) for one in every]
    return {
        "judgments": [one.name for one in every],
        "topics": [one.n_topics for one in every],
        "documents": [one.grades.size for one in every],
        "grades": [_counted_grades(one) for one in every],
        **({"intents": known} if any(known) else {}),
        "relevant from grade": [one.request.conventions.relevance_level for one in evaluations],
        "topics without relevant": [len(one.without_relevant) for one in evaluations],
    }


def _counted_grades(qrels: Qrels) -> str:
    """Write how often each grade was given, lowest first; below 0 is pooled but not judged."""
    grades, counts = np.unique(qrels.grades, return_counts=True)
    pairs = zip(grades.tolist(), counts.tolist(), strict=True)
    return ", ".join(f"{count:,} × {grade}" for grade, count in pairs)


def _origin(evaluations: Sequence[Evaluation]) -> str:
    """Return how runs were scored, for a paper."""
    first = evaluations[0]
    sizes = " and ".join(
        f"{counted(len(one.runs), 'run')} on {counted(len(one.topics), 'topic')} ({one.collection})"
        for one in evaluations
    )
    definitions = " ".join(f"{measure.name}: {measure.definition}" for measure in first.measures)
    dropped = "are left out for all runs"
    without_relevant = {"zero": "are kept", "drop": dropped}[first.request.topics_without_relevant]
    missing = {"zero": "score 0", "drop": dropped}[first.request.missing_topics]
    return (
        f"We scored {sizes} from their rankings, documents of equal score in descending order of their ids as in "
        f"trec_eval. {definitions} Topics without relevant documents {without_relevant}; topics that a run "
        f"misses {missing}."
    )


def file_names(names: Sequence[str]) -> list[str]:
    """Return file names that are valid on any system, no two equal."""
    results: list[str] = []
    for name in names:
        plain = "".join(letter if letter.isalnum() or letter in ".@-" else "-" for letter in name)
        numbered = (f"{plain}-{number}" for number in count(2))
        results.append(next(one for one in chain([plain], numbered) if one not in results))
    return results
