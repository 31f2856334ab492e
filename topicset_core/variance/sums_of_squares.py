"""The sums of squares of a score matrix in a two-way table.

==========  =====================  =====================================  ====================
paper       here                   sum of squares                         degrees of freedom
==========  =====================  =====================================  ====================
S_A         `between_system_sum`   n sum_i (xbar_i. - xbar)^2             m - 1
S_B         `between_topic_sum`    m sum_j (xbar_.j - xbar)^2             n - 1
S_E         `residual_sum`         two-way: without A and B            (m - 1)(n - 1)
S_T         `total_sum`            sum_ij (x_ij - xbar)^2                 mn - 1
==========  =====================  =====================================  ====================

A mean square V is a sum S over its degrees of freedom.
"""

from dataclasses import dataclass

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.variance.estimates import require_two_systems


@dataclass(frozen=True, kw_only=True)
class MeanSquares:
    """Sums of squares of a matrix with their degrees of freedom; mean squares follow from them."""

    # Shape of the matrix
    n_topics: int
    n_systems: int
    # S_A, S_B, S_E of two-way ANOVA, S_T
    between_system_sum: float
    between_topic_sum: float
    residual_sum: float
    total_sum: float

    @property
    def between_system_df(self) -> int:
        """Degrees of freedom phi_A of S_A."""
        return self.n_systems - 1

    @property
    def between_topic_df(self) -> int:
        """Degrees of freedom phi_B of S_B."""
        return self.n_topics - 1

    @property
    def residual_df(self) -> int:
        """Degrees of freedom phi_E of S_E in two-way ANOVA."""
        return (self.n_systems - 1) * (self.n_topics - 1)

    @property
    def between_system_mean_square(self) -> float:
        """Mean square V_A = S_A / phi_A."""
        return self.between_system_sum / self.between_system_df

    @property
    def between_topic_mean_square(self) -> float:
        """Mean square V_B = S_B / phi_B."""
        return self.between_topic_sum / self.between_topic_df

    @property
    def residual_mean_square(self) -> float:
        """Mean square V_E of two-way ANOVA: the estimate `two_way`."""
        return self.residual_sum / self.residual_df


def mean_squares(matrix: ScoreMatrix) -> MeanSquares:
    """Return the sums of squares of `matrix`, each computed from its own deviations."""
    require_two_systems(matrix)
    # Twice, as in the estimates: a large common value leaves a rounding error in the first mean.
    centred = matrix.scores - matrix.scores.mean()
    centred -= centred.mean()
    system_effects = centred.mean(axis=0)
    topic_effects = centred.mean(axis=1, keepdims=True)
    residuals = centred - system_effects - topic_effects
    return MeanSquares(
        n_topics=matrix.n_topics,
        n_systems=matrix.n_systems,
        between_system_sum=float(matrix.n_topics * np.square(system_effects).sum()),  # Sakai 2016, Eq. 14
        between_topic_sum=float(matrix.n_systems * np.square(topic_effects).sum()),
        residual_sum=float(np.square(residuals).sum()),
        total_sum=float(np.square(centred).sum()),
    )
