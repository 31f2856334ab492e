"""The topic subsets page with real scores: sentence, pictures, the thorough look, downloads that open."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driving import chart, downloads, go, saved_chart, upload
from tests.browser.running_app import wait_until_idle
from tests.reference_data import reference_file
from topicset_core.parsing import read_scores

pytestmark = pytest.mark.browser
NewUser = Callable[..., Page]


@pytest.mark.reference_data
def test_from_real_scores_to_the_thorough_look_and_downloads(address: str, new_user: NewUser) -> None:
    file = reference_file("matrices", "trec8_adhoc_top96_ap.csv")
    (matrix,) = read_scores(file.read_bytes(), file.name).matrices

    page = new_user()
    page.goto(f"{address}/score-matrices")
    expect(page.get_by_role("heading", name="Score matrices", exact=True)).to_be_visible()
    wait_until_idle(page)
    page.locator('input[type="file"]').first.set_input_files(file)
    expect(page.get_by_text("50 topics × 96 runs").first).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("link", name="Topic subsets").first.click()
    # Section 3 of Guiver et al. (2009): 6 topics; compiling for the first time takes its time.
    expect(page.get_by_role("heading", name="Enough, well chosen: 6 topics")).to_be_visible(timeout=90_000)
    expect(page.get_by_text("42 of the worst")).to_be_visible()
    wait_until_idle(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(4)

    page.get_by_role("button", name="Look thoroughly").click()
    expect(page.get_by_text("All 15,890,700 subsets of 6 topics were looked at")).to_be_visible(
        timeout=180_000
    )
    wait_until_idle(page)
    sentence = page.get_by_role("paragraph").filter(
        has_text="6 well-chosen topics would have ranked the 96 runs"
    )
    expect(sentence.first).to_be_visible()
    expect(page.get_by_role("button", name="Look thoroughly")).to_have_count(0)
    expect(page.get_by_text("403, 404, 410, 417").first).to_be_visible()
    expect(page.locator('[class*="st-key-figure-ten"]').get_by_text("best 10", exact=True)).to_be_visible()

    with page.expect_download() as table:
        page.get_by_role("button", name="Curve, CSV", exact=True).click()
    rows = list(csv.DictReader(io.StringIO(table.value.path().read_text())))
    assert [row["topics"] for row in rows] == [str(size) for size in range(1, 51)]
    assert float(rows[0]["best"]) == pytest.approx(0.80735, abs=6e-6)  # formulas-and-expected-values.md 9.2
    assert rows[5]["best_status"] == "exhaustive"
    with page.expect_download() as record:
        page.get_by_role("button", name="Record, JSON", exact=True).click()
    saved = json.loads(record.value.path().read_text())
    assert saved["scores"][0]["sha256"] == matrix.digest
    assert saved["results"][0]["topics_for_target"]["best"] == 6
    assert saved["results"][0]["cardinalities"][1]["best"]["topics"] == ["424", "426"]
    with page.expect_download() as book:
        page.get_by_role("button", name="Excel").click()
    assert "xl/workbook.xml" in zipfile.ZipFile(book.value.path()).namelist()
    with page.expect_download() as svg:
        page.locator('[class*="st-key-save-curve"]').get_by_role("button", name="SVG").click()
    assert "Correlation r of run means" in svg.value.path().read_text()


def test_a_thorough_look_shows_what_it_has_and_can_be_cancelled(address: str, new_user: NewUser) -> None:
    page = new_user()
    page.goto(f"{address}/topic-subsets?goodness=kendall")
    page.get_by_role("button", name="Look thoroughly").click(timeout=90_000)
    expect(page.get_by_text("So far:")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. What was there before is unchanged.")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("What was done before it was stopped:")).to_be_visible()
    expect(page.get_by_role("button", name="Look thoroughly")).to_be_visible()


def test_held_out_curves_grow_stay_when_stopped_and_are_there_when_one_comes_back(
    address: str, new_user: NewUser
) -> None:
    page = new_user()
    page.goto(f"{address}/topic-subsets?view=held-out&n_splits=10000&n_starts=0")
    page.get_by_role("button", name="Run all 10,000 splits").click(timeout=90_000)
    grown = page.get_by_text(re.compile(r"^So far: [\d,]+ random splits into"))
    expect(grown).to_be_visible()
    before = grown.inner_text()
    expect(grown).not_to_have_text(before)  # of itself: nobody touches the page
    go(page, "Error rate")
    go(page, "Topic subsets")
    expect(grown).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("What was done before it was stopped:")).to_be_visible()
    expect(page.get_by_role("button", name="Run all 10,000 splits")).to_be_visible()
    label = chart(page, "held-out").get_by_text(re.compile(r"^12 topics: \.\d{3}$"))
    expect(label).to_be_visible()
    # No line passes behind the label: it stands above them all, but for a pixel of rounding.
    box = label.bounding_box()
    drawn = chart(page, "held-out").locator(".scatterlayer path.js-line").all()
    lines = [line.bounding_box() for line in drawn]
    assert box is not None
    assert lines
    assert all(line is None or box["y"] + box["height"] <= line["y"] + 1 for line in lines)


@pytest.mark.reference_data
def test_real_scores_held_out_and_audited(address: str, new_user: NewUser) -> None:
    page = new_user()
    upload(page, address, reference_file("matrices", "trec8_adhoc_top96_ap.csv"))
    go(page, "Topic subsets")
    page.get_by_role("tab", name="On other runs or topics").click()
    expect(page.get_by_role("heading", name="On other runs, the best 12 topics")).to_be_visible()
    wait_until_idle(page)
    expect(
        chart(page, "held-out").get_by_text("Pearson's correlation on runs that were held out")
    ).to_be_visible()
    page.get_by_text("How sets are chosen and judged").click()
    page.get_by_role("spinbutton", name="Random splits").fill("5")
    page.get_by_role("spinbutton", name="Random splits").press("Tab")
    page.get_by_role("button", name="Run all 5 splits").click()
    expect(page.get_by_text("50 sizes, each searched from 20 random starts")).to_be_visible()
    wait_until_idle(page)
    files = downloads(page)
    rows = list(csv.DictReader(io.StringIO(files["topic-subsets-held-out.csv"].decode())))
    assert [row["topics"] for row in rows] == [str(size) for size in range(1, 51)]
    # The paper's finding (section 5.6.1): the best S1 sets beat average ones on S2, by far at these sizes.
    assert all(float(row["chosen best"]) > float(row["chosen average"]) for row in rows[4:20])
    record = json.loads(files["topic-subsets-held-out.json"])
    assert record["results"][0]["n_splits"] == 5
    assert len(record["results"][0]["cardinalities"]) == 50

    page.get_by_role("tab", name="Your own set").click()
    page.get_by_label("Topic ids").fill("401, 402\n999")
    page.get_by_role("button", name="Audit these topics").click()
    expect(page.get_by_text("Your list, line 2: expected a topic that has scores")).to_be_visible()
    # The best six topics of these runs, as enumeration finds them.
    page.get_by_label("Topic ids").fill("402\n426\n427\n441\n442\n446")
    page.get_by_role("button", name="Audit these topics").click()
    expect(page.get_by_role("heading", name="Your 6 topics: better than over 99.9 % of sets")).to_be_visible()
    wait_until_idle(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    name, svg = saved_chart(page, "audit-place", "SVG")
    assert (name, b"Kendall" in svg) == ("topic-subset-audit-place.svg", True)
    audited = json.loads(downloads(page)["topic-subset-audit.json"])["results"][0]
    # "6 well-chosen topics" reach .95 in section 3 of Guiver et al. (2009).
    assert audited["goodness"]["pearson"]["value"] > 0.95
    assert audited["topics"] == ["402", "426", "427", "441", "442", "446"]
