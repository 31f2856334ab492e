"""Which runs are too poor, or too broken, to represent the systems that will be compared?

Variances of a track's runs are those of all who took part, also of runs that found nothing on many
topics. Studies therefore leave some out before they estimate anything: Guiver et al. (2009) drop runs
with many zero scores (NTCIR-6) and the worst quarter by MAP (TREC-8: 96 of 129 runs), and so
do Voorhees and Buckley (2002) and later papers.

References
----------
J. Guiver, S. Mizzaro, S. Robertson. A few good topics: experiments in topic set reduction for
retrieval evaluation. ACM TOIS 27(4), 21 (2009). doi:10.1145/1629096.1629099
E. M. Voorhees, C. Buckley. The effect of topic set size on retrieval experiment error. SIGIR 2002,
316-323. doi:10.1145/564376.564432
"""

import math
from dataclasses import dataclass

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.wording import first_few, joined

MOST_NAMED = 20
"""Runs are named in a sentence up to this many, and counted beyond; the record has them all."""


@dataclass(frozen=True, kw_only=True)
class DroppedRuns:
    """What `drop_runs` did."""

    max_zero_topics: int | None  # topics with a score of exactly 0 that a run could have
    with_too_many_zeros: tuple[str, ...]  # runs dropped because they have more, in the order of the matrix
    worst_fraction: float | None  # the requested fraction, of the runs left by the step before
    worst: tuple[str, ...]  # runs dropped because their mean is low, worst first
    # Runs kept although their mean is that of a run dropped: the tie was decided by order
    tied: tuple[str, ...]
    n_before: int
    n_after: int

    @property
    def notes(self) -> tuple[str, ...]:
        """The dropped runs, in sentences."""
        sentences = []
        if self.max_zero_topics is not None:
            sentences.append(
                f"Runs with a score of 0 on more than {self.max_zero_topics} topics dropped: "
                f"{len(self.with_too_many_zeros)}{_names(self.with_too_many_zeros)}."
            )
        if self.worst or self.worst_fraction is not None:
            share = "" if self.worst_fraction is None else f" (worst {self.worst_fraction * 100:g} %)"
            sentences.append(
                f"Runs with the lowest mean dropped{share}: {len(self.worst)}{_names(self.worst)}."
            )
        if self.tied:
            sentences.append(
                f"Kept with the mean of a dropped run, because they come first in the table{_names(self.tied)}."
            )
        return (*sentences, f"{self.n_after} of {self.n_before} runs are left.")


def drop_runs(
    matrix: ScoreMatrix,
    *,
    max_zero_topics: int | None = None,
    worst_fraction: float | None = None,
    worst_count: int | None = None,
) -> tuple[ScoreMatrix, DroppedRuns]:
    """Drop runs with many zero scores, then runs with the lowest mean score."""
    if max_zero_topics is not None and max_zero_topics < 0:
        raise InputError("max_zero_topics", max_zero_topics, "must be 0 or more")
    if worst_fraction is not None and worst_count is not None:
        raise InputError("worst_count", worst_count, "must be left out where worst_fraction is given")
    if worst_fraction is not None and not 0 <= worst_fraction < 1:
        raise InputError("worst_fraction", worst_fraction, "must be from 0 to below 1")
    if worst_count is not None and worst_count < 0:
        raise InputError("worst_count", worst_count, "must be 0 or more")
    kept = list(range(matrix.n_systems))
    too_many: list[int] = []
    if max_zero_topics is not None:
        zeros = np.count_nonzero(matrix.scores == 0, axis=0).tolist()
        too_many = [system for system in kept if zeros[system] > max_zero_topics]
        kept = [system for system in kept if zeros[system] <= max_zero_topics]
        if not kept:
            raise InputError("max_zero_topics", max_zero_topics, "must leave at least 1 run")
    n_worst = worst_count or 0
    if worst_fraction is not None:
        # The tiny addition keeps 1 of 5 runs without the worst 80 %, whatever the last bit of the product.
        n_worst = len(kept) - math.floor(len(kept) * (1 - worst_fraction) + 1e-9)
    if n_worst >= len(kept):
        given = "worst_count" if worst_fraction is None else "worst_fraction"
        value = worst_count if worst_fraction is None else worst_fraction
        raise InputError(given, value, f"must leave at least 1 of the {len(kept)} runs")
    means = matrix.scores.mean(axis=0).tolist()
    ascending = sorted(kept, key=lambda system: (means[system], -system))
    worst, rest = ascending[:n_worst], sorted(ascending[n_worst:])
    highest_dropped = means[worst[-1]] if worst else -math.inf
    record = DroppedRuns(
        max_zero_topics=max_zero_topics,
        with_too_many_zeros=_of(matrix, too_many),
        worst_fraction=worst_fraction,
        worst=_of(matrix, worst),
        tied=_of(matrix, [system for system in rest if means[system] == highest_dropped]),
        n_before=matrix.n_systems,
        n_after=len(rest),
    )
    return matrix.taken(range(matrix.n_topics), rest), record


_MOST_CONSTANT = 5


def constant_runs(matrix: ScoreMatrix) -> dict[str, float]:
    """Return the runs with one score on all topics, and that score."""
    scores = (matrix.by_topic or matrix).scores
    constant = np.flatnonzero(scores.min(axis=0) == scores.max(axis=0)).tolist()
    return {matrix.systems[place]: float(scores[0, place]) + 0.0 for place in constant}  # no score is -0


def caution_on_constant_runs(matrix: ScoreMatrix) -> str:
    """Return what to check where runs have one score on all topics, as runs that failed have; "" without one."""
    by_score: dict[float, list[str]] = {}
    for run, score in constant_runs(matrix).items():
        by_score.setdefault(score, []).append(run)
    sentences = []
    for score, runs in by_score.items():
        more = [f"{len(runs) - _MOST_CONSTANT:,} more"] if len(runs) > _MOST_CONSTANT else []
        are_several = len(runs) > 1
        check = ": did they run?" if are_several else ": did it run?"
        if score != 0:
            check = f": check {'their' if are_several else 'its'} scores."
        sentences.append(
            f"{joined([*runs[:_MOST_CONSTANT], *more])} {'have' if are_several else 'has'} the score {score:g} on "
            f"every topic{check}"
        )
    return " ".join(sentences)


def _of(matrix: ScoreMatrix, indices: list[int]) -> tuple[str, ...]:
    return tuple(matrix.systems[index] for index in indices)


def _names(runs: tuple[str, ...]) -> str:
    return f" ({first_few(runs, MOST_NAMED)})" if runs else ""
