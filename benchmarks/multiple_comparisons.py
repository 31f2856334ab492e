"""Sizes of multiple comparisons, next to critical values by SciPy's studentised range."""

import numpy as np
from scipy import stats

from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.designs import against_baseline, all_pairs, studentised

SYSTEMS, DF = 10, 369


def _size(design: object, **settings: str) -> int:
    requirements = design.Requirements(  # type: ignore[attr-defined]
        alpha=0.05, beta=0.20, min_d=0.10, n_systems=SYSTEMS, residual_variance=0.01285, **settings
    )
    result: int = design.required_topics(requirements).required_topics  # type: ignore[attr-defined]
    return result


def _grid() -> np.ndarray:
    effects = np.linspace(0.02, 0.3, 200)[:, None] / np.sqrt(np.linspace(0.01, 0.2, 200))
    # Cached noncentralities would make all repeats but the first free.
    from topicset_core.designs import f_test

    f_test._noncentralities.cache_clear()
    return all_pairs.required_topics_grid(effects, alpha=0.05, beta=0.20, n_systems=SYSTEMS)


def compare() -> list[Comparison]:
    """Return ours next to one critical value of SciPy, of which a size takes ten or more."""
    theirs = cpu_seconds(lambda: stats.studentized_range.isf(0.05, SYSTEMS, DF), repeats=3)
    ours = cpu_seconds(lambda: studentised.critical_value("pairs", SYSTEMS, DF, 0.05), calls=20)
    name = "scipy studentized_range.isf"
    other = float(stats.studentized_range.isf(0.05, SYSTEMS, DF))
    own = float(studentised.critical_value("pairs", SYSTEMS, DF, 0.05)) * 2**0.5
    sizes = {
        "one size, all pairs, Tukey": lambda: _size(all_pairs),
        "one size, all pairs, Tukey, any": lambda: _size(all_pairs, detect="any"),
        "one size, all pairs, Holm": lambda: _size(all_pairs, procedure="holm"),
        "one size, baseline, Dunnett": lambda: _size(against_baseline),
    }
    results = [
        Comparison("one critical value of Tukey, m = 10", ours, theirs, name, f"q = {own:.9f}, {other:.9f}")
    ]
    for task, call in sizes.items():
        results.append(Comparison(task, cpu_seconds(call), theirs, f"one {name}", f"n = {call()}"))
    results.append(Comparison("200 x 200 sizes, Tukey", cpu_seconds(_grid), theirs, f"one {name}"))
    return results
