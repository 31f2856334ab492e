"""Runs without judgments: how large pools would be, and what they cost if scores vary as elsewhere."""

from collections.abc import Sequence

from topicset_core.analyses.pool_depth.designs import DepthDesign
from topicset_core.analyses.variance_topics import TopicsRule
from topicset_core.collection.pool import pooled_documents
from topicset_core.collection.run import Run
from topicset_core.variance import conservative_difference_variance


def designs_before_judging(
    runs: Sequence[Run],
    depths: Sequence[int],
    rule: TopicsRule,
    *,
    within_system_variance: float,
    measure: str,
) -> tuple[DepthDesign, ...]:
    """Return the designs of runs that nobody has judged yet, by depth.

    The variance is that of other scores and the same at every depth, although shallow pools make
    scores vary more: costs of shallow pools are a little too low.

    Parameters
    ----------
    runs : sequence of Run
        At least one.
    depths : sequence of int
        Pool depths from 1.
    rule : TopicsRule
        The design with all its requirements but the variance.
    within_system_variance : float
        Above 0; of similar systems on a similar task.
    measure : str
        What it was measured on.

    Raises
    ------
    InputError
        If there is no run, or a depth is below 1.
    NoSolution
        If no topic set size within the limits is enough.
    """
    pool = pooled_documents(runs, max(depths))
    variance = within_system_variance
    needed = conservative_difference_variance(variance) if rule.takes == "difference" else variance
    topics = int(rule.topics([needed])[0])
    return tuple(
        DepthDesign(
            pool_depth=depth,
            measure=measure,
            judged_per_topic=pool.documents_per_topic(depth),
            n_lost_topics=0,
            within_system_variance=variance,
            required_topics=topics,
            kendall_tau=None,
            tau_ap=None,
            relevant_known=None,
        )
        for depth in sorted(set(depths))
    )
