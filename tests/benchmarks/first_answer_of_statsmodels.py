"""Imported for its time: the same design by statsmodels."""

import math

from statsmodels.stats.power import FTestAnovaPower

# Cohen's f = sqrt(minDelta / m); nobs is the total over the groups.
EFFECT = math.sqrt(0.10**2 / (2 * 0.0471) / 10)
TOTAL = FTestAnovaPower().solve_power(EFFECT, alpha=0.05, power=0.80, k_groups=10)
ANSWER = math.ceil(TOTAL / 10)
