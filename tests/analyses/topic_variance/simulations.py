"""A simulation that several files of tests look at, and the scores behind the sums of any."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tests.analyses.topic_variance.plain_simulation import Floats, random_track
from topicset_core.analyses.topic_variance import Request, kernels
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.simulation import Simulation, simulate_trials
from topicset_core.collection import Run
from topicset_core.collection.judged_runs import JudgedRuns

RUNS, JUDGED = random_track(11, 6, 8, step=0.25)
FIRST, SECOND = np.tril_indices(6, -1)


def simulate_collections(
    judged: JudgedRuns, request: Request, runs: Sequence[Run] = (), **more: Any
) -> Simulation:
    return simulate_trials(cells_of(judged, request.relevance_level), request, runs, **more)


@cache
def usual() -> Simulation:
    return simulate_collections(JUDGED, Request(model="bst", n_trials=200, seed=5), RUNS)


def scores(simulation: Simulation) -> Floats:
    """All simulated scores, (n_trials, n_topics, n_systems)."""
    request = simulation.request
    stream = {"bst": 0, "kde": 1, "shared": 2}[request.model]
    key = np.random.SeedSequence(request.seed, spawn_key=(0, stream)).generate_state(1, np.uint64)[0]
    kinds = {"AP": kernels.AP, "P": kernels.PRECISION, "recall": kernels.RECALL}
    kind = (kinds | {"RR": kernels.RR, "nDCG": kernels.NDCG})[request.kind]
    measure = (kind, 2**62 if request.depth is None else request.depth, request.denominator == "fixed")
    kernel = kernels.simulate_shared if request.model == "shared" else kernels.simulate
    drawn = kernel(*[*simulation.prepared.arguments, measure, key, (0, request.n_trials)])
    return np.asarray(drawn.reshape(-1, *simulation.raw.shape))
