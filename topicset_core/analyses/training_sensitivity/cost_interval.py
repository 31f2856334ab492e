"""How sure the cost of a design is, over the samples of judgments that it was estimated from.

A design's topics go with the within-system variance over the squared slope. Both are estimated from a few
samples of judgments, and where the runs of a sweep hardly differ the slope of a single level is far from
settled: of sixteen levels some look cheap by chance. The interval is a jackknife over samples, on the log
scale, on which a cost that may be half may as well be double.

References
----------
.. [1] B. Efron, R. J. Tibshirani. An Introduction to the Bootstrap. 1993, 11.5 (equation 11.5).
"""

import math

import numpy as np

from topicset_core.analyses.training_sensitivity.result import Floats

LEVEL = 0.95


def cost_factor(variances: Floats, slope_parts: Floats) -> float | None:
    """Return f: with 95 % confidence the cost lies between that found over f and f times that found.

    Parameters
    ----------
    variances : ndarray, shape (n_samples,)
        Within-system variance by each sample of judgments; NaN where too few topics are left.
    slope_parts : ndarray, shape (n_samples, 2)
        Covariance and variance whose sums over samples give the slope.

    Returns
    -------
    float or None
        At least 1; None where fewer than two samples have a variance, or some leave no slope above 0.
    """
    from scipy.special import stdtrit

    known = ~np.isnan(variances)
    n_samples = int(known.sum())
    if n_samples < 2:
        return None
    own, parts = variances[known], slope_parts[known]
    others = (own.sum() - own) / (n_samples - 1)
    covariance, spread = (parts.sum(axis=0) - parts).T  # each without one sample
    if not ((others > 0) & (covariance > 0) & (spread > 0)).all():
        return None
    logs = np.log(others) - 2 * np.log(covariance / spread)
    error = math.sqrt((n_samples - 1) / n_samples * float(((logs - logs.mean()) ** 2).sum()))
    return math.exp(-float(stdtrit(n_samples - 1, (1 - LEVEL) / 2)) * error)
