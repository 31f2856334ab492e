"""How many topics: one module per design method, each ending in its `DESIGN`.

Each module has `Requirements` and ``required_topics(requirements, method=...)``; the power designs also
answer ``power``, ``detectable_delta`` and ``required_topics_grid``, the interval designs ``width`` and
``required_topics_grid``. `error_rate` sizes by another requirement: how often two experiments may
contradict each other. ``DESIGN.plan(**values)`` is a design with its values; difference and variance may stay open.
"""

from importlib import import_module

from topicset_core.designs.design import Design, Plan


def _designs(*modules: str) -> tuple[Design, ...]:
    return tuple(import_module(f"{__name__}.{module}").DESIGN for module in modules)


DESIGNS = _designs(
    "paired_t",
    "two_sample_t",
    "one_way_anova",
    "blocked_anova",
    "all_pairs",
    "against_baseline",
    "non_inferiority",
    "equivalence",
    "confidence_interval",
    "two_sample_confidence_interval",
)
"""The designs by tests and intervals, in the order in which they are shown; one that is added is everywhere."""

SEQUENTIAL = _designs("group_sequential", "two_stage")
"""The designs whose topics come in several rounds."""

ALL_DESIGNS = (*DESIGNS, *_designs("error_rate"), *SEQUENTIAL)
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


__all__ = ["ALL_DESIGNS", "DESIGNS", "SEQUENTIAL", "Design", "Plan", "design_named"]
