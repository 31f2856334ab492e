"""What designs cost, and which one to take."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.special
import scipy.stats
from syrupy.assertion import SnapshotAssertion

from topicset_core.analyses.pool_depth import (
    DepthDesign,
    Effort,
    LeftOut,
    choose,
    hardest_hit,
    purchases,
    total_judgments,
)
from topicset_core.analyses.sizing import topics_rule
from topicset_core.errors import InputError

# Sakai 2016, section 6.3: judged pairs of TREC03new and TREC04new at depths 100 and 10, 50 and 49 topics.
JUDGED_AT_100, JUDGED_AT_10 = (37_605 + 34_792) / (50 + 49), (4_905 + 4_581) / (50 + 49)
# The pooled variances of AP: (49 * .0479 + 48 * .0462) / 97 at depth 100, and at depth 10 within what the
# printed 101 and 197 topics allow, [.06282, .06310] (formulas-and-expected-values, 5.3).
VARIANCE_AT_100, VARIANCE_AT_10 = (49 * 0.0479 + 48 * 0.0462) / 97, 0.0630


def test_costs_against_sakai_2016() -> None:
    t_test = topics_rule("paired-t", alpha=0.05, beta=0.20, min_d=0.10, method="published")
    anova = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=10, method="published")
    assert round(JUDGED_AT_100) == 731
    assert round(JUDGED_AT_10) == 96
    paired = t_test.topics([2 * VARIANCE_AT_100, 2 * VARIANCE_AT_10]).tolist()
    several = anova.topics([VARIANCE_AT_100, VARIANCE_AT_10]).tolist()
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
    with pytest.raises(InputError) as caught:
        Effort(minutes_per_judgment=1, minutes_per_topic=-1)
    assert (caught.value.parameter, caught.value.value) == ("minutes_per_topic", -1)


def _design(depth: int, judged: float, topics: int) -> DepthDesign:
    return DepthDesign(
        pool_depth=depth,
        measure="AP",
        pooled_per_topic=judged,
        judged_per_topic=judged,
        judged_share=1.0,
        n_lost_topics=0,
        within_system_variance=0.05,
        required_topics=topics,
        kendall_tau=None,
        tau_ap=None,
        relevant_known=1.0,
    )


USUAL = (_design(10, 60, 200), _design(50, 240, 160), _design(100, 470, 150))  # 12,000, 38,400, 70,500
ODD = (_design(10, 60, 900), _design(20, 100, 200), _design(100, 470, 150))  # 54,000, 20,000, 70,500


def test_the_most_expensive_within_the_budget_is_as_a_rule_the_deepest() -> None:
    chosen = choose(USUAL, 40_000)
    assert chosen.most_expensive is chosen.deepest is USUAL[1]
    assert chosen.cheapest is USUAL[0]


def test_where_shallow_pools_need_far_more_topics_the_rules_differ() -> None:
    chosen = choose(ODD, 60_000)
    assert (chosen.most_expensive, chosen.deepest, chosen.cheapest) == (ODD[0], ODD[1], ODD[1])


def test_a_budget_is_met_to_the_last_judgment() -> None:
    enough, short = choose(USUAL, 12_000), choose(USUAL, 11_999)
    assert enough.most_expensive is USUAL[0]
    assert short.most_expensive is None
    assert short.cheapest is USUAL[0]


def test_without_a_budget_no_design_is_recommended() -> None:
    chosen = choose(USUAL)
    assert chosen.taken is chosen.most_expensive is chosen.deepest is None
    assert (chosen.recommended, chosen.cheapest) == (USUAL, USUAL[0])


def test_pools_with_few_judgments_are_not_recommended() -> None:
    shares = (1.0, 0.8, 0.79)
    designs = tuple(replace(one, judged_share=share) for one, share in zip(USUAL, shares, strict=True))
    chosen = choose(designs, 80_000)
    assert chosen.designs == designs
    assert chosen.recommended == designs[:2]  # .8 is enough for .8
    assert chosen.taken is designs[1]  # and not the deepest, which the budget would pay for
    assert choose(designs, 80_000, 0.79).taken is designs[2]
    assert choose(designs, 80_000, 0.0).taken is designs[2]
    none = choose(designs[2:], 80_000)
    assert (none.recommended, none.taken, none.cheapest) == ((), None, None)
    unjudged = [replace(one, judged_share=None) for one in USUAL]
    assert choose(unjudged, 80_000, 1.0).taken is unjudged[2]  # nothing is judged yet: nothing to doubt
    for share in (-0.1, 1.1, float("nan")):
        with pytest.raises(InputError, match="min_judged_share"):
            choose(designs, 80_000, share)


def test_message_on_a_small_budget() -> None:
    """100 documents per topic for 5,050 judgments: 50 topics, and what these detect by statsmodels and R."""
    rule = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
    designs = (_design(10, 100, 158), _design(100, 470.4, 158))
    result = purchases(choose(designs, 5_050), rule)
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
    interval = topics_rule("ci", alpha=0.05, max_width=0.10)
    (bought, _) = purchases(choose(designs, 5_050), interval)
    assert bought.power is None
    # Mean of 2 t s / sqrt(n), s^2 on 49 degrees of freedom of a difference with variance 2 sigma^2.
    mean_s = np.sqrt(2 / 49) * np.exp(scipy.special.gammaln(25) - scipy.special.gammaln(24.5)) * np.sqrt(0.1)
    assert bought.difference == pytest.approx(
        2 * scipy.stats.t.isf(0.025, 49) * mean_s / np.sqrt(50), rel=1e-9
    )


def test_a_budget_for_fewer_than_two_topics_is_too_small() -> None:
    rule = topics_rule("paired-t", alpha=0.05, beta=0.20, min_d=0.10)
    assert purchases(choose(USUAL, 119), rule) == ()
    assert [one.n_topics for one in purchases(choose(USUAL, 120), rule)] == [2]
    assert purchases(choose(USUAL), rule) == ()
    strict = topics_rule("paired-t", alpha=1e-9, beta=0.20, min_d=0.10)
    assert purchases(choose(USUAL, 120), strict)[0].difference is None  # no difference is large enough


def test_designs_without_an_answer_are_not_chosen(golden: SnapshotAssertion) -> None:
    unanswered = replace(USUAL[0], required_topics=None)
    assert unanswered.total_judgments is None
    assert choose([unanswered, USUAL[2]], 80_000).cheapest is USUAL[2]
    with pytest.raises(InputError) as caught:
        choose([unanswered], 80_000)
    assert str(caught.value) == golden


def test_the_deeper_pool_is_chosen_at_equal_cost() -> None:
    equal = (_design(10, 60, 200), _design(20, 120, 100))
    chosen = choose(equal, 12_000)
    assert chosen.most_expensive is chosen.deepest is chosen.cheapest is equal[1]


@pytest.mark.parametrize("budget", [0, -1, float("nan")])
def test_an_invalid_budget_is_refused(budget: float) -> None:
    with pytest.raises(InputError, match="budget"):
        choose(USUAL, budget)


def test_the_most_affected_run_is_found_at_each_depth() -> None:
    def left_out(depth: int, system: str, left: float) -> LeftOut:
        return LeftOut(
            pool_depth=depth,
            team="team",
            system=system,
            n_unique=1,
            n_unique_relevant=1,
            score=0.5,
            score_left_out=left,
            rank=1,
            rank_left_out=1,
        )

    results = [left_out(10, "a", 0.1), left_out(50, "b", 0.4), left_out(50, "c", 0.3), left_out(50, "d", 0.3)]
    assert (
        hardest_hit(results, 50) is results[2]
    )  # the first of two with equal loss; another run loses more at another depth
    assert hardest_hit(results, 10) is results[0]
