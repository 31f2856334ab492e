"""The pages that compare designs and audit a reported result: numbers, charts, downloads, links."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.driving import (
    chart,
    downloads,
    fill,
    go,
    link,
    number,
    open_address,
    saved_chart,
    shows,
    texts_for_a_paper,
)
from tests.browser.opened_files import (
    csv_columns,
    html_offline,
    is_chart_png,
    is_chart_svg,
    record,
    same_numbers,
    workbook,
)
from tests.browser.real_scores import trec03new, trec04new
from topicset_core.analyses import reported_result
from topicset_core.analyses.design_comparison import compare_designs
from topicset_core.designs import paired_t
from topicset_core.variance import pooled

pytestmark = pytest.mark.browser
NewUser = Callable[..., Page]


@pytest.mark.reference_data
def test_comparison_on_trec_scores(
    planner: Page, browser: Browser, new_user: NewUser, tmp_path: Path
) -> None:
    go(planner, "Compare designs")
    variance = pooled([trec03new(), trec04new()])
    tables = {table.method_label: table for table in compare_designs({"AP": variance}, alpha=0.05, beta=0.20)}
    # 149 topics: formulas-and-expected-values 5.3, sigma^2 .0471, minD .10, m = 10, exact.
    expect(planner.get_by_text("It is the only measure here: 149 topics")).to_be_visible()
    url = link(planner)
    chart(planner, "methods")
    _, svg = saved_chart(planner, "methods", "SVG")
    is_chart_svg(svg, "topics n per system (log scale)", "minD, or width δ of the interval (AP)")
    is_chart_png(saved_chart(planner, "methods", "PNG")[1])

    files = downloads(planner)
    assert set(files) == {f"compare-designs.{kind}" for kind in ("csv", "xlsx", "json", "html")}
    long = csv_columns(files["compare-designs.csv"])
    assert len(long["topics"]) == sum(table.topics.size for table in tables.values())
    for method, difference, measure, topics in zip(*long.values(), strict=True):
        table = tables[method]
        row = table.differences.index(float(difference))
        assert int(topics) == table.topics[row, table.measures.index(measure)]
    for title, sheet in workbook(files["compare-designs.xlsx"]).items():
        table = tables[title.replace("CI", "confidence interval")]
        assert sheet["difference"] == list(table.differences)
        assert sheet["topics, AP"] == table.topics[:, 0].tolist()
    written = record(files["compare-designs.json"])
    (result,) = written["results"]
    assert result["within_system_variances"] == {"AP": variance}
    assert [found["required_topics"]["AP"] for found in result["tables"]] == [
        table.topics[:, 0].tolist() for table in tables.values()
    ]
    assert len(written["scores"]) == 2
    assert written["link"] == url
    plain, latex = texts_for_a_paper(planner)
    assert "149 topics with AP per system" in plain
    assert "\\cite{sakai2016topicsetsize" in latex
    page = html_offline(browser, files["compare-designs.html"], tmp_path, charts=1)
    assert "149 topics" in page
    assert url in page

    friend = new_user()  # who has no scores
    open_address(friend, url, "Compare designs")
    expect(friend.get_by_text("It is the only measure here: 149 topics")).to_be_visible()
    expect(friend.get_by_text(f"variances of a link: AP σ² = {variance:.4g}")).to_be_visible()
    friend.get_by_test_id("stMain").get_by_text("published", exact=True).click()
    published = compare_designs({"AP": variance}, alpha=0.05, beta=0.20, method="published")[4]
    expect(friend.get_by_text(f"only measure here: {published.topics[2, 0]} topics")).to_be_visible()


def test_audit_of_a_reported_t(address: str, browser: Browser, new_user: NewUser, tmp_path: Path) -> None:
    user = new_user()
    open_address(user, f"{address}/reported-result", "Reported result")
    assert number(user) == 244  # the worked example: t = .953, n = 28
    fill(user, **{"t₀": "2.116", "n": "20"})
    # Sakai's 20 topics, X - Y: t0 = 2.116, es .473, power .519, 38 topics (formulas-and-expected-values 8.3).
    shows(user, 38)
    expect(user.get_by_text("The effect in the sample is 0.4732 standard deviations")).to_be_visible()
    audit = reported_result.from_paired_t(2.116, n_topics=20, alpha=0.05, beta=0.20)
    url = link(user)
    chart(user, "replication")
    _, svg = saved_chart(user, "replication", "SVG")
    is_chart_svg(svg, "topics n per system", "power for the reported effect (%)", "reported: 20")
    is_chart_png(saved_chart(user, "replication", "PNG")[1])

    files = downloads(user)
    assert set(files) == {
        "reported-result.csv",
        "power-of-replication.csv",
        "reported-result.xlsx",
        "reported-result.json",
        "reported-result.html",
    }
    table = csv_columns(files["reported-result.csv"])
    assert dict(zip(table["quantity"], map(float, table["value"]), strict=True)) == {
        "statistic": 2.116,
        "p value": audit.p_value,
        "effect size": audit.effect_size,
        "achieved power": audit.achieved_power,
        "topics for a replication": 38,
    }
    powers = csv_columns(files["power-of-replication.csv"])
    for n, power in zip(powers["n_topics"], powers["power_exact"], strict=True):
        exact = paired_t.power(int(n), audit.effect_size, alpha=0.05)
        # One value at a time and a whole array take different paths through SciPy.
        assert float(power) == pytest.approx(float(exact), rel=1e-12)
    sheets = workbook(files["reported-result.xlsx"])
    assert same_numbers(table["value"], sheets["audit"]["value"])
    assert same_numbers(powers["power_exact"], sheets["power by topics"]["power_exact"])
    (result,) = record(files["reported-result.json"])["results"]
    assert result["asked"] == {"t": 2.116, "n_topics": 20, "alpha": 0.05, "beta": 0.2}
    assert result["achieved_power"] == audit.achieved_power
    assert result["replication"]["required_topics"] == 38
    plain, latex = texts_for_a_paper(user)
    assert "t = 2.116 (paired t test, 20 topics)" in plain
    assert "n = 38 topics" in plain
    assert "\\cite{sakai2016statistical,sakai2016topicsetsize}" in latex
    page = html_offline(browser, files["reported-result.html"], tmp_path, charts=1)
    assert "a replication needs 38 topics" in page
    assert url in page

    friend = new_user()
    open_address(friend, url, "Reported result")
    shows(friend, 38)


def test_a_link_with_markup_and_nonsense_is_answered_in_words(address: str, new_user: NewUser) -> None:
    user = new_user()
    hostile = (
        "variance=%3Cimg%20src=x%20onerror=alert(1)%3E:0.05&variance=AP:nan&alpha=7&method=" + "z" * 10_000
    )
    open_address(user, f"{address}/compare-designs?{hostile}", "Compare designs")
    shown = user.get_by_role("alert")
    expect(shown.filter(has_text="variance=AP:nan in this link was not used")).to_be_visible()
    expect(shown.filter(has_text="alpha=7 in this link was not used")).to_be_visible()
    expect(shown.filter(has_text="method=zzz")).to_be_visible()
    expect(
        user.get_by_role("heading", name="<img src=x onerror=alert(1)> needs the fewest topics")
    ).to_be_visible()
    expect(user.locator("img[src='x']")).to_have_count(0)
