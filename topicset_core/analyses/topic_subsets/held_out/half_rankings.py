"""How random halves of the runs are ranked by a subset, and by random subsets of its size."""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.topic_subsets.held_out.audit_result import HalfRankings
from topicset_core.analyses.topic_subsets.held_out.halves import Materials, split_number
from topicset_core.analyses.topic_subsets.held_out.ranking import ranks
from topicset_core.analyses.topic_subsets.held_out.result import spread_of
from topicset_core.analyses.topic_subsets.held_out.splits import RANKING, stream
from topicset_core.analyses.topic_subsets.judge import Floats
from topicset_core.analyses.topic_subsets.whole import whole_numbers

N_RANDOM = 10
"""Random subsets a split; over a hundred splits they are a thousand."""


def half_rankings(materials: Materials, topics: Sequence[int]) -> tuple[HalfRankings, HalfRankings]:
    """Return how the halves that are held out are ranked by a subset, and by random ones."""
    request, whole = materials.request, whole_numbers(materials.judged)
    n_topics, size = len(whole), len(topics)
    given, drawn = np.zeros((request.n_splits, 3)), np.zeros((request.n_splits, 3))
    for number in range(request.n_splits):
        scores = whole[:, split_number(materials, number).judged_on]
        given[number] = _errors(scores, scores[list(topics)].sum(axis=0))
        rng = stream(request.seed, request.hold_out, number, RANKING)
        orders = rng.permuted(np.tile(np.arange(n_topics), (N_RANDOM, 1)), axis=1)[:, :size]
        drawn[number] = np.mean([_errors(scores, scores[order].sum(axis=0)) for order in orders], axis=0)
    return _summary(given), _summary(drawn)


def _errors(scores: Floats, subset: Floats) -> tuple[float, float, float]:
    """Return the share of pairs reversed, the largest change of rank, and whether a best run stays best."""
    everything = scores.sum(axis=0)
    first, second = np.triu_indices(len(subset), k=1)
    right, seen = everything[first] - everything[second], subset[first] - subset[second]
    share = np.count_nonzero(right * seen < 0) / np.count_nonzero(right)
    change = np.abs(ranks(subset) - ranks(everything)).max()
    kept = np.any((subset == subset.max()) & (everything == everything.max()))
    return share, float(change), float(kept)


def _summary(errors: Floats) -> HalfRankings:
    return HalfRankings(
        share_reversed=spread_of(errors[:, 0]),
        largest_change=spread_of(errors[:, 1]),
        top_kept=float(errors[:, 2].mean()),
    )
