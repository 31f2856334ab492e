"""Covariances of topics for an enumeration: exact where that fits.

Q(S) and b(S) of `kernels.pearson_enumeration` are sums of covariances, of which little may be left where topics
cancel. Scores of a few decimals are whole numbers x of their last one, and so are the covariances::

    m sum x x' - sum x sum x'   over the m runs

Where all their sizes together are below 2^53 every sum is exact, however much cancels, and subsets are ranked right
to the last digits of a division. Fifty topics, 129 runs and 4 decimals are far below.

Elsewhere sums are rounded. With u = 2^-53 and L_c the sum of the c largest lengths of rows of centred scores,
a dot product of m numbers is off by (m + 4) u of both lengths, and Q adds up products of which each passes
through 2c + 8 additions at most: so Q is off by (m + 2c + 12) u L_c^2, and a correlation by about half that
share of Q. Where topics do not cancel L_c^2 / Q is below a hundred, and that is about 1e-12 at most. With the
topics x and 1 - x + e both in a set, or with three runs and so many subsets that the run means of some are nearly
the same, it grows as 1 / Q: a set better by as much may be missed. Correlations that are shown come from the
scores themselves (`run_sums`).
"""

import math
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.topic_subsets.judge import Floats
from topicset_core.analyses.topic_subsets.run_sums import RunSums, centred
from topicset_core.analyses.topic_subsets.whole import LARGEST_EXACT


@dataclass(frozen=True, kw_only=True, eq=False)
class Covariances:
    """Covariances scaled by a power of 2 so that T is from 1 to 4.

    Parameters
    ----------
    cov, b : ndarray of float64, shapes (n_topics, n_topics), (n_topics,)
        C and its row sums.
    tolerance : float
        A subset with Q of at most this has no correlation.
    are_exact : bool
        Whether all sums of them are.
    """

    cov: Floats
    b: Floats
    tolerance: float
    are_exact: bool

    @classmethod
    def of(cls, sums: RunSums) -> "Covariances":
        """Return the covariances of scores."""
        cov, tolerance = None if sums.rest.any() else _exact(sums.whole), sums.tolerance * sums.whole.shape[1]
        are_exact = cov is not None
        if cov is None:
            rows = centred(sums.whole, sums.rest)
            cov, tolerance = rows @ rows.T, sums.tolerance
        scale = 4.0 ** (-(math.frexp(float(cov.sum()))[1] - 1) // 2)
        cov = cov * scale
        return cls(cov=cov, b=cov.sum(axis=1), tolerance=tolerance * scale, are_exact=are_exact)


def _exact(whole: Floats) -> Floats | None:
    """Return the covariances of whole scores, None where not all sums of them are exact."""
    m = whole.shape[1]
    if (m * float(whole.max())) ** 2 > LARGEST_EXACT:
        return None
    sums = whole.sum(axis=1)
    cov = np.asarray(m * (whole @ whole.T) - np.outer(sums, sums))
    # Q of a complement is Q + T - 2 b: four such sums at most.
    return cov if 4 * float(np.abs(cov).sum()) <= LARGEST_EXACT else None
