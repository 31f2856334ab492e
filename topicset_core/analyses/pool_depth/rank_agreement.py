"""Agreement of two lists of scores in the ranking of the same systems.

References
----------
M. G. Kendall. A new measure of rank correlation. Biometrika 30 (1938), 81-93; tau-b for ties: 33 (1945), 239-251.
E. Yilmaz, J. A. Aslam, S. Robertson. A new rank correlation coefficient for information retrieval.
SIGIR 2008, 587-594. doi:10.1145/1390334.1390435
J. Urbano, M. Marrero. The treatment of ties in AP correlation. ICTIR 2017, 321-324. doi:10.1145/3121050.3121106
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topicset_core.errors import InputError


def kendall_tau(first: ArrayLike, second: ArrayLike) -> float | None:
    """Return Kendall's tau-b; None where it is not defined."""
    signs, other = _signs(first, second)
    untied = float((signs**2).sum()), float((other**2).sum())
    if not all(untied):
        return None
    return float((signs * other).sum()) / math.sqrt(untied[0] * untied[1])


def tau_ap(estimated: ArrayLike, true: ArrayLike) -> float | None:
    """Return the AP correlation of an estimated ranking with the true one: errors at the top weigh more.

    For every system but the first of the estimated ranking, the share of systems above it that belong
    there, averaged and scaled to -1 to 1 (Yilmaz et al. 2008, Eq. 3). A pair that is tied in either
    list counts as half right; systems tied in the estimated ranking are in any order with equal
    probability, as in tau_ap,a of Urbano and Marrero (2017).
    """
    signs, other = _signs(estimated, true)
    if not signs.any() or not other.any():
        return None
    scores = np.asarray(estimated, dtype=np.float64)
    n_systems = scores.size
    total = 0.0
    for score in np.unique(scores):
        tied = np.flatnonzero(scores == score)
        above = np.flatnonzero(scores > score)
        # A mean over the tied systems of how many above them, less how many not, belong there.
        agreed = float((other[np.ix_(above, tied)]).sum()) / tied.size
        # Each of these is at each of their ranks; i - 1 systems are above rank i.
        total += sum(agreed / (above.size + place) for place in range(tied.size) if above.size)
    return total / (n_systems - 1)


def _signs(first: ArrayLike, second: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for both lists which of each pair of systems is better: 1, -1, or 0 for a tie."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise InputError("second", b.shape, f"must be one list of the same length as the first, {a.shape}")
    return np.sign(a[:, None] - a[None, :]), np.sign(b[:, None] - b[None, :])
