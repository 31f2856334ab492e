"""Where does a subset lie among random subsets of its size?

Its percentile is the share of random subsets that are less good, those as good counted by half: so that of a
subset drawn at random is spread evenly from 0 to 100, whether or not many subsets tie.
"""

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.topic_subsets import sampling
from topicset_core.analyses.topic_subsets.judge import Floats, Judge
from topicset_core.execution.batches import in_batches
from topicset_core.progress import Report, silently

_UNDEFINED = -5.0  # judges give -9 or less for "no correlation", and -1 or more else
_SAME = 1e-12  # goodness that differs by less is the same: sums over topics in another order are rounded otherwise


@dataclass(frozen=True, kw_only=True)
class Place:
    """A subset among random subsets of its size; goodness oriented so that more is better.

    Parameters
    ----------
    value : float or None
        Its goodness, None where it has no correlation.
    percentile : float or None
        From 0 to 100; None where it has no goodness.
    standard_error : float
        Of the percentile, as random subsets are finitely many; 0 where all subsets were looked at.
    average : float or None
        Mean goodness of the random subsets, None where none has a correlation.
    average_standard_error : float
        Of that mean.
    n_compared, n_undefined : int
        Random subsets with a correlation and without.
    all_subsets : bool
        Whether all subsets were looked at, as they are few.
    """

    value: float | None
    percentile: float | None
    standard_error: float
    average: float | None
    average_standard_error: float
    n_compared: int
    n_undefined: int
    all_subsets: bool


def placed(
    judge: Judge,
    topics: Sequence[int],
    n_trials: int,
    seed: int,
    report: Report = silently,
    executor: Executor | None = None,
) -> Place:
    """Return the place of a subset.

    Parameters
    ----------
    judge : Judge
        Of all topics.
    topics : sequence of int
        The subset, ascending places.
    n_trials, seed : int
        Random subsets, the same as those of `subset_curve`; all where they are few.
    report, executor
        As `in_batches`.
    """
    size = len(topics)
    everything = sampling.are_few(judge.n_topics, size, n_trials)
    tasks = sampling.walk_tasks(judge, (size,), n_trials, seed)
    costs = [1.0] * len(tasks)
    found = [values[:, 0] for _, values in in_batches(sampling.walk, tasks, costs, report, executor)]
    values = np.concatenate(found)
    summary = sampling.summarised(values, exact=everything)
    value = judge.value(topics)
    percentile, error = (
        (None, 0.0) if value is None else percentile_of(value, values[values > _UNDEFINED], exact=everything)
    )
    return Place(
        value=value,
        percentile=percentile,
        standard_error=error,
        average=summary.mean,
        average_standard_error=summary.standard_error,
        n_compared=summary.n_averaged,
        n_undefined=summary.n_undefined,
        all_subsets=everything,
    )


def percentile_of(value: float, values: Floats, *, exact: bool) -> tuple[float | None, float]:
    """Return the percentile of a value among others, ties by half, and its standard error.

    The error is that of a share p of n draws, sqrt(p (1 - p) / n), with p drawn towards the middle by one
    success and one failure, so that it is not 0 at either end; ties make the true one smaller.
    """
    n = values.size
    if n == 0:
        return None, 0.0
    below = int(np.count_nonzero(values < value - _SAME))
    above = int(np.count_nonzero(values > value + _SAME))
    share = (below + (n - below - above) / 2) / n
    if exact:
        return 100 * share, 0.0
    towards = (share * n + 1) / (n + 2)
    return 100 * share, 100 * math.sqrt(towards * (1 - towards) / n)
