"""Power of a test of two systems by which of them is better.

Where differences are skewed, a test finds a difference more often in one direction than in the other. A plan does
not know which system will be better, so its power is the mean of both.
"""

import math
from dataclasses import dataclass

from topicset_core.wording import percent


@dataclass(frozen=True, kw_only=True)
class Directions:
    """Power of one pair where the first, and where the second system is better."""

    systems: tuple[str, str]
    powers: tuple[float, float]
    standard_error: float  # of their difference

    @property
    def matters(self) -> bool:
        """Whether the two differ by more than two standard errors of their difference."""
        return abs(self.powers[0] - self.powers[1]) > 2 * self.standard_error

    @property
    def sentence(self) -> str:
        """Both powers, the higher one first."""
        (high, better), (low, other) = sorted(zip(self.powers, self.systems, strict=True), reverse=True)
        return (
            f"The power is {percent(high, '.1f')} if {better} is better and {percent(low, '.1f')} if {other} is, "
            "as their differences are skewed."
        )


def directions(
    systems: tuple[str, str], powers: tuple[float, float], only_one: float, n_trials: int
) -> Directions:
    """Return both powers; `only_one` is the share of trials that are significant in one direction alone."""
    variance = max(only_one - (powers[0] - powers[1]) ** 2, 0.0)
    return Directions(systems=systems, powers=powers, standard_error=math.sqrt(variance / n_trials))
