"""Integers against R's pwr, below 4e5 degrees of freedom: tests/reference/make_r_pwr.R.

pwr finds its real n to 1.2e-4. Where that lies so near a whole number that its rounding up is in
doubt, the exact power would have to decide; in these tables none comes nearer than 5e-4, which the
first test holds, so every row is decided by R alone.
"""

from collections import Counter

import pytest

from tests.reference.tables import table
from topicset_core.designs import one_way_anova, paired_t, two_sample_t

T_DESIGNS = {"paired": paired_t, "two.sample": two_sample_t}


@pytest.mark.parametrize("name", ["r_pwr_t", "r_pwr_anova"])
def test_no_row_of_r_pwr_is_at_a_rounding_edge(name: str) -> None:
    for row in table(name):
        n = float(row["n"])
        # Exactly 2 means "two topics are enough", which pwr refuses to solve.
        assert n == 2 or abs(n - round(n)) > 1.5e-4


@pytest.mark.slow
def test_t_topics_against_r_pwr() -> None:
    rows = table("r_pwr_t")
    assert Counter(row["type"] for row in rows) == {"paired": 300, "two.sample": 289}
    wrong = []
    for row in rows:
        design = T_DESIGNS[row["type"]]
        requirements = design.Requirements(
            alpha=float(row["alpha"]), beta=float(row["beta"]), min_delta=float(row["min_delta"])
        )
        n = design.required_topics(requirements).required_topics
        if n != int(row["required"]):
            wrong.append((row, n))
    assert wrong == []


@pytest.mark.slow
def test_anova_topics_against_r_pwr() -> None:
    rows = table("r_pwr_anova")
    assert len(rows) == 854
    wrong = []
    for row in rows:
        requirements = one_way_anova.Requirements(
            alpha=float(row["alpha"]),
            beta=float(row["beta"]),
            min_delta=float(row["min_delta"]),
            n_systems=int(row["n_systems"]),
        )
        n = one_way_anova.required_topics(requirements).required_topics
        if n != int(row["required"]):
            wrong.append((row, n))
    assert wrong == []
