"""A first look at the experiment: which sizes are worth a point of a curve, how many trials a moment allows."""

import numpy as np

from topicset_core.analyses.error_rate.experiment import DEFAULT_TRIALS, estimated_seconds
from topicset_core.collection import ScoreMatrix

MOST_SIZES = 50
"""Beyond, curves are drawn through some of the sizes."""

_FEWEST_TRIALS, _MOST_TRIALS = 5, 2000


def curve_sizes(n_topics: int, *, with_replacement: bool = False) -> tuple[int, ...]:
    """Return the cardinalities of a curve: all up to half the topics, evenly chosen ones where they are many.

    Parameters
    ----------
    n_topics : int
        Topics of the matrix, at least 2.
    with_replacement : bool
        Sets drawn with replacement reach all the topics.
    """
    most = n_topics if with_replacement else n_topics // 2
    return tuple(sorted({round(size) for size in np.linspace(1, most, min(most, MOST_SIZES))}))


def affordable_trials(
    matrix: ScoreMatrix, sizes: tuple[int, ...], seconds: float, most: int = DEFAULT_TRIALS
) -> int:
    """Return about how many trials a size `seconds` of CPU allow, from 5 to 2,000 and to `most`."""
    affordable = seconds / estimated_seconds(matrix, sizes, 1)
    return int(min(max(affordable, _FEWEST_TRIALS), _MOST_TRIALS, most))
