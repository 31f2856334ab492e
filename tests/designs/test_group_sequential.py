"""Looks and two stages: printed boundaries, other programs, and simulation with raw differences."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.designs.asking import stated
from tests.reference_data import reference_matrix
from topicset_core.designs import group_sequential, two_stage
from topicset_core.designs.boundaries import Spending, boundaries_of, crossing, drift_for
from topicset_core.designs.group_sequential import Requirements, inflation, required_topics, simulate
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import SPENDING

EQUAL = {k: tuple((i + 1) / k for i in range(k)) for k in (2, 3, 4, 5)}

# Constants and inflation factors of Jennison and Turnbull (2000), tables 2.1 to 2.4, and of gsDesign and rpact.
OBRIEN_FLEMING = {2: 1.977431, 3: 2.004036, 4: 2.024295, 5: 2.040073}
POCOCK = {2: 2.178272, 3: 2.289478, 4: 2.361298, 5: 2.413176}
INFLATION = {
    "obrien-fleming": {2: (1.0078, 1.0071), 5: (1.0284, 1.0265)},
    "pocock": {2: (1.1104, 1.1001), 5: (1.2284, 1.2065)},
    "lan-demets-of": {2: (1.0037, 1.0034)},
    "lan-demets-pocock": {2: (1.1225, 1.1110)},
}
EXPECTED_AT_80 = {  # E(n) over the fixed design, under minDelta and without a difference
    ("obrien-fleming", 2): (0.9022, 1.0052),
    ("obrien-fleming", 5): (0.8176, 1.0211),
    ("pocock", 5): (0.7990, None),
    ("lan-demets-pocock", 2): (0.8549, None),
}


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_boundaries_against_printed_constants(k: int) -> None:
    assert boundaries_of(EQUAL[k], "obrien-fleming", 0.05)[-1] == stated(OBRIEN_FLEMING[k], 6)
    assert boundaries_of(EQUAL[k], "pocock", 0.05) == tuple([stated(POCOCK[k], 6)] * k)


def test_spending_boundaries_against_gsdesign_rpact_and_maxima() -> None:
    result = boundaries_of(EQUAL[2], "lan-demets-of", 0.05)
    # mpmath at 25 digits, both boundaries counted; ours is found to 1e-13 in c.
    assert result == pytest.approx((2.9625880427275668, 1.9685956405936559), rel=1e-12)
    assert boundaries_of(EQUAL[2], "lan-demets-pocock", 0.05) == (stated(2.156999, 6), stated(2.200977, 6))
    uneven = boundaries_of((0.5, 0.75, 1.0), "lan-demets-of", 0.05)
    assert uneven == (stated(2.962588, 6), stated(2.359018, 6), stated(2.014084, 6))
    five = boundaries_of(EQUAL[5], "lan-demets-of", 0.05)
    assert five == tuple(stated(c, 6) for c in (4.876885, 3.357012, 2.680280, 2.289817, 2.031032))


@pytest.mark.parametrize(("spending", "k"), [(s, k) for s, rows in INFLATION.items() for k in rows])
def test_inflation_against_printed_factors(spending: Spending, k: int) -> None:
    for beta, printed in zip((0.2, 0.1), INFLATION[spending][k], strict=True):
        assert inflation(k, spending, alpha=0.05, beta=beta) == stated(printed, 4)


@pytest.mark.parametrize(("spending", "k"), EXPECTED_AT_80)
def test_expected_topics_against_printed_shares(spending: Spending, k: int) -> None:
    boundaries = boundaries_of(EQUAL[k], spending, 0.05)
    drift = drift_for(EQUAL[k], boundaries, 0.8)
    ratio, early = inflation(k, spending, alpha=0.05, beta=0.2), np.asarray(EQUAL[k][:-1])

    def share(stopped: np.ndarray) -> float:
        return float(ratio * (early @ stopped[:-1] + 1 - stopped[:-1].sum()))

    under_difference, under_null = EXPECTED_AT_80[spending, k]
    assert share(crossing(EQUAL[k], boundaries, drift).stopped) == stated(under_difference, 4)
    if under_null is not None:
        assert share(crossing(EQUAL[k], boundaries).stopped) == stated(under_null, 4)


@pytest.mark.parametrize("looks", [3, (0.25, 0.6, 1.0)], ids=["even", "uneven"])
def test_a_plan_has_the_power_and_the_error_that_it_states_against_simulated_differences(
    looks: int | tuple[float, ...],
) -> None:
    """Raw normal differences, t by NumPy: shares no code with the simulation of the plan."""
    plan = required_topics(Requirements(alpha=0.05, beta=0.2, min_delta=0.5, looks=looks, spending="pocock"))
    last = plan.required_topics
    assert plan.topics == tuple(math.ceil(t * last) for t in (EQUAL[3] if looks == 3 else (0.25, 0.6, 1.0)))
    rng, trials = np.random.default_rng(5), 20_000
    for effect, target, expected in ((0.5, plan.attained_power, plan.expected_topics), (0.0, 0.05, None)):
        d = rng.standard_normal((trials, plan.required_topics), dtype=np.float32) + effect
        stopped = np.full(trials, plan.required_topics)
        rejected = np.zeros(trials, dtype=bool)
        for n, bound in zip(plan.topics, plan.critical_t, strict=True):
            t = d[:, :n].mean(1) / d[:, :n].std(1, ddof=1) * np.sqrt(n)
            stopped[~rejected & (np.abs(t) >= bound)] = n
            rejected |= np.abs(t) >= bound
        # Four standard errors, and .005 for the dependence between looks, which is taken from normal statistics.
        assert rejected.mean() == pytest.approx(
            target, abs=4 * np.sqrt(target * (1 - target) / trials) + 0.005
        )
        if expected is not None:
            assert stopped.mean() == pytest.approx(expected, abs=0.5)  # se .08


def test_simulated_errors_against_stated_ones() -> None:
    """Type I error at looks (12, 24, 36): t boundaries .0508 and .0515, normal boundaries on t .062 to .093."""
    for spending, of_t, of_z in (("obrien-fleming", 0.0508, 0.0637), ("pocock", 0.0515, 0.0773)):
        boundaries = boundaries_of(EQUAL[3], spending, 0.05)  # type: ignore[arg-type]
        topics = (12, 24, 36)
        nominal = [2 * stats.norm.sf(c) for c in boundaries]
        critical = tuple(float(stats.t.isf(p / 2, n - 1)) for n, p in zip(topics, nominal, strict=True))
        # Both are simulated with 100,000 trials: four standard errors of the difference are .004.
        assert simulate(topics, critical, 0.0) == pytest.approx(of_t, abs=0.004)
        assert simulate(topics, boundaries, 0.0) == pytest.approx(of_z, abs=0.005)


@pytest.mark.parametrize("looks", [2, 3, 5])
def test_plans_reach_their_power_with_the_fewest_topics(looks: int) -> None:
    """ceil(R n) topics miss the power in 12 % of such designs, as Pocock's with 3 looks, 51 topics and .8974."""
    for spending, alpha, beta, delta in itertools.product(
        SPENDING.options, (0.05, 0.1), (0.1, 0.2), (0.2, 0.5, 0.8)
    ):
        given: dict[str, Any] = {"alpha": alpha, "looks": looks, "spending": spending}
        n = int(group_sequential.required_topics_grid(delta, beta=beta, **given))
        power = group_sequential.DESIGN.power
        assert power is not None
        around = power(np.arange(max(2, n - 8), n + 4), delta, 1.0, method="exact", beta=beta, **given)
        assert (np.diff(around) > 0).all()  # no saw teeth, so the fewest are also those from which on all do
        assert around[-4] >= 1 - beta > around[-5]
    few = required_topics(Requirements(alpha=0.05, beta=0.1, min_delta=0.5, spending="pocock"))
    assert few.required_topics == 52
    assert few.power_one_topic_fewer == pytest.approx(
        0.8994, abs=0.0024
    )  # simulated, less the difference named below


@pytest.mark.parametrize(
    ("looks", "spending", "delta", "n"), [(5, "lan-demets-pocock", 0.8, 19), (5, "obrien-fleming", 1.2, 9)]
)
def test_stated_power_is_0_to_7_thousandths_below_simulated_power(
    looks: int, spending: Spending, delta: float, n: int
) -> None:
    boundaries = boundaries_of(EQUAL[looks], spending, 0.1)
    schedule = group_sequential._Test(EQUAL[looks], boundaries).up_to(n)
    simulated = simulate(schedule.topics, tuple(schedule.critical), delta, n_trials=200_000, seed=4)
    lower = simulated - float(schedule.crossing(delta).stopped.sum())
    assert -0.003 < lower < 0.007 + 0.003  # four standard errors of at most .0008


def test_power_in_the_right_direction_against_simulated_differences() -> None:
    """Loose errors, so that the wrong direction counts: raw normal differences."""
    plan = required_topics(Requirements(alpha=0.4, beta=0.5, min_delta=0.2, looks=2, spending="pocock"))
    rng, trials = np.random.default_rng(6), 40_000
    d = rng.standard_normal((trials, plan.required_topics)) + 0.2
    first, last = (d[:, :n].mean(1) / d[:, :n].std(1, ddof=1) * np.sqrt(n) for n in plan.topics)
    stopped = np.abs(first) >= plan.critical_t[0]
    right = float((np.where(stopped, first > 0, last >= plan.critical_t[1])).mean())
    wrong = float((np.where(stopped, first < 0, last <= -plan.critical_t[1])).mean())
    assert wrong > 0.05
    assert plan.power_upper == pytest.approx(right, abs=0.01 + 0.005)  # four standard errors, and dependence
    assert plan.attained_power - plan.power_upper == pytest.approx(wrong, abs=0.006 + 0.005)
    assert f"{100 * plan.power_upper:.2f} %" in plan.notes[0]


def test_looks_at_fewer_than_five_topics_are_left_out() -> None:
    one = required_topics(Requirements(alpha=0.05, beta=0.2, min_delta=50.0, looks=5))
    assert (one.topics, one.required_topics) == ((2,), 2)
    assert "4 looks at fewer than 5 left out." in one.notes
    four = required_topics(
        Requirements(alpha=0.1, beta=0.1, min_delta=0.8, looks=5, spending="lan-demets-pocock")
    )
    assert four.topics == (8, 12, 16, 19)  # not at ceil(19 / 5) = 4
    assert "1 look at fewer than 5 left out." in four.notes
    assert four.boundaries == boundaries_of(EQUAL[5], "lan-demets-pocock", 0.1)[1:]


@pytest.mark.parametrize(
    ("name", "first", "spending", "expected"),
    # Per cent, from 4,000 draws of topics; AP of Robust 2004 from 1,000.
    [
        ("web2012_err20", 5, "pocock", 10.4),
        ("web2012_err20", 7, "obrien-fleming", 8.0),
        ("web2012_err20", 15, "obrien-fleming", 6.7),
        ("robust2004_ap", 10, "pocock", 5.2),
    ],
)
def test_errors_of_early_looks_on_real_runs(
    name: str, first: int, spending: Spending, expected: float
) -> None:
    """All pairs of runs, each less its mean; topics drawn with replacement, the same for all pairs."""
    scores = reference_matrix(name).scores
    n_topics, n_runs = scores.shape
    one, other = np.triu_indices(n_runs, 1)
    d = (scores - scores.mean(axis=0))[:, one] - (scores - scores.mean(axis=0))[:, other]
    d = d[:, d.std(axis=0) > 1e-9][:, ::5]
    boundaries = boundaries_of(EQUAL[3], spending, 0.05)
    schedule = group_sequential._Test(EQUAL[3], boundaries).up_to(3 * first)
    rng, draws = np.random.default_rng(first), 400
    counts, significant = np.zeros((draws, n_topics)), np.zeros((draws, d.shape[1]), dtype=bool)
    for n, bound in zip(schedule.topics, schedule.critical, strict=True):
        counts += rng.multinomial(first, np.full(n_topics, 1 / n_topics), draws)
        total, squares = counts @ d, counts @ d**2
        variance = np.maximum((squares - total**2 / n) / (n - 1), 0)
        significant |= (np.abs(total) >= bound * np.sqrt(n * variance)) & (variance > 1e-12)
    # The stated value has a standard error of .13 or less, the share per draw a spread of 8 points: 4 x .43.
    assert 100 * significant.mean() == pytest.approx(expected, abs=1.7)
    if name == "web2012_err20":
        assert group_sequential._ON_REAL_RUNS[first][spending == "pocock"] == expected


def test_plans_that_are_refused_or_without_a_solution() -> None:
    with pytest.raises(InputError, match="at least 1e-06"):
        Requirements(alpha=1e-9, beta=0.2, min_delta=0.5)
    with pytest.raises(NoSolution):
        required_topics(Requirements(alpha=0.05, beta=0.2, min_delta=1e-5))


# E(N) of Stein's test for D / sigma = .3, alpha .05, beta .2: formula and simulation of the reference notes.
STEIN = {10: 110.440, 20: 97.455, 30: 93.908, 50: 91.309}


@pytest.mark.parametrize("pilot", STEIN)
def test_expected_topics_of_two_stages_against_stated(pilot: int) -> None:
    result = two_stage.expected_topics(0.3, alpha=0.05, beta=0.2, pilot_topics=pilot)
    assert result == stated(STEIN[pilot], 3)


def test_expected_topics_are_continuous_where_the_integral_takes_over() -> None:
    """Beyond 262,144 topics the sum is an integral: E(N) = sigma^2 / xi + 1/2, as N is rounded up."""
    points = stats.t.isf(0.025, 19) + stats.t.isf(0.2, 19)
    result = two_stage.expected_topics(0.001, alpha=0.05, beta=0.2, pilot_topics=20)
    assert result == pytest.approx(points**2 * 1e6 + 0.5, abs=0.01)


def test_topics_after_a_pilot_by_hand() -> None:
    requirements = two_stage.Requirements(
        alpha=0.05, beta=0.2, min_d=0.05, difference_variance=0.04, pilot_topics=20
    )
    result = two_stage.required_topics(requirements)
    assert result.required_topics == int(np.ceil(0.04 * (2.0930 + 0.8610) ** 2 / 0.05**2))  # t tables, 19 df
    assert result.more_topics == result.required_topics - 20
    assert result.critical_t == stated(2.0930, 4)
    assert result.power_one_topic_fewer is not None
    assert result.power_one_topic_fewer < 0.8 <= result.attained_power
    enough = two_stage.Requirements(alpha=0.05, beta=0.2, min_delta=5.0, pilot_topics=20)
    assert two_stage.required_topics(enough).more_topics == 0
