"""The e-value against stated values of real scores, an integral, and simulation; decisions of a plan."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from tests.designs.asking import stated
from tests.reference_data import reference_matrix
from topicset_core.analyses.running_evidence import (
    always_valid_interval,
    log_e,
    running_log_e,
    standing,
    tuned_scale,
)
from topicset_core.designs.group_sequential import Requirements, required_topics
from topicset_core.errors import InputError


def differences(name: str, first: str, second: str) -> np.ndarray:
    matrix = reference_matrix(name)
    return np.asarray(
        matrix.scores[:, matrix.systems.index(first)] - matrix.scores[:, matrix.systems.index(second)]
    )


def test_e_value_of_sakai_20x3() -> None:
    matrix = reference_matrix("sakai_20x3")
    assert log_e(matrix.scores[:, 0] - matrix.scores[:, 1], 20) == stated(0.760296, 6)
    assert tuned_scale(20) == stated(0.396808, 6)


# shared reference notes, 5.4: log e after 50, 100 and 249 topics in file order, and the topic of the first e >= 20.
ROBUST = {
    ("pircRB04td2", "uogRobDBase"): (7.318594, 9.554850, 17.572913, 31),
    ("fub04TDNe", "fub04De"): (4.583795, 6.423898, 4.896079, 36),
    ("pircRB04td2", "fub04TDNge"): (-0.787902, -1.036948, 1.147863, None),
    ("fub04Te", "fub04De"): (1.671171, -0.281167, -1.185717, None),
}


@pytest.mark.parametrize("pair", ROBUST)
def test_e_values_of_robust_2004(pair: tuple[str, str]) -> None:
    *at, first = ROBUST[pair]
    result = running_log_e(differences("robust2004_ap", *pair), 100)
    assert [result[n - 2] for n in (50, 100, 249)] == [stated(value, 6) for value in at if value is not None]
    reached = np.flatnonzero(result >= math.log(20))
    assert (int(reached[0]) + 2 if reached.size else None) == first


def test_e_value_against_the_bayes_factor_as_an_integral() -> None:
    """Noncentral t densities mixed over N(0, g), over the central one."""
    d = np.random.default_rng(2).standard_normal(12) + 0.4
    t, g = float(stats.ttest_1samp(d, 0).statistic), tuned_scale(30)
    mixed = integrate.quad(
        lambda x: stats.nct.pdf(t, 11, math.sqrt(12) * x) * stats.norm.pdf(x, 0, math.sqrt(g)), -3, 3
    )[0]
    # quad reaches 1e-8; nct.pdf of SciPy about 1e-9.
    assert log_e(d, 30) == pytest.approx(math.log(mixed / stats.t.pdf(t, 11)), abs=1e-6)


def test_interval_is_where_the_e_value_reaches_its_bound() -> None:
    d = np.random.default_rng(4).standard_normal(40) * 0.1 + 0.03
    for end in always_valid_interval(d, 50, alpha=0.1):
        assert log_e(d - end, 50, alpha=0.1) == pytest.approx(math.log(10), abs=1e-9)
    assert always_valid_interval(d[:2], 50) == (-math.inf, math.inf)
    # Width next to the t interval, planned for 50: the stated 1.73 at 20 topics, 1.58 at 50.
    for n, ratio in ((20, 1.73), (50, 1.58), (100, 1.57)):
        e = np.random.default_rng(n).standard_normal(n)
        low, high = always_valid_interval(e, 50)
        width = 2 * stats.t.isf(0.025, n - 1) * e.std(ddof=1) / math.sqrt(n)
        assert (high - low) / width == stated(ratio, 2)


def test_tests_after_every_topic_keep_the_error_rate_against_simulation() -> None:
    rng, errors, trials = np.random.default_rng(9), 0, 1500
    for _ in range(trials):
        errors += bool((running_log_e(rng.standard_normal(300), 50) >= math.log(20)).any())
    assert errors / trials < 0.05  # stated .033 up to 500 topics; the bound is proved


def test_edges_of_the_e_value() -> None:
    assert log_e([0.0, 0.0, 0.0], 10) == 0
    assert log_e([0.25, 0.25, 0.25], 10) == math.inf
    assert log_e([1e6 + 1.0, 1e6 - 1.0], 10) > 0
    for bad in ([0.1], [], [0.1, math.nan], [[0.1, 0.2]]):
        with pytest.raises(InputError, match="differences"):
            log_e(bad, 10)  # type: ignore[arg-type]


def test_a_plan_decides_at_its_looks_only() -> None:
    plan = required_topics(Requirements(alpha=0.05, beta=0.2, min_delta=0.5, looks=3))
    first, second, last = plan.topics
    rng = np.random.default_rng(1)
    null = rng.standard_normal(last)
    null -= null[:first].mean()  # no difference up to the first look
    before = standing(plan, null[: first - 1])
    assert (before.decision, before.look, before.next_topics) == ("continue", 0, first)
    between = standing(plan, null[: second - 1])
    assert (between.look, between.next_topics, len(between.t)) == (1, second, 1)
    assert between.t[0] == pytest.approx(0, abs=1e-12)
    clear = rng.standard_normal(last) * 0.1 + 0.5
    stopped = standing(plan, clear)
    assert (stopped.decision, stopped.look) == ("stop", 1)
    assert stopped.t[0] == pytest.approx(stats.ttest_1samp(clear[:first], 0).statistic, rel=1e-12)
    flat = np.tile([1.0, -1.0], last)[:last]
    assert standing(plan, flat).decision == "end"
    assert standing(plan, np.full(last, 0.1)).decision == "stop"
    assert standing(plan, np.zeros(last)).decision == "end"
