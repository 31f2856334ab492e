"""The paragraph and the record on a design of topics and pool depth."""

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import design, judged, study
from tests.words import numbers_in
from topicset_core.analyses.pool_depth import DepthDesign, DepthStudy
from topicset_core.analyses.pool_depth.designs import choose
from topicset_core.analyses.pool_depth.report import (
    answer,
    design_columns,
    report,
)
from topicset_core.analyses.pool_depth.request import Asked
from topicset_core.designs import one_way_anova
from topicset_core.measures.binary import AP, Precision

RULE = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)


RUNS = {"one": {"1": "abcd", "2": "cabd", "3": "abcd"}, "two": {"1": "bxay", "2": "cbya", "3": "xyab"}}
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "c": 1, "b": 1}, "3": {"c": 1, "x": 0}}
USUAL = [
    design(
        depth,
        documents,
        topics,
        judged_per_topic=55.708,
        judged_share=share,
        within_system_variance=0.0657063,
        kendall_tau=0.88235,
        relevant_known=0.2053,
    )
    for depth, documents, topics, share in ((10, 60, 200, 1.0), (50, 240, 160, 0.9), (100, 470, 150, 0.5))
]


@pytest.mark.parametrize(
    ("budget", "number", "rest"),
    [
        pytest.param(None, [10, 50], [12_000, 38_400], id="no budget: the range of what is recommended"),
        pytest.param(40_000, [50, 160], [38_400], id="the deepest within"),
        pytest.param(10**6, [50, 160], [38_400], id="no depth beyond the judgments, whatever the budget"),
        pytest.param(6_000, [6_000, 100], [10, 0.144], id="what a small budget buys"),
        pytest.param(100, [100], [], id="less than two topics"),
    ],
)
def test_headlines(
    budget: float | None, number: list[float], rest: list[float], golden: SnapshotAssertion
) -> None:
    text = answer(_study_of(USUAL), choose(USUAL, budget), RULE)
    assert numbers_in(text.number) == number
    # minD of 100 topics: sqrt(2 sigma^2 lambda / n) = .1434 with lambda = 15.65, and 991 degrees of freedom.
    assert numbers_in(text.rest) == pytest.approx(rest, abs=1e-12)
    assert "100" in text.warning
    assert 12_000 in numbers_in(" ".join([text.headline, *text.sentences]))  # the cheapest is always there
    assert [text.headline, text.sentences] == golden


def test_where_no_pool_is_judged_nothing_is_recommended(golden: SnapshotAssertion) -> None:
    text = answer(_study_of(USUAL[2:]), choose(USUAL[2:], 10**6), RULE)
    assert numbers_in(text.headline) == [50]  # the largest share, in per cent
    assert text.sentences == text.purchases == ()
    # Depth, the requested share; documents in the pool, judged documents, their share.
    assert numbers_in(text.warning) == [100, 80, 100, 470, 56, 50]
    assert [text.headline, text.doubts] == golden


def test_the_most_demanding_measure_decides_and_all_are_named(golden: SnapshotAssertion) -> None:
    result = study([judged(RUNS, QRELS)], [AP(), Precision(depth=1)], RULE, depths=[1])
    each = [one.required_topics for one in result.designs]
    assert len(set(each)) == 2
    for budget in (None, 10**9):
        text = answer(result, choose(result.most_demanding, budget), RULE)
        assert {*each} <= {*numbers_in(text.sentences[0])}
        assert f"{max(one or 0 for one in each):,} topics" in " ".join([text.headline, *text.sentences])
        assert text == golden


def _study_of(designs: list[DepthDesign]) -> DepthStudy:
    depths = tuple(one.pool_depth for one in designs)
    result = study([judged(RUNS, QRELS)], [AP()], RULE, depths=[1, 2])
    return replace(result, designs=tuple(designs), depths=depths, n_judgments=0, n_unexplained=0)


def test_the_cost_of_the_pool_of_all_runs() -> None:
    assert "full-pool judgments" not in design_columns(USUAL).table(USUAL)
    full = [replace(USUAL[0], full_pool_per_topic=117.3)]
    (estimated,) = design_columns(full).table(full)["full-pool judgments"]
    assert estimated == 200 * 117


def test_the_stated_tau_is_the_lowest_of_the_measures() -> None:
    """The measure that needs most topics may agree best: its own τ would flatter."""
    result = _study_of(
        [design(10, 60, 200, kendall_tau=0.9), design(10, 60, 100, measure="Q", kendall_tau=0.7)]
    )
    result = replace(result, measures=("AP", "Q"), depths=(10,))
    asked = Asked(measures=("AP", "Q"), design=RULE.design.name, planned=RULE.given, budget=10**9)
    made = report(result, asked, source="")
    agreement = next(one for one in made.figures() if one.name == "agreement-by-depth")
    for text in (made.sentence, *made.text, agreement.alt):
        assert "0.700 (Q)" in text
    (record,) = made.results()
    assert record["lowest_tau"] == [{"pool_depth": 10, "measure": "Q", "kendall_tau": 0.7}]
