"""Requirements that each design accepts, for the tests that change them."""

import math
from types import ModuleType
from typing import Any

import pytest

from topicset_core.designs import (
    confidence_interval,
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


def valid(design: Any) -> dict[str, Any]:
    """Requirements that each design accepts, the difference given as minD and a variance."""
    if design is paired_t:
        return {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "difference_variance": 0.0942}
    if design is two_sample_t:
        return {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "within_system_variance": 0.0471}
    if design is one_way_anova:
        return {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "within_system_variance": 0.0471, "n_systems": 10}
    if design is confidence_interval:
        return {"alpha": 0.05, "max_width": 0.1, "difference_variance": 0.0942}
    return {"alpha": 0.05, "max_width": 0.1, "within_system_variance": 0.0471}


def standardised(design: Any) -> dict[str, Any]:
    """The same with minDelta."""
    given = {key: value for key, value in valid(design).items() if key in ("alpha", "beta", "n_systems")}
    return given | {"min_delta": 0.5}


def refused(design: Any, **changes: Any) -> InputError:
    given = valid(design) | changes
    with pytest.raises(InputError) as caught:
        design.Requirements(**given)
    return caught.value


def systems(design: Any) -> dict[str, int]:
    """Additional arguments of the functions of the ANOVA."""
    return {"n_systems": 10} if design is one_way_anova else {}
