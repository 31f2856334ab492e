"""From a power function to answers: topics for an effect, effects for a number of topics.

Shared by the designs that ask for a power. Each hands in its exact test and its published
approximation; here they are searched in the same way.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.f_test import FTest
from topicset_core.designs.results import NOT_PUBLISHED, Method, check_method
from topicset_core.designs.search import FEWEST_TOPICS, Floats, Integers, smallest_integers
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import LARGEST_EFFECT

_HALVINGS = 64  # of a log interval of 41: down to the last digit of double precision


class Approximation(Protocol):
    """A published approximation: see `topicset_core.designs.nagata`."""

    def power(self, n_topics: ArrayLike, effect: ArrayLike, alpha: float) -> Floats:
        """Return the approximate power."""

    def initial_topics(self, effect: Floats, alpha: float, beta: float) -> Floats:
        """Return the closed-form first guess at n."""


@dataclass(frozen=True)
class Answer:
    """The smallest n, its power, and the power of n - 1 (None if not available)."""

    topics: int
    power: float
    power_one_fewer: float | None


@dataclass(frozen=True)
class PowerSearch:
    """A test with its two ways of computing power, ready to be searched."""

    exact: FTest
    published: Approximation | None = None  # its approximation in the Excel tools

    def power(self, n_topics: ArrayLike, effect: ArrayLike, alpha: float, method: Method) -> Floats:
        """Return the power at n topics; the published form may be NaN at very small n."""
        return (self.exact if method == "exact" else self.approximation(method)).power(
            n_topics, effect, alpha
        )

    def approximation(self, method: Method) -> Approximation:
        """Return the published approximation."""
        check_method(method)
        if self.published is None:
            raise InputError("method", method, NOT_PUBLISHED)
        return self.published

    def answer(self, effect: float, alpha: float, beta: float, start: float, method: Method) -> Answer:
        """Return the smallest n for one effect, searched from the first guess `start`."""
        cell = np.asarray([effect])
        n = int(self._search(cell, alpha, beta, np.asarray([start]), method)[0])
        fewer = float(self.power(n - 1, effect, alpha, method)) if n > FEWEST_TOPICS else np.nan
        attained = float(self.power(n, effect, alpha, method))
        return Answer(n, attained, None if np.isnan(fewer) else fewer)

    def grid(self, effect: ArrayLike, alpha: float, beta: float, method: Method) -> Integers:
        """Return the smallest n for each of many effects, in their shape."""
        if method == "exact":
            return self.exact.required_topics(effect, alpha, beta)
        effects = np.asarray(effect, dtype=np.float64)
        start = self.approximation(method).initial_topics(effects.ravel(), alpha, beta)
        return self._search(effects.ravel(), alpha, beta, start, method).reshape(effects.shape)

    def detectable_effect(self, n_topics: ArrayLike, alpha: float, beta: float, method: Method) -> Floats:
        """Return the smallest effect that n topics detect with power 1 - beta."""
        n = np.asarray(n_topics, dtype=np.float64)
        if method == "exact":
            return self.exact.required_effect(n, alpha, beta)
        published = self.approximation(method)
        published.initial_topics(np.ones(1), alpha, beta)  # refuses the same values as the published tool
        return _published_effect(published, n, alpha, beta)

    def _search(self, effects: Floats, alpha: float, beta: float, start: Floats, method: Method) -> Integers:
        def enough(n: Integers, cells: Integers) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
            # A power of NaN compares as False: not enough, keep looking upwards.
            return self.power(n, effects[cells], alpha, method) >= 1 - beta

        return smallest_integers(enough, start)


def _published_effect(published: Approximation, n: Floats, alpha: float, beta: float) -> Floats:
    """Bisect on a log scale: the approximation is not smooth enough for anything faster."""
    low, high = np.full_like(n, 1e-12), np.full_like(n, LARGEST_EFFECT**2)
    if np.any(~(published.power(n, high, alpha) >= 1 - beta)):
        raise NoSolution(
            f"the published approximation finds no effect that {int(n.min())} topics detect "
            f"with alpha = {alpha:g} and beta = {beta:g}"
        )
    for _ in range(_HALVINGS):
        middle = np.sqrt(low * high)
        enough = published.power(n, middle, alpha) >= 1 - beta
        high, low = np.where(enough, middle, high), np.where(enough, low, middle)
    return np.asarray(high, dtype=np.float64)
