"""Required topics against the number of systems, by design: which takes fewer, and from how many systems on."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from topicset_core.analyses.sizing.curves import systems_lines
from topicset_core.designs import design_named
from topicset_core.designs.results import PowerResult, WidthResult
from topicset_core.exports.figures import Figure
from topicset_core.parameters import N_SYSTEMS

if TYPE_CHECKING:
    from topicset_core.charts.style import Mode


def compares_designs(exact: PowerResult | WidthResult) -> bool:
    """Return whether the answer is of a number of systems, so that other designs for them are shown next to it."""
    return N_SYSTEMS in design_named(exact.design).parameters and exact.requirements.min_d is not None


def systems_figure(exact: PowerResult | WidthResult, others: Mapping[str, float], mode: "Mode") -> Figure:
    """Return required topics against the number of systems, by design."""
    from topicset_core.analyses.sizing.charts import topics_by_systems

    requirements = exact.requirements
    variances = {**others, requirements.variance_parameter.name: requirements.variance}
    lines = systems_lines(
        requirements.alpha,
        requirements.beta,
        requirements.min_d,
        variances,
        requirements.variance_parameter.name,
    )
    drawn = topics_by_systems(
        lines,
        point=(requirements.n_systems, exact.required_topics),
        difference=requirements.min_d,
        mode=mode,
    )
    text = "; ".join(f"{one.label} {one.topics[0]:,} to {one.topics[-1]:,}" for one in lines)
    span = f"m = {lines[0].systems[0]} to {lines[0].systems[-1]}" if lines else ""
    return Figure(
        "topics-by-systems", drawn, f"Required topics against the number of systems, {span}: {text}."
    )
