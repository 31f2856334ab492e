"""The page that scores are brought to, on TREC scores: number, charts, the table taken home, Excel files."""

from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook
from playwright.sync_api import Page, expect

from tests.browser.driving import chart, downloads, go, opened, saved_chart, shows, upload
from tests.browser.opened_files import csv_columns, is_chart_png, is_chart_svg
from tests.browser.real_scores import trec03new, trec04new
from topicset_core.designs import one_way_anova
from topicset_core.variance import one_way, two_way

pytestmark = [pytest.mark.browser, pytest.mark.reference_data]


def test_number_charts_and_table(planner: Page) -> None:
    go(planner, "Score matrices")
    matrices = trec03new(), trec04new()
    # Sakai 2016, section 6.1: .0479 and .0462, pooled .0471 (formulas-and-expected-values 8.1: .047977, .046205).
    expect(planner.get_by_role("heading", name="Your scores vary by σ² = 0.0471")).to_be_visible()
    _, svg = saved_chart(planner, "variances", "SVG")
    is_chart_svg(svg, "variance σ² over topics (squared units of the measure)", "AP, TREC03new_ap")
    is_chart_png(saved_chart(planner, "variances", "PNG")[1])
    files = downloads(planner)
    assert set(files) == {"variances.csv"}
    table = csv_columns(files["variances.csv"])
    assert table["scores"] == ["TREC03new_ap", "TREC04new_ap"]
    assert (table["topics"], table["runs"]) == (["50", "49"], ["78", "78"])
    assert list(map(float, table["σ² one-way"])) == [one_way(matrix) for matrix in matrices]
    assert list(map(float, table["σ² two-way"])) == [two_way(matrix) for matrix in matrices]
    assert [f"{float(value):.6f}" for value in table["σ² one-way"]] == ["0.047977", "0.046205"]


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Rounds: how the variance settles", "rounds"),
        ("Every score: topics and runs", "heat-map"),
        ("Run means with their intervals", "run-means"),
    ],
)
def test_charts_in_expanders_are_drawn_and_saved(planner: Page, title: str, key: str) -> None:
    go(planner, "Score matrices")
    opened(planner, title)
    drawn = chart(planner, key)
    titles = drawn.locator(".xtitle").text_content(), drawn.locator(".ytitle").text_content()
    is_chart_svg(saved_chart(planner, key, "SVG")[1], *titles)
    is_chart_png(saved_chart(planner, key, "PNG")[1])


def test_an_excel_file_gives_the_number_of_the_csv(
    address: str, new_user: Callable[..., Page], tmp_path: Path
) -> None:
    matrix = trec03new()
    book = Workbook()
    book.active.title = "AP"
    book.active.append(["topic", *matrix.systems])
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        book.active.append([topic, *row])
    book.save(tmp_path / "TREC03new.xlsx")
    user = new_user()
    upload(user, address, tmp_path / "TREC03new.xlsx")
    expect(
        user.get_by_role("heading", name=f"Your scores vary by σ² = {one_way(matrix):.4g}")
    ).to_be_visible()
    go(user, "One-way ANOVA")
    wanted = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=one_way(matrix), n_systems=10
    )
    shows(user, one_way_anova.required_topics(wanted).required_topics)
