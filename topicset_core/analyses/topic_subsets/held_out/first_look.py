"""A first look at held-out runs or topics: few sizes, few splits, a search from two starts each.

It answers while somebody waits, and only roughly; how many splits there are is said with every number.
"""

from dataclasses import replace

from topicset_core.analyses.topic_subsets.held_out.experiment import materials_of
from topicset_core.analyses.topic_subsets.held_out.halves import judges_of
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.search import seconds_of
from topicset_core.collection import ScoreMatrix

_STEPS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
_N_TRIALS = 20
_SPLITS = (4, 20)
_SECONDS_A_SIZE = 1e-3  # besides its search
_OTHER_SECONDS = 5e-3  # a split, besides its sizes


def first_look(
    matrix: ScoreMatrix,
    request: HeldOutRequest,
    cardinality: int,
    seconds: float,
    judged: ScoreMatrix | None = None,
) -> HeldOutRequest | None:
    """Return a smaller question that is answered in some CPU seconds; None where even the smallest is not.

    Parameters
    ----------
    matrix, judged : ScoreMatrix
        As for `held_out_curve`.
    request : HeldOutRequest
        The whole question.
    cardinality : int
        A size that must be among those looked at.
    seconds : float
        CPU seconds, about.

    Raises
    ------
    InputError
        As `held_out_curve`.
    """
    materials, _ = materials_of(matrix, request, judged)
    most = replace(request, cardinalities=None).sizes(matrix.n_topics)[-1]
    sizes = tuple(sorted({min(size, most) for size in (*_STEPS, cardinality, most)}))
    judges = judges_of(materials, 0)
    a_split = _OTHER_SECONDS + sum(
        _SECONDS_A_SIZE + sum(seconds_of(judge, size, 0) for judge in (judges.choosing, judges.own))
        for size in sizes
    )
    fewest, usual = _SPLITS
    n_splits = min(int(seconds / a_split), usual, request.n_splits)
    if n_splits < min(fewest, request.n_splits):
        return None
    return replace(
        request,
        cardinalities=sizes,
        n_splits=n_splits,
        n_starts=0,
        n_trials=min(_N_TRIALS, request.n_trials),
    )
