"""Variances of the differences of means at levels of the difference: table 1 of Lin and Hauptmann.

Their levels are [.01, .02), [.02, .03), [.03, .04): closed below, unlike the bins of Voorhees and
Buckley. The values are variances of a difference of **means**, already divided by the topics, and of
paired size.

Recomputed from the public matrix of TREC-3 the three values are .000377, .000379, .000385, where the
paper prints .000464, .000294, .000434. Order of magnitude and the comparison with TREC-6 hold, the
digits do not: the paper does not say which runs it took and how it averaged. Means over the 65, 46
and 63 pairs of the 40 runs hardly move from level to level, so its values come from fewer pairs or
from something else than a mean over them.

References
----------
.. [1] W.-H. Lin, A. Hauptmann. Revisiting the effect of topic set size on retrieval error. SIGIR 2005,
   table 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from topicset_core.analyses.error_rate.pairs import pairs_of
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

LEVELS = (0.01, 0.02, 0.03, 0.04)
"""Edges of the levels in table 1."""

_ROUNDING = 1e-12  # means of equal scores that were summed in another order


@dataclass(frozen=True, kw_only=True)
class LevelVariance:
    """One row of the table.

    Parameters
    ----------
    low, high : float
        The level, low <= difference < high.
    n_pairs : int
        Pairs of runs whose means differ so much.
    variance : float or None
        Mean over them of the variance of their mean difference, Var(d) / n; None without a pair.
    """

    low: float
    high: float
    n_pairs: int
    variance: float | None


def level_variances(matrix: ScoreMatrix, edges: Sequence[float] = LEVELS) -> tuple[LevelVariance, ...]:
    """Return the mean variance of the difference of means at each level.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 runs that are not alike.
    edges : sequence of float
        Rising, at least two; level k reaches from edge k to below edge k + 1.

    Raises
    ------
    InputError
        If there are fewer than 2 runs, all are alike, or the edges do not rise.
    """
    if len(edges) < 2 or any(low >= high for low, high in pairwise(edges)):
        raise InputError("edges", tuple(edges), "must be at least two numbers that rise")
    pairs = pairs_of(matrix)
    differences = pairs.differences + _ROUNDING
    rows = []
    for low, high in pairwise(edges):
        inside = (low <= differences) & (differences < high)
        n_pairs = int(inside.sum())
        mean = float(pairs.paired_variances[inside].mean()) / pairs.n_topics if n_pairs else None
        rows.append(LevelVariance(low=low, high=high, n_pairs=n_pairs, variance=mean))
    return tuple(rows)
