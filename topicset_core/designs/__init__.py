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

SHARES = _designs(
    "mcnemar", "non_inferior_shares", "equivalent_shares", "paired_shares_interval", "share_interval"
)
"""The designs for scores that are 0 or 1."""

_IN_PLACE_OF = (
    "paired_t",
    "non_inferiority",
    "equivalence",
    "confidence_interval",
    "two_sample_confidence_interval",
)
OF_SHARES = dict(zip(_designs(*_IN_PLACE_OF), SHARES, strict=True))
"""The design for scores of 0 and 1 in place of another one; of two samples it is for one system."""

SEQUENTIAL = _designs("group_sequential", "two_stage")
"""The designs whose topics come in several rounds."""

IN_GROUPS = (*DESIGNS, SEQUENTIAL[0])
"""The designs that can be planned in groups of topics; a pilot and its top-up cannot."""

PLANNED = (*DESIGNS, *SHARES, *SEQUENTIAL)
"""The designs that pages plan with by one form."""

ALL_DESIGNS = (*DESIGNS, *_designs("error_rate"), *SHARES, *SEQUENTIAL)
"""These, and the design by error rates."""


def design_named(name: str) -> Design:
    """Return the design with this name or slug, also a former one.

    Parameters
    ----------
    name : str
        As pages show it, or the slug as the command line takes it.

    Raises
    ------
    KeyError
        If the design does not exist.
    """
    names = {known: design for design in ALL_DESIGNS for known in (design.name, design.slug, *design.former)}
    return names[name]


def slug_of(name: str) -> str:
    """Return the present slug of a design from a former one, and any other word as it is."""
    return next((design.slug for design in ALL_DESIGNS if name in design.former), name)


__all__ = [
    "ALL_DESIGNS",
    "DESIGNS",
    "IN_GROUPS",
    "OF_SHARES",
    "PLANNED",
    "SEQUENTIAL",
    "SHARES",
    "Design",
    "Plan",
    "design_named",
    "slug_of",
]
