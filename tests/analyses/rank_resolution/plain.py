"""Rank resolution written from the papers, plain and slow: every flip, every ordered hypothesis, one at a time."""

import itertools

import numpy as np


def statistics(scores: np.ndarray, floor: float) -> np.ndarray:
    """u of every ordered pair, (m, m), with a floor of the mean V0 over pairs."""
    m = scores.shape[1]
    v0 = np.array([[np.mean((scores[:, i] - scores[:, k]) ** 2) for k in range(m)] for i in range(m)])
    return _u(scores, v0, floor * v0[np.triu_indices(m, 1)].mean())


def _u(scores: np.ndarray, v0: np.ndarray, floor: float) -> np.ndarray:
    n, m = scores.shape
    result = np.zeros((m, m))
    for i, k in itertools.permutations(range(m), 2):
        q = np.mean(scores[:, i] - scores[:, k])
        result[i, k] = q / np.sqrt((max(v0[i, k] - q * q, 1e-14 * v0[i, k]) + floor) / (n - 1))
    return result


def all_flips(n: int) -> np.ndarray:
    """Every pattern of signs, (2^n, n)."""
    return np.array(list(itertools.product((-1.0, 1.0), repeat=n)))


def rejected(scores: np.ndarray, alpha: float, floor: float, signs: np.ndarray) -> set[tuple[int, int]]:
    """Ordered pairs (i, k), "i is better", by the loop of Romano and Wolf (2005, algorithm 4.1)."""
    m = scores.shape[1]
    centred = scores - scores.mean(axis=1, keepdims=True)
    v0 = np.array([[np.mean((scores[:, i] - scores[:, k]) ** 2) for k in range(m)] for i in range(m)])
    constant = floor * v0[np.triu_indices(m, 1)].mean()
    observed = _u(centred, v0, constant)
    flipped = np.stack([_u(centred * one[:, np.newaxis], v0, constant) for one in signs])
    left = set(itertools.permutations(range(m), 2))
    gone: set[tuple[int, int]] = set()
    while True:
        rows, columns = zip(*sorted(left), strict=True)
        largest = flipped[:, rows, columns].max(axis=1)
        new = {
            pair for pair in left if np.mean(largest >= observed[pair] - 1e-9) <= alpha and observed[pair] > 0
        }
        if not new:
            return gone
        gone |= new
        left -= new


def rank_sets(won: set[tuple[int, int]], m: int) -> tuple[list[int], list[int]]:
    """Lower and upper end of each system's rank from the rejected hypotheses."""
    lower = [1 + sum((k, i) in won for k in range(m)) for i in range(m)]
    upper = [m - sum((i, k) in won for k in range(m)) for i in range(m)]
    return lower, upper
