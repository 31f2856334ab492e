"""Conventions of the field that fill a form at the press of a button."""

from collections.abc import Callable

import numpy as np

from pages.parts.question import Preset
from topicset_core.parameters import ALPHA, BETA, MIN_D

FIVE_EIGHTY = Preset(
    "five-eighty",
    "Cohen's convention: α = .05 and 80 % power, β = .20. A convention, not a law.",
    lambda _: {ALPHA.name: 0.05, BETA.name: 0.20},
)

_COHEN = (("small .2", 0.2), ("medium .5", 0.5), ("large .8", 0.8))


def effects(min_d_of: Callable[[float, float], np.ndarray], of_what: str) -> tuple[Preset, ...]:
    """Return Cohen's small, medium and large effect as minD for the variance in use.

    Parameters
    ----------
    min_d_of : callable
        From effect size and variance to minD.
    of_what : str
        Whose standard deviation the effect is measured in.
    """

    def preset(label: str, effect: float) -> Preset:
        return Preset(
            label,
            f"minD = {effect} standard deviations of {of_what}, which Cohen (1988) calls {label.split()[0]}.",
            lambda variance: {MIN_D.name: float(min_d_of(effect, variance))},
        )

    return tuple(preset(label, effect) for label, effect in _COHEN)
