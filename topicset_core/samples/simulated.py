"""A simulated evaluation task: two rounds of 50 topics x 20 runs by three measures; and a comparison by a judge.

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

A simulated comparison of three RAG systems: seeds of each, scored by a judge, some answers by people. System i,
topic j and seed k have quality ``q_ijk = mu_i + b_j + ab_ij + c_ik + bc_ijk``, independent normal effects with
standard deviations .17 (topic), .10 (system by topic), .015 (seed) and .06 (seed by topic). The judge adds a
part that is stable per topic and system (.145), noise per call (.05), and .03 for the third system, whose
answers are long. People add noise of .03, and label 15 of the 40 topics, drawn at random. So per-topic
differences by judge and by people correlate at about .6. Scores are rounded to thousandths and not clipped.

The scores are made up; no run of a real participant, no system and no person is in them.
"""

from collections.abc import Mapping
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.collection.replicated_scores import PairedLabels, ReplicatedScores
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


def generator(seed: int) -> np.random.Generator:
    """Return the generator of a seed."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError("seed", seed, "must be a whole number of at least 0")
    return np.random.Generator(np.random.PCG64(int(seed)))


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
    rng = generator(seed)
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


JUDGE_SEED = 1180
"""Seed of the sample that pages show, one of those whose estimates are close to the model's."""

N_QUESTIONS, N_SEEDS, N_LABELS = 40, 3, 15
JUDGED_SYSTEMS = ("rag-small", "rag-large", "rag-long")
MEANS = (0.50, 0.56, 0.54)


def simulated_judge(seed: int = JUDGE_SEED) -> tuple[ReplicatedScores, PairedLabels]:
    """Simulate the comparison.

    Parameters
    ----------
    seed : int
        The same seed gives the same scores.

    Returns
    -------
    ReplicatedScores
        One judge call on the answers of each seed.
    PairedLabels
        Two judge calls on the answers of the first seed, and human scores of some of these.

    Raises
    ------
    InputError
        If `seed` is not a whole number of at least 0.
    """
    rng = generator(seed)
    n, m = N_QUESTIONS, len(JUDGED_SYSTEMS)
    quality = np.array(MEANS)[None, :, None] + rng.normal(0, 0.17, (n, 1, 1)) + rng.normal(0, 0.10, (n, m, 1))
    quality = quality + rng.normal(0, 0.015, (1, m, N_SEEDS)) + rng.normal(0, 0.06, (n, m, N_SEEDS))
    leaning = rng.normal(0, 0.145, (n, m)) + np.array([0.0, 0.0, 0.03])
    judged = quality + leaning[:, :, None] + rng.normal(0, 0.05, (n, m, N_SEEDS))
    again = quality[:, :, 0] + leaning + rng.normal(0, 0.05, (n, m))
    people = np.full((n, m), np.nan)
    labelled = np.sort(rng.choice(n, N_LABELS, replace=False))
    people[labelled] = quality[labelled, :, 0] + rng.normal(0, 0.03, (N_LABELS, m))
    topics = tuple(f"q{number:02d}" for number in range(1, n + 1))
    scores = ReplicatedScores(
        scores=np.round(judged, 3),
        topics=topics,
        systems=JUDGED_SYSTEMS,
        repeats=tuple(f"seed {number}" for number in range(1, N_SEEDS + 1)),
        measure="judge score",
        name="Simulated RAG comparison",
    )
    labels = PairedLabels(
        judge=np.round(np.stack([judged[:, :, 0], again], axis=2), 3),
        human=np.round(people, 3),
        topics=topics,
        systems=JUDGED_SYSTEMS,
        name="Simulated RAG comparison",
    )
    return scores, labels
