"""What designs cost, and which one to take."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.special
import scipy.stats
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import design, left_out
from tests.refusals import refused
from topicset_core.analyses.pool_depth import DepthDesign
from topicset_core.analyses.pool_depth.designs import (
    Budget,
    Effort,
    Floors,
    choose,
    purchases,
    total_judgments,
)
from topicset_core.analyses.pool_depth.pools import hardest_hit
from topicset_core.designs import confidence_interval, one_way_anova, paired_t
from topicset_core.errors import InputError

# Sakai 2016, section 6.3: judged pairs of TREC03new and TREC04new at depths 100 and 10, 50 and 49 topics.
JUDGED_AT_100, JUDGED_AT_10 = (37_605 + 34_792) / (50 + 49), (4_905 + 4_581) / (50 + 49)
# The pooled variances of AP: (49 * .0479 + 48 * .0462) / 97 at depth 100, and at depth 10 within what the
# printed 101 and 197 topics allow, [.06282, .06310] (formulas-and-expected-values, 5.3).
VARIANCE_AT_100, VARIANCE_AT_10 = (49 * 0.0479 + 48 * 0.0462) / 97, 0.0630


def test_costs_against_sakai_2016() -> None:
    t_test = paired_t.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, method="published")
    anova = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10, method="published")
    assert round(JUDGED_AT_100) == 731
    assert round(JUDGED_AT_10) == 96
    paired = t_test.topics(variance=[2 * VARIANCE_AT_100, 2 * VARIANCE_AT_10]).tolist()
    several = anova.topics(variance=[VARIANCE_AT_100, VARIANCE_AT_10]).tolist()
    assert (paired, several) == ([76, 101], [147, 197])
    assert total_judgments(paired[0], JUDGED_AT_100) == 55_556
    assert total_judgments(paired[1], JUDGED_AT_10) == 9_696
    assert total_judgments(several[0], JUDGED_AT_100) == 107_457
    assert total_judgments(several[1], JUDGED_AT_10) == 18_912


def test_half_documents_are_rounded_up() -> None:
    assert total_judgments(10, 2.5) == 30  # Python's own rounding would take 2
    assert total_judgments(10, 2.49) == 20


def test_hours_and_price() -> None:
    effort = Effort(minutes_per_judgment=0.5, minutes_per_topic=30, price_per_hour=20)
    assert effort.hours(100, 6_000) == 6_000 * 0.5 / 60 + 100 * 30 / 60
    assert effort.price(100, 6_000) == 2000
    error = refused(Effort, minutes_per_judgment=1, minutes_per_topic=-1)
    assert (error.parameter, error.value) == ("minutes_per_topic", -1)


USUAL = (design(10, 60, 200), design(50, 240, 160), design(100, 470, 150))  # 12,000, 38,400, 70,500
ODD = (design(10, 60, 900), design(20, 100, 200), design(100, 470, 150))  # 54,000, 20,000, 70,500


EQUAL = (design(10, 60, 200), design(20, 120, 100))


@pytest.mark.parametrize(
    ("designs", "budget", "most_expensive", "deepest", "cheapest"),
    [
        pytest.param(USUAL, 40_000, 1, 1, 0, id="the most expensive is as a rule the deepest"),
        pytest.param(ODD, 60_000, 0, 1, 1, id="shallow pools need far more topics"),
        pytest.param(USUAL, 12_000, 0, 0, 0, id="met to the last judgment"),
        pytest.param(USUAL, 11_999, None, None, 0, id="a judgment short"),
        pytest.param(USUAL, None, None, None, 0, id="no budget, no depth to take"),
        pytest.param(EQUAL, 12_000, 1, 1, 1, id="the deeper at equal cost"),
    ],
)
def test_choices_within_a_budget(
    designs: tuple[DepthDesign, ...],
    budget: float | None,
    most_expensive: int | None,
    deepest: int | None,
    cheapest: int,
) -> None:
    chosen = choose(designs, Budget(judgments=budget))
    assert chosen.recommended == designs
    for one, place in ((chosen.taken, most_expensive), (chosen.deepest, deepest)):
        assert one is (None if place is None else designs[place])
    assert chosen.cheapest is designs[cheapest]


def test_pools_with_few_judgments_are_not_recommended() -> None:
    shares = (1.0, 0.8, 0.79)
    designs = tuple(replace(one, judged_share=share) for one, share in zip(USUAL, shares, strict=True))
    budget = Budget(judgments=80_000)
    chosen = choose(designs, budget)
    assert chosen.designs == designs
    assert chosen.recommended == designs[:2]  # .8 is enough for .8
    assert chosen.taken is designs[1]  # and not the deepest, which the budget would pay for
    assert choose(designs, budget, Floors(min_judged_share=0.79)).taken is designs[2]
    assert choose(designs, budget, Floors(min_judged_share=0.0)).taken is designs[2]
    none = choose(designs[2:], budget)
    assert (none.recommended, none.taken, none.cheapest) == ((), None, None)
    unjudged = [replace(one, judged_share=None, relevant_known=None) for one in USUAL]
    strict = Floors(min_judged_share=1.0, min_tau=1.0, min_relevant=1.0)
    assert choose(unjudged, budget, strict).taken is unjudged[2]  # nothing is judged yet: nothing to doubt
    for values in ({"min_judged_share": -0.1}, {"min_tau": 1.1}, {"min_relevant": -1}):
        with pytest.raises(InputError, match=next(iter(values))):
            Floors(**values)
    with pytest.raises(InputError, match="budget"):
        Budget(judgments=0)
    with pytest.raises(InputError, match="hours"):
        Budget(hours=-1)


def test_no_depth_below_a_floor_is_recommended_whatever_the_budget() -> None:
    """The lowest τ of the measures counts, also where the measure that needs most topics agrees better."""
    taus, known = (0.89, 0.9, 0.95), (0.6, 0.49, 0.5)
    designs = [
        replace(one, kendall_tau=tau, relevant_known=share)
        for one, tau, share in zip(USUAL, taus, known, strict=True)
    ]
    chosen = choose(designs, Budget(judgments=10**9))
    assert chosen.missed == {10: ("min_tau",), 50: ("min_relevant",), 100: ()}
    assert chosen.recommended == (designs[2],)
    assert choose(designs, Budget(judgments=60_000)).taken is None  # the deepest costs 70,500
    assert choose(designs, Budget(judgments=60_000), Floors(min_tau=0.89)).taken is designs[0]
    assert choose(designs, Budget(judgments=60_000), Floors(min_relevant=0.49)).taken is designs[1]
    other = [replace(one, measure="Q", required_topics=9, kendall_tau=0.5) for one in designs]
    both = [one for pair in zip(designs, other, strict=True) for one in pair]
    assert choose(both, Budget(judgments=10**9)).recommended == ()
    assert choose(both).designs == tuple(designs)
    assert choose(both).taus == {10: 0.5, 50: 0.5, 100: 0.5}


def test_hours_are_a_budget_of_their_own() -> None:
    """200 topics of 60 documents: 12,000 judgments of half a minute and an hour per topic are 300 hours."""
    effort = Effort(minutes_per_judgment=0.5, minutes_per_topic=60)
    assert [effort.hours(one.required_topics or 0, one.total_judgments or 0) for one in USUAL] == [
        300,
        480,
        737.5,
    ]
    assert choose(USUAL, Budget(hours=480, effort=effort)).taken is USUAL[1]
    assert choose(USUAL, Budget(hours=299, effort=effort)).taken is None
    assert choose(USUAL, Budget(hours=480, judgments=38_399, effort=effort)).taken is USUAL[0]
    rule = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
    bought = purchases(USUAL, Budget(hours=320, effort=effort), rule)
    # 19,200 minutes over 60 + 30, 60 + 120 and 60 + 235 minutes per topic.
    assert [one.n_topics for one in bought] == [213, 106, 65]
    assert [
        one.n_topics for one in purchases(USUAL, Budget(hours=320, judgments=6_000, effort=effort), rule)
    ] == [
        100,
        25,
        12,
    ]
    assert purchases(USUAL, Budget(), rule) == ()


def test_message_on_a_small_budget() -> None:
    """100 documents per topic for 5,050 judgments: 50 topics, and what these detect by statsmodels and R."""
    rule = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
    designs = (design(10, 100, 158), design(100, 470.4, 158))
    result = purchases(designs, Budget(judgments=5_050), rule)
    assert [(one.pool_depth, one.n_topics, one.total_judgments) for one in result] == [
        (10, 50, 5_000),
        (100, 10, 4_700),  # 470 documents, as a design rounds them
    ]
    first = result[0]
    # The worst case of a range minD: two means at its ends, eight between; noncentrality n minD^2 / (2 sigma^2).
    critical = scipy.stats.f.isf(0.05, 9, 10 * 49)
    assert first.power == pytest.approx(scipy.stats.ncf.sf(critical, 9, 490, 50 * 0.1**2 / 0.1), abs=1e-9)
    at_difference = scipy.stats.ncf.sf(critical, 9, 490, 50 * (first.difference or 0) ** 2 / 0.1)
    assert at_difference == pytest.approx(0.8, abs=1e-9)
    interval = confidence_interval.DESIGN.plan(alpha=0.05, max_width=0.10)
    (bought, _) = purchases(designs, Budget(judgments=5_050), interval)
    assert bought.power is None
    # Mean of 2 t s / sqrt(n), s^2 on 49 degrees of freedom of a difference with variance 2 sigma^2.
    mean_s = np.sqrt(2 / 49) * np.exp(scipy.special.gammaln(25) - scipy.special.gammaln(24.5)) * np.sqrt(0.1)
    assert bought.difference == pytest.approx(
        2 * scipy.stats.t.isf(0.025, 49) * mean_s / np.sqrt(50), rel=1e-9
    )


def test_a_budget_for_fewer_than_two_topics_is_too_small() -> None:
    rule = paired_t.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10)
    assert purchases(USUAL, Budget(judgments=119), rule) == ()
    assert [one.n_topics for one in purchases(USUAL, Budget(judgments=120), rule)] == [2]
    assert [one.n_topics for one in purchases(USUAL[:1], Budget(judgments=1e12), rule)] == [
        10_000_000
    ]  # as many as designs answer
    strict = paired_t.DESIGN.plan(alpha=1e-9, beta=0.20, min_d=0.10)
    # No difference is large enough for two topics; more topics next to them are answered as if alone.
    few, more = purchases((USUAL[0], design(1, 1, 200)), Budget(judgments=120), strict)
    assert few.difference is None
    assert (more,) == purchases((design(1, 1, 200),), Budget(judgments=120), strict)
    assert (more.difference or 0) > 0


def test_designs_without_an_answer_are_not_chosen(golden: SnapshotAssertion) -> None:
    unanswered = replace(USUAL[0], required_topics=None)
    assert unanswered.total_judgments is None
    assert choose([unanswered, USUAL[2]]).cheapest is USUAL[2]
    assert str(refused(choose, [unanswered])) == golden


def test_the_most_affected_run_is_found_at_each_depth() -> None:
    results = [left_out(10, "a", 0.1), left_out(50, "b", 0.4), left_out(50, "c", 0.3), left_out(50, "d", 0.3)]
    assert hardest_hit(results, 50) is results[2]  # the first of two; another loses more at another depth
    assert hardest_hit(results, 10) is results[0]
