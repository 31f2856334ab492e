"""Does the best set of one cardinality contain that of the one below?

Guiver, Mizzaro and Robertson (2009), section 5.4.

    "For each topic in a set of a given size, a counter is incremented if the topic is in the set next size
    up. For the exhaustive search, this counter has a minimum and maximum possible value [...]. The stability
    value (expressed as a percentage) is given by the ratio (counter actual - counter min) / (counter max -
    counter min)"

A set of c of n topics and one of d > c share at most c of them, and at least c + d - n.
"""

import itertools

from topicset_core.analyses.topic_subsets.curve import SubsetCurve
from topicset_core.analyses.topic_subsets.heuristic_judged import Side


def stability(curve: SubsetCurve, side: Side) -> float | None:
    """Return the stability of the best (worst) sets over the cardinalities of a curve, from 0 to 1.

    None where no two neighbours leave room for change, as with one cardinality.
    """
    sets = [
        set(one.topics)
        for point in curve.points
        if (one := point.best if side == "best" else point.worst) is not None
    ]
    actual = least = most = 0
    for smaller, larger in itertools.pairwise(sets):
        actual += len(smaller & larger)
        least += max(0, len(smaller) + len(larger) - curve.n_topics)
        most += len(smaller)
    return (actual - least) / (most - least) if most > least else None
