"""How wide a confidence interval of shares is expected to be: common parts of the designs for scores of 0 and 1.

The expected width is the sum over all counts, each width with its binomial probability. Where these are many it is
the Gauss quadrature of the binomial distribution (its orthogonal polynomials are those of Krawtchouk), exact for
polynomials up to degree 23 in the count. The tests show an error below 1e-8.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs.distributions import upper_normal
from topicset_core.designs.interval_width import WidthDesign
from topicset_core.designs.requirements import checked_topics, checked_values
from topicset_core.designs.results import Method, check_exact
from topicset_core.designs.search import FEWEST_TOPICS, NONE_IS_ENOUGH, Floats, Integers
from topicset_core.designs.shares import binomial
from topicset_core.errors import NoSolution
from topicset_core.parameters import ALPHA, MAX_WIDTH, MOST_TOPICS

_NODES = 12
_MANY = 20  # variance of a count from which on the quadrature is used: the counts are far from 0 and from n


@dataclass(frozen=True, kw_only=True, eq=False)
class ShareWidthDesign(WidthDesign):
    """A confidence interval of shares; a design has its own expected width."""

    width: Callable[..., float]
    """``width(n, variance, *, alpha, ...)``: the expected width; other values by name."""
    is_published: bool = False

    def difference(
        self, n_topics: ArrayLike, variance: ArrayLike, *, method: Method = "exact", **fixed: Any
    ) -> Floats:
        """Return the expected width at n topics; arrays broadcast."""
        check_exact(method)
        n, v = np.broadcast_arrays(checked_topics(n_topics), checked_values(self.variance, variance))
        cells = zip(n.ravel().astype(np.int64).tolist(), v.ravel().tolist(), strict=True)
        return np.array([self.width(*cell, **fixed) for cell in cells]).reshape(n.shape)

    def topics(
        self, difference: ArrayLike, variance: ArrayLike, *, method: Method = "exact", **fixed: Any
    ) -> Integers:
        """Return the smallest n with an expected width of at most that; arrays broadcast."""
        check_exact(method)
        widths, v = np.broadcast_arrays(
            checked_values(MAX_WIDTH, difference), checked_values(self.variance, variance)
        )
        cells = zip(widths.ravel().tolist(), v.ravel().tolist(), strict=True)
        sizes = [self._least(*cell, **fixed) for cell in cells]
        return np.array(sizes, dtype=np.int64).reshape(widths.shape)

    def _least(self, widest: float, variance: float, **fixed: Any) -> int:
        """Return the smallest n that is enough; the expected width falls with n."""
        low, high = FEWEST_TOPICS - 1, MOST_TOPICS + 1
        start = (2 * upper_normal(fixed[ALPHA.name] / 2) / widest) ** 2 * variance
        n = int(np.clip(start, FEWEST_TOPICS, MOST_TOPICS))
        while high - low > 1:
            width = self.width(n, variance, **fixed)
            low, high = (low, n) if width <= widest else (n, high)
            guess = math.ceil(n * (width / widest) ** 2)  # widths fall with the root of n
            n = min(max(guess if guess != n else n + (1 if low == n else -1), low + 1), high - 1)
        if high > MOST_TOPICS:
            raise NoSolution(NONE_IS_ENOUGH)
        return high


def nodes(n: int, share: float) -> tuple[Floats, Floats]:
    """Return counts and weights that give means over a binomial(n, share): all that matter, or a quadrature."""
    spread = n * share * (1 - share)
    if spread <= _MANY:
        first, weights = binomial(int(n), share)
        return np.arange(first, first + weights.size, dtype=np.float64), weights
    values, weights = quadrature(np.array([n]), share)
    return values[0], weights[0]


def quadrature(n: Floats, share: float) -> tuple[Floats, Floats]:
    """Return the nodes and weights of each binomial(n, share), n not necessarily whole: one row for each n."""
    # Golub and Welsch: eigenvalues of the matrix of the recurrence of Krawtchouk's polynomials.
    k = np.arange(min(_NODES, int(n.min()) + 1), dtype=np.float64)
    total = n[:, np.newaxis]
    matrices = np.zeros((n.size, k.size, k.size))
    at = np.arange(k.size)
    matrices[:, at, at] = share * (total - k) + k * (1 - share)
    beside = np.sqrt(k[1:] * share * (1 - share) * np.maximum(total - k[1:] + 1, 0.0))
    matrices[:, at[1:], at[:-1]] = matrices[:, at[:-1], at[1:]] = beside
    values, vectors = np.linalg.eigh(matrices)
    return values, np.square(vectors[:, 0])
