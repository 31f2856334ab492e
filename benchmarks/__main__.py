"""CPU times of the core next to those of other tools, measured in the same run.

    python -m benchmarks

Medians of repeats; the ratio is the other tool's time over ours, so more than 1 is faster. Nothing
is asserted: a time is a fact about a machine.
"""

import importlib.metadata
import platform

from benchmarks import (
    achieved_power,
    certified_subsets,
    diversity,
    error_rate,
    grids,
    held_out,
    imports,
    measures,
    multiple_comparisons,
    pool_depth,
    rank_resolution,
    retrieval,
    runs_and_qrels,
    score_matrices,
    single_designs,
    topic_subsets,
    topic_variance,
    training_sensitivity,
    twenty_sessions,
)
from benchmarks.timing import show, shown

BENCHMARKS = (
    imports,
    single_designs,
    grids,
    multiple_comparisons,
    score_matrices,
    runs_and_qrels,
    measures,
    diversity,
    retrieval,
    pool_depth,
    error_rate,
    rank_resolution,
    achieved_power,
    topic_subsets,
    topic_variance,
    training_sensitivity,
)


def main() -> None:
    """Run all benchmarks and print a line each."""
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scipy", "statsmodels", "pandas")
    )
    show(f"Python {platform.python_version()}, {versions}. CPU time, median of repeats.\n")
    show(f"{'task':40} {'ours':>9} {'other':>9} {'ratio':>9}  other tool; remarks")
    for benchmark in BENCHMARKS:
        for result in benchmark.compare():
            ratio = f"{result.peer / result.ours:,.3g}x"
            remarks = f"{result.peer_name}; {result.note}" if result.note else result.peer_name
            show(f"{result.task:40} {shown(result.ours):>9} {shown(result.peer):>9} {ratio:>9}  {remarks}")
    held_out.report()
    certified_subsets.report()
    twenty_sessions.report()


if __name__ == "__main__":
    main()
