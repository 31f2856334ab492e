"""Measures of diversity again, one topic at a time, as their definitions read; slow and plain.

`ranking` is a list of document ids, best first. `judged` maps intents to grades of documents, and
`likely` maps intents to their probabilities. Intents without a relevant document are left out by `known`.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from tests.measures.plain_reader import Ranking, run_of
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.qrels import Intents, Qrels
from topicset_core.measures import Measure
from topicset_core.measures.by_intent import DNDCG, ERRIA, AlphaNDCG, DSharpNDCG, IntentRecall

ByIntent = Mapping[str, Mapping[str, int]]


def qrels_by_intent(
    judged: Mapping[str, ByIntent], likely: Mapping[str, Mapping[str, float]] | None = None
) -> Qrels:
    """The noun, of grades by topic, intent and document."""
    documents: list[bytes] = []
    highest: list[int] = []
    names: list[str] = []
    pairs: list[tuple[int, int, int]] = []
    starts, intent_starts = [0], [0]
    for of_topic in judged.values():
        intents = [intent for intent in of_topic if max(of_topic[intent].values(), default=0) > 0]
        for document in dict.fromkeys(document for grades in of_topic.values() for document in grades):
            pairs += [
                (len(documents), len(names) + place, of_topic[intent][document])
                for place, intent in enumerate(intents)
                if of_topic[intent].get(document, 0) > 0
            ]
            documents.append(document.encode())
            highest.append(max(grades[document] for grades in of_topic.values() if document in grades))
        names += intents
        starts.append(len(documents))
        intent_starts.append(len(names))
    columns = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
    given = [p for topic in likely for p in likely[topic].values()] if likely else None
    return Qrels(
        name="by intent",
        topics=tuple(judged),
        starts=np.array(starts),
        documents=np.array(documents),
        grades=np.array(highest, dtype=np.int16),
        intents=Intents(
            names=tuple(names),
            starts=np.array(intent_starts),
            judgments=columns[0].astype(np.int32),
            intents=columns[1].astype(np.int32),
            grades=columns[2].astype(np.int16),
            probabilities=None if given is None else np.array(given),
            source="" if given is None else "likely.txt",
        ),
    )


def joined_by_intent(
    rankings: Sequence[Ranking],
    judged: Mapping[str, ByIntent],
    likely: Mapping[str, Mapping[str, float]] | None = None,
) -> JudgedRuns:
    """Runs called run0, run1 and so on, joined with the judgments."""
    runs = (run_of(ranking, f"run{number}") for number, ranking in enumerate(rankings))
    return join(runs, qrels_by_intent(judged, likely))


def known(judged: ByIntent, level: int = 1) -> dict[str, dict[str, int]]:
    """Grades from a level on, of the intents that have one."""
    kept = {i: {d: g for d, g in grades.items() if g >= level} for i, grades in judged.items()}
    return {intent: grades for intent, grades in kept.items() if grades}


def cascade(
    measure: AlphaNDCG | ERRIA, ranking: Sequence[str], judged: ByIntent, likely: Mapping[str, float]
) -> float:
    """The sum over ranks and intents, not yet divided."""
    largest = measure.largest_grade or 1
    left = dict.fromkeys(judged, 1.0)
    total = 0.0
    for rank, document in enumerate(ranking[: measure.depth], start=1):
        discount = math.log2(rank + 1) if isinstance(measure, AlphaNDCG) else rank
        for intent, grades in judged.items():
            if document not in grades:
                continue
            satisfied = (2 ** grades[document] - 1) / 2**largest if measure.graded else measure.alpha
            # ndeval takes the gain alpha, the same for all, out of the sum.
            gain = likely[intent] * satisfied if measure.graded else 1.0
            total += gain * left[intent] / discount
            left[intent] *= 1 - satisfied
    return total


def greedy(measure: AlphaNDCG | ERRIA, judged: ByIntent, likely: Mapping[str, float]) -> list[str]:
    """The list in which each document adds most; of equals the last id."""
    remaining = sorted({document for grades in judged.values() for document in grades}, reverse=True)
    results: list[str] = []
    while remaining:
        # At the same rank discounts do not matter; gains that are equal but for rounding are equal.
        gains = [_added(measure, results, document, judged, likely) for document in remaining]
        results.append(remaining.pop(next(n for n, gain in enumerate(gains) if gain > max(gains) - 1e-12)))
    return results


def _added(
    measure: AlphaNDCG | ERRIA,
    above: Sequence[str],
    document: str,
    judged: ByIntent,
    likely: Mapping[str, float],
) -> float:
    added = 0.0
    for intent, grades in judged.items():
        if document in grades:
            served = [(2 ** grades[d] - 1) / 2 ** (measure.largest_grade or 1) for d in above if d in grades]
            if measure.graded:
                own = (2 ** grades[document] - 1) / 2 ** (measure.largest_grade or 1)
                added += likely[intent] * own * math.prod(1 - gain for gain in served)
            else:
                added += (1 - measure.alpha) ** len(served)
    return added


def plain_score(
    measure: Measure, ranking: Sequence[str], judged: ByIntent, likely: Mapping[str, float] | None = None
) -> float:
    """The score of one topic; without probabilities intents are equally likely."""
    at_level = known(judged, getattr(measure, "relevance_level", 1))
    judged = known(judged)
    if likely is None:
        likely = {intent: 1 / len(judged) for intent in judged}
    if isinstance(measure, DSharpNDCG):
        recall = IntentRecall(depth=measure.depth, relevance_level=measure.relevance_level)
        of_gain = plain_score(DNDCG(depth=measure.depth, gains=measure.gains), ranking, judged, likely)
        return measure.gamma * plain_score(recall, ranking, judged, likely) + (1 - measure.gamma) * of_gain
    if isinstance(measure, IntentRecall):
        first = set(ranking[: measure.depth])
        return sum(not first.isdisjoint(grades) for grades in at_level.values()) / max(len(at_level), 1)
    if isinstance(measure, DNDCG):
        gains = {d: _global_gain(measure, d, judged, likely) for grades in judged.values() for d in grades}
        ideal = sorted(gains.values(), reverse=True)
        best = _dcg(ideal[: measure.depth])
        return _dcg([gains.get(d, 0.0) for d in ranking[: measure.depth]]) / best if best else 0.0
    assert isinstance(measure, AlphaNDCG | ERRIA)
    used = judged if measure.graded else at_level
    score = cascade(measure, ranking, used, likely)
    if measure.normalised:
        best = cascade(measure, greedy(measure, used, likely), used, likely)
    elif measure.graded:
        best = 1.0
    else:
        every = {intent: {str(n): 1 for n in range(measure.depth)} for intent in used}
        best = cascade(measure, [str(n) for n in range(measure.depth)], every, likely)
    return score / best if best else 0.0


def _global_gain(measure: DNDCG, document: str, judged: ByIntent, likely: Mapping[str, float]) -> float:
    grades = {intent: of[document] for intent, of in judged.items() if document in of}
    return sum(likely[i] * (2**g - 1 if measure.gains == "exponential" else g) for i, g in grades.items())


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
