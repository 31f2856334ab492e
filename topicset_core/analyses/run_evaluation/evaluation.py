"""Score matrices of several measures, with all that decided their numbers.

Two people who evaluate the same files can get different numbers without either being wrong: by what
counts as relevant, by gains, by topics that a run misses or that have no relevant document. Each of these
choices is a part of the request, and each is in the result in words and as values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Literal

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.collection.judged_runs import JudgedRuns, Unmatched
from topicset_core.errors import InputError
from topicset_core.exports.records import attributes
from topicset_core.inputs import Inputs, given
from topicset_core.measures import TREC_EVAL, Conventions, GradedRuns, Measure, measure_named
from topicset_core.parameters import ChoiceParameter, ListParameter
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted, first_few, listed, quoted

Rows = Literal["zero", "drop"]
"""What becomes of a topic: scores of 0, or no row in any matrix."""

_UNJUDGED_DEPTH = 10  # first documents of a run of which the share that is not judged is shown
_NAMED = 5  # runs named in a sentence; a table has them all


_ROWS = {"zero": "score 0, as in trec_eval -c", "drop": "leave the topic out for all runs"}

MEASURES = ListParameter(
    name="measures",
    command_name="measure",
    label="Measures",
    help="AP, nDCG@10, ...: names as in papers or in trec_eval; repeatable.",
    placeholder="NAME",
)

WITHOUT_RELEVANT = ChoiceParameter(
    name="topics_without_relevant",
    label="Topics without relevant documents",
    help="Topics with no relevant document: keep as 0, as trec_eval does, or drop as most evaluations.",
    options=_ROWS,
    default="zero",
)

MISSING_TOPICS = ChoiceParameter(
    name="missing_topics",
    label="Topics that a run misses",
    help="Topics that a run misses: score 0, or drop for all runs, as means of runs are over the same topics.",
    options=_ROWS,
    default="zero",
)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """By which measures and conventions to score runs.

    Parameters
    ----------
    conventions : Conventions
        Relevance level, gains, xmax, denominator.
    """

    measures: Sequence[str] = given(MEASURES)
    topics_without_relevant: Rows = given(WITHOUT_RELEVANT)
    missing_topics: Rows = given(MISSING_TOPICS)
    conventions: Conventions = TREC_EVAL


@dataclass(frozen=True, kw_only=True)
class EvaluatedRun:
    """One run on one collection of judgments."""

    system: str
    n_topics: int  # judged topics that it returns documents for
    n_retrieved: int  # documents that it returns for these
    missing_topics: tuple[str, ...]  # judged topics for which it returns no document
    unused_topics: tuple[str, ...]  # its topics that are not judged, and make no difference
    n_tied: int  # its documents, over all its topics, with the score of another document of the same topic
    unjudged_at_10: float  # share of its first 10 documents per topic that are not judged


@dataclass(frozen=True, kw_only=True, eq=False)
class Evaluation:
    """Scores of runs, and their sources.

    Parameters
    ----------
    matrices : tuple of ScoreMatrix
        One per measure, all with the same topics and runs.
    measures : tuple of Measure
        In the same order, with xmax of ERR and nERR as a number.
    request : Request
        The request.
    collection : str
        Name of the qrels.
    runs : tuple of EvaluatedRun
        The facts of each run, in the order of the columns.
    n_judged_topics : int
        Topics of the qrels.
    n_judgments, n_unjudged : int
        Documents that the qrels name, and how many of them have a grade below 0: pooled, not judged.
    largest_grade : int
        In the qrels.
    without_relevant : tuple of str
        Topics of the qrels with no document at the relevance level.
    intents : str
        How many intents topics have and how likely these are, in a sentence; "" if judgments have no intents.
    caution : str
        Runs without a document of the qrels on most of their topics, whose ids may be others; "" without one.
    """

    matrices: tuple[ScoreMatrix, ...]
    measures: tuple[Measure, ...]
    request: Request
    collection: str
    runs: tuple[EvaluatedRun, ...]
    n_judged_topics: int
    n_judgments: int
    n_unjudged: int
    largest_grade: int
    without_relevant: tuple[str, ...]
    intents: str = ""
    caution: str = ""

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics of the matrices."""
        return self.matrices[0].topics

    @property
    def notes(self) -> tuple[str, ...]:
        """All that decided the numbers, in sentences."""
        level = self.request.conventions.relevance_level
        notes = [f"{measure.name}: {measure.definition}" for measure in self.measures]
        rows = f"{counted(len(self.topics), 'topic')} of the {self.n_judged_topics:,} judged"
        notes.append(f"{self.collection}: {rows}, {counted(len(self.runs), 'run')}, one score for each.")
        notes += [one for one in (self.caution, self.intents) if one]
        if self.without_relevant:
            done = {"zero": "binary measures are 0 there, as in trec_eval", "drop": "left out"}
            notes.append(
                f"Without a document of at least grade {level}: {counted(len(self.without_relevant), 'topic')}, "
                f"{listed(self.without_relevant)}; {done[self.request.topics_without_relevant]}."
            )
        notes += _run_notes(self.runs, self.n_judged_topics, self.request.missing_topics)
        if self.n_unjudged:
            notes.append(
                f"{self.n_unjudged:,} of {self.n_judgments:,} documents in the qrels were pooled but not judged: "
                "not relevant to most measures, passed over by bpref, and inferred by infAP."
            )
        return tuple(notes)

    @property
    def note_on_zeros(self) -> str:
        """The effect of zeros for topics that runs miss; "" without zeros."""
        if self.request.missing_topics != "zero":
            return ""
        missed = [set(run.missing_topics) for run in self.runs]
        some, every = len(set.union(*missed)), len(set.intersection(*missed))
        if not some:
            return ""
        by_all = f", {every} of them by every run" if every else ""
        return (
            f"{self.collection}: {counted(some, 'topic')} of {self.n_judged_topics} missed by some run{by_all}. "
            "They score 0 there; under the conventions they can be left out."
        )

    def record(self) -> dict[str, Any]:
        """Return choices and facts for a record; scores stay in the matrices."""
        return {
            "measures": [
                {"name": measure.name, "definition": measure.definition, "conventions": measure}
                for measure in self.measures
            ],
            "conventions": self.request.conventions,
            "ties": "by document id, descending, as in trec_eval",
            "n_topics": len(self.topics),
            "n_pooled_unjudged": self.n_unjudged,
            **attributes(self, "collection n_judged_topics n_judgments largest_grade without_relevant runs"),
            **({"intents": self.intents} if self.intents else {}),
            **({"caution": self.caution} if self.caution else {}),
            "means": {
                matrix.measure: dict(zip(matrix.systems, matrix.scores.mean(axis=0), strict=True))
                for matrix in self.matrices
            },
        }


def evaluate(
    judged_runs: JudgedRuns, request: Request, *, report_progress: ReportProgress = silently
) -> Evaluation:
    """Score all runs on all judged topics by each measure.

    Parameters
    ----------
    judged_runs : JudgedRuns
        Runs joined with judgments.
    request : Request
        Measures and conventions.
    report_progress : ReportProgress, optional
        Called once per measure with the fraction done; an exception from it cancels.

    Raises
    ------
    InputError
        If a measure is unknown or named twice, no grade reaches the relevance level, the qrels name no document of
        a run, or fewer than 2 topics are left.
    """
    _refuse_unmatched(judged_runs)
    conventions = request.conventions
    grades = judged_runs.qrels.grades
    largest, level = int(grades.max()), conventions.relevance_level
    if level > largest:
        raise InputError(
            "relevance_level", level, f"must be at most {largest}, the largest grade in the qrels"
        )
    chosen = _measures(request.measures, conventions, largest)
    graded = GradedRuns(judged_runs)
    barren = graded.n_relevant(level) == 0
    missed = (judged_runs.n_retrieved == 0).any(axis=1)
    dropped = (barren & (request.topics_without_relevant == "drop")) | (
        missed & (request.missing_topics == "drop")
    )
    if np.count_nonzero(~dropped) < 2:
        after = " after some are dropped" if dropped.any() else ""
        raise InputError("topics", int(np.count_nonzero(~dropped)), f"must be at least 2{after}")
    topics = tuple(compress(judged_runs.topics, ~dropped))
    matrices = []
    for done, measure in enumerate(chosen):
        report_progress(done / len(chosen))
        matrices.append(
            ScoreMatrix(
                scores=measure.scores_of(graded)[~dropped],
                topics=topics,
                systems=judged_runs.systems,
                measure=measure.name,
                name=judged_runs.qrels.name,
            )
        )
    report_progress(1.0)
    return Evaluation(
        matrices=tuple(matrices),
        measures=chosen,
        request=request,
        collection=judged_runs.qrels.name,
        runs=_evaluated_runs(judged_runs),
        n_judged_topics=judged_runs.n_topics,
        n_judgments=grades.size,
        n_unjudged=int(np.count_nonzero(grades < 0)),
        largest_grade=largest,
        without_relevant=tuple(compress(judged_runs.topics, barren)),
        intents=judged_runs.qrels.intents.notes if judged_runs.qrels.intents else "",
        caution=_caution(judged_runs),
    )


def _refuse_unmatched(judged_runs: JudgedRuns) -> None:
    """Refuse a run none of whose documents is judged on any topic: its ids are of another collection or form."""
    for system, one in zip(judged_runs.systems, judged_runs.unmatched, strict=False):
        if one.n_topics == one.n_judged_topics > 1:  # on a single topic it may be chance
            raise InputError(
                "runs",
                system,
                f"must return documents that the qrels {judged_runs.qrels.name!r} name; found none on "
                f"{counted(one.n_topics, 'topic')}: {_example(one)}",
            )


def _caution(judged_runs: JudgedRuns) -> str:
    """Return the runs none of whose documents is judged on most topics, with an example; "" without one."""
    found = {
        system: one
        for system, one in zip(judged_runs.systems, judged_runs.unmatched, strict=False)
        if 2 * one.n_topics > one.n_judged_topics
    }
    if not found:
        return ""
    counts = [
        f"{quoted(system)} on {one.n_topics:,} of {counted(one.n_judged_topics, 'topic')}"
        for system, one in found.items()
    ]
    return (
        f"Caution: the qrels name no document of {first_few(counts, _NAMED)} "
        f"({_example(next(iter(found.values())))}). Do the ids agree?"
    )


def _example(one: Unmatched) -> str:
    return (
        f"on topic {one.topic}, run documents such as {quoted(one.returned)}, judged documents such as "
        f"{quoted(one.judged)}"
    )


def _measures(names: Sequence[str], conventions: Conventions, largest_grade: int) -> tuple[Measure, ...]:
    """Return the measures, each once, with xmax determined so that it can be shown."""
    measures: dict[str, Measure] = {}
    for name in names:
        measure = measure_named(name, conventions)
        if measure.name in measures:
            raise InputError("measures", measure.name, "must be named once each")
        measures[measure.name] = measure.with_largest_grade(largest_grade)
    return tuple(measures.values())


def _evaluated_runs(judged_runs: JudgedRuns) -> tuple[EvaluatedRun, ...]:
    """Return the facts of each run, in their order."""
    shares = judged_runs.unjudged_shares(_UNJUDGED_DEPTH).tolist()
    missing = judged_runs.missing_topics
    documents = judged_runs.n_retrieved.sum(axis=0).tolist()
    return tuple(
        EvaluatedRun(
            system=system,
            n_topics=judged_runs.n_topics - len(missing[place]),
            n_retrieved=documents[place],
            missing_topics=missing[place],
            unused_topics=judged_runs.unused_topics[place],
            n_tied=judged_runs.n_tied[place],
            unjudged_at_10=shares[place],
        )
        for place, system in enumerate(judged_runs.systems)
    )


def _run_notes(runs: Sequence[EvaluatedRun], n_judged_topics: int, missing: str) -> list[str]:
    """Return one sentence per kind of oddity that some run has: topics missing or unused, ties, unjudged."""
    notes = []
    without = {run.system: len(run.missing_topics) for run in runs if run.missing_topics}
    if without:
        done = {"zero": "scores there are 0", "drop": "these topics are left out for all runs"}[missing]
        notes.append(
            f"Some of the {n_judged_topics:,} judged topics have no document in {_largest(without)}; {done}."
        )
    unused = {run.system: len(run.unused_topics) for run in runs if run.unused_topics}
    if unused:
        notes.append(f"Topics that are not in the qrels are ignored, in {_largest(unused)}.")
    tied = {run.system: run.n_tied for run in runs if run.n_tied}
    if tied:
        notes.append(
            f"Tied documents, in {_largest(tied)}, are ordered by document id, descending, as in trec_eval."
        )
    worst = max(runs, key=lambda run: run.unjudged_at_10)
    mean = sum(run.unjudged_at_10 for run in runs) / len(runs)
    at_most = f", at most {worst.unjudged_at_10:.1%} ({quoted(worst.system)})" if worst.unjudged_at_10 else ""
    notes.append(
        f"Unjudged among the first {_UNJUDGED_DEPTH} documents per topic: {mean:.1%}, mean over runs{at_most}."
    )
    return notes


def _largest(counts: dict[str, int]) -> str:
    """Return the runs with the largest counts: "3 runs ('a' 12, 'b' 7, 'c' 1)"."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    named = first_few([f"{quoted(system)} {count:,}" for system, count in ordered], _NAMED)
    return f"{counted(len(ordered), 'run')} ({named})"
