"""The experiment in plain Python and NumPy, counted another way: whole numbers and sorted edges."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix

_MASK = 2**64 - 1


def split_mix(seed: int) -> Iterator[int]:
    """SplitMix64 in Python's own integers (Steele, Lea and Flood 2014, figure 16 and its constants)."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        yield z ^ (z >> 31)


def sets_of_block(
    n_topics: int, size: int, n_trials: int, replace: bool, seed: int, block: int
) -> Iterator[tuple[list[int], list[int]]]:
    """The two sets of each trial of one block."""
    stream = np.random.SeedSequence(seed, spawn_key=(int(replace), size, block)).generate_state(1, np.uint64)
    numbers = split_mix(int(stream[0]))
    order = list(range(n_topics))
    for _ in range(n_trials):
        if replace:
            drawn = [((next(numbers) >> 32) * n_topics) >> 32 for _ in range(2 * size)]
        else:
            for place in range(2 * size):
                other = place + (((next(numbers) >> 32) * (n_topics - place)) >> 32)
                order[place], order[other] = order[other], order[place]
            drawn = order[: 2 * size]
        yield drawn[:size], drawn[size : 2 * size]


def counts(
    matrix: ScoreMatrix,
    size: int,
    *,
    decimals: int,
    n_trials: int,
    seed: int,
    replace: bool = False,
    rounded: bool = False,
    block_trials: int = 100,
) -> NDArray[np.int64]:
    """Pairs and reversals of each of 22 cells at one cardinality, (22, 2)."""
    scores = np.rint(matrix.scores * 10**decimals).astype(np.int64)
    slack = size if rounded else 0
    edges = slack + size * 10 ** (decimals - 2) * np.arange(21)  # the first is the edge of the ties
    first, second = np.triu_indices(matrix.n_systems, k=1)
    result = np.zeros((22, 2), dtype=np.int64)
    for block, start in enumerate(range(0, n_trials, block_trials)):
        trials = min(block_trials, n_trials - start)
        for one, two in sets_of_block(matrix.n_topics, size, trials, replace, seed, block):
            reference, seen = (scores[chosen].sum(axis=0) for chosen in (one, two))
            d, e = reference[first] - reference[second], seen[first] - seen[second]
            # Edge k - 1 < |d| <= edge k is what searchsorted from the left finds.
            cells = np.searchsorted(edges, np.abs(d), side="left")
            wrong = ((d > 0) & (e < -slack)) | ((d < 0) & (e > slack))
            result[:, 0] += np.bincount(cells, minlength=22)
            result[:, 1] += np.bincount(cells[wrong], minlength=22)
    return result
