"""Exports of a design, a comparison and an audit contain the numbers of the answers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.analyses.planning.stating import plan_with
from tests.charts.figure_checks import check, named, yours
from tests.designs.refusing import VALID
from tests.words import numbers_in
from topicset_core.analyses.planning import PlanRequest, Stated, planned
from topicset_core.analyses.planning.curves import SYSTEMS, size_curve, systems_lines, with_beside
from topicset_core.analyses.planning.report import record as record_of
from topicset_core.analyses.planning.report import report as report_of
from topicset_core.analyses.sizing import from_one_way_f, from_paired_t, from_two_sample_t
from topicset_core.analyses.sizing.cells import Target
from topicset_core.analyses.sizing.comparison import anova_label
from topicset_core.analyses.sizing.comparison_report import Comparison
from topicset_core.analyses.sizing.reported_report import power_of_replication, reported_report
from topicset_core.analyses.sizing.reported_result import ReportedResult
from topicset_core.designs import (
    blocked_anova,
    confidence_interval,
    group_sequential,
    one_way_anova,
    paired_t,
)
from topicset_core.exports.findings import texts
from topicset_core.exports.records import plain
from topicset_core.references import (
    BOX_1954,
    GREENHOUSE_GEISSER_1959,
    LAN_DEMETS_1983,
    OBRIEN_FLEMING_1979,
    POCOCK_1977,
    Reference,
)

LEVELS: dict[str, Any] = {"alpha": 0.05, "beta": 0.20}


@pytest.mark.parametrize("design", [one_way_anova, confidence_interval])
def test_tables_of_a_design_contain_its_answer(design: Any) -> None:
    exact = design.required_topics(design.Requirements(**VALID[design]))
    published = design.required_topics(design.Requirements(**VALID[design]), method="published")
    found = plan_with(design.DESIGN, VALID[design])
    report = report_of(found)
    assert report.sentence.startswith(f"With n = {exact.required_topics} topics")
    topics, sizes = (table.columns() for table in report.tables)
    differences = next(iter(topics))
    assert differences == ("δ (AP)" if design is confidence_interval else "minD (AP)")
    at = list(topics[differences]).index(exact.requirements.difference)
    assert exact.required_topics in {column[at] for name, column in topics.items() if name != differences}
    name, attained = (
        ("expected width", exact.attained_width)
        if design is confidence_interval
        else ("power", exact.attained_power)
    )
    by_size = dict(zip(sizes["topics"], sizes[name], strict=True))
    assert by_size[exact.required_topics] == pytest.approx(attained, rel=1e-12)
    record = report.record()
    asked = record["request"]
    assert asked == {"design": design.DESIGN.name, "method": "exact", **VALID[design]}
    more = plain(record_of(found))
    assert record["results"] == [asked | plain(exact) | more, asked | plain(published)]
    assert more["unknown"] == "topics"
    assert (record["measure"], record["variance_source"]) == ("AP", "typed")
    figures = [*report.figures()]
    names = ["topics-by-difference", "by-topics", "equal-topics"]
    assert [one.name for one in figures] == names
    assert len({one.alt for one in figures}) == len(figures)  # each names its content


def test_the_exported_curves_are_those_that_are_drawn_at_round_values() -> None:
    """Each number is that of the design at this difference, by the inverse of its power."""
    found = plan_with(one_way_anova.DESIGN, VALID[one_way_anova] | {"min_d": 0.0634})
    other = one_way_anova.DESIGN.plan(
        **VALID[one_way_anova] | {"within_system_variance": 0.9, "n_systems": 3}
    )
    curves = with_beside(replace(found.curves, ends=(0.02, 0.09)), other, "A")
    report = report_of(found, curves=curves)
    table: Mapping[str, Sequence[Any]] = report.tables[0].columns()
    drawn = {curve.label for curve in (*curves.topics, *curves.beside)}
    differences, *names = table
    assert {*names} == drawn | {
        "if σ² is uncertain, from",
        "if σ² is uncertain, to",
    }
    values = list(table[differences])
    assert values == sorted(set(values))
    assert [value for value in values if float(f"{value:.2g}") != value] == [0.0634]  # their own
    low, high = 0.0634 / 4, 4 * 0.0634
    assert len(values) == 1 + sum(
        low <= float(f"{two}e{power}") <= high for two in range(10, 100) for power in (-3, -2)
    )
    plans = {curve.label: curve.plan for curve in (*curves.topics, *curves.beside)}
    for name, plan in plans.items():
        for value, topics in zip(values, table[name], strict=True):
            if topics is None:  # more than ten million
                assert float(plan.detected(10_000_000)) > value
            else:
                assert (
                    topics
                    == plan.design.plan(**plan.values | {"min_d": value}).required_topics().required_topics
                )
    for end, variance in (("from", 0.02), ("to", 0.09)):
        plan = one_way_anova.DESIGN.plan(**VALID[one_way_anova] | {"within_system_variance": variance})
        expected = [plan.topics(np.array([value]))[0] for value in values]
        assert table[f"if σ² is uncertain, {end}"] == expected
    assert list(report.page_table()) == list(table)  # type: ignore[misc]
    few = next(iter(report.page_table().values()))  # type: ignore[misc]
    assert few == pytest.approx([0.0634 * part for part in (0.25, 0.5, 0.75, 1, 1.5, 2, 3)], rel=1e-12)
    assert few[3] == 0.0634


@pytest.mark.parametrize("design", [one_way_anova, blocked_anova, paired_t])
def test_a_plan_without_scores_cites_no_correction(design: Any) -> None:
    works = report_of(plan_with(design.DESIGN, VALID[design])).works
    assert not {BOX_1954, GREENHOUSE_GEISSER_1959} & set(works)


@pytest.mark.parametrize(
    ("spending", "works"),
    [
        ("obrien-fleming", {OBRIEN_FLEMING_1979}),
        ("pocock", {POCOCK_1977}),
        ("lan-demets-of", {LAN_DEMETS_1983, OBRIEN_FLEMING_1979}),
        ("lan-demets-pocock", {LAN_DEMETS_1983, POCOCK_1977}),
    ],
)
def test_interim_tests_cite_their_boundary(spending: str, works: set[Reference]) -> None:
    values = LEVELS | {"min_d": 0.1, "difference_variance": 0.05, "looks": 3, "spending": spending}
    assert set(report_of(plan_with(group_sequential.DESIGN, values)).works) == works


def test_a_difference_that_topics_detect_keeps_its_digits_in_the_table() -> None:
    """A little less would take one topic more."""
    request = PlanRequest(design=paired_t.DESIGN, values=LEVELS, n_topics=50)
    found = planned(request, Stated(values={"difference_variance": 0.05}, words="typed"))
    for table in (report_of(found).tables[0].columns(), report_of(found).page_table()):  # type: ignore[misc]
        differences, topics = list(table.values())[:2]
        at = list(differences).index(found.plan.difference)
        assert topics[at] == 50


@pytest.mark.parametrize(("topics", "step"), [(12, 1), (5000, 50), (121, 1), (122, 2)])
def test_sizes_of_a_curve_are_round(topics: int, step: int) -> None:
    plan = paired_t.DESIGN.plan(**VALID[paired_t])
    sizes = size_curve(plan, topics).n_topics.tolist()
    odd = [n for n in sizes if n % step]
    assert set(odd) <= {2, topics, topics - 1, 2 * topics}
    assert {topics, topics - 1} <= set(sizes)


def test_reports_without_a_variance_or_a_measure() -> None:
    effect = planned(PlanRequest(design=paired_t.DESIGN, values=LEVELS | {"min_delta": 0.5}))
    assert effect.result == paired_t.required_topics(paired_t.Requirements(**LEVELS, min_delta=0.5))
    record, *_ = report_of(effect).record()["results"]
    assert record["min_delta"] == record["requirements"]["min_delta"] == 0.5


@pytest.mark.parametrize("variances", [{"AP": 0.0471, "nERR": 0.0798}, {"AP": 0.0471}])
def test_a_comparison_is_the_same_in_sheets_list_and_record(variances: dict[str, float]) -> None:
    target = dict.fromkeys(variances, 0.1)
    comparison = Comparison(
        sources={
            measure: Stated(values={"within_system_variance": value}, words=f"{measure} of TREC")
            for measure, value in variances.items()
        },
        levels=[(LEVELS["alpha"], LEVELS["beta"])],
        topics="separate",
        target=Target(10, target, target),
        of="AP",
    )
    tables, effects, report = comparison.tables, comparison.by_effect, comparison.report()
    planned, every, listed_measures, *sheets, by_effect = report.tables
    assert listed_measures.columns()["σ²"] == list(variances.values())
    assert by_effect.columns()["topics, alpha 0.05, beta 0.2"] == effects.topics[:, 0].tolist()
    listed = every.columns()
    assert listed["topics"] == [int(one) for table in tables for row in table.topics for one in row]
    assert len(sheets) == len(tables) == len({sheet.sheet for sheet in sheets})
    (result,) = report.record()["results"]
    for table, sheet, recorded in zip(tables, sheets, result["tables"], strict=True):
        for place, measure in enumerate(variances):
            np.testing.assert_array_equal(sheet.columns()[f"topics, {measure}"], table.topics[:, place])
            np.testing.assert_array_equal(recorded["required_topics"][measure], table.topics[:, place])
    assert result["within_system_variances"] == variances
    assert len([*report.figures()]) == 1 + min(len(variances), 2)
    assert report.page_table is not None
    assert report.page_table() == planned.columns()
    (row,) = (at for at, method in enumerate(planned.columns()["method"]) if method == anova_label(10))
    # sigma^2 .0471: 149 topics, tests/reference/sizes_interval_and_anova.csv.
    assert planned.columns()["topics, AP"][row] == 149


AUDITS = {
    "paired": from_paired_t(2.4, n_topics=50, **LEVELS),
    "two-sample": from_two_sample_t(2.6, n_topics=(20, 30), **LEVELS),
    "one-way": from_one_way_f(4.0, n_systems=3, n_topics=13, **LEVELS),
}


@pytest.mark.parametrize("audit", AUDITS.values(), ids=AUDITS)
def test_the_topics_of_a_replication_are_the_same_everywhere(audit: ReportedResult) -> None:
    assert audit.topics is not None
    report = reported_report(audit)
    (result,) = report.record()["results"]
    topics, exact = audit.topics, audit.if_exact.required_topics
    assert [result["topics"], result["if_exact"]["required_topics"]] == [topics, exact]
    # The shrunk number leads in every text, the other one follows.
    _, first, *others = texts(report.findings, "page")
    assert numbers_in(texts(report.findings, "headline")[0]) == [topics]
    assert numbers_in(report.title)[-1] == topics
    assert topics in numbers_in(first)
    assert numbers_in(others[0])[0] == exact
    text = numbers_in(report.text[0])
    assert text.index(topics) < text.index(exact)
    powers = report.tables[1].columns()
    at = np.flatnonzero(np.asarray(powers["significant again"], dtype=float) >= 0.8)[0]
    assert powers["topics"][at] <= topics
    assert result["significant_again"] == float(audit.significant_again(50))


def test_a_result_that_is_not_significant_has_no_topics_in_its_headline() -> None:
    audit = from_paired_t(0.953, n_topics=28, **LEVELS)
    report = reported_report(audit)
    said = texts(report.findings, "page")
    assert numbers_in(texts(report.findings, "headline")[0]) == [0.35]  # p = .349
    assert 244 in numbers_in(said[2])
    for text in (*said, report.text[0].partition("\n")[0]):
        assert max(numbers_in(text)) <= 2_800  # 100 times 28, and no six digits


def test_a_replication_is_marked_on_the_curve_of_the_shrunk_effect() -> None:
    audit = AUDITS["paired"]
    assert audit.topics is not None
    _, drawn, text = power_of_replication(audit)
    check(drawn, x="n", y="significance")
    assert yours(drawn) == (audit.topics, pytest.approx(100 * float(audit.significant_again(audit.topics))))
    exact = named(drawn, "if the published effect were exact")
    assert audit.if_exact.required_topics == 71
    before, after = (exact.y[list(exact.x).index(n)] for n in (70, 72))  # the curve has round numbers
    assert before < 100 * audit.if_exact.attained_power < after
    assert after - before < 1.5
    assert str(audit.topics) in text
    assert "yours" not in {
        one.get("name") for one in power_of_replication(from_paired_t(0.953, n_topics=28, **LEVELS))[1].data
    }


def test_designs_cross_at_13_systems() -> None:
    """From 13 systems on Tukey's procedure finds the pair with fewer topics than ANOVA needs to find something."""
    of_one_system = {"within_system_variance": 0.0471}
    lines = {
        one.label: one for one in systems_lines(0.05, 0.20, 0.10, of_one_system, "within_system_variance")
    }
    anova, tukey = lines["one-way ANOVA"], lines["all pairs, Tukey HSD"]
    fewer = [m for m, a, t in zip(anova.systems, anova.topics, tukey.topics, strict=True) if t < a]
    assert fewer == [m for m in SYSTEMS if m >= 13]
    shared = systems_lines(0.05, 0.20, 0.10, {"residual_variance": 0.01285}, "residual_variance")
    assert {one.label: one.topics[one.systems.index(10)] for one in shared} == {
        "two-way ANOVA": 42,
        "all pairs, Bonferroni": 44,
        "all pairs, Tukey HSD": 42,
        "baseline, Dunnett": 33,
    }
