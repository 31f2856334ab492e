"""Tables of power for standard effect sizes, as every textbook prints them."""

import math

import pytest

from tests.reference.tables import table
from topicset_core.designs import one_way_anova
from topicset_core.designs.f_test import FTest


@pytest.mark.parametrize("row", table("conventional_tables"), ids=lambda row: "-".join(row.values())[:40])
def test_conventional_tables_against_r_pwr(row: dict[str, str]) -> None:
    groups, effect, power, n = (
        int(row["groups"]),
        float(row["effect"]),
        float(row["power"]),
        float(row["n"]),
    )
    match row["test"]:
        case "paired" | "two.sample":
            test, per_topic = FTest(1, groups), effect**2 / groups
        case _:
            test, per_topic = FTest(groups - 1, groups), groups * effect**2  # lambda = k n f^2
    assert int(test.required_topics(per_topic, 0.05, 1 - power)) == math.ceil(n)
    # pwr's root is within 1.2e-4 of n, and a topic adds at most 2.5 % power here.
    assert float(test.power(n, per_topic, 0.05)) == pytest.approx(power, abs=1.2e-4 * 0.025)


@pytest.mark.parametrize(
    ("n_topics", "power"),
    # R, daewr::Fpower1(alpha = .05, nlev = 4, nreps = 2:6, Delta = 3, sigma = sqrt(2.1)).
    [(2, 0.1789448), (3, 0.3610072), (4, 0.5342442), (5, 0.6775021), (6, 0.7859062)],
)
def test_worst_case_power_against_r_daewr(n_topics: int, power: float) -> None:
    effect = one_way_anova.min_delta_of(3.0, 2.1)
    computed = float(one_way_anova.power(n_topics, effect, alpha=0.05, n_systems=4))
    # Half a unit of the last digit, and what R's noncentral pf() is off by, some 5e-10.
    assert computed == pytest.approx(power, abs=0.5e-7 + 1e-9)
