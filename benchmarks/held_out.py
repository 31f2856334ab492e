"""Topics chosen on one half and evaluated on the other: the findings of the paper over 100 splits, and the times.

Section 5.6 of Guiver, Mizzaro and Robertson (2009) has one split of TREC-8. No other program for these
experiments is known, so the times have no comparison.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor

from benchmarks.data import public_matrix
from benchmarks.timing import show, shown
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.held_out.audit import audit_subset
from topicset_core.analyses.topic_subsets.held_out.curve import held_out_curve
from topicset_core.analyses.topic_subsets.held_out.splits import BestAverageWorst, Spread
from topicset_core.analyses.topic_subsets.request import AuditRequest, HeldOutRequest, HoldOut
from topicset_core.collection import ScoreMatrix

NAME = "trec8_adhoc_top96_ap"
_SHOWN = (1, 5, 6, 12, 20, 25, 40)
_EXPERIMENTS: tuple[tuple[HoldOut, Goodness], ...] = (
    ("runs", "pearson"),
    ("topics", "pearson"),
    ("runs", "kendall"),
    ("topics", "error-rate"),
)


def report() -> None:
    """Run the experiments and print the results, or that the file is absent."""
    matrix = public_matrix(NAME)
    if matrix is None:
        return
    show(f"\nHeld-out topics, {matrix.n_systems} runs x {matrix.n_topics} topics, 100 splits, all sizes:")
    for hold_out, goodness in _EXPERIMENTS:
        _write_curve(matrix, hold_out, goodness)
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        clock, cpu = time.perf_counter(), time.process_time()
        audit_subset(matrix, AuditRequest(topics=matrix.topics[:10]), executor=executor)
        show(_times("audit of ten topics", clock, cpu))


def _write_curve(matrix: ScoreMatrix, hold_out: HoldOut, goodness: Goodness) -> None:
    request = HeldOutRequest(hold_out=hold_out, goodness=goodness)
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        clock, cpu = time.perf_counter(), time.process_time()
        curve = held_out_curve(matrix, request, executor=executor)
        show(_times(f"{hold_out} held out, {goodness}", clock, cpu))
    for point in curve.points:
        if point.cardinality in _SHOWN and point.gain is not None:
            show(
                f"  {point.cardinality:3} topics: {_levels(point.chosen)}; on its own half {_levels(point.own)}; "
                f"gain {_spread(point.gain.difference)}, better in {100 * point.gain.share_better:.0f} %"
            )


def _times(task: str, clock: float, cpu: float) -> str:
    return (
        f"{task}: {shown(time.perf_counter() - clock)} by the clock, {shown(time.process_time() - cpu)} CPU"
    )


def _levels(levels: BestAverageWorst) -> str:
    return ", ".join(
        f"{name} {_spread(one)}"
        for name, one in (("best", levels.best), ("average", levels.average), ("worst", levels.worst))
    )


def _spread(one: Spread | None) -> str:
    return (
        "-" if one is None else f"{one.mean:.4f} ± {one.standard_error:.4f} [{one.low:.3f}, {one.high:.3f}]"
    )


if __name__ == "__main__":
    report()
