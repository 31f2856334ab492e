"""A simulated evaluation task: two rounds, each 50 topics x 20 runs, scored by three measures.

Model: a run's latent success on a topic is ``z = s + t + e``, independent normal effects with
standard deviations 0.5 (system), 1.1 (topic difficulty) and 0.62 (their interaction). The same
20 systems take part in both rounds; topics are new in the second. A measure sees z through a
link of its own, with noise of its own (normal, except for the rank):

- AP = logistic(-1.2 + 1.04 z + noise), noise sd 0.3
- nDCG@10 = logistic(0.1 + 1.06 z + noise), noise sd 0.5
- RR = 1 / rank of the first relevant document, rank = 1 + floor(exponential with mean
  exp(0.3 - 0.9 z)); 0 beyond rank 1000

The numbers were chosen so that, as in TREC ad hoc tasks, within-system variances differ clearly
between measures, topics account for about 60 % of the sum of squares of AP and a third of that of
RR, more than half of the RR scores are 1, and measures agree more about systems (correlation of
run means .86 to .99) than about single scores (.6 between RR and the others, .87 between these).

The scores are made up; no run of a real participant is in them.
"""

from collections.abc import Mapping
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

DEFAULT_SEED = 16
"""Seed of the sample that pages show, one of those whose two rounds have similar variances."""

N_ROUNDS = 2
N_TOPICS = 50
N_SYSTEMS = 20

SYSTEM_SD = 0.5
TOPIC_SD = 1.1
INTERACTION_SD = 0.62

DEEPEST_RANK = 1000
"""A run returns this many documents; with no relevant one among them RR is 0."""


def simulated_task(seed: int = DEFAULT_SEED) -> tuple[ScoreMatrix, ...]:
    """Simulate the task: AP, nDCG@10 and RR of round 1, then the same of round 2.

    Parameters
    ----------
    seed : int
        The same seed gives the same scores.

    Returns
    -------
    tuple of ScoreMatrix, (6,)
        50 topics by 20 systems each.

    Raises
    ------
    InputError
        If `seed` is not a whole number of at least 0.
    """
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError("seed", seed, "must be a whole number of at least 0")
    rng = np.random.Generator(np.random.PCG64(int(seed)))
    systems = tuple(f"sim{number:02d}" for number in range(1, N_SYSTEMS + 1))
    system_effects = rng.normal(0.0, SYSTEM_SD, N_SYSTEMS)
    matrices = []
    for round_number in range(1, N_ROUNDS + 1):
        topics = tuple(f"{round_number}-{number:02d}" for number in range(1, N_TOPICS + 1))
        for measure, scores in _one_round(rng, system_effects).items():
            matrices.append(
                ScoreMatrix(
                    # Four decimals, as trec_eval prints and TREC releases.
                    scores=np.round(scores, 4),
                    topics=topics,
                    systems=systems,
                    measure=measure,
                    name=f"Simulated task, round {round_number}",
                )
            )
    return tuple(matrices)


def _one_round(
    rng: np.random.Generator, system_effects: NDArray[np.float64]
) -> Mapping[str, NDArray[np.float64]]:
    """Draw new topics and score the systems on them, by measure."""
    shape = (N_TOPICS, N_SYSTEMS)
    topic_effects = rng.normal(0.0, TOPIC_SD, (N_TOPICS, 1))
    success = system_effects + topic_effects + rng.normal(0.0, INTERACTION_SD, shape)
    average_precision = _logistic(-1.2 + 1.04 * success + rng.normal(0.0, 0.3, shape))
    gain = _logistic(0.1 + 1.06 * success + rng.normal(0.0, 0.5, shape))
    rank = 1.0 + np.floor(rng.exponential(1.0, shape) * np.exp(0.3 - 0.9 * success))
    reciprocal_rank = np.where(rank <= DEEPEST_RANK, 1.0 / rank, 0.0)
    return {"AP": average_precision, "nDCG@10": gain, "RR": reciprocal_rank}


def _logistic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-values))
    return result
