"""Best and worst subsets of every size proved, on real matrices. No other tool proves them, so nothing is compared.

python -m benchmarks.certified_subsets [matrix ...]
"""

import os
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from benchmarks.data import public_matrix
from benchmarks.timing import show, shown
from topicset_core.analyses.topic_subsets.curve import SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.collection import ScoreMatrix

NAMES = (
    "trec8_adhoc_top96_ap",
    "trec8_adhoc_ap",
    "trec8_adhoc_p10",
    "trec3_adhoc_ap",
    *(f"web{year}_{measure}" for year in (2011, 2012) for measure in ("ap", "p10", "ndcg20", "err20")),
    "dl2019_passage_ndcg10",
)
_FEW = 25  # runs of a matrix with fewer runs than topics


def report(names: tuple[str, ...] = NAMES) -> None:
    """Prove all sizes of each matrix, and report the time and the unproven sizes."""
    for name in names:
        matrix = public_matrix(name)
        if matrix is None:
            continue
        _prove(matrix, name)
        if name == NAMES[0]:
            few = replace(matrix, scores=matrix.scores[:, :_FEW], systems=matrix.systems[:_FEW])
            _prove(few, f"{name}, {_FEW} runs")


def _prove(matrix: ScoreMatrix, name: str) -> None:
    request = Request(
        goodness="pearson", cardinalities=tuple(range(1, matrix.n_topics + 1)), method="exact", n_trials=2
    )
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        cpu, clock = time.process_time(), time.perf_counter()
        curve = subset_curve(matrix, request, executor=executor)
        cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    searched = subset_curve(matrix, replace(request, method="local"))
    show(
        f"{name}, {matrix.n_topics} topics, {matrix.n_systems} runs: {_statuses(curve)}; {shown(cpu)} of CPU time, "
        f"{shown(clock)} by the clock on {os.cpu_count()} threads; swaps alone miss {_missed(curve, searched)}"
    )
    for point in curve.points:
        for one in (point.best, point.worst):
            if one is not None and one.bound is not None:
                show(f"    {point.cardinality} topics: {one.value:.6f}, no set beyond {one.bound:.6f}")


def _statuses(curve: SubsetCurve) -> str:
    counts = Counter(one.status for point in curve.points for one in (point.best, point.worst) if one)
    return ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))


def _missed(curve: SubsetCurve, searched: SubsetCurve) -> str:
    gaps = [
        abs(one.value - other.value)
        for point, result in zip(curve.points, searched.points, strict=True)
        for one, other in ((point.best, result.best), (point.worst, result.worst))
        if one is not None and other is not None and abs(one.value - other.value) > 1e-9
    ]
    return f"{len(gaps)} of them by up to {max(gaps):.1e}" if gaps else "none of them"


if __name__ == "__main__":
    report(tuple(sys.argv[1:]) or NAMES)
