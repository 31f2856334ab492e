"""The paragraph and the record on a design of topics and pool depth."""

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import design, judged, study
from tests.words import numbers_in
from topicset_core.analyses.pool_depth import DepthDesign, DepthStudy
from topicset_core.analyses.pool_depth.designs import Budget, Choice, choose
from topicset_core.analyses.pool_depth.report import Answer, design_columns, report
from topicset_core.analyses.pool_depth.request import Asked
from topicset_core.designs import one_way_anova
from topicset_core.exports.findings import found_on, texts
from topicset_core.exports.report import Report
from topicset_core.measures.binary import AP, Precision

RULE = one_way_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
ASKED = Asked(measures=("AP",), design=RULE.design.name, planned=RULE.given)


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
        kendall_tau=0.95,
        relevant_known=0.6053,
    )
    for depth, documents, topics, share in ((10, 60, 200, 1.0), (50, 240, 160, 0.9), (100, 470, 150, 0.5))
]


@pytest.mark.parametrize(
    ("budget", "depth", "number", "rest"),
    [
        # minD of n topics: sqrt(2 sigma^2 lambda / n) with lambda = 15.65 for many degrees of freedom.
        pytest.param(None, None, [0.1, 12_000, 70_500], [10, 100], id="no budget: what the depths cost"),
        pytest.param(None, 50, [0.1, 38_400], [50], id="no budget, a depth that is asked for"),
        pytest.param(40_000, None, [40_000, 166], [50, 0.112, 80], id="the deepest that reaches minD"),
        pytest.param(40_000, 10, [40_000, 666], [10, 0.0556, 80], id="a depth that is asked for"),
        pytest.param(10**6, None, [10**6, 4_166], [50, 0.0222, 80], id="no depth beyond the judgments"),
        pytest.param(6_000, None, [0.1], [6_000, 100, 10, 0.144, 80], id="a small budget"),
        pytest.param(100, None, [100], [], id="less than two topics"),
        pytest.param(6_000, 100, [6_000, 12], [100, 0.426, 80], id="a depth that is not recommended"),
    ],
)
def test_headlines(
    budget: float | None,
    depth: int | None,
    number: list[float],
    rest: list[float],
    golden: SnapshotAssertion,
) -> None:
    asked = replace(ASKED, pool_depth=depth)
    said = _report(_study_of(USUAL), choose(USUAL, Budget(judgments=budget)), asked)
    (first,) = found_on(said.findings, "headline")
    assert numbers_in(first.value) == number
    assert numbers_in(first.text.removeprefix(first.value)) == pytest.approx(rest, rel=0.02)
    assert "100" in said.warning
    assert 12_000 in numbers_in(said.sentence)  # the cheapest is always there
    assert [first.text, texts(said.findings, "page")] == golden


def test_where_no_pool_is_judged_nothing_is_recommended(golden: SnapshotAssertion) -> None:
    said = _report(_study_of(USUAL[2:]), choose(USUAL[2:], Budget(judgments=10**6)))
    assert said.sentence.startswith("No depth can be recommended: ")
    assert 50 in numbers_in(texts(said.findings, "export")[-1])  # the largest share, in per cent
    # Depth, the requested share; documents in the pool, judged documents, their share.
    assert numbers_in(said.warning) == [100, 80, 100, 470, 56, 50]
    assert [said.sentence, said.warning] == golden


def test_a_depth_below_a_floor_is_shown_with_the_reason_and_not_recommended(
    golden: SnapshotAssertion,
) -> None:
    """DL 2019: depths 3 and 10 with a τ of .574 and .820, and 13.5 and 28.8 % of the relevant documents."""
    low = [
        replace(one, judged_share=1.0, kendall_tau=tau, relevant_known=share)
        for one, tau, share in zip(USUAL, (0.574, 0.82, 0.91), (0.135, 0.288, 0.4), strict=True)
    ]
    for budget in (None, 10**6):
        choice = choose(low, Budget(judgments=budget))
        assert choice.taken is None
        assert _report(_study_of(low), choice).sentence == golden
    read = Answer.of(_study_of(low), replace(ASKED, min_relevant=0.3, budget=10**6), "")
    assert read.choice is not None
    assert [one.pool_depth for one in read.choice.recommended] == [100]
    made = report(read)
    (record,) = made.results()
    assert record["floors_missed"] == [
        {"pool_depth": 10, "floors": ("min_tau", "min_relevant")},
        {"pool_depth": 50, "floors": ("min_tau", "min_relevant")},
    ]
    assert record["settings"]["min_relevant"] == 0.3
    assert "30 % of the known relevant documents" in made.text[0]


def test_the_most_demanding_measure_decides_and_all_are_named(golden: SnapshotAssertion) -> None:
    result = study([judged(RUNS, QRELS)], [AP(), Precision(depth=1)], RULE, depths=[1])
    each = [one.required_topics for one in result.designs]
    assert len(set(each)) == 2
    for budget in (10**6, 10**9):
        read = Answer(study=result, choice=choose(result.designs, Budget(judgments=budget)), asked=ASKED)
        said = texts(report(read).findings, "export")
        (cost,) = [text for text in said if "within the budget" in text]
        assert {*each} <= {*numbers_in(cost)}
        assert f"{max(one or 0 for one in each):,} topics" in cost
        first, second = read.at(1)
        assert read.bought == first
        assert (first.difference or 0) > (second.difference or 0)
        assert said == golden


def _report(study: DepthStudy, choice: Choice, asked: Asked = ASKED) -> Report:
    return report(Answer(study=study, choice=choice, asked=asked))


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
    made = report(Answer.of(result, asked, ""))
    for text in (made.sentence, *made.text):
        assert "0.700 (Q)" in text
    (record,) = made.results()
    assert record["lowest_tau"] == [{"pool_depth": 10, "measure": "Q", "kendall_tau": 0.7}]
