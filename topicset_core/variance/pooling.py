"""One variance from several collections."""

from collections.abc import Callable, Iterable

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance.estimates import one_way


def pooled(
    matrices: Iterable[ScoreMatrix],
    estimate: Callable[[ScoreMatrix], float] = one_way,
) -> float:
    """Return the mean of the matrices' variances, each weighted by its number of topics less one.

    Sakai 2016 pools in its Eq. 38. The printed equation is missing from the copy that this was
    written from; the weights n_C - 1 were rebuilt from the text around it. They reproduce the
    paper's pooled .0471, which residual degrees of freedom m_C (n_C - 1) as weights would do too,
    because both of the paper's collections have 78 runs. With unequal numbers of runs the two
    differ.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        At least one, all of the same measure.
    estimate : callable
        The variance of one matrix: `one_way` (the paper's), `two_way` or `total`.

    Raises
    ------
    InputError
        If there is no matrix, or the matrices are of different measures.
    """
    collections = tuple(matrices)
    if not collections:
        raise InputError("matrices", 0, "must be at least one score matrix")
    measures = sorted({matrix.measure for matrix in collections})
    if len(measures) > 1:
        raise InputError("matrices", measures, "must all be scores of one measure")
    weights = [matrix.n_topics - 1 for matrix in collections]
    variances = [estimate(matrix) for matrix in collections]
    # Sakai 2016, Eq. 38 (as rebuilt): sum_C (n_C - 1) sigma_C^2 / sum_C (n_C - 1)
    weighted = sum(weight * variance for weight, variance in zip(weights, variances, strict=True))
    return weighted / sum(weights)
