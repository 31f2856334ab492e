"""The functions of a design by power, for differences in units of the measure instead of effect sizes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from topicset_core.designs.search import Floats, Integers


@dataclass(frozen=True)
class InUnits:
    """The functions of a design, with minD and a variance in place of minDelta."""

    # `required_topics_grid`, `detectable_delta` and `power` of the design
    grid: Callable[..., Integers]
    detectable: Callable[..., Floats]
    attained: Callable[..., Floats]
    # From minD and a variance to minDelta, and back
    min_delta_of: Callable[[ArrayLike, ArrayLike], Floats]
    min_d_of: Callable[[ArrayLike, ArrayLike], Floats]

    def topics(self, min_d: ArrayLike, variance: ArrayLike, **given: Any) -> Integers:
        """Return the required topics for differences in units of the measure; arrays broadcast."""
        return self.grid(self.min_delta_of(min_d, variance), **given)

    def difference(self, n_topics: ArrayLike, variance: ArrayLike, **given: Any) -> Floats:
        """Return the smallest difference in units of the measure that n topics detect; arrays broadcast."""
        return self.min_d_of(self.detectable(n_topics, **given), variance)

    def power(
        self,
        n_topics: ArrayLike,
        min_d: ArrayLike,
        variance: ArrayLike,
        *,
        beta: float | None = None,  # noqa: ARG002 - given with the other keywords
        **given: Any,
    ) -> Floats:
        """Return the power of n topics at differences in units of the measure; arrays broadcast."""
        return self.attained(n_topics, self.min_delta_of(min_d, variance), **given)
