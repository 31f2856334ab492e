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
_NEAR = 50  # topics for which estimates hold
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
    # Estimates are of starts near their end; those from nothing and everything take a step a topic.
    longer = max(1.0, matrix.n_topics / _NEAR) ** 2 * (2.0 if request.hold_out == "topics" else 1.0)
    costs = {
        size: _SECONDS_A_SIZE
        + longer * sum(seconds_of(judge, size, 0) for judge in (judges.choosing, judges.own))
        for size in sizes
    }
    fewest, usual = (min(splits, request.n_splits) for splits in _SPLITS)
    sizes = _affordable(costs, min(cardinality, most), seconds / fewest - _OTHER_SECONDS)
    if not sizes:
        return None
    a_split = _OTHER_SECONDS + sum(costs[size] for size in sizes)
    n_splits = max(fewest, min(int(seconds / a_split), usual))
    return replace(
        request,
        cardinalities=sizes,
        n_splits=n_splits,
        n_starts=0,
        n_trials=min(_N_TRIALS, request.n_trials),
    )


def _affordable(costs: dict[int, float], needed: int, seconds: float) -> tuple[int, ...]:
    """Return the size that is needed and as many of the cheapest as there is time for; none if not even that."""
    chosen: list[int] = []
    left = seconds
    for size in sorted(costs, key=lambda size: (size != needed, costs[size])):
        if costs[size] > left:
            break
        chosen.append(size)
        left -= costs[size]
    return tuple(sorted(chosen))
