"""Conventions that fill fields of the design pages at the press of a button."""

from collections.abc import Callable
from dataclasses import dataclass

from topicset_core.designs import Design
from topicset_core.designs.t_test import min_d_of
from topicset_core.parameters import ALPHA, BETA, MIN_D, MIN_DELTA


@dataclass(frozen=True)
class Preset:
    """A convention that fills some fields at the press of a button."""

    # Label of the button, and source of the convention
    label: str
    help: str
    values: Callable[[float], dict[str, float]]  # from the variance in use to the values of fields


def presets_of(design: Design) -> list[Preset]:
    """Return α and β by convention, and Cohen's small, medium and large effect as minD for the variance in use."""
    if design.kind != "power":
        return []
    of_what = "the difference" if design.is_paired else "one system"
    results = [
        Preset(
            "α .05, power 80 %",
            "Cohen's convention: α = .05 and β = .20. A convention, not a law.",
            lambda _: {ALPHA.name: 0.05, BETA.name: 0.20},
        )
    ]
    if design.difference_parameter is not MIN_D:
        return results
    for size, effect in (("small", 0.2), ("medium", 0.5), ("large", 0.8)):

        def values(variance: float, effect: float = effect) -> dict[str, float]:
            return {MIN_D.name: float(min_d_of(effect, variance)), MIN_DELTA.name: effect}

        text = f"minD = {effect} standard deviations of {of_what}, which Cohen (1988) calls {size}."
        results.append(Preset(f"{effect} SD, {size}", text, values))
    return results
