"""Every design page on real scores: the number, the charts, every download opened, the link.

The scores are TREC robust 2003 new and 2004 new, AP, pooled sigma^2 = .0471 (Sakai 2016, section 6.1).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.driving import (
    downloads,
    go,
    link,
    number,
    open_address,
    opened,
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
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import WidthResult
from topicset_core.variance import conservative_difference_variance, pooled

pytestmark = [pytest.mark.browser, pytest.mark.reference_data]


@dataclass(frozen=True)
class Case:
    """A design, what its page starts with, and the number that is known for it."""

    heading: str
    design: ModuleType
    asked: dict[str, float]
    is_paired: bool
    known: int
    pairing: str = ""
    column: str = ""


# Known numbers: formulas-and-expected-values, section 6, rows sigma^2 = .0471 and .1, exact columns.
CASES = [
    Case("Paired t test", paired_t, {"min_d": 0.1, "beta": 0.2}, True, 76, column="paired t test"),
    Case(
        "Two-sample t test", two_sample_t, {"min_d": 0.1, "beta": 0.2}, False, 75, column="two-sample t test"
    ),
    Case(
        "One-way ANOVA",
        one_way_anova,
        {"min_d": 0.1, "beta": 0.2, "n_systems": 10},
        False,
        149,
        column="m = 10",
    ),
    Case(
        "Confidence interval",
        confidence_interval,
        {"max_width": 0.1},
        True,
        147,
        "the same topics",
        "paired interval",
    ),
    Case(
        "Confidence interval",
        two_sample_confidence_interval,
        {"max_width": 0.1},
        False,
        146,
        "different topics",
        "two-sample interval",
    ),
]


@pytest.fixture(scope="module")
def scores() -> tuple[ScoreMatrix, ScoreMatrix]:
    return trec03new(), trec04new()


def _requirements(case: Case, scores: tuple[ScoreMatrix, ...]) -> Any:
    variance = pooled(scores)
    name = "difference_variance" if case.is_paired else "within_system_variance"
    value = conservative_difference_variance(variance) if case.is_paired else variance
    return case.design.Requirements(alpha=0.05, **case.asked, **{name: value})


def _is_of(case: Case, tables: dict[str, dict[str, list[str]]], wanted: Any) -> None:
    """Compare both tables with the design's own single answers."""
    exact, published = (case.design.required_topics(wanted, method=how) for how in ("exact", "published"))
    is_width = isinstance(exact, WidthResult)
    topics, sizes = tables["topics-by-difference.csv"], tables["by-topics.csv"]
    for row in range(0, len(topics["difference"]), 15):
        difference = float(topics["difference"][row])
        other = replace(wanted, **{"max_width" if is_width else "min_d": difference})
        answer = case.design.required_topics(other).required_topics
        assert int(topics[f"topics, {case.column}"][row]) == answer
    for result, column in ((exact, "exact"), (published, "excel_tool")):
        attained = result.attained_width if is_width else result.attained_power
        fewer = result.width_one_topic_fewer if is_width else result.power_one_topic_fewer
        at = dict(
            zip(
                map(int, sizes["n_topics"]),
                sizes[f"{'expected_width' if is_width else 'power'}_{column}"],
                strict=True,
            )
        )
        n = result.required_topics
        if n in at:  # the curve is drawn at about 240 sizes, the exact answer's always among them
            # Arrays and single values take different paths through SciPy; 1e-12 is some thousand roundings.
            assert float(at[n]) == pytest.approx(attained, rel=1e-12)
        if n - 1 in at:
            assert float(at[n - 1]) == pytest.approx(fewer, rel=1e-12)
    assert exact.required_topics in map(int, sizes["n_topics"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.design.__name__.rpartition(".")[2])
def test_number_charts_every_download_and_link(
    planner: Page,
    browser: Browser,
    new_user: Callable[..., Page],
    scores: tuple[ScoreMatrix, ScoreMatrix],
    tmp_path: Path,
    case: Case,
) -> None:
    go(planner, case.heading)
    if case.pairing:
        planner.get_by_text(case.pairing, exact=True).click()
    wanted = _requirements(case, scores)
    exact = case.design.required_topics(wanted)
    published = case.design.required_topics(wanted, method="published")
    assert exact.required_topics == case.known
    shows(planner, case.known)
    expect(planner.get_by_text(f"Sakai's Excel tool says {published.required_topics:,}")).to_be_visible()
    url = link(planner)

    opened(planner, "How much an error in the variance matters")
    what = "δ, widest confidence interval allowed" if case.pairing else "minD, smallest difference to detect"
    titles = {
        "topics": (f"{what} (AP)", "required topics n per system"),
        "sizes": ("topics n per system",),
        "equal-topics": (f"{what} (AP)",),
    }
    for key, expected in titles.items():
        name, svg = saved_chart(planner, key, "SVG")
        assert name.endswith(".svg")
        is_chart_svg(svg, *expected)
        name, png = saved_chart(planner, key, "PNG")
        assert name.endswith(".png")
        is_chart_png(png)

    files = downloads(planner)
    assert set(files) == {
        "topics-by-difference.csv",
        "by-topics.csv",
        "topic-set-size.xlsx",
        "topic-set-size.json",
        "topic-set-size.html",
    }
    tables = {name: csv_columns(content) for name, content in files.items() if name.endswith(".csv")}
    _is_of(case, tables, wanted)
    sheets = workbook(files["topic-set-size.xlsx"])
    for sheet, name in (("topics by difference", "topics-by-difference.csv"), ("by topics", "by-topics.csv")):
        assert list(sheets[sheet]) == list(tables[name])
        for column, cells in sheets[sheet].items():
            assert same_numbers(tables[name][column], cells)

    written = record(files["topic-set-size.json"])
    first, second = written["results"]
    assert (first["required_topics"], second["required_topics"]) == (case.known, published.required_topics)
    assert first["requirements"] == exact.record()["requirements"]
    assert [found["sha256"] for found in written["scores"]] == [matrix.digest for matrix in scores]
    assert written["link"] == url

    plain, latex = texts_for_a_paper(planner)
    assert f"n = {case.known} topics" in plain
    assert "https://doi.org/10.1007/s10791-015-9273-z" in plain
    assert "\\cite{sakai2016topicsetsize" in latex
    page = html_offline(browser, files["topic-set-size.html"], tmp_path, charts=3)
    assert f"{case.known} topics" in page
    assert plain.splitlines()[0] in page
    assert url in page

    friend = new_user()
    open_address(friend, url, case.heading)
    shows(friend, case.known)
    assert number(friend) == number(planner)
