"""The error rate page with real scores: number, charts, the whole experiment, downloads that open."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running_app import wait_until_idle
from tests.reference_data import reference_file
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.reading import percent, read
from topicset_core.parsing import read_scores

pytestmark = pytest.mark.browser
NewUser = Callable[..., Page]


@pytest.mark.reference_data
def test_from_real_scores_to_the_whole_experiment_charts_and_downloads(
    address: str, new_user: NewUser, tmp_path: Path
) -> None:
    file = reference_file("matrices", "trec8_adhoc_top96_ap.csv")
    (matrix,) = read_scores(file.read_bytes(), file.name).matrices
    expected = read(matrix, n_topics=50, difference=0.05, max_error=0.05)

    page = new_user()
    page.goto(f"{address}/score-matrices")
    expect(page.get_by_role("heading", name="Score matrices", exact=True)).to_be_visible()
    wait_until_idle(page)
    page.locator('input[type="file"]').first.set_input_files(file)
    expect(page.get_by_text("50 topics × 96 runs").first).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("link", name="Error rate").first.click()
    heading = page.get_by_role("heading", name=f"Reversed by other topics: {percent(expected.error)}")
    expect(heading).to_be_visible()
    expect(page.get_by_text(expected.sentence)).to_be_visible()
    wait_until_idle(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    # A line for each of the 21 bins, seven of theory.
    expect(page.locator('[class*="st-key-figure-curves"] .scatterlayer .trace')).to_have_count(28)

    page.get_by_role("button", name="Run all 10,000 trials").click()
    done = page.get_by_text("10,000 trials for each of 25 sizes, seed 0")
    expect(done).to_be_visible(timeout=60_000)
    wait_until_idle(page)
    expect(page.get_by_role("button", name="Run all 10,000 trials")).to_have_count(0)

    counted = error_rates(matrix)
    with page.expect_download() as table:
        page.get_by_role("button", name="Error rates, CSV", exact=True).click()
    rows = list(csv.DictReader(io.StringIO(table.value.path().read_text())))
    assert len(rows) == 25 * 21
    last = [float(row["error_rate"]) for row in rows if row["topics"] == "25"]
    assert last == counted.error_rates[24].tolist()
    with page.expect_download() as record:
        page.get_by_role("button", name="Record, JSON", exact=True).click()
    saved = json.loads(record.value.path().read_text())
    assert saved["scores"][0]["sha256"] == matrix.digest
    assert saved["results"][0]["sentence"] == expected.sentence
    assert saved["results"][0]["reversals"] == counted.reversals.tolist()
    with page.expect_download() as book:
        page.get_by_role("button", name="Excel").click()
    assert "xl/workbook.xml" in zipfile.ZipFile(book.value.path()).namelist()
    with page.expect_download() as svg:
        page.locator('[class*="st-key-save-curves"]').get_by_role("button", name="SVG").click()
    assert "wrong in 100 comparisons" in svg.value.path().read_text()
    with page.expect_download() as html:
        page.get_by_role("button", name="Page, HTML", exact=True).click()
    saved_page = tmp_path / html.value.suggested_filename  # a browser tells a page by its ending
    html.value.save_as(saved_page)
    friend = new_user()
    friend.goto(saved_page.as_uri())
    expect(friend.get_by_text(expected.sentence)).to_be_visible()
    expect(friend.locator(".js-plotly-plot .main-svg").first).to_be_visible()


def test_a_long_experiment_can_be_cancelled(address: str, new_user: NewUser) -> None:
    page = new_user()
    page.goto(f"{address}/error-rate?n_trials=1000000")
    page.get_by_role("button", name="Run all 1,000,000 trials").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. What was there before is unchanged.")).to_be_visible()
    expect(page.get_by_role("button", name="Run all 1,000,000 trials")).to_be_visible()
