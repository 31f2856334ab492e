"""The charts of a leaderboard draw the numbers of the core, and its report contains them."""

import json
from functools import cache

import numpy as np
import pytest

from tests.analyses.rank_resolution.test_resolution import drawn
from tests.charts.figure_checks import named, traces, yours
from tests.variance.matrices import of as new
from topicset_core.analyses.rank_resolution import Request
from topicset_core.analyses.rank_resolution.answer import Leaderboard, leaderboard
from topicset_core.analyses.rank_resolution.charts import (
    asl_curves,
    groups,
    rank_intervals,
    resolved_pairs,
    share_by_topics,
)
from topicset_core.analyses.rank_resolution.discriminative_power import discriminative_power
from topicset_core.analyses.rank_resolution.report import (
    latex_table,
    outlook_sentence,
    pair_table,
    paper_table,
    rank_table,
    record,
    report,
    top_sentence,
    warnings,
)
from topicset_core.analyses.rank_resolution.two_systems import two_systems
from topicset_core.samples import simulated_task


@cache
def result() -> Leaderboard:
    return leaderboard(simulated_task()[0], Request(n_trials=1000))


def test_intervals_equal_those_of_the_core() -> None:
    board = result().resolution
    figure = rank_intervals(board, mode="light").drawing
    shown = {}
    for name in ("may be the best", "others"):
        trace = named(figure, name)
        for system, rank, row in zip(trace.y, trace.x, trace.customdata, strict=True):
            shown[system] = (rank, *(int(value) for value in row[1:]))
    own = (board.ranks, board.lower, board.upper, board.marginal_lower, board.marginal_upper)
    assert shown == {
        name: tuple(int(values[place]) for values in own) for place, name in enumerate(board.systems)
    }
    assert set(named(figure, "may be the best").y) == set(board.candidates(1))


def test_the_matrix_of_pairs_is_antisymmetric() -> None:
    board = result().resolution
    (drawn_,) = traces(resolved_pairs(board, mode="dark").drawing)
    z = np.array(drawn_.z)
    assert (z == -z.T).all()
    assert set(np.unique(z)) <= {-1, 0, 1}
    assert (z == 1).sum() == board.n_resolved


def test_lines_of_groups() -> None:
    board = result().resolution
    spans = [(trace.y[0], trace.y[-1]) for trace in traces(groups(board, mode="print").drawing)]
    assert spans == [(board.systems[first - 1], board.systems[last - 1]) for first, last in board.lines]


def test_the_attained_share_is_marked() -> None:
    board, ahead = result().resolution, result().outlook
    figure = share_by_topics(ahead, mode="light").drawing
    assert yours(figure) == (50.0, pytest.approx(100 * board.n_resolved / board.n_pairs))
    assert tuple(named(figure, "90 % interval").x) == ahead.interval


def test_no_output_names_a_top_k_unless_it_was_chosen_beforehand() -> None:
    page = report(result())
    texts = (
        page.sentence,
        *page.text,
        page.json().decode(),
        outlook_sentence(result()),
        *warnings(result().resolution),
    )
    assert not any("chosen before" in text or '"top"' in text for text in texts)
    with_top = report(result().with_top(2))
    assert with_top.sentence == page.sentence
    assert top_sentence(result().with_top(2)) in with_top.text[0]
    assert json.loads(with_top.json())["results"][0]["top"]["k"] == 2


def test_the_top_k_is_reconciled_with_the_candidates() -> None:
    # One system leads by 0.9 standard deviations of a score: enough for single t tests on 20 topics, not for the 28
    # pairs of 8 systems together.
    scores = np.random.default_rng(1).normal(size=(20, 8)) + np.array([0.9, *[0.0] * 7])
    board = leaderboard(new(scores), Request(n_trials=500)).with_top(1)
    assert board.top is not None
    candidates = len(board.resolution.candidates(1))
    assert board.top.is_verified
    assert candidates > 1
    assert f"The sign flips leave {candidates} candidates: they test all 28 pairs at once" in top_sentence(
        board
    )
    shifted = leaderboard(new(np.linspace(0, 1, 20)[:, None] + [0.2, 0.1, 0.0]), Request(n_trials=500))
    assert "sign flips" not in top_sentence(shifted.with_top(1))


def test_pairs_that_differ_by_a_constant_are_not_called_unresolvable() -> None:
    shifted = new(np.linspace(0, 1, 30)[:, None] + [0.2, 0.1, 0.0])
    board = leaderboard(shifted, Request(n_trials=500))
    assert board.resolution.n_resolved == 3
    assert outlook_sentence(board) == "All pairs are resolved already."


def test_equal_systems_bound_the_share_of_pairs() -> None:
    # 15 pairs of 6 systems: 3 of three equal ones and 1 of two equal ones have equal scores.
    scores = np.random.default_rng(1).random((30, 3))[:, [0, 0, 0, 1, 1, 2]] + [0.3, 0.3, 0.3, 0, 0, 0]
    board = leaderboard(new(scores), Request(n_trials=500))
    sentence = outlook_sentence(board)
    assert sentence.startswith("No number of topics resolves 80 % of the pairs: 4 of 15 have equal scores.")
    assert record(board)["more_topics"]["topics"] is None


def test_the_outlook_in_words_is_that_of_the_record() -> None:
    row = record(result())["more_topics"]
    low, high = row["interval"]
    assert outlook_sentence(result()) == (
        f"About {row['topics']:,} topics would resolve 80 % of the pairs (90 % interval {low:,} to {high:,}); 100 "
        f"topics about {100 * row['share_at_twice_the_topics']:.0f} %."
    )
    assert row["topics"] == float(f"{result().outlook.topics_for(0.8):.2g}")


def test_curves_of_significance_levels() -> None:
    powers = [discriminative_power(matrix, n_trials=200) for matrix in simulated_task()[:3]]
    for trace, one in zip(traces(asl_curves(powers, mode="light").drawing), powers, strict=True):
        assert trace.name == one.measure
        assert len(trace.y) == int((one.asl <= 0.1).sum())


def test_the_record_has_the_documented_keys() -> None:
    board = result().resolution
    two = two_systems(board, "sim01", "sim02")
    powers = [discriminative_power(simulated_task()[0], n_trials=200)]
    page = report(result(), two=two, powers=powers)
    (row,) = json.loads(page.json())["results"]
    assert (row["n_pairs"], row["n_resolved"]) == (190, board.n_resolved)
    assert (row["floor"], row["critical_value"]) == (0.5, board.critical)
    assert row["candidates_for_first"] == list(board.candidates(1))
    assert [(one["system"], one["lower"], one["upper"]) for one in row["systems"]] == list(
        zip(board.systems, board.lower.tolist(), board.upper.tolist(), strict=True)
    )
    assert row["two_systems"]["sentence"] == two.sentence
    assert row["discriminative_power"][0]["n_pairs"] == 190
    assert page.workbook()
    assert "sim" in page.text[1]


def test_tables() -> None:
    board = result().resolution
    assert list(rank_table(result()))[:5] == ["system", "mean", "rank", "lower", "upper"]
    assert len(pair_table(board)["better"]) == 190
    assert pair_table(board)["resolved"].count("yes") == board.n_resolved
    first = next(zip(*paper_table(board).values(), strict=True))
    assert first[:2] == (1, board.systems[0])
    assert first[3] == f"{board.lower[0]}–{board.upper[0]}"
    assert latex_table(board).count("\\\\") == 21


def test_two_systems_in_words() -> None:
    board = result().resolution
    two = two_systems(board, board.systems[-1], board.systems[0])
    assert (two.better, two.worse) == (board.systems[0], board.systems[-1])
    assert two.sentence.startswith(f"{two.better} is {two.difference:.3g} above {two.worse}")
    assert two.low <= two.difference <= two.high
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
    board = leaderboard(new(scores), Request(n_trials=500, floor=0.0)).resolution
    assert any("s0 and s1" in sentence for sentence in warnings(board))
