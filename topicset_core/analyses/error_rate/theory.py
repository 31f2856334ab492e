"""Theory over the experiment, in three forms.

Lin and Hauptmann's Eq. 8 gives the error rate at a **true** difference. The bins of Voorhees and
Buckley go by the difference **observed** on one of the two sets. Whoever looks at pairs observed
.09 to .10 apart sees, among others, pairs whose true difference is small and which came out large by
chance; the other set will often reverse them. So Eq. 8 at the bin's midpoint is too low for large
differences, by an order of magnitude at .10, and a little too high for small ones. With the variances
of independent scores, as the paper has them, it is far too high instead, as systems that run on the
same topics have much in common.

The form that fits averages over pairs, given that the observed difference falls in the bin: with
delta the pair's difference, D_1 and D_2 independent and normal around it with the pair's own
variance / n,

    sum over pairs of Pr{|D_1| in bin, D_1 D_2 < 0} / sum over pairs of Pr{|D_1| in bin}.

Two things it leaves out. The differences of the matrix stand for the true ones, though they spread
wider (`pairs.Pairs.deflated_differences` mends that). And disjoint halves of 50 topics are not
independent draws: given the 50, what one half has too much of the other has too little, and with
n = 25 the one decides the other. Over all topics that might have been in the matrix the two halves
are independent, and it is that average which the theory describes.

References
----------
.. [1] W.-H. Lin, A. Hauptmann. Revisiting the effect of topic set size on retrieval error. SIGIR 2005.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.error_rate.pairs import Floats, Pairs, pairs_of
from topicset_core.analyses.error_rate.units import BIN_WIDTH, N_BINS
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.distributions import normal_cdf
from topicset_core.designs.error_rate import reer

EDGES = np.concatenate([np.arange(N_BINS + 1) / 100, [np.inf]])
"""Edges of the 21 bins, 22 of them."""

_FEWEST_PAIRS = 1e-9
"""Expected pairs below which a bin counts as empty."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Theory:
    """Error rates that theory expects, by cardinality and bin.

    Parameters
    ----------
    cardinalities : tuple of int
        Topics in each of the two sets.
    independent : ndarray of float64, shape (n_cardinalities, 20)
        Eq. 8 as printed: at the bin's midpoint, with the mean over pairs of the sum of two variances.
    paired : ndarray of float64, shape (n_cardinalities, 20)
        Eq. 8 at the midpoint with the mean over pairs of the variance of their difference.
    conditional : ndarray of float64, shape (n_cardinalities, 21)
        Averaged over pairs, given the observed difference; NaN where no pair is to be expected.
    """

    cardinalities: tuple[int, ...]
    independent: Floats
    paired: Floats
    conditional: Floats


def theory(matrix: ScoreMatrix, cardinalities: Iterable[int]) -> Theory:
    """Return what theory expects of the experiment.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 runs that are not alike.
    cardinalities : iterable of int
        From 1; they may exceed the topics of the matrix.

    Raises
    ------
    InputError
        If there are fewer than 2 runs, all are alike, or a cardinality is no whole number from 1.
    """
    pairs = pairs_of(matrix)
    sizes = tuple(cardinalities)
    return Theory(
        cardinalities=sizes,
        independent=_at_midpoints(float(pairs.independent_variances.mean()), sizes),
        paired=_at_midpoints(float(pairs.paired_variances.mean()), sizes),
        conditional=np.array([conditional_rates(pairs, pairs.differences, size) for size in sizes]),
    )


def conditional_rates(pairs: Pairs, differences: Floats, n_topics: float) -> Floats:
    """Return the error rate of each of the 21 bins, given that the observed difference falls in it.

    Parameters
    ----------
    pairs : Pairs
        Whose variances are used.
    differences : ndarray of float64, shape (n_pairs,)
        True differences, from 0.
    n_topics : float
        Topics in each of the two sets.

    Returns
    -------
    ndarray of float64, shape (21,)
        NaN where no pair is to be expected in the bin.
    """
    spread = np.maximum(np.sqrt(pairs.paired_variances / n_topics), np.finfo(np.float64).tiny)
    with np.errstate(over="ignore"):
        centre = differences / spread
        edges = EDGES[:, np.newaxis] / spread
        same = np.diff(normal_cdf(edges - centre), axis=0)
        other = -np.diff(normal_cdf(-edges - centre), axis=0)
    wrong = normal_cdf(-centre)
    expected = np.sum(same + other, axis=1)
    reversed_ = np.sum(same * wrong + other * (1 - wrong), axis=1)
    empty: Floats = np.full(N_BINS + 1, np.nan)
    there: NDArray[np.bool_] = expected > _FEWEST_PAIRS
    return np.asarray(np.divide(reversed_, expected, out=empty, where=there))


def _at_midpoints(variance: float, sizes: tuple[int, ...]) -> Floats:
    """Return Eq. 8 at the midpoints of the 20 bins; 0 where differences do not vary."""
    midpoints = BIN_WIDTH * (np.arange(N_BINS) + 0.5)
    if variance == 0:
        return np.zeros((len(sizes), N_BINS))
    return reer(difference=midpoints, difference_variance=variance, n_topics=np.array(sizes)[:, np.newaxis])
