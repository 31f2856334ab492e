"""Variance components of topics x systems, and the resulting stability (generalizability theory).

========  =====================  ==========================================================
paper     here                   meaning
========  =====================  ==========================================================
e         `residual`             V_E: what systems and topics leave
s         `system`               (V_A - V_E) / n: true differences between systems
q         `topic`                (V_B - V_E) / m: topic difficulty
E rho^2   `relative`             s / (s + e / n'): stability of the ranking over n' topics
Phi       `absolute`             s / (s + (q + e) / n'): stability of the means themselves
========  =====================  ==========================================================

Components are reported as estimated, also where they are negative. E rho^2 is also the share that remains, on
average, of a difference observed on n' topics: 2s / (2s + 2e / n').

References
----------
.. [1] D. Bodoff, P. Li. Test theory for assessing IR test collections. SIGIR 2007, 367-374.
.. [2] J. Urbano, M. Marrero, D. Martin. On the measurement of test collection reliability. SIGIR 2013, 393-402.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

from topicset_core.errors import InputError
from topicset_core.variance.sums_of_squares import MeanSquares

Coefficient = Literal["relative", "absolute"]


@dataclass(frozen=True, kw_only=True)
class Components:
    """Variance components of a matrix, in squared units of the measure."""

    system: float
    topic: float
    residual: float
    # Shape of the matrix
    n_systems: int
    n_topics: int

    @classmethod
    def from_mean_squares(cls, squares: MeanSquares) -> "Components":
        """Return the components that mean squares estimate; rounding errors count as 0."""
        squares = without_rounding(squares)
        residual = squares.residual_mean_square
        return cls(
            system=(squares.between_system_mean_square - residual) / squares.n_topics,
            topic=(squares.between_topic_mean_square - residual) / squares.n_systems,
            residual=residual,
            n_systems=squares.n_systems,
            n_topics=squares.n_topics,
        )

    @property
    def negative(self) -> tuple[str, ...]:
        """Names of the components that are estimated below 0."""
        return tuple(name for name in ("system", "topic") if getattr(self, name) < 0)

    @property
    def shares(self) -> dict[str, float]:
        """Share of each component in their sum, 0 to 1; negative ones count as 0."""
        parts = {name: max(getattr(self, name), 0.0) for name in ("system", "topic", "residual")}
        total = sum(parts.values())
        return {name: part / total if total > 0 else 0.0 for name, part in parts.items()}

    def noise(self, coefficient: Coefficient) -> float:
        """Return the variance that one topic adds: e for the relative coefficient, q + e for the absolute one."""
        if coefficient not in get_args(Coefficient):
            raise InputError("coefficient", coefficient, f"must be one of {', '.join(get_args(Coefficient))}")
        return self.residual + (max(self.topic, 0.0) if coefficient == "absolute" else 0.0)

    def coefficient(self, n_topics: float, coefficient: Coefficient = "relative") -> float:
        """Return E rho^2 or Phi with `n_topics` topics, 0 to 1; 0 where s is not above 0."""
        if self.system <= 0:
            return 0.0
        return self.system / (self.system + self.noise(coefficient) / n_topics)

    def topics_for(self, stability: float, coefficient: Coefficient = "relative") -> int | None:
        """Return the fewest topics whose coefficient reaches `stability`; None where s is not above 0."""
        if self.system <= 0:
            return None
        return topics_of_ratio(stability, self.noise(coefficient) / self.system)


_ROUNDING = 1e-22
"""Of the total sum of squares: a part up to this is rounding."""


def without_rounding(squares: MeanSquares) -> MeanSquares:
    """Return the sums of squares, exactly 0 where only rounding is left: equal systems, or no residual."""
    least = _ROUNDING * squares.total_sum

    def cut(part: float) -> float:
        return part if part > least else 0.0

    return replace(
        squares,
        between_system_sum=cut(squares.between_system_sum),
        between_topic_sum=cut(squares.between_topic_sum),
        residual_sum=cut(squares.residual_sum),
    )


def topics_of_ratio(stability: float, noise_over_signal: float) -> int:
    """Return the fewest topics, at least 1, with 1 / (1 + noise_over_signal / n) of at least `stability`."""
    n_topics = stability * noise_over_signal / (1 - stability)
    nearest = round(n_topics)
    # A whole number of topics that rounding put a digit next to itself stays that number.
    whole = nearest if math.isclose(n_topics, nearest, rel_tol=1e-12) else math.ceil(n_topics)
    return max(whole, 1)
