"""Requirements that each design accepts, for the tests that change them."""

import math
from types import ModuleType
from typing import Any

from tests.refusals import refused
from topicset_core.designs import (
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
)
from topicset_core.errors import InputError

T_TESTS = (paired_t, two_sample_t)
POWER_DESIGNS = (*T_TESTS, one_way_anova)
INTERVALS = (confidence_interval, two_sample_confidence_interval)
MODULES = (*POWER_DESIGNS, *INTERVALS)
BAD_NUMBERS = [0.0, -1.0, math.nan, math.inf, "0.1", True, None]


def name_of(value: object) -> str:
    """Name a case of a test by the module of its design: the name that users read may change."""
    return value.__name__.rpartition(".")[2] if isinstance(value, ModuleType) else repr(value)


LEVELS: dict[str, Any] = {"alpha": 0.05, "beta": 0.2}
BLOCKED = LEVELS | {"min_d": 0.1, "n_systems": 10, "residual_variance": 0.01285}
VALID: dict[ModuleType, dict[str, Any]] = {
    paired_t: LEVELS | {"min_d": 0.1, "difference_variance": 0.0942},
    two_sample_t: LEVELS | {"min_d": 0.1, "within_system_variance": 0.0471},
    one_way_anova: LEVELS | {"min_d": 0.1, "within_system_variance": 0.0471, "n_systems": 10},
    confidence_interval: {"alpha": 0.05, "max_width": 0.1, "difference_variance": 0.0942},
    two_sample_confidence_interval: {"alpha": 0.05, "max_width": 0.1, "within_system_variance": 0.0471},
    blocked_anova: BLOCKED,
    all_pairs: BLOCKED,
    equivalence: LEVELS | {"margin": 0.05, "difference_variance": 0.0257},
    non_inferiority: LEVELS | {"margin": 0.05, "difference_variance": 0.0257},
    error_rate: {"max_error": 0.05, "min_d": 0.05, "difference_variance": 0.1},
    group_sequential: LEVELS | {"min_d": 0.1, "difference_variance": 0.0942},
}


def standardised(design: Any) -> dict[str, Any]:
    """The same with minDelta."""
    given = {key: value for key, value in VALID[design].items() if key in ("alpha", "beta", "n_systems")}
    return given | {"min_delta": 0.5}


def refused_by(design: Any, **changes: Any) -> InputError:
    """Return the refusal of requirements after changes."""
    return refused(design.Requirements, **VALID[design] | changes)


def systems(design: Any) -> dict[str, int]:
    """Additional arguments of the functions of the ANOVA."""
    return {"n_systems": 10} if design is one_way_anova else {}
