"""Simulated scores of conversations: topics that come in groups, 25 conversations of 12 turns by 8 systems.

Model: the score of a system on a turn is ``mu + c + t + sc + st``, independent normal effects: the system, sd .04
about .5; the conversation, sd .10; the turn, sd .14; system by conversation, sd .055; system by turn, sd .11.
Scores are clipped to 0 to 1, about 2 % of them, and rounded to four decimals.

The difference of two systems has the intraclass correlation .055^2 / (.055^2 + .11^2) = .2 within conversations.

The scores are made up; no conversation and no system is in them.
"""

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.samples.simulated import generator

N_CONVERSATIONS, N_TURNS, N_SYSTEMS = 25, 12, 8
SEED = 46
"""Seed of the sample that pages offer, one of those whose estimates are close to the model's."""


def simulated_conversations(seed: int = SEED) -> ScoreMatrix:
    """Simulate the scores, with the conversation of each turn as its group."""
    rng = generator(seed)
    systems = rng.normal(0.5, 0.04, N_SYSTEMS)
    conversations = rng.normal(0, 0.10, (N_CONVERSATIONS, 1)) + rng.normal(
        0, 0.055, (N_CONVERSATIONS, N_SYSTEMS)
    )
    turns = rng.normal(0, 0.14, (N_CONVERSATIONS, N_TURNS, 1))
    turns = turns + rng.normal(0, 0.11, (N_CONVERSATIONS, N_TURNS, N_SYSTEMS))
    scores: NDArray[np.float64] = systems + conversations[:, np.newaxis] + turns
    ids = [
        (f"c{conversation:02d}", f"c{conversation:02d}_{turn:02d}")
        for conversation in range(1, N_CONVERSATIONS + 1)
        for turn in range(1, N_TURNS + 1)
    ]
    return ScoreMatrix(
        scores=np.round(scores.reshape(-1, N_SYSTEMS).clip(0.0, 1.0), 4),
        topics=tuple(topic for _, topic in ids),
        systems=tuple(f"chat{number}" for number in range(1, N_SYSTEMS + 1)),
        measure="nDCG@3",
        name="Simulated conversations",
        groups=tuple(group for group, _ in ids),
    )
