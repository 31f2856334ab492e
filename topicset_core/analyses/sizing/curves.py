"""The curves around one answer: what its charts draw and its tables hold."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from topicset_core.designs import (
    Design,
    against_baseline,
    all_pairs,
    blocked_anova,
    design_named,
    one_way_anova,
)
from topicset_core.designs.curves import (
    FEW_POINTS,
    POWER_POINTS,
    TABLE,
    EqualTopics,
    SizeCurve,
    TopicsCurve,
    equal_topics,
    size_curve,
    topics_curves,
)
from topicset_core.errors import NoSolution
from topicset_core.parameters import N_SYSTEMS, RESIDUAL_VARIANCE, WITHIN_SYSTEM_VARIANCE

_OTHER_SYSTEMS = (2, 10, 30, 100)  # drawn next to the user's m


SYSTEMS = (2, 3, 4, 5, 7, 10, 13, 16, 20, 30, 50, 70, 100)
"""Numbers of systems for which designs are compared."""


@dataclass(frozen=True)
class SystemsLine:
    """Required topics of one design against the number of systems."""

    label: str  # the design or procedure
    systems: tuple[int, ...]
    topics: tuple[int, ...]


def systems_lines(
    alpha: float, beta: float, min_d: float, variances: Mapping[str, float], taken: str
) -> tuple[SystemsLine, ...]:
    """Return required topics against the number of systems for ANOVA, blocked ANOVA and multiple comparisons."""
    topics = "separate" if taken == WITHIN_SYSTEM_VARIANCE.name else "shared"
    requested: list[tuple[str, Design, str, dict[str, str]]] = [
        ("one-way ANOVA", one_way_anova.DESIGN, WITHIN_SYSTEM_VARIANCE.name, {}),
        ("two-way ANOVA", blocked_anova.DESIGN, RESIDUAL_VARIANCE.name, {}),
        ("all pairs, Bonferroni", all_pairs.DESIGN, taken, {"procedure": "bonferroni", "topics": topics}),
        ("all pairs, Tukey HSD", all_pairs.DESIGN, taken, {"procedure": "tukey", "topics": topics}),
        ("baseline, Dunnett", against_baseline.DESIGN, taken, {"procedure": "dunnett", "topics": topics}),
    ]
    lines = []
    for label, design, variance, choices in requested:
        if variance not in variances:
            continue
        given = {"alpha": alpha, "beta": beta, "min_d": min_d, variance: variances[variance]} | choices
        results = []
        with suppress(NoSolution):
            for m in SYSTEMS:
                results.append(
                    design.required_topics(design.requirements(n_systems=m, **given)).required_topics
                )
        if results:
            lines.append(SystemsLine(label, SYSTEMS[: len(results)], tuple(results)))
    return tuple(lines)


@dataclass(frozen=True)
class Curves:
    """All that is drawn and tabulated around one answer."""

    topics: tuple[TopicsCurve, ...]  # required topics against the difference
    table: tuple[TopicsCurve, ...]  # the same at the few differences of a table
    sizes: SizeCurve  # power or width of a topic set of each size
    equal: tuple[EqualTopics, ...]  # lines of equal n over the variance


def curves_around(design: str, values: Mapping[str, Any], required_topics: int) -> Curves:
    """Return the curves around one answer."""
    result = design_named(design)
    requirements = result.requirements(**values)
    fixed = result.fixed_of(vars(requirements))
    yours = result.view(**fixed)
    views, is_slow = [yours], result.is_slow(fixed)
    if N_SYSTEMS in result.parameters:
        others = set() if is_slow else {*_OTHER_SYSTEMS}
        views = [
            yours if m == requirements.n_systems else result.view(**fixed | {N_SYSTEMS.name: m})
            for m in sorted({requirements.n_systems} | others)
        ]
    point = requirements.difference, requirements.variance
    return Curves(
        topics=topics_curves(views, *point, yours),
        table=topics_curves(views, *point, yours, TABLE),
        sizes=size_curve(yours, *point, required_topics, FEW_POINTS if is_slow else POWER_POINTS),
        equal=equal_topics(yours, requirements.variance, required_topics),
    )
