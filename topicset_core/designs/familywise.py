"""How often testing every pair of systems finds a difference that is not there."""

import math

from topicset_core.parameters import ALPHA, N_SYSTEMS


def n_pairs(n_systems: int) -> int:
    """Return m (m - 1) / 2."""
    m = int(N_SYSTEMS.check(n_systems))
    return m * (m - 1) // 2


def familywise_error_rate(alpha: float, n_systems: int) -> float:
    """Return 1 - (1 - alpha)^(m (m - 1) / 2), the chance of at least one Type I error over all pairs.

    The tests are taken as independent, which those of pairs that share a system are not; it shows
    the size of the problem (Sakai 2016, section 2.2).
    """
    # The same without taking a small alpha from 1, where its digits would be lost.
    return -math.expm1(n_pairs(n_systems) * math.log1p(-ALPHA.check(alpha)))
