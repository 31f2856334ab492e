"""The report of a plan in groups speaks of groups."""

import json
import re
from typing import Any

import pytest

from tests.analyses.planning.stating import plan_with
from tests.designs.test_grouped import VALUES, plan_of
from topicset_core.analyses.planning.report import report as report_of
from topicset_core.designs import design_named
from topicset_core.designs.grouped import in_groups


@pytest.mark.parametrize("slug", ["paired-t", "anova", "ci"])
def test_only_topics_are_counted_as_topics(slug: str) -> None:
    """Every number of topics in the report is of topics: in all, of a group, or at the least cost."""
    plan = plan_of(design_named(slug))
    grouped = in_groups(plan, 0.2, group_size=12, costs=(5.0, 1.0))
    result = grouped.plan.required_topics()
    n, best = result.required_topics, grouped.best
    assert best is not None
    of_groups: dict[str, Any] = {
        "group_size": 12,
        "intraclass_correlation": 0.2,
        "cost_group": 5.0,
        "cost_topic": 1.0,
    }
    found = plan_with(plan.design, plan.values, **of_groups)
    assert found.plan == grouped.plan
    report = report_of(found)
    figures = report.figures()
    shown = [report.title, report.sentence, report.text[0], result.evidence, *result.lines]
    shown += [json.dumps(one.drawing.layout, default=str) + one.alt for one in figures]
    counts = {int(one.replace(",", "")) for one in re.findall(r"([\d,]*\d) topics", " ".join(shown))}
    assert {n * 12, 12} <= counts <= {n * 12, 12, best.group_size, best.n_topics}
    assert f"{n} groups of 12 topics" in report.title
    assert [one.sheet for one in report.tables][:2] == ["groups by difference", "by groups"]
    answer = report.results()[0]
    assert answer["requirements"][plan.variance_parameter.name] == VALUES[plan.variance_parameter.name]
    assert (answer["required_groups"], answer["required_topics"]) == (n, 12 * n)
