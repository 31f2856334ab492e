"""A simulated comparison of three RAG systems: seeds of each, scored by a judge, some answers by people.

Model: system i, topic j and seed k have quality ``q_ijk = mu_i + b_j + ab_ij + c_ik + bc_ijk``, independent normal
effects with standard deviations .17 (topic), .10 (system by topic), .015 (seed) and .06 (seed by topic). The judge
adds a part that is stable per topic and system (.145), noise per call (.05), and .03 for the third system, whose
answers are long. People add noise of .03, and label 15 of the 40 topics, drawn at random. So per-topic differences
by judge and by people correlate at about .6. Scores are rounded to thousandths and not clipped.

The scores are made up; no system and no person is in them.
"""

from numbers import Integral

import numpy as np

from topicset_core.collection.paired_labels import PairedLabels
from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.errors import InputError

JUDGE_SEED = 1180
"""Seed of the sample that pages show, one of those whose estimates are close to the model's."""

N_TOPICS, N_SEEDS, N_CALLS, N_LABELS = 40, 3, 2, 15
SYSTEMS = ("rag-small", "rag-large", "rag-long")
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
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError("seed", seed, "must be a whole number of at least 0")
    rng = np.random.Generator(np.random.PCG64(int(seed)))
    n, m = N_TOPICS, len(SYSTEMS)
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
        systems=SYSTEMS,
        repeats=tuple(f"seed {number}" for number in range(1, N_SEEDS + 1)),
        measure="judge score",
        name="Simulated RAG comparison",
    )
    labels = PairedLabels(
        judge=np.round(np.stack([judged[:, :, 0], again], axis=2), 3),
        human=np.round(people, 3),
        topics=topics,
        systems=SYSTEMS,
        name="Simulated RAG comparison",
    )
    return scores, labels
