"""Training on few judgments in a browser: real runs, a real collection, every download, a link, bad files."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.driving import chart, downloads, go, open_address, opened, saved_chart
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
from tests.reference_data import reference_data, reference_file
from topicset_core.analyses.training_sensitivity import (
    TrainingSensitivity,
    curves,
    recommendation,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.collection_sweep import sweep_collection
from topicset_core.collection.settings import without_parameters
from topicset_core.exports.training_sensitivity_tables import plain_experiment
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.parsing.trec_track import read_track

pytestmark = pytest.mark.browser

NewUser = Callable[..., Page]


@cache
def _robust_2003() -> TrainingSensitivity:
    """What the core finds on the files that the organiser brought."""
    folder = reference_data() / "trec" / "robust2003"
    runs = [(path.name, path) for path in sorted((folder / "runs").iterdir())]
    track = read_track(runs, [("qrels.txt.gz", folder / "qrels.txt.gz")])
    own = [one.run for one in track.runs]
    sweep = sweep_of(own, track.qrels[0].qrels, without_parameters([run.tag for run in own]))
    return training_sensitivity(sweep, split(usable_topics(sweep.runs), 0))


def _cranfield() -> tuple[Path, TrainingSensitivity]:
    """The folder of the collection, and what the core finds by BM25."""
    folder = reference_file("collections", "cranfield", "qrels.txt").parent
    collection = read_text_collection(folder).collection
    assert collection.qrels is not None
    made = sweep_collection(collection, "bm25")
    sweep = sweep_of(made.runs, collection.qrels, made.settings)
    return folder, training_sensitivity(sweep, split(usable_topics(sweep.runs), 0))


def _says(page: Page, found: TrainingSensitivity) -> None:
    """Wait for the recommendation, with all its numbers."""
    expect(page.get_by_text(recommendation(found).sentence, exact=True)).to_be_visible()
    measure = recommendation(found).measure
    expect(page.get_by_role("heading", name=f"On few judgments, train by {measure}")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    wait_until_idle(page)


def _bring(page: Page, place: int, *files: Path) -> None:
    """Choose files in one of the uploaders of the page."""
    uploader = page.get_by_test_id("stFileUploader").nth(place)
    uploader.locator('input[type="file"]').set_input_files(files)
    expect(uploader.get_by_test_id("stFileChip")).to_have_count(len(files))
    expect(uploader.get_by_label(re.compile("^Cancel upload"))).to_have_count(0)
    wait_until_idle(page)


def test_runs_that_were_loaded_are_a_sweep_and_every_download_holds_it(
    organiser: Page, browser: Browser, tmp_path: Path
) -> None:
    go(organiser, "Training sensitivity")
    found = _robust_2003()
    _says(organiser, found)
    for key in ("effectiveness", "surface", "scatter", "agreement", "judgments"):
        chart(organiser, key)
    is_chart_svg(
        saved_chart(organiser, "effectiveness", "SVG")[1],
        "judgments that stay, % (log scale)",
        "mean AP on the test topics",
    )
    is_chart_png(saved_chart(organiser, "surface", "PNG")[1])

    files = downloads(organiser)
    points = curves(found)
    effectiveness = csv_columns(files["training-sensitivity-effectiveness.csv"])
    assert same_numbers(effectiveness["mean"], [one.mean for one in points])
    assert same_numbers(effectiveness["p"], [one.p_value for one in points])
    assert "≫" in csv_columns(files["training-sensitivity-sign-tests.csv"])["mark"]
    levels = csv_columns(files["training-sensitivity-levels.csv"])
    assert [float(level) for level in levels["% of judgments"]] == [*found.levels, 100]
    chosen = csv_columns(files["training-sensitivity-chosen.csv"])
    assert len(chosen["run"]) == found.trained.chosen.size
    sheets = workbook(files["training-sensitivity.xlsx"])
    assert same_numbers(effectiveness["mean"], sheets["effectiveness"]["mean"])
    assert set(sheets["shallower pools"]["trained by"]) == set(found.measures)
    kept = record(files["training-sensitivity.json"])
    assert kept["results"] == [json.loads(json.dumps(plain_experiment(found)))]  # tuples as lists
    assert kept["seed"] == 0
    said = html_offline(browser, files["training-sensitivity.html"], tmp_path, charts=5)
    assert recommendation(found).sentence in said
    assert "He, Ben and Macdonald, Craig" in opened(organiser, "Text for your paper").inner_text()


def test_a_collection_is_searched_here(address: str, new_user: NewUser) -> None:
    folder, found = _cranfield()
    page = new_user()
    open_address(page, f"{address}/training-sensitivity", "Training sensitivity")
    opened(page, "Bring your own sweep").get_by_role("tab", name="A small collection").click()
    _bring(page, 3, *(folder / name for name in ("documents.jsonl.gz", "topics.jsonl", "qrels.txt")))
    page.get_by_role("button", name="Read and search").click()
    _says(page, found)
    expect(page.get_by_text("21 settings of b; trained on")).to_be_visible()
    pool = page.get_by_text("A pool is assumed: the first 100 of each of the 21 runs")
    expect(pool.first).to_be_visible()


def test_files_that_are_refused_leave_what_was_there(address: str, new_user: NewUser, tmp_path: Path) -> None:
    page = new_user()
    open_address(page, f"{address}/training-sensitivity", "Training sensitivity")
    heading = page.get_by_role("heading", name=re.compile("train by")).inner_text()
    opened(page, "Bring your own sweep")
    for place, (name, text) in enumerate((("b0.1.txt", "1 Q0 d1 1 x b0.1\n"), ("judged.txt", "1 0 d1 1\n"))):
        (tmp_path / name).write_text(text)
        _bring(page, place, tmp_path / name)
    page.get_by_role("button", name="Read these files").click()
    expect(
        page.get_by_text("b0.1.txt, line 1: topic '1', document 'd1': expected a number as score")
    ).to_be_visible()
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.get_by_text("simulated sweep of one parameter")).to_be_visible()


def test_a_link_shows_the_same_answer_to_another_person(address: str, new_user: NewUser) -> None:
    page = new_user()
    asked = "trained_by=nDCG%4010&trained_by=infAP&levels=2,20&n_samples=6&seed=9&surface_level=20"
    open_address(page, f"{address}/training-sensitivity?{asked}", "Training sensitivity")
    said = page.get_by_text(re.compile("^With at most 10 % of the judgments")).inner_text()
    page.get_by_role("button", name="Link to this answer").click()
    link = page.get_by_test_id("stCode").filter(has_text="n_samples=6").first.inner_text().strip()
    other = new_user()
    open_address(other, link, "Training sensitivity")
    expect(other.get_by_text(said, exact=True)).to_be_visible()
    expect(other.get_by_text("6 samples at each of 2 levels, seed 9.")).to_be_visible()
    title = chart(other, "surface").locator(".gtitle")
    expect(title).to_contain_text("20 %")


def test_long_work_shows_progress_and_can_be_cancelled(address: str, new_user: NewUser) -> None:
    page = new_user()
    open_address(
        page, f"{address}/training-sensitivity?optimiser=annealing&n_samples=14", "Training sensitivity"
    )
    expect(page.get_by_role("heading", name=re.compile("train by"))).to_be_visible()  # its first levels
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. What was there before is unchanged.")).to_be_visible()
    expect(page.get_by_role("button", name="Run the experiment, about")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("train by"))).to_be_visible()
