"""Gaussian kernel densities of scores: bandwidths, and tables of the upper tail.

The density of n scores has the bandwidth s n^(-1/5) (Scott) or s (3 n / 4)^(-1/5) (Silverman), s being
their standard deviation with divisor n - 1; relevant scores and the others of a cell have each their own.

References
----------
D. W. Scott, Multivariate Density Estimation, Wiley 1992. B. W. Silverman, Density Estimation for
Statistics and Data Analysis, Chapman and Hall 1986. Factors as in ``scipy.stats.gaussian_kde``.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from topicset_core.analyses.topic_variance.cells import Floats
from topicset_core.analyses.topic_variance.settings import Bandwidth

_REACH = 26  # knots, 6.5 bandwidths: farther out a kernel has 4e-11 of its mass
_N_MOMENTS = 8  # the first left out is below (1/8)^8 / 8! x 40 = 6e-11


class Densities(NamedTuple):
    """Both densities of a cell, in bandwidths of the second from the first knot of its table.

    `relevant` has the relevant scores, `width` is the bandwidth of their density, and `table` as
    `kernels.simulation.density_table` makes it of the other scores.
    """

    relevant: Floats
    width: float
    table: Floats


def bandwidth(scores: Floats, rule: Bandwidth) -> float:
    """Return the bandwidth of a density of scores; 0 where they do not vary, or are fewer than 2."""
    if scores.size < 2:
        return 0.0
    number = scores.size if rule == "scott" else 0.75 * scores.size
    return float(scores.std(ddof=1)) * math.pow(number, -0.2)


def densities(relevant: Floats, others: Floats, rule: Bandwidth) -> Densities | None:
    """Return the densities of a cell, or None where the scores of either kind do not vary.

    Parameters
    ----------
    relevant, others : ndarray of float64
        Scores of relevant documents and of the others, finite, in any unit.
    rule : {"scott", "silverman"}
        The bandwidth.
    """
    from topicset_core.analyses.topic_variance.kernels.simulation import KNOTS_PER_BANDWIDTH, density_table

    if relevant.size < 2 or others.size < 2:
        return None
    # Centre and scale first: squares of scores may be beyond the range of numbers.
    largest = max(float(np.abs(relevant).max()), float(np.abs(others).max())) or 1.0
    relevant, others = relevant / largest, others / largest
    middle = others.mean()
    relevant, others = relevant - middle, others - middle
    width, unit = bandwidth(relevant, rule), bandwidth(others, rule)
    if not (_varies(relevant, width) and _varies(others, unit)):
        return None
    margin = _REACH / KNOTS_PER_BANDWIDTH
    first = float(others.min()) / unit - margin
    n_knots = math.ceil((float(others.max()) / unit + margin - first) * KNOTS_PER_BANDWIDTH) + 2
    table = density_table(others / unit - first, n_knots, _taps())
    return Densities(relevant=relevant / unit - first, width=width / unit, table=table)


def _varies(scores: Floats, width: float) -> bool:
    """Whether scores of at most about 1 in size differ by more than their rounding."""
    return bool(scores.max() > scores.min()) and width > 1e-15


@cache
def _taps() -> Floats:
    """Return what each moment at a knot adds to the tail and its derivatives at each other knot.

    The tail above x of a kernel at y is Phi(y - x). With y at a knot plus e, Taylor gives
    Phi^(k)(knot - x) e^k / k!, and each derivative by x, which is one by y with its sign turned, takes
    the next order; Phi^(k) = (-1)^(k - 1) He_(k - 1) phi. Derivatives are by the number of the knot.
    """
    from scipy.special import eval_hermitenorm, ndtr

    from topicset_core.analyses.topic_variance.kernels.simulation import KNOTS_PER_BANDWIDTH

    away = np.arange(-_REACH, _REACH + 1) / KNOTS_PER_BANDWIDTH
    kernel = np.exp(-0.5 * away**2) / math.sqrt(2.0 * math.pi)
    orders = [ndtr(away)]
    orders += [(-1.0) ** k * eval_hermitenorm(k, away) * kernel for k in range(_N_MOMENTS + 2)]
    taps = np.empty((3, _N_MOMENTS, away.size))
    for derivative in range(3):
        scale = (-1.0 / KNOTS_PER_BANDWIDTH) ** derivative
        for k in range(_N_MOMENTS):
            taps[derivative, k] = scale * orders[k + derivative] / math.factorial(k)
    return taps
