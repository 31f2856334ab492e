"""How does a subset of topics rank the runs, next to all topics?

Means are compared as whole numbers, so that ties are exact. A rank is 1 for the best; runs that tie share
the mean of their ranks. A pair of runs is reversed where the subset reverses it; a tie on
the subset is no reversal, and a pair that ties over all topics cannot be reversed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from topicset_core.analyses.topic_subsets.criterion import Floats, Topics
from topicset_core.analyses.topic_subsets.exact_sums import whole_numbers
from topicset_core.analyses.topic_subsets.goodness import agreement_of
from topicset_core.analyses.topic_subsets.held_out.halves import Materials, split_number
from topicset_core.analyses.topic_subsets.held_out.splits import RANKING, Spread, spread_of, stream
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.records import fields_of

FIRST = 10
"""Runs at the top that are evaluated together."""

_N_DRAWN = 10
"""Random subsets per split; over a hundred splits they are a thousand."""


@dataclass(frozen=True, kw_only=True)
class RankChange:
    """One run."""

    system: str
    # Mean score over all topics, and over the subset
    mean_all: float
    mean_subset: float
    # From 1 for the best
    rank_all: float
    rank_subset: float

    @property
    def change(self) -> float:
        """Ranks lost on the subset; below 0 for a run that gains."""
        return self.rank_subset - self.rank_all


@dataclass(frozen=True, kw_only=True)
class Reversal:
    """A pair of runs that the subset reverses."""

    # Over all topics
    better: str
    worse: str
    difference: float  # of their means over all topics, above 0
    difference_on_subset: float  # below 0


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The ranking of all runs by a subset."""

    n_pairs: int  # pairs of runs with a difference over all topics
    # Of them, the reversed pairs, and the pairs that tie on the subset
    n_reversed: int
    n_tied: int
    largest_reversal: Reversal | None  # the reversed pair with the largest difference over all topics
    # The best run over all topics, and on the subset
    top: tuple[str, ...]
    top_on_subset: tuple[str, ...]
    top_kept: bool  # whether a best run over all topics is best on the subset, too
    # How many runs are the first ten over all topics, and how many of them are on the subset
    n_first: int
    n_first_kept: int
    changes: tuple[RankChange, ...]  # all runs, the largest change first

    def record(self) -> dict[str, Any]:
        """Return the ranking for a record."""
        runs = [{"run": one.system, **fields_of(one, "system"), "change": one.change} for one in self.changes]
        return fields_of(self, "changes") | {"runs": runs}


@dataclass(frozen=True, kw_only=True)
class HalfRankings:
    """How halves of the runs are ranked, over splits."""

    share_reversed: Spread | None  # reversed pairs of all with a difference over all topics, 0 to 1
    largest_change: Spread | None  # ranks that the run that changes most gains or loses
    top_kept: float  # share of the halves of which a best run stays best


def ranking_of(matrix: ScoreMatrix, topics: Sequence[int]) -> Ranking:
    """Return how a subset, given as places of topics, ranks the runs of a matrix."""
    places = list(topics)
    whole = whole_numbers(matrix.scores)
    everything, subset = whole.sum(axis=0), whole[places].sum(axis=0)
    ranks_all, ranks_subset = ranks(everything), ranks(subset)
    means_all, means_subset = matrix.scores.mean(axis=0), matrix.scores[places].mean(axis=0)
    changes = [
        RankChange(system=system, mean_all=mean, mean_subset=on_subset, rank_all=rank, rank_subset=other)
        for system, mean, on_subset, rank, other in zip(
            matrix.systems,
            means_all.tolist(),
            means_subset.tolist(),
            ranks_all.tolist(),
            ranks_subset.tolist(),
            strict=True,
        )
    ]
    first, second = np.triu_indices(matrix.n_systems, k=1)
    right, seen = everything[first] - everything[second], subset[first] - subset[second]
    reversed_pairs, agreement = right * seen < 0, agreement_of(everything, subset)
    top, top_on_subset = (np.flatnonzero(sums == sums.max()).tolist() for sums in (everything, subset))
    # Ties at the edge of the first ten: as many as share its place.
    is_first, is_first_on_subset = (
        sums >= np.sort(sums)[::-1][min(FIRST, matrix.n_systems) - 1] for sums in (everything, subset)
    )
    return Ranking(
        n_pairs=agreement.n_pairs,
        n_reversed=agreement.n_reversed,
        n_tied=agreement.n_tied,
        largest_reversal=_largest(
            matrix, means_all, means_subset, first, second, np.where(reversed_pairs, np.abs(right), 0.0)
        ),
        top=tuple(matrix.systems[place] for place in top),
        top_on_subset=tuple(matrix.systems[place] for place in top_on_subset),
        top_kept=bool(set(top) & set(top_on_subset)),
        n_first=int(np.count_nonzero(is_first)),
        n_first_kept=int(np.count_nonzero(is_first & is_first_on_subset)),
        changes=tuple(sorted(changes, key=lambda one: (-abs(one.change), one.rank_all, one.system))),
    )


def ranks(sums: Floats) -> Floats:
    """Return ranks from 1 for the highest; tied values share their mean."""
    higher = (sums[None, :] > sums[:, None]).sum(axis=1)
    same = (sums[None, :] == sums[:, None]).sum(axis=1)
    return np.asarray(higher + (same + 1) / 2)


def _largest(
    matrix: ScoreMatrix, means: Floats, on_subset: Floats, first: Topics, second: Topics, weights: Floats
) -> Reversal | None:
    """Return the reversed pair of the largest weight, None without a reversed pair."""
    place = int(weights.argmax()) if weights.size else 0
    if not weights.size or weights[place] == 0:
        return None
    better, worse = int(first[place]), int(second[place])
    if means[better] < means[worse]:
        better, worse = worse, better
    return Reversal(
        better=matrix.systems[better],
        worse=matrix.systems[worse],
        difference=float(means[better] - means[worse]),
        difference_on_subset=float(on_subset[better] - on_subset[worse]),
    )


def half_rankings(materials: Materials, topics: Sequence[int]) -> tuple[HalfRankings, HalfRankings]:
    """Return how the halves that are held out are ranked by a subset, and by random ones."""
    request, whole = materials.request, whole_numbers(materials.evaluating)
    n_topics, size = len(whole), len(topics)
    given, drawn = np.zeros((request.n_splits, 3)), np.zeros((request.n_splits, 3))
    for number in range(request.n_splits):
        scores = whole[:, split_number(materials, number).evaluated_on]
        given[number] = _errors(scores, scores[list(topics)].sum(axis=0))
        rng = stream(request.seed, request.hold_out, number, RANKING)
        orders = rng.permuted(np.tile(np.arange(n_topics), (_N_DRAWN, 1)), axis=1)[:, :size]
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
