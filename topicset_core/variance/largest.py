"""The largest variance among several measures, for a task that has no data of its own.

Sakai 2016 advises it: measures of a new task may vary as much as the least stable of a similar task,
so one of the larger variances of that task is the one to plan with (section 6.1, with the nERR of
TREC 2011 ad hoc web for TREC 2012 diversity web as its example; again in section 7).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance.estimates import one_way
from topicset_core.variance.pooling import Weights, pooled


@dataclass(frozen=True, kw_only=True)
class LargestVariance:
    """The measure that varies most.

    Parameters
    ----------
    measure : str
        Its name.
    variance : float
        Its variance, pooled over its matrices.
    by_measure : tuple of (str, float)
        All measures with their pooled variances, from the largest down.
    """

    measure: str
    variance: float
    by_measure: tuple[tuple[str, float], ...]


def largest_by_measure(
    matrices: Iterable[ScoreMatrix],
    estimate: Callable[[ScoreMatrix], float] = one_way,
    weights: Weights = "topics",
) -> LargestVariance:
    """Return the measure with the largest variance, each measure pooled over its matrices.

    Variances compare only between measures of one scale, from 0 to 1 as a rule; that is the caller's
    to see to. Of equal variances the measure that came first is taken.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        At least one, of any measures.
    estimate, weights
        As in `pooled`.

    Raises
    ------
    InputError
        If there is no matrix, or the estimate refuses one.
    """
    groups: dict[str, list[ScoreMatrix]] = {}
    for matrix in matrices:
        groups.setdefault(matrix.measure, []).append(matrix)
    if not groups:
        raise InputError("matrices", 0, "must be at least one score matrix")
    variances = [(measure, pooled(group, estimate, weights)) for measure, group in groups.items()]
    ordered = tuple(sorted(variances, key=lambda pair: -pair[1]))
    return LargestVariance(measure=ordered[0][0], variance=ordered[0][1], by_measure=ordered)
