"""How far results could be chance: on other topics, and by the tests of the paper's tables.

Samples of judgments and splits can be drawn as often as one likes; topics cannot. A recommendation to someone
with other topics rests on their number. Therefore each draw of a Bayesian bootstrap (Rubin, Annals of Statistics
9(1), 1981) gives every topic a weight (exponential, so that none has a weight of 0), once for all splits, and the
whole experiment is repeated with weighted means: settings are chosen again on the training topics, and evaluated on
the test topics. The spread over draws thus covers the training topics and the test topics. Splits do not change, so
that no topic is both trained and tested on.

The tests are exact and two-sided: signs (tables 4 and 5), signed ranks (2 and 3). The sign test leaves ties out.
The Wilcoxon matched-pairs signed-ranks test leaves differences of 0 out (Wilcoxon 1945), equal absolute
differences share their mean rank, and the distribution of the rank sum is that over all signs given these ranks,
counted and not approximated.
"""

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.training_sensitivity.sampling import stream

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SIGNIFICANT, HIGHLY_SIGNIFICANT = 0.05, 0.01
"""Levels of the paper's marks > and ≫."""

NEGLIGIBLE = 1e-12
"""Absolute differences up to this are 0, and differences closer than this tie: rounding of sums."""

LARGEST_EXACT = 400
"""Pairs up to which all signs are counted; beyond, the normal approximation is good to four digits."""


def sign_test(more: int, less: int) -> tuple[float, str]:
    """Return the p value of a split, and its mark: ≫ at .01, > at .05, ≪ and < where `less` is larger."""
    # Two-sided, as all marks of the paper's tables are: one-sided the 17/7 of table 5 would be marked.
    n = more + less
    p_value = min(1.0, float(2 * sum(comb(n, k) for k in range(min(more, less) + 1)) / 2**n))
    signs = ("≫", ">") if more > less else ("≪", "<")
    if p_value <= HIGHLY_SIGNIFICANT:
        return p_value, signs[0]
    return p_value, signs[1] if p_value <= SIGNIFICANT else ""


def signed_rank(differences: NDArray[np.float64]) -> tuple[int, float]:
    """Test whether differences are symmetric about 0: return the pairs that differ, and the two-sided p value."""
    from scipy.special import ndtr

    kept = differences[np.abs(differences) > NEGLIGIBLE]
    if not kept.size:
        return 0, 1.0
    doubled = doubled_ranks(np.abs(kept))
    positive, total = int(doubled[kept > 0].sum()), int(doubled.sum())
    extreme = min(positive, total - positive)
    if kept.size > LARGEST_EXACT:
        mean, variance = total / 2, (doubled.astype(np.float64) ** 2).sum() / 4
        return kept.size, min(1.0, 2 * float(ndtr((extreme - mean) / np.sqrt(variance))))
    # ways[s]: share of all signs with a doubled rank sum of s.
    ways = np.zeros(extreme + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        moved = np.zeros_like(ways)
        moved[rank:] = ways[: max(ways.size - rank, 0)]
        ways = (ways + moved) / 2
    return kept.size, min(1.0, 2 * float(ways.sum()))


def doubled_ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return twice the rank of each value, lowest 1, equal ones sharing their mean rank."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    begins = np.concatenate([[0], np.flatnonzero(np.diff(ordered) > NEGLIGIBLE) + 1])
    ends = np.concatenate([begins[1:], [values.size]])
    ranks = np.empty(values.size, dtype=np.int64)
    # Places begin to end - 1 have the ranks begin + 1 to end; twice their mean is begin + 1 + end.
    ranks[order] = np.repeat(begins + ends + 1, ends - begins)
    return ranks


N_DRAWS = 200
"""Draws of topics: a standard error from 200 is itself known to 5 %."""

_DRAW_KEY = (0, 0, 0, 0)  # of the stream of topic weights; splits and samples have shorter keys
_TIE_KEY = 2  # last key of the stream that determines ties
_TIE = 1e-9  # of training means: far above rounding, far below any difference in a measure


class Resampler:
    """Weights of topics, and the weighted means over the test topics by all judgments."""

    def __init__(
        self, scores: Floats, tasks: Sequence[tuple[Ints, Ints]], seed: int, n_draws: int = N_DRAWS
    ) -> None:
        self.seed, self.n_draws = seed, n_draws
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=_DRAW_KEY))
        n_topics = scores.shape[1]
        weighted = np.zeros((2, n_draws, len(tasks), n_topics))
        drawn = rng.exponential(size=(n_draws, n_topics))
        for place, both in enumerate(tasks):
            for role, rows in enumerate(both):
                weighted[role, :, place, rows] = drawn[:, rows].T
        # Both (n_draws * n_tasks, n_topics), each row summing to 1
        self._weights, test = (weighted / weighted.sum(axis=-1, keepdims=True)).reshape(2, -1, n_topics)
        self._test_means: Floats = np.matmul(test, scores)

    def effectiveness(self, scores: Floats, level: float, number: int) -> Floats:
        """Return X(Y) of each draw of topics, the mean over tasks."""
        n_measures, n_topics, n_systems = scores.shape
        # Settings that tie are ordered at random, in the same order for all draws, tasks and measures.
        order = _TIE * stream(self.seed, level, number, _TIE_KEY).random(n_systems)
        columns = (scores + order).transpose(1, 0, 2).reshape(n_topics, -1)
        means = (self._weights @ columns).reshape(-1, n_measures, n_systems)
        chosen = means.argmax(axis=-1)  # rows, Y
        result = np.take_along_axis(self._test_means, chosen[None], axis=2)
        of_draws: Floats = result.reshape(n_measures, self.n_draws, -1, n_measures).mean(axis=2)
        return of_draws.transpose(1, 0, 2)


def spread(draws: Floats, fewest: int) -> Floats:
    """Return standard deviations over draws of topics, as they would be for means."""
    if fewest < 2:
        return np.full(draws.shape[1:], np.inf)
    # A Bayesian bootstrap of m topics has (m - 1)/(m + 1) times the unbiased variance of a mean.
    deviations: Floats = draws.std(axis=0, ddof=1) * np.sqrt((fewest + 1) / (fewest - 1))
    return deviations


def resampling_seconds(n_tasks: int, n_measures: int, n_topics: int, n_systems: int) -> float:
    """Return about how long one sample takes, on a core of 2026; only sizes batches."""
    return N_DRAWS * n_tasks * n_measures * n_systems * (n_topics * 8e-11 + 6e-9)
