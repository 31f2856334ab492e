"""The pictures of the pool-depth trade-off."""

import itertools
from dataclasses import replace

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tests.analyses.pool_depth.small_runs import design, left_out
from tests.charts.figure_checks import layout_of, traces
from topicset_core.analyses.pool_depth.charts import (
    bought_by_depth,
    change_of_left_out,
    topics_by_judgments,
)
from topicset_core.analyses.pool_depth.designs import Budget, choose, purchases
from topicset_core.charts.labels import spread
from topicset_core.designs import one_way_anova

AP, NERR = (
    tuple(
        design(depth, judged, topics, measure=measure, kendall_tau=1 - 1 / depth, relevant_known=0.7)
        for depth, judged, topics in ((10, 60.2, few), (100, 470.0, many))
    )
    for measure, few, many in (("AP", 200, 150), ("nERR", 360, 358))
)


def test_a_rectangle_is_what_its_design_costs() -> None:
    figure = topics_by_judgments([AP, NERR], choose(AP, Budget(judgments=20_000)))
    filled, outlined = layout_of(figure).shapes
    assert (filled.x0, filled.y0, filled.x1, filled.y1) == (0, 0, 60.2, 200)
    assert (outlined.x1, outlined.y1) == (470.0, 150)
    curve = next(trace for trace in traces(figure) if trace.name == "AP")
    assert (list(curve.x), list(curve.y)) == ([60.2, 470.0], [200, 150])
    depths = [(note.x, note.text) for note in layout_of(figure).annotations if note.y == 0]
    assert depths == [(60.2, "10"), (470.0, "100")]


def test_every_point_of_the_budget_line_costs_the_budget() -> None:
    hardly = tuple(replace(one, judged_share=0.5) for one in AP)
    figure = topics_by_judgments([hardly], choose(hardly, Budget(judgments=20_000)))
    budget = next(trace for trace in traces(figure) if trace.name == "budget 20,000 judgments")
    assert [x * y for x, y in zip(budget.x, budget.y, strict=True)] == pytest.approx([20_000] * len(budget.x))
    assert not layout_of(figure).shapes  # no design is recommended, no rectangle
    assert set(next(trace for trace in traces(figure) if trace.name == "AP").marker.symbol) == {"circle-open"}
    equal = [trace.name for trace in traces(figure) if trace.name.replace(",", "").isdigit()]
    assert equal == [
        "10,000",
        "50,000",
    ]  # pale lines of round costs; the budget replaces 20,000


def test_depths_on_the_axis_keep_clear_of_each_other() -> None:
    many = [design(depth, 5.0 * depth, 200 - depth) for depth in range(1, 101)]
    figure = topics_by_judgments([many], choose(many))
    shown = [note.x for note in layout_of(figure).annotations if note.y == 0]
    assert shown[0] == 5.0
    assert len(shown) > 10
    right = layout_of(figure).xaxis.range[1]
    assert all(after - before >= 0.04 * right for before, after in itertools.pairwise(shown))


RULE = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)


def test_what_a_budget_buys_is_what_its_topics_detect_by_scipy() -> None:
    """20,000 judgments: 333 topics of 60 documents, and 42 of 470; power .8 at the difference drawn."""
    hardly = AP[0], replace(AP[1], judged_share=0.5)
    choice = choose(hardly, Budget(judgments=20_000))
    bought = purchases([*hardly, *NERR], Budget(judgments=20_000), RULE)
    figure = bought_by_depth([hardly, NERR], bought, choice, RULE, bought[0])
    upper, lower = ([one for one in traces(figure) if one.yaxis == axis] for axis in (None, "y2"))
    assert {one.name for one in upper} == {"AP", "nERR", "yours"}
    curve = next(one for one in upper if one.name == "AP")
    assert list(curve.x) == [10, 100]
    for n_topics, difference in zip((333, 42), curve.y, strict=True):
        within = 10 * (n_topics - 1)
        power = scipy.stats.ncf.sf(
            scipy.stats.f.isf(0.05, 9, within), 9, within, n_topics * difference**2 / (2 * 0.05)
        )
        assert power == pytest.approx(0.8, abs=1e-9)
    assert list(curve.marker.symbol) == ["circle", "circle-open"]
    # τ of each measure, and the known relevant documents, which all measures share.
    assert {one.name: list(one.y) for one in lower} == {
        "τ AP": [0.9, 0.99],
        "τ nERR": [0.9, 0.99],
        "relevant found": [0.7, 0.7],
    }
    assert {one.xaxis for one in (*upper, *lower)} == {None}  # one axis of depths for both
    notes = layout_of(figure).annotations
    top = layout_of(figure).yaxis2.range[1]
    assert all(note.y < top for note in notes if note.yref == "y2")  # else it is not drawn
    floors = choice.floors.min_tau, choice.floors.min_relevant
    assert [one.y0 for one in layout_of(figure).shapes if one.yref == "y2"] == [*floors]
    named = {note.text: note.y for note in notes}
    assert (named["τ ≥ 0.9"], named["found ≥ 0.5"]) == floors
    assert layout_of(figure).xaxis.range[0] > 0.5 * 10  # little is empty before the first depth, 10


def test_one_run_has_no_agreement_to_draw() -> None:
    alone = [replace(one, kendall_tau=None, tau_ap=None) for one in AP]
    unjudged = [replace(one, judged_share=None, relevant_known=None) for one in alone]
    for designs, expected in ((alone, ["AP", "relevant found", "yours"]), (unjudged, ["AP", "yours"])):
        bought = purchases(designs, Budget(judgments=20_000), RULE)
        figure = bought_by_depth(
            [designs], bought, choose(designs, Budget(judgments=20_000)), RULE, bought[-1]
        )
        assert [trace.name for trace in traces(figure)] == expected


def test_losses_of_teams_are_drawn_by_documents() -> None:
    figure = change_of_left_out([left_out(10, "a1", 0.48)], AP, measure="AP", alt="ALT")
    assert list(traces(figure)[0].x) == [60.2]
    assert list(traces(figure)[0].y) == pytest.approx([-0.02])


@given(
    values=st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=8).map(sorted),
    gap=st.floats(0.01, 0.2),
)
def test_names_are_moved_apart_and_no_further(values: list[float], gap: float) -> None:
    moved = spread(values, gap)
    # Sums and means of up to eight numbers near 1: a few roundings.
    assert all(after - before >= gap - 1e-12 for before, after in itertools.pairwise(moved))
    assert sum(moved) == pytest.approx(sum(values), abs=1e-12)
    if all(after - before >= gap for before, after in itertools.pairwise(values)):
        assert moved == pytest.approx(values, abs=1e-12)
