"""Importing a design, next to importing statsmodels' power functions."""

import statistics
import subprocess
import sys

from tests.benchmarks.timing import Comparison

REPEATS = 5
CHILD = "import time; start = time.process_time(); import {}; print(time.process_time() - start)"


def cpu_seconds_of_import(module: str) -> float:
    """Return the median CPU time of an import in a fresh interpreter, whose own start is not counted."""
    code = CHILD.format(module)
    runs = [
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        for _ in range(REPEATS + 1)
    ]
    return statistics.median(float(seconds) for seconds in runs[1:])  # the first one fills the disk cache


def compare() -> list[Comparison]:
    """Return one comparison."""
    return [
        Comparison(
            "import one design",
            cpu_seconds_of_import("topicset_core.designs.one_way_anova"),
            cpu_seconds_of_import("statsmodels.stats.power"),
            "statsmodels",
            "NumPy included; SciPy is imported by our first question",
        ),
        Comparison(
            "import one design, first answer",
            cpu_seconds_of_import("tests.benchmarks.first_answer"),
            cpu_seconds_of_import("tests.benchmarks.first_answer_of_statsmodels"),
            "statsmodels",
            "exact one-way ANOVA, m = 10, from a fresh interpreter",
        ),
    ]
