"""Integers against R's pwr, below 4e5 degrees of freedom: tests/reference/make_r_pwr.R.

pwr finds its real n to 1.2e-4. Where that lies so near a whole number that its rounding up is in
doubt, the exact power would have to decide; in these tables none comes nearer than 5e-4, so every row is
decided by R alone.
"""

import math
from collections import Counter
from typing import Any

import pytest

from tests.reference.tables import table
from topicset_core.designs import one_way_anova, paired_t, two_sample_t
from topicset_core.designs.f_test import FTest

DESIGNS: dict[str, Any] = {"paired": paired_t, "two.sample": two_sample_t, "anova": one_way_anova}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "counts"),
    [("r_pwr_t", {"paired": 300, "two.sample": 289}), ("r_pwr_anova", {"anova": 854})],
)
def test_topics_against_r_pwr(name: str, counts: dict[str, int]) -> None:
    rows = table(name)
    assert Counter(row.get("type", "anova") for row in rows) == counts
    wrong = []
    for row in rows:
        real_n = float(row["n"])
        # Exactly 2 means "two topics are enough", which pwr refuses to solve.
        assert real_n == 2 or abs(real_n - round(real_n)) > 1.5e-4
        design = DESIGNS[row.get("type", "anova")]
        systems = {"n_systems": int(row["n_systems"])} if design is one_way_anova else {}
        levels = {given: float(row[given]) for given in ("alpha", "beta", "min_delta")}
        n = design.required_topics(design.Requirements(**levels, **systems)).required_topics
        if n != int(row["required"]):
            wrong.append((row, n))
    assert wrong == []


@pytest.mark.parametrize("row", table("conventional_tables"), ids=lambda row: "-".join(row.values())[:40])
def test_conventional_tables_against_r_pwr(row: dict[str, str]) -> None:
    """Tables of power for standard effect sizes, as every textbook prints them."""
    groups, effect, power, n = int(row["groups"]), *(float(row[name]) for name in ("effect", "power", "n"))
    match row["test"]:
        case "paired" | "two.sample":
            test, per_topic = FTest(1, groups), effect**2 / groups
        case _:
            test, per_topic = FTest(groups - 1, groups), groups * effect**2  # lambda = k n f^2
    assert int(test.required_topics(per_topic, 0.05, 1 - power)) == math.ceil(n)
    # pwr's root is within 1.2e-4 of n, and a topic adds at most 2.5 % power here.
    assert float(test.power(n, per_topic, 0.05)) == pytest.approx(power, abs=1.2e-4 * 0.025)


def test_worst_case_power_against_r_daewr() -> None:
    # R, daewr::Fpower1(alpha = .05, nlev = 4, nreps = 2:6, Delta = 3, sigma = sqrt(2.1)).
    effect = one_way_anova.DESIGN.min_delta_of(3.0, 2.1)
    powers = one_way_anova.power([2, 3, 4, 5, 6], effect, alpha=0.05, n_systems=4)
    # Half a unit of the last digit, and what R's noncentral pf() is off by, some 5e-10.
    assert powers == pytest.approx([0.1789448, 0.3610072, 0.5342442, 0.6775021, 0.7859062], abs=0.5e-7 + 1e-9)
