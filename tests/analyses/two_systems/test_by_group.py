"""Differences by group against SciPy, Holm's procedure by hand, and both readings of the mean."""

import numpy as np
import pytest
from scipy import stats

from tests.analyses.two_systems.test_comparison import compared, said
from tests.variance.test_group_components import grouped
from topicset_core.analyses.two_systems import Answer, Request, compare_two
from topicset_core.analyses.two_systems.report import QUESTION, report
from topicset_core.designs import non_inferiority, paired_t
from topicset_core.errors import InputError

SIZES = (12, 8, 2, 1)
RNG = np.random.default_rng(46)
PARTS = [RNG.normal(mean, 1, size) for size, mean in zip(SIZES, (1.5, 0.2, -1.0, 2.0), strict=True)]


def answered(**asked: object) -> Answer:
    d = np.concatenate(PARTS)
    return compare_two(grouped(np.column_stack([np.zeros(23), d]), SIZES), Request(**asked))  # type: ignore[arg-type]


def test_each_group_against_scipy() -> None:
    answer = answered(margin=0.5)
    p = [float(stats.ttest_1samp(part, 0).pvalue) for part in PARTS[:3]]
    # Holm (1979) with four groups, of which one has no p: the least times 4, the next times 3, ...
    order = np.argsort(p)
    expected = dict(
        zip(order, np.maximum.accumulate(np.minimum(np.array(p)[order] * [4, 3, 2], 1)), strict=True)
    )
    for place, (one, part) in enumerate(zip(answer.groups[:3], PARTS[:3], strict=True)):
        low, high = stats.ttest_1samp(part, 0).confidence_interval(1 - 0.05 / 4)
        assert (one.low, one.high) == (pytest.approx(low, rel=1e-9), pytest.approx(high, rel=1e-9))
        assert one.adjusted_p == pytest.approx(expected[place], rel=1e-9)
        assert (one.group, one.topics) == (f"g{place}", len(part))
        # What is detected has a noncentral t with the stated power, of both tails.
        df, critical = len(part) - 1, stats.t.isf(0.05 / 8, len(part) - 1)
        nc = one.detectable / part.std(ddof=1) * np.sqrt(len(part))  # type: ignore[operator]
        power = stats.nct.sf(critical, df, nc) + stats.nct.cdf(-critical, df, nc)
        assert power == pytest.approx(0.8, abs=1e-4)
    assert [one.finding for one in answer.groups] == [
        "better", "not enough topics", "not enough topics", "not enough topics"
    ]  # fmt: skip
    assert answer.groups[3].low is None
    assert [one.finding for one in answered(margin=50.0).groups][1] == "not shown"
    assert [one.finding for one in answered().groups][1] == "not shown"


def test_many_pairs_of_topics_detect_nothing_and_are_no_error() -> None:
    """At .05 / 300 the critical t of 1 df is 3820: no difference of up to 1000 standard deviations is detected."""
    sizes = (2, 3) * 150
    d = np.random.default_rng(47).normal(0, 1, (750, 1))
    answer = compare_two(grouped(np.hstack([np.zeros_like(d), d]), sizes), Request())
    assert {one.finding for one in answer.groups[::2]} == {"not enough topics"}
    assert {one.detectable for one in answer.groups[::2]} == {None}
    assert all(one.detectable is not None for one in answer.groups[1::2])
    one, part = answer.groups[298], d[745:747, 0]
    low, high = stats.ttest_1samp(part, 0).confidence_interval(1 - 0.05 / 300)
    assert (one.low, one.high) == (pytest.approx(low, rel=1e-6), pytest.approx(high, rel=1e-6))
    assert "-  not enough topics" in "\n".join(QUESTION.text(answer))


def test_both_readings_of_the_mean() -> None:
    answer = answered()
    d = np.concatenate(PARTS)
    inside = sum(((part - part.mean()) ** 2).sum() for part in PARTS) / (23 - 4)
    half = stats.t.ppf(0.975, 19) * np.sqrt(inside / 23)
    assert answer.same_groups == pytest.approx((d.mean() - half, d.mean() + half), rel=1e-9)
    # Groups differ, so other groups are less certain than other topics of these.
    assert answer.high - answer.low > 2 * half
    assert "For other topics of the same groups it is" in said(answer)
    assert QUESTION.text(answer)[-4].startswith("g0")
    record = report(answer).record()["results"][0]
    assert len(record["groups"]) == 4
    plain = compared(d)
    assert (plain.groups, plain.same_groups) == ((), None)
    assert "groups" not in report(plain).record()["results"][0]


def test_a_difference_without_variance_is_no_finding() -> None:
    # .3 - .2 and .4 - .3 differ in the last bit; neither that nor a constant tells anything of other topics.
    old, new = [0.2, 0.3, 0.2, 0.3, 0.1, 0.5, 0.5], [0.3, 0.4, 0.3, 0.4, 0.3, 0.5, 0.8]
    answer = compare_two(grouped(np.column_stack([old, new]), (4, 2, 1)), Request(margin=0.01))
    assert [one.finding for one in answer.groups] == ["no variance", "not enough topics", "not enough topics"]
    assert "in 2 groups: g1, g2" in said(answer)


@pytest.mark.parametrize("shift", [0.1, 0.0])
def test_a_difference_that_is_the_same_in_every_group_cannot_be_tested(shift: float) -> None:
    d = np.array([0.1, 0.3, 0.3, 0.1, 0.2, 0.2]) - 0.2 + shift
    with pytest.raises(InputError, match="in every group of topics: without variance between groups"):
        compare_two(grouped(np.column_stack([np.full(6, 0.5), 0.5 + d]), (2, 2, 2)), Request())


def test_what_groups_detect_and_decide_is_what_their_means_do() -> None:
    """Equal groups are tested by the t test on their means, so both are those of the designs for means."""
    d = np.random.default_rng(3).normal(0, 1, 40)
    answer = compare_two(grouped(np.column_stack([np.zeros(40), d]), (10,) * 4), Request(margin=0.2))
    assert answer.verdict == "inconclusive"
    means = d.reshape(4, 10).mean(axis=1)
    detected = paired_t.DESIGN.plan(alpha=0.05, beta=0.2).detected(4, means.var(ddof=1))
    assert answer.detectable == pytest.approx(detected, rel=1e-9)
    wanted = non_inferiority.Requirements(
        alpha=0.025, beta=0.2, margin=0.2, difference_variance=float(means.var(ddof=1))
    )
    assert answer.topics == 10 * non_inferiority.required_topics(wanted).required_topics
    assert "topics in groups like these show “not worse by 0.2 AP”" in said(answer)
    assert "CR2" in report(answer).text[0]
    # Two groups have one degree of freedom, whose t is beyond all effects at this level.
    pair = compare_two(grouped(np.column_stack([np.zeros(40), d]), (20, 20)), Request(alpha=1e-9))
    assert pair.detectable is None
    assert "40 topics detect no true difference" in said(pair)
