"""The charts of a leaderboard draw the numbers of the core, and its report contains them."""

import json
import math
from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest

from tests.analyses.rank_resolution.test_resolution import drawn
from tests.charts.figure_checks import named, traces, yours
from tests.variance.matrices import of as new
from topicset_core.analyses.rank_resolution import Request
from topicset_core.analyses.rank_resolution.charts import (
    groups,
    rank_intervals,
    resolved_pairs,
    share_by_topics,
)
from topicset_core.analyses.rank_resolution.chosen_systems import two_systems
from topicset_core.analyses.rank_resolution.discriminative_power import (
    PowerRequest,
    asl_curves,
    discriminative_power,
)
from topicset_core.analyses.rank_resolution.leaderboard import Leaderboard, rank_columns
from topicset_core.analyses.rank_resolution.report import QUESTION, record, report
from topicset_core.analyses.rank_resolution.resolution import resolve
from topicset_core.designs.score_test import tango_interval
from topicset_core.exports.findings import texts
from topicset_core.samples import simulated_task


@cache
def result() -> Leaderboard:
    return QUESTION.answer(simulated_task()[0], Request(n_trials=1000))


def said(leaderboard: Leaderboard) -> list[str]:
    """What a terminal prints above the table."""
    return texts(report(leaderboard).findings, "terminal")


def test_charts_draw_the_numbers_of_the_core() -> None:
    board, ahead = result().resolution, result().outlook
    intervals = rank_intervals(board).drawing
    shown = {}
    for name in ("may be the best", "others"):
        trace = named(intervals, name)
        for system, rank, row in zip(trace.y, trace.x, trace.customdata, strict=True):
            shown[system] = (rank, *(int(value) for value in row[1:]))
    own = (board.ranks, board.lower, board.upper, board.marginal_lower, board.marginal_upper)
    assert shown == {
        name: tuple(int(values[place]) for values in own) for place, name in enumerate(board.systems)
    }
    assert set(named(intervals, "may be the best").y) == set(board.candidates(1))
    (matrix,) = traces(resolved_pairs(board).drawing)
    z = np.array(matrix.z)
    drawn = np.isfinite(z)  # the better system of a pair is in the row, so each pair is drawn once
    assert (tuple(matrix.y), tuple(matrix.x)) == (board.systems[:-1], board.systems[1:])
    np.testing.assert_array_equal(drawn, np.triu(np.ones_like(drawn)))
    np.testing.assert_array_equal(z[drawn] == 1, board.resolved[:-1, 1:][drawn])
    assert (z == 1).sum() == board.n_resolved
    spans = [(trace.y[0], trace.y[-1]) for trace in traces(groups(board).drawing)]
    assert spans == [(board.systems[first - 1], board.systems[last - 1]) for first, last in board.lines]
    share = share_by_topics(ahead, board.upright).drawing
    assert yours(share) == (50.0, pytest.approx(100 * board.n_resolved / board.n_pairs))
    assert tuple(named(share, "90 % interval").x) == ahead.interval
    powers = [discriminative_power(one, PowerRequest(n_trials=200)) for one in simulated_task()[:3]]
    for trace, power in zip(traces(asl_curves(powers).drawing), powers, strict=True):
        assert trace.name == power.matrix.measure
        assert len(trace.y) == int((power.asl <= 0.1).sum())


def test_no_output_names_a_top_k_unless_it_was_chosen_beforehand() -> None:
    page = report(result())
    texts_of_all = (page.sentence, *page.text, page.json().decode(), *said(result()))
    assert not any("chosen before" in text or '"top"' in text for text in texts_of_all)
    with_top = report(result().read_off(Request(top_k=2)))
    (of_top,) = (text for text in said(result().read_off(Request(top_k=2))) if "chosen before" in text)
    assert with_top.sentence.replace(f" {of_top}", "") == page.sentence
    assert of_top in with_top.text[0]
    assert json.loads(with_top.json())["results"][0]["top"]["k"] == 2


def test_the_top_k_is_reconciled_with_the_candidates() -> None:
    # One system leads by 0.9 standard deviations of a score: enough for single t tests on 20 topics, not for the 28
    # pairs of 8 systems together.
    scores = np.random.default_rng(1).normal(size=(20, 8)) + np.array([0.9, *[0.0] * 7])
    board = QUESTION.answer(new(scores), Request(n_trials=500)).read_off(Request(top_k=1))
    assert board.top is not None
    candidates = len(board.resolution.candidates(1))
    assert board.top.is_verified
    assert candidates > 1
    text = f"The sign flips leave {candidates} candidates: they test all 28 pairs at once"
    assert text in " ".join(said(board))
    shifted = QUESTION.answer(new(np.linspace(0, 1, 20)[:, None] + [0.2, 0.1, 0.0]), Request(n_trials=500))
    assert "sign flips" not in " ".join(said(shifted.read_off(Request(top_k=1))))


def test_pairs_that_differ_by_a_constant_are_not_called_unresolvable() -> None:
    shifted = new(np.linspace(0, 1, 30)[:, None] + [0.2, 0.1, 0.0])
    board = QUESTION.answer(shifted, Request(n_trials=500))
    assert board.resolution.n_resolved == 3
    assert "All pairs are resolved already." in said(board)


def test_equal_systems_bound_the_share_of_pairs() -> None:
    # 15 pairs of 6 systems: 3 of three equal ones and 1 of two equal ones have equal scores.
    scores = np.random.default_rng(1).random((30, 3))[:, [0, 0, 0, 1, 1, 2]] + [0.3, 0.3, 0.3, 0, 0, 0]
    board = QUESTION.answer(new(scores), Request(n_trials=500))
    start = "No number of topics resolves 80 % of the pairs: 4 of 15 have equal scores."
    assert any(sentence.startswith(start) for sentence in said(board))
    assert record(board)["more_topics"]["topics"] is None


def test_two_systems_in_the_order_of_their_means_shrink_more_among_nearer_ones() -> None:
    board = result().resolution
    two = two_systems(board, board.systems[-1], board.systems[0])
    assert (two.better, two.worse) == (board.systems[0], board.systems[-1])
    assert two.low is not None
    assert two.high is not None
    assert two.low < two.difference < two.high
    near = two_systems(board, board.systems[0], board.systems[1], among=0.25)
    assert near.shrinkage < two_systems(board, board.systems[0], board.systems[1]).shrinkage < 1
    assert near.adjusted_p >= near.p_by_flips


def test_p_by_sign_flips_of_two_systems_approaches_the_t_test() -> None:
    board = result().resolution
    for other in board.systems[1:8]:
        two = two_systems(board, board.systems[0], other)
        # On 50 topics both tests are close; four standard errors of 1,000 flips next to it.
        assert two.p_by_flips == pytest.approx(two.p_by_t, abs=0.01 + 4 * 0.016)


def test_equal_systems_are_named() -> None:
    scores = drawn(40, 4, 0, spread=1.0).scores.copy()
    scores[:, 1] = scores[:, 0]
    board = QUESTION.answer(new(scores), Request(n_trials=500, floor=0.0))
    assert any("s0 and s1" in sentence for sentence in said(board))


def test_two_systems_with_scores_of_0_and_1_have_the_interval_of_compare_two_and_its_level() -> None:
    """Tango's interval of 15 topics for and 9 against, and not t's, which is narrower here."""
    scores = np.zeros((100, 3))
    scores[:15, 0] = scores[15:24, 1] = 1
    board = QUESTION.answer(new(scores), Request(n_trials=20_000, alpha=1e-4, pair=("s1", "s0")))
    two = board.two
    assert two is not None
    assert (two.low, two.high) == tango_interval(15, 9, 100, 1e-4)
    text = [*said(board), *QUESTION.text(board)]
    assert f"(99.99 % interval, Tango's: {two.low:.3g} to {two.high:.3g}; p values: " in "\n".join(text)
    assert not any(" 100 % interval" in one for one in text)
    assert two.table[""][1] == "Tango's interval at 99.99 %, low"
    assert "99.99 % interval" in rank_columns(board.resolution).screen([])[0]
    assert two.record()["interval"] == "Tango's"


def test_a_difference_that_one_topic_makes_rests_on_about_1_topic() -> None:
    scores = np.random.default_rng(2).random((30, 1)).repeat(2, axis=1)
    scores[0, 0] += 1
    two = two_systems(resolve(new(scores), Request(n_trials=500)), "s0", "s1")
    assert two.comparison.endswith("The difference rests on about 1 topic: other topics may not show it.")


def test_a_difference_that_is_the_same_on_every_topic_has_no_interval_and_no_t_test() -> None:
    """Of 12 topics, all in favour: 2 of 2^12 sign flips are as extreme."""
    shifted = new(np.arange(12)[:, None] / 16 + [0.25, 0.0])
    board = QUESTION.answer(shifted, Request(pair=("s0", "s1")))
    assert board.two is not None
    assert board.two.comparison == (
        "s0 leads s1 by 0.25 in every topic (p values: 0.00049 by all sign flips, 0.00049 among all pairs). "
        "Without variance between topics there is neither a confidence interval nor a t test."
    )
    assert (board.two.low, board.two.high, board.two.p_by_t) == (None, None, None)
    exact = two_systems(resolve(new(np.eye(2)[np.zeros(12, int)])), "s0", "s1")  # Tango's interval is there
    assert exact.low == pytest.approx(tango_interval(12, 0, 12, 0.05)[0], rel=1e-12)
    assert "p values: 0.00049 by all sign flips" in exact.comparison


def test_sign_flips_of_scores_of_0_and_1_are_all_of_them_against_scipy() -> None:
    """McNemar's exact test is the binomial test of the topics that only one of the two systems has right."""
    scores = (np.random.default_rng(45).random((70, 5)) < np.linspace(0.3, 0.7, 5)).astype(float)
    for values in (scores, 0.3 + 0.4 * scores):  # any two values have differences of one size
        board = QUESTION.answer(new(values), Request(n_trials=4000, alpha=0.05)).resolution
        for i, k in ((0, 4), (1, 2), (2, 3)):
            two = two_systems(board, f"s{i}", f"s{k}")
            only = int((scores[:, i] > scores[:, k]).sum()), int((scores[:, i] < scores[:, k]).sum())
            assert two.p_by_flips == pytest.approx(binomtest(only[0], sum(only)).pvalue, rel=1e-12)
            assert two.flips == "closed form"
            assert "by all sign flips" in two.comparison
            alone = resolve(new(scores[:, [i, k]]), Request(n_trials=20_000)).adjusted_p[0]
            # The same by 20,000 drawn flips; 4 standard errors, and the observed scores that count as one.
            error = math.sqrt(two.p_by_flips * (1 - two.p_by_flips) / 20_000)
            assert alone == pytest.approx(two.p_by_flips, abs=4 * error + 1e-4)
    assert two_systems(result().resolution, *result().resolution.systems[:2]).flips == "drawn"
