"""A map of exact topic set sizes over minD and variance, next to one solver call per cell."""

import math

import numpy as np
from statsmodels.stats.power import FTestAnovaPower

from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.designs import one_way_anova

SYSTEMS = 10
SAMPLE = 100  # cells that the peer solves; its time is scaled up to the grid
EFFECTS = one_way_anova.DESIGN.min_delta_of(
    np.linspace(0.02, 0.25, 200)[:, None], np.linspace(0.02, 0.13, 200)[None, :]
)


def our_grid() -> np.ndarray:
    """Every cell of the grid, exact."""
    return one_way_anova.required_topics_grid(EFFECTS, alpha=0.05, beta=0.20, n_systems=SYSTEMS)


def compare() -> list[Comparison]:
    """Return one comparison, the peer's time extrapolated from a sample of cells."""
    cells = np.random.default_rng(1).choice(EFFECTS.size, SAMPLE, replace=False)
    effects = EFFECTS.ravel()[cells].tolist()
    solver = FTestAnovaPower()

    def their_sample() -> list[int]:
        return [
            math.ceil(
                solver.solve_power(math.sqrt(effect / SYSTEMS), alpha=0.05, power=0.80, k_groups=SYSTEMS)
                / SYSTEMS
            )
            for effect in effects
        ]

    different = int(np.count_nonzero(our_grid().ravel()[cells] != their_sample()))
    return [
        Comparison(
            f"{EFFECTS.size:,} exact ANOVA designs, m = {SYSTEMS}",
            cpu_seconds(our_grid),
            cpu_seconds(their_sample, repeats=3) * EFFECTS.size / SAMPLE,
            "statsmodels",
            f"theirs extrapolated from {SAMPLE} cells; {different} of those differ",
        )
    ]
