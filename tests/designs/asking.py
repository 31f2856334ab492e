"""Compare with a printed number, for tests of designs and of analyses."""

from typing import Any

import pytest


def stated(value: float, digits: int) -> Any:
    """Equal to a number printed with this number of decimals: within half a unit of the last one."""
    return pytest.approx(value, abs=0.5 * 10**-digits)
