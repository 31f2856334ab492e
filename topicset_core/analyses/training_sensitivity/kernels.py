"""AP, bpref, infAP and nDCG of all runs at once under one set of judgments, compiled.

All code that Numba compiles for this analysis is in this file: its cache does not see a change in another file.
Sums run in rank order with the operations of `topicset_core.measures`, and so of trec_eval.
"""

import numpy as np

from topicset_core.execution.compiling import kernel

N_MEASURES = 4
AP, BPREF, INFAP, NDCG = range(N_MEASURES)
"""Places in the first axis of the scores."""

_EPSILON = 0.00001  # trec_eval's INFAP_EPSILON, as in measures/inferred_average_precision.py


@kernel()
def score_runs(  # type: ignore[no-untyped-def]
    topics, starts, ranks, judgments, topic_starts, grades, level, gains, logs, removed, scores
):
    """Score every run on some topics."""
    n_systems = scores.shape[2]
    counts = np.zeros(gains.size, dtype=np.int64)
    for row in range(topics.size):
        topic = topics[row]
        counts[:] = 0
        n_not = 0
        n_relevant = 0
        for document in range(topic_starts[topic], topic_starts[topic + 1]):
            grade = grades[document]
            if grade >= level:
                n_relevant += 1
            elif grade >= 0:
                n_not += 1
            if grade > 0:
                counts[grade] += 1
        # The ideal list: highest grades first.
        ideal = 0.0
        rank = 0
        for grade in range(gains.size - 1, 0, -1):
            for _ in range(counts[grade]):
                rank += 1
                ideal += gains[grade] / logs[rank]
        most = max(min(n_not, n_relevant), 1)
        for system in range(n_systems):
            ap = 0.0
            bpref = 0.0
            inferred = 0.0
            dcg = 0.0
            if rank > 0:
                result = 0
                above_judged = 0
                above_pooled = 0
                cell = topic * n_systems + system
                for entry in range(starts[cell], starts[cell + 1]):
                    grade = grades[judgments[entry]]
                    if grade < 0:
                        if grade != removed:
                            above_pooled += 1
                        continue
                    if grade > 0:
                        dcg += gains[grade] / logs[ranks[entry]]
                    if grade >= level:
                        at = ranks[entry]
                        ap += (result + 1) / at
                        bpref += 1.0 - min(above_judged - result, n_relevant) / most
                        above = at - 1.0
                        share = (result + _EPSILON) / (above_judged + 2 * _EPSILON)
                        inferred += 1 / at + above / at * (above_pooled / max(above, 1.0)) * share
                        result += 1
                    above_judged += 1
                    above_pooled += 1
            scores[AP, row, system] = ap / n_relevant if n_relevant > 0 else 0.0
            scores[BPREF, row, system] = bpref / n_relevant if n_relevant > 0 else 0.0
            scores[INFAP, row, system] = inferred / n_relevant if n_relevant > 0 else 0.0
            scores[NDCG, row, system] = dcg / ideal if ideal > 0 else 0.0
