"""How well did each run do, and how far is that known?

For run i with scores x_i1 ... x_in over n topics::

    xbar_i -+ t(n - 1; alpha) s_i / sqrt(n)

where s_i^2 is the unbiased variance of its own scores and t(phi; alpha) the two-sided critical value: the t
interval of a mean. Here each run has its own variance; the designs assume one variance for all (Sakai 2016,
section 3.2), and intervals of very different widths show how far that is from true.

The runs share their topics, so that two intervals which overlap do not mean that the runs do not
differ: their difference on each topic decides that, and it varies less.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.variance.intervals import check_level


@dataclass(frozen=True, kw_only=True, eq=False)
class RunMeans:
    """Mean and interval of each run, best first; of equal means the run that came first."""

    measure: str
    name: str
    n_topics: int
    systems: tuple[str, ...]
    # Mean over topics, half the width of its interval, unbiased standard deviation over topics
    means: NDArray[np.float64]  # (n_systems,)
    half_widths: NDArray[np.float64]  # (n_systems,)
    standard_deviations: NDArray[np.float64]  # (n_systems,)
    level: float

    @property
    def lower(self) -> NDArray[np.float64]:
        """Lower ends of the intervals."""
        return self.means - self.half_widths

    @property
    def upper(self) -> NDArray[np.float64]:
        """Upper ends of the intervals."""
        return self.means + self.half_widths


def run_means(matrix: ScoreMatrix, level: float = 0.95) -> RunMeans:
    """Return the mean of each run with its t interval."""
    from scipy.special import stdtrit

    check_level(level)
    means = matrix.scores.mean(axis=0)
    deviations = matrix.scores.std(axis=0, ddof=1)
    # Negative tail, as 1 - alpha / 2 would lose the digits of a small alpha.
    critical = -float(stdtrit(matrix.n_topics - 1, (1 - level) / 2))
    order = np.argsort(-means, kind="stable")
    return RunMeans(
        measure=matrix.measure,
        name=matrix.name,
        n_topics=matrix.n_topics,
        systems=tuple(matrix.systems[place] for place in order.tolist()),
        means=means[order],
        half_widths=critical * deviations[order] / np.sqrt(matrix.n_topics),
        standard_deviations=deviations[order],
        level=level,
    )
