"""First answers of fresh interpreters, next to importing statsmodels' power functions and `scipy.stats`."""

import statistics
import subprocess
import sys

from benchmarks.timing import Comparison

REPEATS = 5
CHILD = "import time; start = time.process_time(); {}; print(time.process_time() - start)"

OURS = """from topicset_core.designs.one_way_anova import Requirements, required_topics
required_topics(Requirements(alpha=.05, beta=.2, min_d=.1, within_system_variance=.0471, n_systems=10))"""

THEIRS = """from statsmodels.stats.power import FTestAnovaPower
FTestAnovaPower().solve_power((.1**2 / (2 * .0471) / 10) ** .5, alpha=.05, power=.8, k_groups=10)"""
"""The same design: Cohen's f = sqrt(minDelta / m)."""


SIZE = """import sys
sys.argv = 'topicset size anova --alpha .05 --beta .20 --min-d .10 --variance .0471 --systems 10'.split()
from topicset_core.cli import main
main()"""


def cpu_seconds_of(work: str) -> float:
    """Return the median CPU time of lines in a fresh interpreter, whose own start is not counted."""
    code = CHILD.format(work.replace("\n", "; "))
    runs = [
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        for _ in range(REPEATS + 1)
    ]
    return statistics.median(
        float(seconds.split()[-1]) for seconds in runs[1:]
    )  # the first one fills the disk cache


def compare() -> list[Comparison]:
    """Return the comparisons."""
    stats = cpu_seconds_of("import scipy.stats")
    return [
        Comparison(
            "import one design",
            cpu_seconds_of("import topicset_core.designs.one_way_anova"),
            cpu_seconds_of("import statsmodels.stats.power"),
            "statsmodels",
            "NumPy included; SciPy is imported by our first question",
        ),
        Comparison(
            "import one design, first answer",
            cpu_seconds_of(OURS),
            cpu_seconds_of(THEIRS),
            "statsmodels",
            "exact one-way ANOVA, m = 10, from a fresh interpreter",
        ),
        Comparison(
            "topicset size, first answer", cpu_seconds_of(SIZE), stats, "import scipy.stats", "the same ANOVA"
        ),
    ]
