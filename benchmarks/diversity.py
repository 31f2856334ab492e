"""Measures of diversity of the simulated task, next to pyndeval, which is ndeval's own code."""

import pyndeval

from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.collection import Qrels, Run
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.measures import GradedRuns, measure_named
from topicset_core.samples import simulated_diversity_track

SHARED = {"alpha-nDCG@10": "alpha-nDCG@10", "nERR-IA@10": "nERR-IA@10", "I-rec@10": "strec@10"}
"""Measures that both have, by our names."""

ALL = (*SHARED, "D-nDCG@10", "D#-nDCG@10")

Lines = list[tuple[str, str, str, int]]


def ours(judged: JudgedRuns, names: tuple[str, ...]) -> list[float]:
    """The mean of each measure."""
    graded = GradedRuns(judged)
    return [float(measure_named(name).scores_of(graded).mean()) for name in names]


def judgments_of(qrels: Qrels) -> Lines:
    """Topic, intent, document and grade, where it is relevant."""
    intents = qrels.intents
    if intents is None:
        raise TypeError("judgments by intent are needed")
    pairs = zip(intents.judgments.tolist(), intents.intents.tolist(), intents.grades.tolist(), strict=True)
    return [
        (
            qrels.topics[qrels.topic_of[judgment]],
            intents.names[intent],
            qrels.documents[judgment].decode(),
            grade,
        )
        for judgment, intent, grade in pairs
    ]


def scored(run: Run) -> list[tuple[str, str, float]]:
    """Topic, document and score, falling with the rank."""
    return [
        (topic, document.decode(), -float(rank))
        for topic, begin, end in zip(run.topics, run.starts, run.starts[1:], strict=False)
        for rank, document in enumerate(run.documents[begin:end].tolist())
    ]


def theirs(judgments: Lines, runs: list[list[tuple[str, str, float]]], n_topics: int) -> list[float]:
    """The mean of each measure that both have."""
    evaluator = pyndeval.RelevanceEvaluator(judgments, list(SHARED.values()))
    results = [evaluator.evaluate(run).values() for run in runs]
    return [
        sum(scores[name] for of_run in results for scores in of_run) / (len(runs) * n_topics)
        for name in SHARED.values()
    ]


def compare() -> list[Comparison]:
    """Return the comparisons."""
    runs, qrels = simulated_diversity_track()
    judged = join(runs, qrels)
    judgments, rankings = judgments_of(qrels), [scored(run) for run in runs]
    names = tuple(SHARED)
    expected = theirs(judgments, rankings, qrels.n_topics)
    apart = max(abs(one - other) for one, other in zip(ours(judged, names), expected, strict=True))
    peer = cpu_seconds(lambda: theirs(judgments, rankings, qrels.n_topics), repeats=5)
    return [
        Comparison(
            "20 runs by alpha-nDCG, nERR-IA, I-rec",
            cpu_seconds(lambda: ours(judged, names), repeats=9),
            peer,
            "pyndeval",
            f"largest difference of a mean {apart:.0e}",
        ),
        Comparison(
            "the same with D-nDCG, D#-nDCG",
            cpu_seconds(lambda: ours(judged, ALL), repeats=9),
            peer,
            "pyndeval, three",
        ),
    ]
