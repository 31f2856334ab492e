"""What only a browser shows: downloads, links between users, themes, cold links, privacy."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.running_app import ADDRESSES, health, running_app, wait_until_idle
from tests.reference_data import reference_data
from topicset_core.designs import one_way_anova
from topicset_core.parsing import read_scores
from topicset_core.variance import one_way

pytestmark = pytest.mark.browser
NewUser = Callable[..., Page]


def _open(page: Page, address: str, heading: str) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    wait_until_idle(page)


def _number(page: Page) -> str:
    return (
        page.get_by_role("heading", name="topics", exact=False).filter(has_text="topics").first.inner_text()
    )


def _fill(page: Page, label: str, value: str) -> None:
    field = page.get_by_label(label)
    field.fill(value)
    field.press("Tab")


def _upload(page: Page, address: str, file: Path) -> None:
    _open(page, f"{address}/score-matrices", "Score matrices")
    page.locator('input[type="file"]').set_input_files(file)
    expect(page.get_by_text("249 topics × 110 runs").first).to_be_visible()
    wait_until_idle(page)


def test_from_a_real_matrix_to_number_chart_table_and_link(address: str, new_user: NewUser) -> None:
    file = reference_data() / "matrices" / "robust2004_ap.csv"
    (matrix,) = read_scores(file.read_bytes(), file.name).matrices
    wanted = one_way_anova.Requirements(
        alpha=0.01, beta=0.10, min_d=0.07, within_system_variance=one_way(matrix), n_systems=25
    )
    expected = f"{one_way_anova.required_topics(wanted).required_topics} topics"

    page = new_user()
    _upload(page, address, file)
    page.get_by_role("link", name="One-way ANOVA").first.click()
    expect(page.get_by_role("heading", name="One-way ANOVA", exact=True)).to_be_visible()
    wait_until_idle(page)
    _fill(page, "α, Type I error probability", "0.01")
    _fill(page, "β, Type II error probability", "0.1")
    _fill(page, "minD, smallest difference worth detecting", "0.07")
    _fill(page, "m, number of systems", "25")
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_role("heading", name=expected)).to_be_visible()
    wait_until_idle(page)

    with page.expect_download() as svg:
        page.locator('[class*="st-key-save-topics"]').get_by_role("button", name="SVG").click()
    text = svg.value.path().read_text()
    assert text.startswith("<svg")
    assert "minD, smallest difference to detect (AP)" in text
    assert svg.value.suggested_filename == "topics-by-difference.svg"
    with page.expect_download() as png:
        page.locator('[class*="st-key-save-sizes"]').get_by_role("button", name="PNG").click()
    assert png.value.path().read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as table:
        page.get_by_role("button", name="Topics, CSV", exact=True).click()
    rows = list(csv.DictReader(io.StringIO(table.value.path().read_text())))
    at_mine = min(rows, key=lambda row: abs(float(row["difference"]) - 0.07))
    assert f"{at_mine['topics, m = 25']} topics" == expected

    page.get_by_role("button", name="Link to this answer").click()
    link = page.locator("code", has_text="within_system_variance=").first.inner_text()
    friend = new_user()
    _open(friend, link, "One-way ANOVA")
    expect(friend.get_by_role("heading", name=expected)).to_be_visible()


def test_scores_survive_page_changes_and_stay_with_their_user(address: str, new_user: NewUser) -> None:
    alice, bob = new_user(), new_user()
    _upload(alice, address, reference_data() / "matrices" / "robust2004_ap.csv")
    _open(bob, f"{address}/score-matrices", "Score matrices")
    for name in ("One-way ANOVA", "Paired t test", "Score matrices"):
        alice.get_by_role("link", name=name).first.click()
        expect(alice.get_by_role("heading", name=name, exact=True)).to_be_visible()
        expect(alice.get_by_text("Planning with your own scores: 1 matrix")).to_be_visible()
    bob.reload()
    expect(bob.get_by_role("heading", name="The simulated scores vary by")).to_be_visible()
    expect(bob.get_by_text("robust2004")).to_have_count(0)


def test_pasted_scores_are_read(address: str, new_user: NewUser) -> None:
    page = new_user()
    _open(page, f"{address}/score-matrices", "Score matrices")
    page.get_by_label("or paste one").fill("topic\tx\ty\n1\t0.2\t0.4\n2\t0.4\t0.5\n")
    page.get_by_role("button", name="Read pasted scores").click()
    # Variances over topics: .02 for x and .005 for y; their mean is .0125.
    expect(page.get_by_role("heading", name="σ² = 0.0125")).to_be_visible()


def test_wrong_input_is_said_beside_the_form_and_the_answer_stays(address: str, new_user: NewUser) -> None:
    page = new_user()
    _open(page, f"{address}/one-way-anova", "One-way ANOVA")
    before = _number(page)
    _fill(page, "α, Type I error probability", "7")
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("α = 7 must be a number above 0 and below 1")).to_be_visible()
    assert _number(page) == before


@pytest.mark.parametrize("path", ADDRESSES)
def test_cold_link_to_every_page(browser: Browser, new_user: NewUser, path: str) -> None:  # noqa: ARG001
    with running_app() as fresh:
        page = new_user()
        _open(page, f"{fresh}{path}", ADDRESSES[path])
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(page.get_by_role("link", name="Paired t test").first).to_be_visible()
        assert health(fresh) == "ok"


@pytest.mark.parametrize(
    ("scheme", "background"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 24, 31)")]
)
@pytest.mark.parametrize("path", ADDRESSES)
def test_both_themes(address: str, new_user: NewUser, path: str, scheme: str, background: str) -> None:
    page = new_user(color_scheme=scheme)
    _open(page, f"{address}{path}", ADDRESSES[path])
    shown = page.locator(".stApp").evaluate("element => getComputedStyle(element).backgroundColor")
    assert shown == background
    for chart in page.locator(".js-plotly-plot").all():
        expect(chart.locator(".xtitle")).to_be_visible()
        color = chart.locator(".xtitle").evaluate("element => getComputedStyle(element).fill")
        light = sum(int(part) for part in color.removeprefix("rgb(").rstrip(")").split(",")[:3]) > 3 * 128
        assert light == (scheme == "dark")


def test_print_style_makes_charts_black_on_white_in_the_dark(address: str, new_user: NewUser) -> None:
    page = new_user(color_scheme="dark")
    _open(page, f"{address}/one-way-anova", "One-way ANOVA")
    page.get_by_text("Print style").click()
    wait_until_idle(page)
    expect(page.locator(".js-plotly-plot .main-svg").first).to_have_css(
        "background-color", "rgb(255, 255, 255)"
    )


def test_nothing_is_asked_of_any_other_host(address: str, new_user: NewUser) -> None:
    page = new_user()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path, heading in ADDRESSES.items():
        _open(page, f"{address}{path}", heading)
    assert asked
    assert not [url for url in asked if not url.startswith((address, "data:", "blob:"))]
