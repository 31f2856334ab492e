"""New topics on which a difference would be significant again, if it shrinks as differences between its systems do.

Of an observed difference the share k = 2s / (2s + e^2) remains on average: s is the variance component of the
systems of the scores, e the standard error of the difference. Topics follow by `sizing.replication.topics_again`.
"""

from collections.abc import Sequence

from topicset_core.analyses.sizing.replication import topics_again
from topicset_core.collection import ScoreMatrix
from topicset_core.variance.components import Components
from topicset_core.variance.sums_of_squares import mean_squares
from topicset_core.wording import counted, percent


def remaining_share(rows: ScoreMatrix, error: float, systems: Sequence[int] | None = None) -> float:
    """Return k by the spread of all systems, or those of these columns; 0 where they do not differ."""
    chosen = rows if systems is None else rows.taken(range(rows.n_topics), systems)
    signal = 2 * max(Components.from_mean_squares(mean_squares(chosen)).system, 0.0)
    return signal / (signal + error**2) if signal > 0 else 0.0


def new_topics(
    difference: float, error: float, n: int, share: float, *, alpha: float, beta: float
) -> int | None:
    """Return the fewest new topics, or groups, that show a difference of n again with probability 1 - beta."""
    if error <= 0 or share <= 0:
        return None
    return topics_again(difference / error, n, share, alpha=alpha, beta=beta)


def in_words(topics: int, unit: str, power: float) -> str:
    """Return what new topics, or groups, would show."""
    new = counted(topics, f"new {unit}")
    return f"On {new} the difference would be significant with {percent(power)} probability."
