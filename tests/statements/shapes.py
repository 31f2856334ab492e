"""Populations of scores that many tests of statements draw topics from."""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.reference_data import reference_matrix
from topicset_core.collection import ScoreMatrix

Scores = NDArray[np.float64]  # (n_topics, n_systems)

POPULATION = 20_000
"""Topics of a simulated population, from which samples of up to some hundred topics are drawn."""


def matrix_of(scores: Scores, measure: str = "AP", name: str = "scores") -> ScoreMatrix:
    """Return scores with numbered topics and systems."""
    topics, systems = (
        tuple(f"{kind}{at}" for at in range(n)) for kind, n in zip("ts", scores.shape, strict=True)
    )
    return ScoreMatrix(scores=scores, topics=topics, systems=systems, measure=measure, name=name)


def sample(population: Scores, n_topics: int, rng: np.random.Generator) -> Scores:
    """Return topics drawn with replacement."""
    return population[rng.integers(0, len(population), n_topics)]


def centred(scores: Scores) -> Scores:
    """Return scores whose systems all have the mean of the whole: differences keep their shape."""
    return scores - scores.mean(axis=0) + scores.mean()


def spread_of(n_systems: int, spread: float) -> Scores:
    """Return true effects of systems, evenly spaced over `spread`, with mean 0."""
    return np.linspace(-spread / 2, spread / 2, n_systems)


def _beta(effects: Scores, rng: np.random.Generator, n: int) -> Scores:
    easy = rng.beta(2, 4, (n, 1))
    return np.clip(easy + rng.normal(0, 0.12, (n, effects.size)) + effects, 0, 1)


def _zeros(effects: Scores, rng: np.random.Generator, n: int) -> Scores:
    scores = rng.beta(2, 3, (n, 1)) * rng.beta(4, 2, (n, effects.size)) * (1 + 2 * effects)
    return np.where(rng.random((n, effects.size)) < 0.3, 0.0, scores)


def _tied(effects: Scores, rng: np.random.Generator, n: int) -> Scores:
    """P@10 of an easy or a hard topic: tenths."""
    share = np.clip(rng.beta(1, 2, (n, 1)) + effects, 0.01, 0.99)
    return rng.binomial(10, np.broadcast_to(share, (n, effects.size))) / 10


def _skewed(effects: Scores, rng: np.random.Generator, n: int) -> Scores:
    return rng.beta(0.5, 2, (n, 1)) + rng.exponential(0.1, (n, effects.size)) + effects


def _heterogeneous(effects: Scores, rng: np.random.Generator, n: int) -> Scores:
    """Residuals of the last system are four times as wide as those of the first."""
    widths = np.linspace(0.05, 0.2, effects.size)
    return rng.beta(2, 4, (n, 1)) + rng.normal(0, 1, (n, effects.size)) * widths + effects


def _triples(effects: Scores, rng: np.random.Generator, n: int) -> Scores:
    """Three near-duplicates per team: they share nine tenths of their residual variance."""
    teams = rng.normal(0, 0.12, (n, -(-effects.size // 3))).repeat(3, axis=1)[:, : effects.size]
    return rng.beta(2, 4, (n, 1)) + teams * 0.9**0.5 + rng.normal(0, 0.12 * 0.1**0.5, teams.shape) + effects


def _binary(effects: Scores, rng: np.random.Generator, n: int) -> Scores:
    share = np.clip(rng.beta(1, 1, (n, 1)) * 0.8 + 0.1 + effects, 0, 1)
    return (rng.random((n, effects.size)) < share).astype(float)


_SHAPES: dict[str, Callable[[Scores, np.random.Generator, int], Scores]] = {
    "beta": _beta,
    "30 % zeros": _zeros,
    "tied (tenths)": _tied,
    "skewed": _skewed,
    "heterogeneous": _heterogeneous,
    "near-duplicate triples": _triples,
    "0/1": _binary,
}
SHAPES = tuple(_SHAPES)


@cache
def simulated(shape: str, n_systems: int, spread: float = 0.0, n_topics: int = POPULATION) -> Scores:
    """Return a population of a shape: (n_topics, n_systems), true means spaced over about `spread`."""
    rng = np.random.default_rng((SHAPES.index(shape), n_systems))
    return _SHAPES[shape](spread_of(n_systems, spread), rng, n_topics)


@cache
def real(name: str, measure: str = "AP") -> Scores:
    """Return the scores of a public matrix without runs that repeat another one."""
    scores = reference_matrix(name, measure).scores
    return np.unique(scores, axis=1)


def strongest(scores: Scores, n_systems: int) -> Scores:
    """Return the systems with the highest means."""
    return scores[:, np.argsort(-scores.mean(axis=0))[:n_systems]]
