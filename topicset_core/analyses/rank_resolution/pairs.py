"""Pairs of systems and the statistic of rank resolution: Student's t with a floor in its denominator.

========  ==============  =========================================================================
symbol    here            meaning
========  ==============  =========================================================================
d_j                       per-topic difference of a pair, n topics
dbar      `difference`    its mean
V0        `mean_square`   mean of d_j^2 = v (n - 1) / n + dbar^2; sign flips leave it as it is
F         `floor`         f times the mean of V0 over pairs; f = 0 makes u Student's t
u         `statistic`     dbar / sqrt((V0 - dbar^2 + F) / (n - 1))
w                         dbar / sqrt(V0 + F); u = sqrt(n - 1) w / sqrt(1 - w^2) grows with it
========  ==============  =========================================================================

The floor is that of SAM (Tusher, Tibshirani and Chu 2001). Without it a pair that differs on few topics has a
denominator near zero in samples that miss these topics.

**Equal columns** have no statistic: they are tied. **A constant shift** (the same difference on every topic) has no
variance to compare with; its p value is that of the sign test, times the number of pairs. Both stay out of the
maximum over pairs.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.variance.estimates import require_two_systems
from topicset_core.wording import counted

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

FEW_TOPICS = 8
"""A difference that rests on fewer topics than this is named."""


def rests_on(n_topics: float, unit: str = "topic") -> str:
    """Return that a difference rests on few topics, in a sentence; "" of more."""
    # Not that the t test errs more often there: of equal systems it does so where samples lack the topics that
    # differ most, which are samples without this sentence (`two_systems.comparison`).
    if n_topics >= FEW_TOPICS:
        return ""
    return f"The difference rests on about {counted(round(n_topics), unit)}: other {unit}s may not show it."


_CONSTANT_TOLERANCE = 1e-12
"""Of the variances of both systems: a variance of differences up to this is rounding."""

_CLIP = 1e-14
"""Of V0: the smallest variance in the denominator of u, where there is no floor."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs:
    """All pairs of systems (i, k), i < k, in the order of ``triu_indices``; arrays have shape (n_pairs,)."""

    n_topics: int
    n_systems: int
    first: Places = field(repr=False)
    second: Places = field(repr=False)
    difference: Floats = field(repr=False)
    variance: Floats = field(repr=False)  # of the per-topic difference, with denominator n - 1
    mean_square: Floats = field(repr=False)  # V0
    # (sum d^2)^2 / sum d^4: the number of topics that the difference rests on, 1 to n
    concentration: Floats = field(repr=False)
    # Pairs without a variance: equal columns, and constant shifts
    is_constant: NDArray[np.bool_] = field(repr=False)

    @property
    def n_pairs(self) -> int:
        """M (m - 1) / 2."""
        return self.n_systems * (self.n_systems - 1) // 2

    @property
    def tied(self) -> NDArray[np.bool_]:
        """Pairs of equal columns."""
        return np.asarray(self.is_constant & (self.difference == 0))

    @property
    def shifted(self) -> NDArray[np.bool_]:
        """Pairs that differ by the same amount on every topic."""
        return np.asarray(self.is_constant & (self.difference != 0))

    def scales(self, floor: float) -> Floats:
        """Return c = 1 / sqrt(V0 + F) of each pair; 0 where it has no variance."""
        scale = np.zeros(self.n_pairs)
        varies = ~self.is_constant
        scale[varies] = 1 / np.sqrt(self.mean_square[varies] + floor * float(self.mean_square.mean()))
        return scale

    def statistic(self, floor: float) -> Floats:
        """Return u of each pair; 0 where it has no variance."""
        return student(self.difference * self.scales(floor), self.n_topics)


def student(w: Floats, n_topics: int) -> Floats:
    """Return u = sqrt(n - 1) w / sqrt(1 - w^2), on the scale of Student's t; huge where w is 1."""
    rest = np.maximum(1 - np.square(w), _CLIP)
    return np.asarray(np.sqrt(n_topics - 1) * w / np.sqrt(rest))


def pairs_of(matrix: ScoreMatrix) -> Pairs:
    """Return all pairs of systems of a matrix."""
    from topicset_core.analyses.rank_resolution.kernels import pair_moments

    require_two_systems(matrix)
    n, m = matrix.scores.shape
    columns = np.ascontiguousarray(matrix.scores.T)
    largest = float(np.abs(columns).max()) or 1.0
    # Fourth powers of large scores overflow.
    mean, deviation, square, fourth = pair_moments(columns / largest)
    first, second = np.triu_indices(m, 1)
    own = columns.var(axis=1) / largest**2
    is_constant = deviation <= _CONSTANT_TOLERANCE * (own[first] + own[second])
    mean = np.where(
        is_constant & (np.abs(mean) <= _CONSTANT_TOLERANCE * np.sqrt(own[first] + own[second])), 0.0, mean
    )
    with np.errstate(invalid="ignore"):
        concentration = np.where(fourth > 0, n * np.square(square) / np.where(fourth > 0, fourth, 1.0), n)
    return Pairs(
        n_topics=n,
        n_systems=m,
        first=first.astype(np.int64),
        second=second.astype(np.int64),
        difference=mean * largest,
        variance=np.where(is_constant, 0.0, deviation * n / (n - 1)) * largest**2,
        mean_square=np.where(is_constant, 0.0, square) * largest**2,
        concentration=concentration,
        is_constant=is_constant,
    )
