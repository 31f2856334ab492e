"""One variance from several collections."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, get_args

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.variance.choices import estimate_of
from topicset_core.variance.estimates import one_way

Weights = Literal["topics", "degrees-of-freedom"]
"""What a collection counts when variances are pooled."""


def pooled(
    matrices: Iterable[ScoreMatrix],
    estimate: Callable[[ScoreMatrix], float] = one_way,
    weights: Weights = "topics",
) -> float:
    """Return the weighted mean of the matrices' variances.

    Sakai 2016 pools in its Eq. 38. The printed equation is missing from the copy that this was
    written from; the weights n_C - 1 were rebuilt from the text around it. They reproduce the
    paper's pooled .0471, which residual degrees of freedom as weights would do too, because both of
    the paper's collections have 78 runs. With unequal numbers of runs the two differ.

    Parameters
    ----------
    matrices : iterable of ScoreMatrix
        At least one, all of the same measure.
    estimate : callable
        The variance of one matrix: one of `choices.ESTIMATES`, or a function such as `one_way`.
    weights : {"topics", "degrees-of-freedom"}
        ``topics``: n_C - 1, the paper's; every collection speaks for its topics, however many runs
        it had. ``degrees-of-freedom``: those of the residual, m_C (n_C - 1) for one-way,
        (m_C - 1)(n_C - 1) for two-way and the mean over pairs, m_C n_C - 1 for total: the usual
        weights of a pooled variance, best where residuals are independent. Runs on the same topics
        are not, which speaks for the first.

    Raises
    ------
    InputError
        If there is no matrix, the matrices are of different measures, or the estimate has no degrees
        of freedom where they are to be the weights.
    """
    collections = checked_collections(matrices)
    shares = shares_of(collections, estimate, weights)
    # Sakai 2016, Eq. 38 (as rebuilt): sum_C (n_C - 1) sigma_C^2 / sum_C (n_C - 1)
    weighted = sum(share * estimate(matrix) for share, matrix in zip(shares, collections, strict=True))
    return weighted / sum(shares)


def shares_of(
    collections: Sequence[ScoreMatrix], estimate: Callable[[ScoreMatrix], float], weights: Weights
) -> tuple[int, ...]:
    """Return the weight of each collection, a whole number from 1.

    Raises
    ------
    InputError
        If `weights` is not one of the two, or the estimate has no degrees of freedom.
    """
    if weights not in get_args(Weights):
        raise InputError("weights", weights, f"must be one of {', '.join(get_args(Weights))}")
    if weights == "topics":
        return tuple(matrix.n_topics - 1 for matrix in collections)
    known = estimate_of(estimate)
    if known is None or known.degrees_of_freedom is None:
        name = getattr(estimate, "__name__", "this estimate") if known is None else known.name
        raise InputError("weights", weights, f"must be topics: {name} has no degrees of freedom")
    return tuple(known.degrees_of_freedom(matrix) for matrix in collections)


def checked_collections(matrices: Iterable[ScoreMatrix]) -> tuple[ScoreMatrix, ...]:
    """Return the matrices as a tuple, after making sure that they can be pooled.

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
    return collections
