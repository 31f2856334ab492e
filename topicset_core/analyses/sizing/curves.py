"""The curves around one answer: what its charts draw and its tables hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from topicset_core.designs import design_named
from topicset_core.designs.curves import (
    TABLE,
    EqualTopics,
    SizeCurve,
    TopicsCurve,
    equal_topics,
    size_curve,
    topics_curves,
)
from topicset_core.parameters import N_SYSTEMS

_OTHER_SYSTEMS = (2, 10, 30, 100)  # drawn beside the user's m


@dataclass(frozen=True)
class Curves:
    """All that is drawn and tabulated around one answer.

    Parameters
    ----------
    topics : tuple of TopicsCurve
        Required topics against the difference; of an ANOVA for several numbers of systems.
    table : tuple of TopicsCurve
        The same at the few differences of a table.
    sizes : SizeCurve
        What a topic set of each size gives.
    equal : tuple of EqualTopics
        Lines of equal n over the variance.
    """

    topics: tuple[TopicsCurve, ...]
    table: tuple[TopicsCurve, ...]
    sizes: SizeCurve
    equal: tuple[EqualTopics, ...]


def curves_around(design: str, values: Mapping[str, Any], required_topics: int) -> Curves:
    """Return the curves around one answer.

    Parameters
    ----------
    design : str
        Name of the design.
    values : mapping
        Its requirements by name, the difference in units of the measure.
    required_topics : int
        The answer.
    """
    found = design_named(design)
    wanted = found.requirements(**values)
    settled = found.settled_of(vars(wanted))
    yours = found.view(**settled)
    views = [yours]
    if N_SYSTEMS in found.parameters:
        systems = sorted({wanted.n_systems, *_OTHER_SYSTEMS})
        views = [
            yours if m == wanted.n_systems else found.view(**settled | {N_SYSTEMS.name: m}) for m in systems
        ]
    point = wanted.difference, wanted.variance
    return Curves(
        topics=topics_curves(views, *point, yours),
        table=topics_curves(views, *point, yours, TABLE),
        sizes=size_curve(yours, *point, required_topics),
        equal=equal_topics(yours, wanted.variance, required_topics),
    )
