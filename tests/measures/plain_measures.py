"""Every measure again, one topic at a time, as its definition reads; slow and plain.

`ranking` is a list of document ids, best first. `judged` maps documents to grades: negative is pooled
and not judged, a document that is missing was not pooled.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from topicset_core.measures import Measure
from topicset_core.measures.binary import (
    AP,
    RBP,
    BPref,
    InfAP,
    Precision,
    QMeasure,
    Recall,
    ReciprocalRank,
    RPrecision,
    Success,
)
from topicset_core.measures.graded import ERR, NDCG

Ranking = Sequence[str]
Judged = Mapping[str, int]


def gain(grade: int | None, gains: str) -> int:
    if grade is None or grade <= 0:
        return 0
    return grade if gains == "linear" else 2**grade - 1


def ideal_ranking(judged: Judged) -> list[str]:
    return sorted(judged, key=lambda document: -judged[document])


def is_relevant(document: str, judged: Judged, level: int) -> bool:
    return judged.get(document, -1) >= level


def n_relevant(judged: Judged, level: int) -> int:
    return sum(grade >= level for grade in judged.values())


def divisor(judged: Judged, level: int, depth: int | None, denominator: str) -> int:
    result = n_relevant(judged, level)
    return result if depth is None or denominator == "R" else min(depth, result)


def average_precision(measure: AP, ranking: Ranking, judged: Judged) -> float:
    level, result, total = measure.relevance_level, 0, 0.0
    if not n_relevant(judged, level):
        return 0.0
    for rank, document in enumerate(ranking[: measure.depth], start=1):
        if is_relevant(document, judged, level):
            result += 1
            total += result / rank
    return total / divisor(judged, level, measure.depth, measure.denominator)


def precision(measure: Precision, ranking: Ranking, judged: Judged) -> float:
    seen = ranking[: measure.depth]
    return sum(is_relevant(d, judged, measure.relevance_level) for d in seen) / measure.depth


def recall(measure: Recall, ranking: Ranking, judged: Judged) -> float:
    result = sum(is_relevant(d, judged, measure.relevance_level) for d in ranking[: measure.depth])
    every = n_relevant(judged, measure.relevance_level)
    return result / every if every else 0.0


def success(measure: Success, ranking: Ranking, judged: Judged) -> float:
    for document in ranking[: measure.depth]:
        if is_relevant(document, judged, measure.relevance_level):
            return 1.0
    return 0.0


def r_precision(measure: RPrecision, ranking: Ranking, judged: Judged) -> float:
    every = n_relevant(judged, measure.relevance_level)
    result = sum(is_relevant(d, judged, measure.relevance_level) for d in ranking[:every])
    return result / every if every else 0.0


def reciprocal_rank(measure: ReciprocalRank, ranking: Ranking, judged: Judged) -> float:
    for rank, document in enumerate(ranking[: measure.depth], start=1):
        if is_relevant(document, judged, measure.relevance_level):
            return 1 / rank
    return 0.0


def ndcg(measure: NDCG, ranking: Ranking, judged: Judged) -> float:
    def dcg(documents: Ranking) -> float:
        return sum(
            gain(judged.get(document), measure.gains) / math.log2(rank + 1)
            for rank, document in enumerate(documents[: measure.depth], start=1)
        )

    ideal = dcg(ideal_ranking(judged))
    return dcg(ranking) / ideal if ideal else 0.0


def q_measure(measure: QMeasure, ranking: Ranking, judged: Judged) -> float:
    level = measure.relevance_level
    if not n_relevant(judged, level):
        return 0.0

    def level_gain(document: str) -> int:
        return gain(judged[document], measure.gains) if is_relevant(document, judged, level) else 0

    ideal = ideal_ranking(judged)
    result, gained, total = 0, 0, 0.0
    for rank, document in enumerate(ranking[: measure.depth], start=1):
        if is_relevant(document, judged, level):
            result += 1
            gained += level_gain(document)
            best = sum(map(level_gain, ideal[:rank]))
            total += (result + measure.beta * gained) / (rank + measure.beta * best)
    return total / divisor(judged, level, measure.depth, measure.denominator)


def expected_reciprocal_rank(measure: ERR, ranking: Ranking, judged: Judged, largest: int) -> float:
    def err(documents: Ranking) -> float:
        total, goes_on = 0.0, 1.0
        for rank, document in enumerate(documents[: measure.depth], start=1):
            stops = gain(judged.get(document), "exponential") / 2**largest
            total += goes_on * stops / rank
            goes_on *= 1 - stops
        return total

    if not measure.normalised:
        return err(ranking)
    ideal = err(ideal_ranking(judged))
    return err(ranking) / ideal if ideal else 0.0


def rank_biased_precision(measure: RBP, ranking: Ranking, judged: Judged) -> float:
    p = measure.persistence
    return sum(
        (1 - p) * p ** (rank - 1)
        for rank, document in enumerate(ranking, start=1)
        if is_relevant(document, judged, measure.relevance_level)
    )


def residual(measure: RBP, ranking: Ranking, judged: Judged) -> float:
    p = measure.persistence
    unjudged = sum(
        (1 - p) * p ** (rank - 1)
        for rank, document in enumerate(ranking, start=1)
        if judged.get(document, -1) < 0
    )
    return unjudged + p ** len(ranking)


def binary_preference(measure: BPref, ranking: Ranking, judged: Judged) -> float:
    level = measure.relevance_level
    every = n_relevant(judged, level)
    not_relevant = sum(0 <= grade < level for grade in judged.values())
    above, total = 0, 0.0
    for document in ranking:
        if is_relevant(document, judged, level):
            total += 1 - min(above, every) / min(not_relevant, every) if above else 1
        elif judged.get(document, -1) >= 0:
            above += 1
    return total / every if every else 0.0


def inferred_average_precision(measure: InfAP, ranking: Ranking, judged: Judged) -> float:
    level, epsilon = measure.relevance_level, 0.00001
    result, not_relevant, unjudged, total = 0, 0, 0, 0.0
    for rank, document in enumerate(ranking, start=1):
        if document not in judged:
            continue
        if judged[document] < 0:
            unjudged += 1
        elif judged[document] < level:
            not_relevant += 1
        else:
            if rank == 1:
                total += 1
            else:
                above = rank - 1
                in_pool = (result + not_relevant + unjudged) / above
                share = (result + epsilon) / (result + not_relevant + 2 * epsilon)
                total += 1 / rank + above / rank * in_pool * share
            result += 1
    every = n_relevant(judged, level)
    return total / every if every else 0.0


PLAIN: Mapping[type[Measure], Callable[..., float]] = {
    AP: average_precision,
    Precision: precision,
    Recall: recall,
    Success: success,
    RPrecision: r_precision,
    ReciprocalRank: reciprocal_rank,
    NDCG: ndcg,
    QMeasure: q_measure,
    RBP: rank_biased_precision,
    BPref: binary_preference,
    InfAP: inferred_average_precision,
}


def plain_score(measure: Measure, ranking: Ranking, judged: Judged, largest: int) -> float:
    """Score of one ranking for one topic; `largest` is the largest grade in all qrels, xmax of ERR."""
    if isinstance(measure, ERR):
        return expected_reciprocal_rank(measure, ranking, judged, measure.largest_grade or max(largest, 1))
    return PLAIN[type(measure)](measure, ranking, judged)
