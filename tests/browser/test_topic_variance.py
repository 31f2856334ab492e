"""Simulated collections of real runs: the number, every download, a link for others, work that is cancelled."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.driving import chart, downloads, fill, go, open_address, opened, saved_chart
from tests.browser.opened_files import (
    csv_columns,
    html_offline,
    is_chart_png,
    is_chart_svg,
    record,
    same_numbers,
    workbook,
)
from tests.browser.running_app import wait_until_idle
from tests.reference_data import reference_data
from topicset_core.analyses.topic_variance.findings import Findings, findings
from topicset_core.analyses.topic_variance.sentence import headline
from topicset_core.analyses.topic_variance.settings import Model, Settings
from topicset_core.analyses.topic_variance.study import topic_variance
from topicset_core.parsing.trec_track import read_track

pytestmark = pytest.mark.browser

N_TRIALS = 150
NewUser = Callable[..., Page]


@cache
def _expected(model: Model) -> Findings:
    """What the core finds on the files that were brought."""
    folder = reference_data() / "trec" / "robust2003"
    track = read_track(
        [(path.name, path) for path in sorted((folder / "runs").iterdir())],
        [("qrels.txt.gz", folder / "qrels.txt.gz")],
        keep_scores=True,
    )
    runs = [one.run for one in track.runs]
    return findings(topic_variance(track.judged[0], Settings(model=model, n_trials=N_TRIALS), runs))


def _turns(page: Page, number: str) -> None:
    """Wait for the large number."""
    expect(page.get_by_role("heading", name=f"Other documents swap {number}", exact=True)).to_be_visible()
    wait_until_idle(page)


def _simulate(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Simulate")).click()


def test_real_runs_by_both_models_and_every_download(
    browser: Browser, organiser: Page, tmp_path: Path
) -> None:
    go(organiser, "Topic variance")
    fill(organiser, B=str(N_TRIALS))
    expect(organiser.get_by_role("button", name=f"Simulate {N_TRIALS} collections")).to_be_visible()
    wait_until_idle(organiser)
    _simulate(organiser)
    expect(
        organiser.get_by_text(re.compile(f"^{N_TRIALS} simulated collections; the standard error"))
    ).to_be_visible()
    expect(organiser.get_by_role("button", name="Cancel")).to_have_count(0)
    bst, kde = _expected("bst"), _expected("kde")
    _turns(organiser, headline(bst))
    for key in ("ranks", "errors", "scores", "fit"):
        chart(organiser, key)
    is_chart_svg(
        saved_chart(organiser, "errors", "SVG")[1], "simulated difference of mean AP (last: 0.2 or more)"
    )
    is_chart_png(saved_chart(organiser, "ranks", "PNG")[1])

    files = downloads(organiser)
    comparisons = csv_columns(files["topic-variance-comparisons.csv"])
    printed = next(row for row, what in enumerate(comparisons["what"]) if "almost never" in what)
    for found in (bst, kde):
        share = found.estimate("almost_never_significant_share").value
        assert float(comparisons[found.settings.model][printed]) == share
    assert float(comparisons["raw"][printed]) == bst.estimate("raw_significant_share").value
    rates = csv_columns(files["topic-variance-error-rates.csv"])
    assert same_numbers(rates["kde_error_rate"], [rate.value for rate in kde.error_rates])
    pairs = csv_columns(files["topic-variance-pairs.csv"])
    assert pairs["better"] == [pair.better for pair in bst.turning_pairs]
    assert len(csv_columns(files["topic-variance-scores.csv"])["raw"]) == 17 * 100
    sheets = workbook(files["topic-variance.xlsx"])
    assert same_numbers(comparisons["bst"], sheets["comparisons"]["bst"])
    assert sheets["runs"]["run"][0] == bst.best_system
    kept = record(files["topic-variance.json"])
    assert kept["results"] == [bst.record(), kde.record()]
    assert kept["seed"] == 0
    said = html_offline(browser, files["topic-variance.html"], tmp_path, charts=5)
    assert "17 runs on 100 topics" in said
    assert "Yang, Meng" in opened(organiser, "Text for your paper").inner_text()

    organiser.get_by_text("Scores from densities (KDE)").click()
    _turns(organiser, headline(kde))
    expect(organiser.get_by_text(re.compile(r"^Simulated collections are far off .*uic0301"))).to_be_visible()


def test_a_link_shows_the_same_answer_to_another_person(address: str, new_user: NewUser) -> None:
    page = new_user()
    open_address(
        page, f"{address}/topic-variance?model=kde&measure=P@10&n_trials=40&min_d=0.07", "Topic variance"
    )
    heading = page.get_by_role("heading", name=re.compile("^Other documents swap"))
    number = heading.inner_text()
    page.get_by_role("button", name="Link to this answer").click()
    link = page.get_by_test_id("stCode").filter(has_text="model=kde").first.inner_text().strip()
    assert "n_trials=40" in link
    other = new_user()
    open_address(other, link, "Topic variance")
    expect(other.get_by_role("heading", name=number, exact=True)).to_be_visible()
    expect(other.get_by_text("To detect 0.07 P@10")).to_be_visible()


def test_long_work_shows_what_it_has_and_can_be_cancelled(address: str, new_user: NewUser) -> None:
    page = new_user()
    open_address(page, f"{address}/topic-variance?n_trials=100000", "Topic variance")
    _simulate(page)
    expect(page.get_by_text(re.compile(r"^So far: \d+,\d{3} simulated collections"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. What was there before is unchanged.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^A first look: \d+,\d{3} simulated collections"))).to_be_visible()
    expect(page.get_by_role("button", name="Simulate 100,000 collections")).to_be_visible()
