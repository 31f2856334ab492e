"""Two sets of judgments for the same runs: scores by both under the same conventions, and how the judgments differ.

Cohen's kappa is ``(p_o - p_e) / (1 - p_e)``, with the observed share of equal grades and the one that is expected
from how often each set gives each grade [1].

References
----------
.. [1] J. Cohen. A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, 37-46
   (1960).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.pool_depth.pools import judged_depth
from topicset_core.analyses.run_evaluation import Request as Evaluating
from topicset_core.analyses.run_evaluation import evaluate
from topicset_core.collection import Qrels, Run, ScoreMatrix
from topicset_core.collection.judged_runs import JudgedRuns, JudgmentIndex, join
from topicset_core.collection.replicated_scores import PairedLabels
from topicset_core.collection.score_matrix import digest_of
from topicset_core.designs.judge_budget import FEWEST_LABELS
from topicset_core.errors import InputError
from topicset_core.wording import counted, listed

FIRST = 10
"""First documents of a run of which the judged share is given."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DocumentAgreement:
    """How two sets judge documents of the topics that both judge."""

    n_topics: int
    grades: tuple[int, ...]  # that either gives, ascending
    # (n_grades, n_grades): documents that both judge, by the grade of people (rows) and of the other set (columns)
    confusion: NDArray[np.int64] = field(repr=False)
    # Documents that only one judges
    n_human_only: int
    n_model_only: int
    relevance_level: int  # from which grade a document is relevant
    # Share of the first 10 documents of runs that people, the other set, and both judge: means over runs
    human_at_10: float
    model_at_10: float
    both_at_10: float
    # To which rank the documents of all runs are judged, for most topics; None where that is no depth of a pool
    human_depth: int | None
    model_depth: int | None

    @property
    def n_both(self) -> int:
        """Documents that both judge."""
        return int(self.confusion.sum())

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of grades; None if one grade is all there is."""
        return _kappa(self.confusion)

    @property
    def kappa_relevant(self) -> float | None:
        """Cohen's kappa of relevant or not."""
        is_relevant = np.array(self.grades) >= self.relevance_level
        of = np.stack([~is_relevant, is_relevant]).astype(np.int64)
        return _kappa(of @ self.confusion @ of.T)

    @property
    def agreement_by_grade(self) -> tuple[float | None, ...]:
        """Share of the documents with each grade by people to which the other set gives the same grade."""
        totals = self.confusion.sum(axis=1).tolist()
        equal = self.confusion.diagonal().tolist()
        return tuple(same / n if n else None for same, n in zip(equal, totals, strict=True))


def _kappa(confusion: NDArray[np.int64]) -> float | None:
    n = float(confusion.sum())
    if not n:
        return None
    observed = float(confusion.trace()) / n
    expected = float(confusion.sum(axis=1) @ confusion.sum(axis=0)) / n**2
    return (observed - expected) / (1 - expected) if expected < 1 else None


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoSets:
    """Scores of runs by people's judgments and by a model's, and how the judgments differ."""

    # The same runs, under the same conventions; topics of each set
    human: ScoreMatrix
    model: ScoreMatrix
    documents: DocumentAgreement
    other: ScoreMatrix | None  # by other people: how well they agree is what a model can reach at most
    other_documents: DocumentAgreement | None  # of people and other people
    notes: tuple[str, ...]  # on topics that only one set judges, and grades that only one gives

    @cached_property
    def labels(self) -> PairedLabels:
        """Both scores as one, the best system by the model first."""
        return PairedLabels.of(self.human, self.model)

    @cached_property
    def others_equal_people(self) -> bool:
        """Whether all scores by other people are those by people."""
        return self.other is not None and PairedLabels.of(self.human, self.other).judge_equals_people

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all scores and of the grades of both, as 64 hexadecimal digits."""
        other = self.other.digest if self.other is not None else ""
        return digest_of((self.labels.digest, other), self.documents.confusion.astype(np.float64))


def two_sets(
    runs: Sequence[Run], human: Qrels, model: Qrels, request: Evaluating, *, other: Qrels | None = None
) -> TwoSets:
    """Score runs by two sets of judgments, and compare the judgments.

    Parameters
    ----------
    runs : sequence of Run
        At least 2.
    human, model : Qrels
        By people, for some topics, and by a model.
    request : run_evaluation.Request
        One measure, and conventions for both. Where its xmax is open, it is the largest grade of all sets.
    other : Qrels, optional
        By other people, for some topics of `human`.

    Raises
    ------
    InputError
        If fewer than 4 topics are judged by both, or runs cannot be scored by a set.
    """
    sets = [human, model, *([other] if other is not None else [])]
    conventions = request.conventions
    if conventions.largest_grade is None:
        largest = max(1, *(int(qrels.grades.max()) for qrels in sets))
        request = replace(request, conventions=replace(conventions, largest_grade=largest))
    judged = [join(runs, qrels) for qrels in sets]
    matrices = [evaluate(of_set, request).matrices for of_set in judged]
    several = [matrix.measure for matrix in matrices[0]]
    if len(several) != 1:
        raise InputError("measures", ", ".join(several), "must be one measure")
    scores = [matrix for (matrix,) in matrices]
    n_common = len(set(scores[0].topics) & set(scores[1].topics))
    if n_common < FEWEST_LABELS:
        rule = (
            f"must judge at least {FEWEST_LABELS} topics that {model.name} judges, too; it judges {n_common}"
        )
        raise InputError("qrels_human", human.name, rule)
    level = conventions.relevance_level
    return TwoSets(
        human=scores[0],
        model=scores[1],
        documents=compare_documents(judged[0], judged[1], level),
        other=scores[2] if other is not None else None,
        other_documents=compare_documents(judged[0], judged[2], level) if other is not None else None,
        notes=tuple(_notes(sets, scores)),
    )


def compare_documents(human: JudgedRuns, model: JudgedRuns, relevance_level: int) -> DocumentAgreement:
    """Compare two sets of judgments of the same runs, on the topics that both judge."""
    if not set(human.topics) & set(model.topics):
        raise InputError(
            "qrels_human", human.qrels.name, f"must judge a topic that {model.qrels.name} judges"
        )
    a, b = _on_topics(human, model.topics), _on_topics(model, human.topics)
    rows = {topic: row for row, topic in enumerate(b.topics)}
    topic_of = np.array([rows[topic] for topic in a.topics], dtype=np.int32)[a.qrels.topic_of]
    same = JudgmentIndex(b.qrels).find(a.qrels.documents, topic_of)
    other = np.where(same >= 0, b.qrels.grades[same], -1)
    by_both = (a.qrels.grades >= 0) & (other >= 0)
    grades = np.unique(np.concatenate([given[given >= 0] for given in (a.qrels.grades, b.qrels.grades)]))
    confusion = np.zeros((grades.size, grades.size), dtype=np.int64)
    np.add.at(
        confusion,
        (np.searchsorted(grades, a.qrels.grades[by_both]), np.searchsorted(grades, other[by_both])),
        1,
    )
    n_both = int(confusion.sum())
    of_both = np.where(by_both, a.qrels.grades, np.int16(-1))
    shares = (a.unjudged_shares(FIRST), b.unjudged_shares(FIRST), a.unjudged_shares(FIRST, of_both))
    human_at, model_at, both_at = (1 - float(unjudged.mean()) for unjudged in shares)
    return DocumentAgreement(
        n_topics=a.n_topics,
        grades=tuple(grades.tolist()),
        confusion=confusion,
        n_human_only=int((a.qrels.grades >= 0).sum()) - n_both,
        n_model_only=int((b.qrels.grades >= 0).sum()) - n_both,
        relevance_level=relevance_level,
        human_at_10=human_at,
        model_at_10=model_at,
        both_at_10=both_at,
        human_depth=judged_depth([a]).depth,
        model_depth=judged_depth([b]).depth,
    )


def _on_topics(runs: JudgedRuns, topics: Sequence[str]) -> JudgedRuns:
    kept = set(topics)
    return runs.taken(
        [place for place, topic in enumerate(runs.topics) if topic in kept], range(runs.n_systems)
    )


def _notes(sets: Sequence[Qrels], scores: Sequence[ScoreMatrix]) -> list[str]:
    (human, model), notes = sets[:2], []
    by_model = set(scores[1].topics)
    alone = [topic for topic in scores[0].topics if topic not in by_model]
    if alone:
        text = (
            f"{human.name} alone judges {counted(len(alone), 'topic')} ({listed(alone)}); these are not used."
        )
        notes.append(text)
    for qrels, other in ((human, model), (model, human)):
        more = sorted(set(qrels.grades[qrels.grades >= 0].tolist()) - set(other.grades.tolist()))
        if more:
            notes.append(
                f"Only {qrels.name} gives grade {', '.join(map(str, more))}: gains of the two differ."
            )
    return notes
