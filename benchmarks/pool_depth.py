"""The depth study of Robust 2003, next to re-scoring at each depth with pytrec-eval-terrier.

Files are read before the clock starts. The peer's part is its evaluator alone, with the judgments of
each depth already cut; ours makes them, scores the runs, and finds variances, topics and agreement.
"""

from collections.abc import Sequence

import numpy as np

from benchmarks.data import public
from benchmarks.measures import PEER, Scores, as_dicts, parsed, theirs
from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.analyses.pool_depth import DepthStudy, Request, depth_study, grades_at
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.run import Run
from topicset_core.designs import one_way_anova
from topicset_core.measures import measure_named
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_runs

DEPTHS = (10, 20, 30, 50, 70, 100, 125)


def ours(judged: JudgedRuns, runs: Sequence[Run], names: tuple[str, ...]) -> DepthStudy:
    """All depths by each measure."""
    rule = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
    request = Request(measures=[measure_named(name) for name in names], rule=rule, depths=DEPTHS)
    return depth_study([judged], runs, request)


def compare() -> list[Comparison]:
    """Return the comparisons, where the real runs are."""
    data = public("trec", "robust2003")
    if data is None:
        return []
    paths = sorted((data / "runs").glob("*.gz"))
    qrels = read_qrels("qrels.txt.gz", (data / "qrels.txt.gz").read_bytes()).qrels
    read = read_runs([(path.name, path) for path in paths]).runs
    judged = join(read, qrels)
    runs = [parsed(path) for path in paths]
    judgments = [as_dicts(qrels, grades_at(judged, depth)) for depth in DEPTHS]
    largest = _largest_difference(judged, read, [theirs(runs, cut, ("map",)) for cut in judgments])
    rescoring = cpu_seconds(lambda: [theirs(runs, cut, ("map", "ndcg")) for cut in judgments], repeats=3)
    return [
        Comparison(
            "depth study of Robust 2003: 7 depths, AP, nDCG",
            cpu_seconds(lambda: ours(judged, read, ("AP", "nDCG"))),
            rescoring,
            PEER,
            f"its evaluator alone; largest difference of a variance {largest:.0e}",
        ),
        Comparison(
            "the same with Q and nERR, which it has not",
            cpu_seconds(lambda: ours(judged, read, ("AP", "Q", "nDCG", "nERR"))),
            rescoring,
            f"{PEER}, AP and nDCG",
        ),
    ]


def _largest_difference(judged: JudgedRuns, runs: Sequence[Run], result: list[list[Scores]]) -> float:
    """Return how far variances of AP are from those of the peer's scores, over all depths."""
    variances = [design.within_system_variance or 0.0 for design in ours(judged, runs, ("AP",)).designs]
    expected = []
    for of_depth in result:
        scores = np.array(
            [[run.get(topic, {"map": 0.0})["map"] for run in of_depth] for topic in judged.topics]
        )
        expected.append(float(scores.var(axis=0, ddof=1).mean()))
    return max(abs(ours_ - theirs_) for ours_, theirs_ in zip(variances, expected, strict=True))
