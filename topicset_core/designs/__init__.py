"""How many topics: one module per design method, each ending in its `Design`.

Each module has `Requirements` and ``required_topics(requirements, method=...)``; the power designs also
answer ``power``, ``detectable_delta`` and ``required_topics_grid``, the interval designs ``width`` and
``required_topics_grid``. `error_rate` sizes by another requirement: how often two experiments may
contradict each other.
"""

from typing import Any

from topicset_core.designs import (
    against_baseline,
    all_pairs,
    blocked_anova,
    confidence_interval,
    equivalence,
    error_rate,
    group_sequential,
    non_inferiority,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
    two_stage,
)
from topicset_core.designs.design import Design, TradeOff

DESIGNS = (
    paired_t.DESIGN,
    two_sample_t.DESIGN,
    one_way_anova.DESIGN,
    blocked_anova.DESIGN,
    all_pairs.DESIGN,
    against_baseline.DESIGN,
    non_inferiority.DESIGN,
    equivalence.DESIGN,
    confidence_interval.DESIGN,
    two_sample_confidence_interval.DESIGN,
)
"""The designs by tests and intervals, in the order in which they are shown."""

SEQUENTIAL = (group_sequential.DESIGN, two_stage.DESIGN)
"""The designs whose topics come in several rounds."""

ALL_DESIGNS = (*DESIGNS, error_rate.DESIGN, *SEQUENTIAL)
"""These, the design by error rates, and the designs in several rounds."""


def design_named(name: str) -> Design:
    """Return the design with this name or slug.

    Parameters
    ----------
    name : str
        As pages show it, or the slug as the command line takes it.

    Raises
    ------
    KeyError
        If the design does not exist.
    """
    return {known: design for design in ALL_DESIGNS for known in (design.name, design.slug)}[name]


def view_of(requirements: Any) -> TradeOff:
    """Return the trade-off of the design that these requirements are for.

    Parameters
    ----------
    requirements : Requirements
        Requirements of any design of `ALL_DESIGNS`.
    """
    design = next(known for known in ALL_DESIGNS if type(requirements) is known.requirements)
    return design.view_of(requirements)


__all__ = [
    "ALL_DESIGNS",
    "DESIGNS",
    "SEQUENTIAL",
    "Design",
    "TradeOff",
    "against_baseline",
    "all_pairs",
    "blocked_anova",
    "confidence_interval",
    "design_named",
    "equivalence",
    "error_rate",
    "group_sequential",
    "non_inferiority",
    "one_way_anova",
    "paired_t",
    "two_sample_confidence_interval",
    "two_sample_t",
    "two_stage",
    "view_of",
]
