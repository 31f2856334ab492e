"""How the variance of a task settles from round to round.

Sakai 2016 (section 7) hopes that tasks will pool the variances observed in their past rounds, and
that the required topics will stabilise after a few. This takes the collections of a task in the
order of its rounds and shows just that: each round's own variance, the variance pooled so far, and
the topics that each would have asked for in the next round.

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016).
   https://doi.org/10.1007/s10791-015-9273-z
"""

from collections.abc import Iterable
from dataclasses import dataclass

from topicset_core.analyses.variance_topics import TopicsRule
from topicset_core.analyses.variance_uncertainty import VarianceUncertainty, check_asked, summarised
from topicset_core.collection import ScoreMatrix
from topicset_core.variance.choices import ONE_WAY, Estimate
from topicset_core.variance.intervals import DEFAULT_LEVEL
from topicset_core.variance.pooling import Weights, checked_collections, shares_of
from topicset_core.variance.resampling import DEFAULT_SEED, DEFAULT_TRIALS, resampled_variances


@dataclass(frozen=True, kw_only=True, eq=False)
class Round:
    """What one round of a task adds.

    Parameters
    ----------
    name : str
        Name of the round's matrix.
    n_topics, n_systems : int
        Its size.
    own : VarianceUncertainty
        From this round alone.
    so_far : VarianceUncertainty
        From this and all earlier rounds, pooled: what the next round would be planned with.
    """

    name: str
    n_topics: int
    n_systems: int
    own: VarianceUncertainty
    so_far: VarianceUncertainty


def rounds(
    matrices: Iterable[ScoreMatrix],
    rule: TopicsRule,
    *,
    estimate: Estimate = ONE_WAY,
    weights: Weights = "topics",
    level: float = DEFAULT_LEVEL,
    n_trials: int = DEFAULT_TRIALS,
    seed: int = DEFAULT_SEED,
) -> tuple[Round, ...]:
    """Return one `Round` for each matrix, in the order given, which is that of the task's rounds.

    A round is resampled once: its draws serve its own interval and every pool that it is in, so
    ``rounds(...)[-1].so_far`` is `variance_uncertainty` of all matrices, value for value.

    Parameters and errors as in `variance_uncertainty`.
    """
    collections = checked_collections(matrices)
    check_asked(rule, estimate, level)
    shares_of(collections, estimate, weights)
    variances = resampled_variances(collections, estimate, n_trials=n_trials, seed=seed)

    def of(start: int, stop: int) -> VarianceUncertainty:
        return summarised(
            collections[start:stop],
            variances[:, start:stop],
            rule,
            estimate=estimate,
            weights=weights,
            level=level,
            seed=seed,
        )

    return tuple(
        Round(
            name=matrix.name,
            n_topics=matrix.n_topics,
            n_systems=matrix.n_systems,
            own=of(place, place + 1),
            so_far=of(0, place + 1),
        )
        for place, matrix in enumerate(collections)
    )
