"""Verdicts on two systems against the t interval by hand, on the edges of the table, and in simulation."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.variance.test_clustered_differences import DIFFERENCES
from tests.variance.test_group_components import SIZES, grouped
from topicset_core.analyses.score_variance.groups import grouping
from topicset_core.analyses.two_systems import Answer, Request, compare_two
from topicset_core.analyses.two_systems.comparison import TYPE_ONE_NOTE
from topicset_core.analyses.two_systems.report import report, topic_table
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import non_inferior_shares, non_inferiority
from topicset_core.errors import InputError
from topicset_core.exports.findings import texts


def compared(differences: object, **asked: object) -> Answer:
    d = np.asarray(differences, dtype=float)
    scores = np.column_stack([np.linspace(10, 20, len(d)), np.linspace(10, 20, len(d)) + d])
    topics = tuple(f"t{place}" for place in range(len(d)))
    matrix = ScoreMatrix(scores=scores, topics=topics, systems=("old", "new"), measure="AP", name="both")
    return compare_two(matrix, Request(**asked))  # type: ignore[arg-type]


def said(answer: Answer) -> str:
    """The same as one text."""
    return " ".join(sentences(answer))


def sentences(answer: Answer) -> list[str]:
    """What a terminal prints above the tables."""
    return texts(report(answer).findings, "terminal")


def heading(answer: Answer) -> str:
    """The answer in large letters."""
    (text,) = texts(report(answer).findings, "headline")
    return text


CENTRED = np.array([-3.0, -1.0, 1.0, 3.0])
REACH = 3.182446305 * np.sqrt(20 / 3 / 4)
"""Half the 95 % interval: variance 20 / 3, 4 topics, t with 3 degrees of freedom from a printed table; 4.1085."""


@pytest.mark.parametrize(
    ("shift", "margin", "verdict", "status", "start"),
    [
        (4.2, None, "better", 0, "Better: new is better than old."),
        (4.2, 1.0, "better", 0, "Better: new is better than old."),
        (4.0, 1.0, "not worse", 0, "Not worse: new loses less than 1 AP against old."),
        (-4.2, 10.0, "not worse", 0, "Not worse: new loses less than 10 AP against old, though it is worse."),
        (4.0, None, "inconclusive", 3, "Inconclusive: new is shown neither better nor worse than old."),
        (
            3.0,
            1.0,
            "inconclusive",
            3,
            "Inconclusive: new is shown neither better nor worse than old, and may",
        ),
        (-4.0, None, "inconclusive", 3, "Inconclusive: new is shown neither better nor worse than old."),
        (-4.2, None, "worse", 1, "Worse: new is worse than old."),
        (-4.2, 1.0, "worse", 1, "Worse: new is worse than old."),
        (-5.2, 1.0, "worse", 1, "Worse: new is worse than old, by 1 AP or more."),
    ],
)
def test_verdicts_on_both_sides_of_each_limit(
    shift: float, margin: float | None, verdict: str, status: int, start: str
) -> None:
    answer = compared(CENTRED + shift, margin=margin)
    assert (answer.verdict, answer.status) == (verdict, status)
    assert sentences(answer)[0].startswith(start)
    # Scores near 20 have 14 digits after the point; the table has ten digits.
    assert (answer.low, answer.high) == pytest.approx((shift - REACH, shift + REACH), rel=1e-8)
    mirrored = compared(-(CENTRED + shift), margin=margin, lower_is_better=True)
    assert mirrored.verdict == verdict
    assert mirrored.low == pytest.approx(answer.low, rel=1e-12)
    assert "old - new" in sentences(mirrored)[1]


def test_p_value_is_alpha_where_the_interval_ends_at_zero() -> None:
    assert compared(CENTRED + REACH).p_value == pytest.approx(0.05, rel=1e-8)  # digits of the table


def test_the_pair_decides_which_system_is_the_baseline() -> None:
    turned = compared(CENTRED + 5, pair=("new", "old"))
    assert (turned.baseline, turned.new, turned.verdict) == ("new", "old", "worse")
    assert turned.matrix.systems == ("new", "old")


def test_topics_that_decide_are_those_of_the_design_at_half_alpha_and_equal_systems() -> None:
    answer = compared(CENTRED - 1, margin=2.0)
    wanted = non_inferiority.Requirements(alpha=0.025, beta=0.2, margin=2.0, difference_variance=20 / 3)
    assert answer.topics == non_inferiority.required_topics(wanted).required_topics
    low, high = answer.topics_range
    assert low is not None
    assert high is not None
    assert low < answer.topics < high
    assert sentences(answer)[2].startswith(
        f"{answer.topics} topics show “not worse by 2 AP” with 80 % power, if both"
    )


def test_as_many_topics_as_decide_may_be_there_already() -> None:
    answer = compared(np.tile([-1.1, 1.0], 50) - 0.14, margin=0.31)
    assert answer.verdict == "inconclusive"
    assert answer.topics is not None
    assert answer.topics <= 100
    assert "There are 100, so more may not decide either." in sentences(answer)[2]


def test_equal_scores_pass_with_a_margin_alone() -> None:
    assert compared([0.0] * 9, margin=0.01).verdict == "not worse"
    without = compared([0.0] * 9)
    assert without.verdict == "inconclusive"
    assert without.n_effective == 9
    assert (without.topics, without.detectable, without.topics_range) == (None, None, (None, None))
    assert sentences(without)[0].endswith("their scores are equal on every topic.")
    assert heading(without) == "new and old have equal scores on every topic"
    with_margin = compared([0.0] * 9, margin=0.01)
    assert heading(with_margin) == "new and old have equal scores on every topic: not worse by 0.01"
    # Of scores of 0 and 1 the interval stays: z^2 / (n + z^2) = .0713 of 50 topics.
    assert heading(of_shares(0, 0, 50)).endswith("equal scores on every topic (-0.0713 to +0.0713), p = 1")
    assert report(without).figures()


@pytest.mark.parametrize(
    ("differences", "asked", "message"),
    [
        ([0.1] * 9, {}, "is the difference of 'new' and 'old' on every topic"),
        ([1, 2, 3], {"pair": ("old", "third")}, "must be one of old, new"),
        ([1, 2, 3], {"pair": ("old", "old")}, "must be two systems"),
        ([1, 2, 3], {"margin": 0.0}, "must be a number above 0"),
        ([1, 2, 3], {"beta": 0.96}, "must be below 1 - alpha"),
    ],
)
def test_refusals(differences: list[float], asked: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compared(differences, **asked)


def test_a_difference_of_few_topics_has_a_said() -> None:
    # Equal squares on 5 topics: (5 s)^2 / (5 s^2) = 5 topics.
    answer = compared([0.0] * 30 + [1.0, 1.0, -1.0, 1.0, 1.0])
    assert answer.n_effective == pytest.approx(5)  # scores near 20 have 14 digits after the point
    assert "about 5 topics" in said(answer)
    without = said(compared(np.arange(-20.0, 21.0)))
    assert not any(text in without for text in ("rests on", TYPE_ONE_NOTE, "exact test decides"))


def test_wrong_verdicts_are_as_rare_as_alpha_says_in_simulation() -> None:
    n_trials, margin = 1500, 0.4
    samples = np.random.default_rng(44).standard_normal((n_trials, 50))
    most = 0.025 + 3 * np.sqrt(0.025 * 0.975 / n_trials)  # three standard errors
    least = 0.025 - 3 * np.sqrt(0.025 * 0.975 / n_trials)
    at_margin = [compared(one - margin, margin=margin) for one in samples]
    assert least < np.mean([one.status == 0 for one in at_margin]) < most
    equal = [compared(one, margin=margin) for one in samples]
    assert least < np.mean([one.verdict == "better" for one in equal]) < most
    assert least < np.mean([one.verdict == "worse" for one in equal]) < most
    # Power of the noncentral t for a margin of .4 and 50 topics: .79, by scipy.stats.nct
    assert np.mean([one.status == 0 for one in equal]) == pytest.approx(0.79, abs=0.035)


def test_topics_in_groups_against_clubsandwich() -> None:
    """The example of tests/variance/test_clustered_differences.py: mean, error, degrees of freedom and p by R."""
    scores = np.column_stack([np.zeros(15), DIFFERENCES])
    found = compare_two(grouped(scores, SIZES), Request(margin=0.3))
    reach = stats.t.ppf(0.975, 3.133020344288) * 0.072741847663
    assert (found.low, found.high) == pytest.approx(
        (0.120666666667 - reach, 0.120666666667 + reach), abs=1e-10
    )
    assert found.p_value == pytest.approx(0.191858057426, abs=1e-10)
    independent = np.sqrt(np.var(DIFFERENCES, ddof=1) / 15)
    assert found.error_ratio == pytest.approx(0.072741847663 / independent, rel=1e-9)
    of_matrix = grouping(grouped(scores, SIZES))
    assert of_matrix is not None
    assert of_matrix.error_ratio == pytest.approx(found.error_ratio, rel=1e-12)  # the same under one name
    assert found.n_groups == 5
    assert "mean over 15 topics in 5 groups" in said(found)
    plain = compare_two(grouped(scores, SIZES).grouped(None), Request(margin=0.3))
    assert plain.error_ratio == 1
    assert found.topics is not None
    assert found.topics > (plain.topics or 0)
    assert "n_groups" not in plain.record()


def of_shares(n_better: int, n_worse: int, n_topics: int, **asked: object) -> Answer:
    scores = np.zeros((n_topics, 2))
    scores[:n_better, 1] = scores[n_better : n_better + n_worse, 0] = 1
    topics = tuple(map(str, range(n_topics)))
    matrix = ScoreMatrix(scores=scores, topics=topics, systems=("old", "new"), measure="P@1", name="both")
    return compare_two(matrix, Request(**asked))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("counts", "margin", "verdict"),
    [
        ((13, 3, 100), None, "better"),
        ((3, 13, 100), 0.02, "worse"),
        ((12, 4, 100), None, "inconclusive"),  # Tango's interval is above 0, the exact p is .077
        ((12, 4, 100), 0.01, "not worse"),
        ((0, 0, 50), 0.1, "not worse"),  # z^2 / (n + z^2) = .0713: equal scores on 50 topics show no less
        ((0, 0, 50), 0.05, "inconclusive"),
        ((9, 0, 9), None, "better"),  # 2 / 2^9, though the difference is the same on every topic
    ],
)
def test_scores_of_0_and_1_have_the_exact_test_and_the_score_interval(
    counts: tuple[int, int, int], margin: float | None, verdict: str
) -> None:
    better, worse, n = counts
    answer = of_shares(*counts, margin=margin)
    assert (answer.verdict, answer.discordant) == (verdict, (better, worse))
    p = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert answer.p_value == pytest.approx(p, rel=1e-12)
    # At its ends the score is z: Tango (1998), section 3, the restricted estimate by the roots of a quadratic.
    for end, z in ((answer.low, 1.959963985), (answer.high, -1.959963985)):
        if abs(end) < 1:
            quadratic = [2 * n, end * (2 * n - better + worse) - better - worse, -worse * end * (1 - end)]
            q = max(np.roots(quadratic).real)
            score = (better - worse - n * end) / np.sqrt(n * (2 * q + end * (1 - end)))
            assert score == pytest.approx(z, abs=1e-6)
    assert "McNemar's exact test" in said(answer)
    assert report(answer).record()["results"][0]["discordant"] == [better, worse]
    mirrored = of_shares(worse, better, n, margin=margin, lower_is_better=True)
    assert (mirrored.verdict, mirrored.discordant) == (verdict, (better, worse))


@pytest.mark.parametrize("share", [0.1, 0.3, 1.0])
def test_wrong_verdicts_on_equal_shares_are_at_most_half_of_alpha(share: float) -> None:
    """Enumerated: probabilities of all counts of 16 topics on which two equal systems may differ."""
    counts = [(b, c) for b in range(17) for c in range(17 - b)]
    law = stats.multinomial(16, [share / 2, share / 2, 1 - share])
    wrong = [law.pmf([b, c, 16 - b - c]) for b, c in counts if of_shares(b, c, 16).verdict == "better"]
    assert 0 < sum(wrong) <= 0.025


def test_topics_that_decide_of_scores_of_0_and_1_are_those_of_the_score_test() -> None:
    answer = of_shares(6, 8, 100, margin=0.05)
    variance = float(answer.differences.scores.var(ddof=1))
    wanted = non_inferior_shares.Requirements(
        alpha=0.025, beta=0.2, margin=0.05, difference_variance=variance
    )
    assert answer.topics == non_inferior_shares.required_topics(wanted).required_topics
    many = of_shares(500, 490, 2000, margin=0.001)
    assert many.topics is not None
    assert many.topics > 1_000_000


def test_scores_of_0_and_1_in_groups_keep_their_cluster_robust_interval() -> None:
    matrix = of_shares(6, 2, 20).matrix.grouped({str(place): f"g{place % 5}" for place in range(20)})
    assert compare_two(matrix, Request()).discordant is None


@pytest.mark.parametrize(
    ("better", "alpha", "verdict", "told"),
    [
        # z = 5 / sqrt(5) = 2.24 is above 1.96, but p = 2 / 2^5 = .0625.
        (5, 0.05, "inconclusive", "does not contain 0; the exact test decides"),
        # p = 2 / 2^15 = .00006, but z = sqrt(15) = 3.87 is below 3.89.
        (15, 0.0001, "better", "contains 0; the exact test decides"),
    ],
)
def test_an_interval_that_does_not_agree_with_the_exact_test_is_told(
    better: int, alpha: float, verdict: str, told: str
) -> None:
    answer = of_shares(better, 0, 40, alpha=alpha)
    assert answer.verdict == verdict
    assert told in said(answer)
    assert f"({95 if alpha == 0.05 else 99.99} % confidence interval" in said(answer)
    assert "exact test decides" not in said(of_shares(20, 2, 40))


def test_few_topics_of_scores_of_0_and_1_have_topics_that_decide() -> None:
    # 3 topics have no power of 80 %: McNemar's exact test never rejects below 6 discordant topics.
    answer = of_shares(1, 0, 3, margin=0.1)
    assert answer.detectable is None
    assert "topics show “not worse by 0.1 P@1” with 80 % power" in said(answer)
    assert sentences(answer)[-1].startswith("The difference rests on about 1 topic:")
    assert "3 topics detect no true difference" in said(of_shares(1, 0, 3))


def test_the_error_rate_of_the_t_test_is_told_where_it_finds_a_difference() -> None:
    """Of the t test at alpha = .05 alone: other tests and levels were not simulated."""
    rng = np.random.default_rng(3)
    d = 0.1 * rng.normal(size=40)
    assert TYPE_ONE_NOTE in said(compared(d + 0.2))
    assert "4 to 9 %" in TYPE_ONE_NOTE
    assert TYPE_ONE_NOTE not in said(compared(d - d.mean()))
    assert TYPE_ONE_NOTE not in said(compared(d + 0.2, alpha=0.01))
    assert TYPE_ONE_NOTE not in said(of_shares(20, 2, 40))


def test_a_lower_end_that_equals_the_margin_does_not_pass() -> None:
    """The table has low > -margin."""
    low = compared(CENTRED).low
    assert compared(CENTRED, margin=-low).verdict == "inconclusive"
    assert compared(CENTRED, margin=-low * (1 + 1e-9)).verdict == "not worse"


def test_topics_that_decide_do_not_depend_on_the_unit() -> None:
    """Scores and margin times a tenth: the same noncentrality, and so the same topics at both ends."""
    one, tenth = (compared(unit * (CENTRED - 1), margin=2.0 * unit) for unit in (1.0, 0.1))
    assert tenth.variance < 1
    assert (tenth.topics, tenth.topics_range) == (one.topics, one.topics_range)


def test_a_margin_of_1_for_scores_of_0_and_1_is_that_of_the_t_test() -> None:
    """Shares differ by less than 1, so that the score test has no such margin."""
    answer = of_shares(6, 8, 100, margin=1.0)
    variance = 14 / 99 - 100 / 99 * 0.02**2  # of 6 differences of 1 and 8 of -1 on 100 topics
    wanted = non_inferiority.Requirements(alpha=0.025, beta=0.2, margin=1.0, difference_variance=variance)
    assert answer.topics == non_inferiority.required_topics(wanted).required_topics


def test_names_that_look_like_markup_are_drawn_as_written() -> None:
    scores = np.array([[0, 1], [1, 0], [1, 1], [0, 1], [0, 0.0]])
    names = "<b>old</b>", "%{new}"
    topics = "<i>1", "2", "3", "4", "5"
    matrix = ScoreMatrix(scores=scores, topics=topics, systems=names, measure="P@1", name="both")
    found = report(compare_two(matrix, Request()))
    drawn = {figure.name: str(figure.drawing.data) for figure in found.figures()}
    assert drawn.keys() == {"four-cells", "difference-by-topic"}
    assert not any(mark in text for text in drawn.values() for mark in ("<b>", "%{new}", "<i>"))
    assert "&lt;b&gt;old" in drawn["four-cells"]


def test_a_margin_beyond_the_range_of_the_measure_is_refused() -> None:
    """As a minimum difference is; nothing is known of the range of other measures, or of scores above 1."""
    with pytest.raises(InputError, match="must be at most 1, as P@1 ranges from 0 to 1"):
        of_shares(6, 8, 100, margin=1.5)
    assert compared(CENTRED, margin=1.5).request.margin == 1.5
    unnamed = replace(of_shares(6, 8, 100).matrix, measure="score")
    assert compare_two(unnamed, Request(margin=1.5)).verdict == "not worse"


def test_scores_without_a_named_measure_have_numbers_alone() -> None:
    unnamed = replace(of_shares(6, 8, 100).matrix, measure="score")
    text = said(compare_two(unnamed, Request(margin=0.01)))
    assert "may be worse by 0.01 or more" in text
    assert "-0.02 on 100 topics" in text


def test_tables_of_topics_have_the_names_of_systems() -> None:
    table = topic_table(compared(CENTRED))
    assert list(table) == ["topic", "old (baseline)", "new (new)", "difference"]
