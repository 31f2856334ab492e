"""Section 3.1 of Sakai, Topic set size design, IRJ 19 (2016): the paired t test.

Stated numbers carry the digits of the paper; the tolerance is then half a unit of the last one.
"""

import numpy as np
import pytest

from tests.designs.asking import (
    stated,
    t_topics,
)
from tests.reference.tables import numbers
from topicset_core.designs import paired_t
from topicset_core.designs.nagata import NagataT


def test_initial_topics_against_sakai_2016_eq_8() -> None:
    assert float(NagataT(1).initial_topics(np.asarray(0.5**2), 0.05, 0.20)) == stated(33.3, 1)
    assert float(NagataT(1).initial_topics(np.asarray(0.5**2), 0.05, 0.20)) == stated(33.316248, 6)  # SciPy


@pytest.mark.parametrize(
    ("n_topics", "published", "exact"),
    # Eq. 6 and noncentral t at (.05, .20, .50), plain_designs.py; the paper states .808 at n = 34.
    [(33, 0.795298540, 0.795365841487504), (34, 0.807719956, 0.807777501279274)],
)
def test_paired_power_against_sakai_2016(n_topics: int, published: float, exact: float) -> None:
    assert float(paired_t.power(n_topics, 0.5, alpha=0.05, method="published")) == stated(published, 9)
    assert float(paired_t.power(n_topics, 0.5, alpha=0.05)) == pytest.approx(exact, abs=1e-12)


def test_paired_sizes_against_sakai_2016_table_1() -> None:
    effects, computed, expected = [], [], []
    for row in numbers("sizes_paired_t"):
        alpha, beta, delta = row["alpha"], row["beta"], row["min_delta"]
        effects.append(float(NagataT(1).initial_topics(np.asarray(delta**2), alpha, beta)) - row["initial"])
        n = [t_topics(alpha, beta, delta, method) for method in ("published", "exact")]
        powers = (
            paired_t.power(n[0], delta, alpha=alpha, method="published"),
            paired_t.power([n[1], n[1] - 1], delta, alpha=alpha),
        )
        computed.append([*n, *np.hstack(powers).round(6)])
        expected.append([row[c] for c in ("published", "exact", "power_published", "power_exact")])
        expected[-1].append(row["power_exact_one_fewer"])
    assert len(computed) == 48
    # Powers have six decimals; rounding may fall either way at the seventh.
    np.testing.assert_allclose(np.array(computed, dtype=float), np.array(expected), rtol=0, atol=1.01e-6)
    np.testing.assert_allclose(effects, 0, atol=0.5001e-4)  # printed to four decimals


# 392 effect sizes from .05 to 2.005; counts below are of plain_designs.py over the same cells.
SWEEP = np.array([50 + 5 * step for step in range(392)]) / 1000


def test_published_t_is_at_most_one_topic_off_against_plain_designs() -> None:
    differences = np.concatenate(
        [
            paired_t.required_topics_grid(SWEEP, alpha=alpha, beta=beta, method="published")
            - paired_t.required_topics_grid(SWEEP, alpha=alpha, beta=beta)
            for alpha in (0.01, 0.05, 0.10)
            for beta in (0.05, 0.10, 0.20, 0.30)
        ]
    )
    assert differences.size == 4704
    assert np.abs(differences).max() == 1
    assert np.count_nonzero(differences) == 74


def test_one_sided_size_against_r_pwr() -> None:
    # pwr.t.test(d = .5, sig.level = .05, power = .8, type = "paired", alternative = "greater") gives 27
    # (two-sided 34). A two-sided test at .10 is that but for a far tail of 1e-6.
    assert t_topics(0.10, 0.20, 0.5) == 27
    assert t_topics(0.05, 0.20, 0.5) == 34
