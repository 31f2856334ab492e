"""What do these runs score? Score matrices of several measures, with all that decided their numbers.

Two people who evaluate the same files can get different numbers without either being wrong: by what
counts as relevant, by gains, by topics that a run misses or that have nothing to find. Each such choice
is an argument here, and each stands in the result in words and as values.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.evaluated_runs import EvaluatedRun, evaluated_runs, missed, odd_runs
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.errors import InputError
from topicset_core.measures import TREC_EVAL, Conventions, GradedRuns, Measure, measure_named
from topicset_core.progress import Report, silently
from topicset_core.wording import counted, listed

Rows = Literal["zero", "drop"]
"""What becomes of a topic: scores of 0, or no row in any matrix."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Evaluation:
    """Scores of runs, and what they rest on.

    Parameters
    ----------
    matrices : tuple of ScoreMatrix
        One a measure, all with the same topics and runs.
    measures : tuple of Measure
        In the same order, with xmax of ERR and nERR as a number.
    conventions : Conventions
        As chosen.
    collection : str
        Name of the qrels.
    runs : tuple of EvaluatedRun
        What is to know of each run, in the order of the columns.
    n_judged_topics : int
        Topics of the qrels.
    n_judgments, n_unjudged : int
        Documents that the qrels name, and those of them with a grade below 0: pooled, not judged.
    largest_grade : int
        In the qrels.
    without_relevant : tuple of str
        Topics of the qrels with no document at the relevance level.
    topics_without_relevant, missing_topics : {"zero", "drop"}
        What became of those, and of topics that a run misses.
    intents : str
        How many intents topics have and how likely these are, in a sentence; "" where judgments know none.
    """

    matrices: tuple[ScoreMatrix, ...]
    measures: tuple[Measure, ...]
    conventions: Conventions
    collection: str
    runs: tuple[EvaluatedRun, ...]
    n_judged_topics: int
    n_judgments: int
    n_unjudged: int
    largest_grade: int
    without_relevant: tuple[str, ...]
    topics_without_relevant: Rows
    missing_topics: Rows
    intents: str = ""

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics of the matrices."""
        return self.matrices[0].topics

    @property
    def said(self) -> tuple[str, ...]:
        """All that decided the numbers, in sentences."""
        level = self.conventions.relevance_level
        said = [f"{measure.name}: {measure.definition}" for measure in self.measures]
        rows = f"{counted(len(self.topics), 'topic')} of the {self.n_judged_topics:,} judged"
        said.append(f"{self.collection}: {rows}, {counted(len(self.runs), 'run')}, one score for each.")
        said += [self.intents] if self.intents else []
        if self.without_relevant:
            done = {"zero": "binary measures are 0 there, as in trec_eval", "drop": "left out"}
            said.append(
                f"Without a document of at least grade {level}: {counted(len(self.without_relevant), 'topic')}, "
                f"{listed(self.without_relevant)}; {done[self.topics_without_relevant]}."
            )
        said += odd_runs(self.runs, self.n_judged_topics, self.missing_topics)
        if self.n_unjudged:
            said.append(
                f"{self.n_unjudged:,} of {self.n_judgments:,} documents in the qrels were pooled but not judged: "
                "not relevant to most measures, passed over by bpref, and inferred by infAP."
            )
        return tuple(said)

    @property
    def said_of_zeros(self) -> str:
        """What zeros for topics that runs miss do to the numbers; "" where there are none."""
        if self.missing_topics != "zero":
            return ""
        some, every = missed(self.runs)
        if not some:
            return ""
        by_all = f", {every} of them by every run" if every else ""
        return (
            f"{self.collection}: {counted(some, 'topic')} of {self.n_judged_topics} missed by some run{by_all}. "
            "They score 0 there; under the conventions they can be left out."
        )

    def record(self) -> dict[str, Any]:
        """Return choices and facts as plain values for JSON; scores stay in the matrices."""
        return {
            "collection": self.collection,
            "measures": [
                {"name": measure.name, "definition": measure.definition, "conventions": asdict(measure)}
                for measure in self.measures
            ],
            "conventions": asdict(self.conventions),
            "topics_without_relevant": self.topics_without_relevant,
            "missing_topics": self.missing_topics,
            "ties": "by document id, descending, as in trec_eval",
            "n_judged_topics": self.n_judged_topics,
            "n_topics": len(self.topics),
            "n_judgments": self.n_judgments,
            "n_pooled_unjudged": self.n_unjudged,
            "largest_grade": self.largest_grade,
            "without_relevant": list(self.without_relevant),
            **({"intents": self.intents} if self.intents else {}),
            "runs": [run.record() for run in self.runs],
            "means": {
                matrix.measure: dict(zip(matrix.systems, matrix.scores.mean(axis=0).tolist(), strict=True))
                for matrix in self.matrices
            },
        }


def evaluate(
    judged_runs: JudgedRuns,
    measures: Sequence[str],
    *,
    conventions: Conventions = TREC_EVAL,
    topics_without_relevant: Rows = "zero",
    missing_topics: Rows = "zero",
    report: Report = silently,
) -> Evaluation:
    """Score all runs on all judged topics by each measure.

    Parameters
    ----------
    judged_runs : JudgedRuns
        Runs joined with judgments.
    measures : sequence of str
        Names as in papers or in trec_eval; see `topicset_core.measures.measure_named`.
    conventions : Conventions
        Relevance level, gains, xmax, denominator.
    topics_without_relevant : {"zero", "drop"}
        trec_eval keeps topics without relevant documents, as 0, and counts them in its means; most
        evaluations with nothing to find for a topic drop it.
    missing_topics : {"zero", "drop"}
        A run that returns nothing for a topic scores 0 (``trec_eval -c``), or the topic is dropped for
        all runs. Topics are never dropped for one run alone, as ``trec_eval`` without -c does: then
        means of runs would be means over different topics.
    report : Report, optional
        Called once a measure with the fraction done; what it raises ends the work.

    Raises
    ------
    InputError
        If a measure is unknown or named twice, no grade reaches the relevance level, a choice is
        unknown, or fewer than 2 topics are left.
    """
    for parameter, rows in (
        ("topics_without_relevant", topics_without_relevant),
        ("missing_topics", missing_topics),
    ):
        if rows not in get_args(Rows):
            raise InputError(parameter, rows, f"must be one of {', '.join(get_args(Rows))}")
    grades = judged_runs.qrels.grades
    largest, level = int(grades.max()), conventions.relevance_level
    if level > largest:
        raise InputError(
            "relevance_level", level, f"must be at most {largest}, the largest grade in the qrels"
        )
    chosen = _chosen(measures, conventions, largest)
    graded = GradedRuns(judged_runs)
    barren = graded.n_relevant(level) == 0
    missed = (judged_runs.n_retrieved == 0).any(axis=1)
    dropped = (barren & (topics_without_relevant == "drop")) | (missed & (missing_topics == "drop"))
    if np.count_nonzero(~dropped) < 2:
        raise InputError(
            "topics", int(np.count_nonzero(~dropped)), "must be at least 2 after some are dropped"
        )
    topics = _of(judged_runs.topics, ~dropped)
    matrices = []
    for done, measure in enumerate(chosen):
        report(done / len(chosen))
        matrices.append(
            ScoreMatrix(
                scores=measure.scores_of(graded)[~dropped],
                topics=topics,
                systems=judged_runs.systems,
                measure=measure.name,
                name=judged_runs.qrels.name,
            )
        )
    report(1.0)
    return Evaluation(
        matrices=tuple(matrices),
        measures=chosen,
        conventions=conventions,
        collection=judged_runs.qrels.name,
        runs=evaluated_runs(judged_runs),
        n_judged_topics=judged_runs.n_topics,
        n_judgments=grades.size,
        n_unjudged=int(np.count_nonzero(grades < 0)),
        largest_grade=largest,
        without_relevant=_of(judged_runs.topics, barren),
        topics_without_relevant=topics_without_relevant,
        missing_topics=missing_topics,
        intents=judged_runs.qrels.intents.said if judged_runs.qrels.intents else "",
    )


def _chosen(names: Sequence[str], conventions: Conventions, largest_grade: int) -> tuple[Measure, ...]:
    """Return the measures, each once, with xmax settled so that it can be shown."""
    measures: dict[str, Measure] = {}
    for name in names:
        measure = measure_named(name, conventions)
        if measure.name in measures:
            raise InputError("measures", measure.name, "must be named once each")
        measures[measure.name] = measure.with_largest_grade(largest_grade)
    if not measures:
        raise InputError("measures", 0, "must be at least 1 measure")
    return tuple(measures.values())


def _of(topics: tuple[str, ...], chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(topics[row] for row in np.flatnonzero(chosen).tolist())
