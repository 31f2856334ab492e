"""Every page on real data, in both themes: answer, files, looks, WCAG AA, and no request that leaves the host."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Set
from contextlib import ExitStack
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import ImageColor

from pages.parts import contents
from tests.browser.accessibility import AA, EVERYWHERE, MAIN, OF_COLOURS, WITHOUT_HEADER, violations
from tests.browser.answers_and_files import ANSWERS, WITH_FILES, choose_two_systems
from tests.browser.conftest import NewPage, tab
from tests.browser.driving import (
    attach,
    bring_runs,
    charts_are_drawn,
    downloads,
    each_tab,
    fill,
    go,
    keyed,
    link,
    open_address,
    open_expanders,
    press,
    pressed,
    saved_chart,
    texts_for_a_paper,
    upload,
)
from tests.browser.first_screen import BOTTOM, LIKE_ONE_WAY_ANOVA, TOP, WITHOUT_CHART, main_chart
from tests.browser.opened_files import (
    Files,
    csv_columns,
    html_offline,
    is_chart_png,
    is_chart_svg,
    record,
    same_cells,
    workbook,
)
from tests.browser.real_scores import write
from tests.browser.running_app import wait_for, wait_until_idle
from tests.reference_data import REPOSITORY, reference_data, reference_file
from tests.robust_new_topics import trec03new, trec04new
from topicset_core.exports.colours import PALETTES

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.reference_data]

THEMES = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]

_AXIS_TITLES_ARE_LIGHT = """[...document.querySelectorAll('.js-plotly-plot .xtitle')].every(title => {
  const parts = getComputedStyle(title).fill.match(/\\d+/g).slice(0, 3);
  return (parts.reduce((sum, part) => sum + +part, 0) > 3 * 128) === wanted;
})"""


@pytest.fixture(scope="module")
def tabs() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture(scope="module")
def planner(
    profile: BrowserContext, address: str, tabs: ExitStack, tmp_path_factory: pytest.TempPathFactory
) -> Page:
    """A user who has uploaded the scores of TREC robust 2003 new and 2004 new."""
    page, folder = tabs.enter_context(tab(profile)), tmp_path_factory.mktemp("scores")
    upload(page, address, write(trec03new(), folder), write(trec04new(), folder))
    return page


@pytest.fixture(scope="module")
def organiser(profile: BrowserContext, address: str, tabs: ExitStack) -> Page:
    """A user who has uploaded the 17 runs of Robust 2003 and their judgments."""
    reference_file("trec", "robust2003", "qrels.txt.gz")
    page, folder = tabs.enter_context(tab(profile)), reference_data() / "trec" / "robust2003"
    bring_runs(page, address, sorted((folder / "runs").iterdir()), [folder / "qrels.txt.gz"])
    keyed(page, "runs/forget").wait_for()
    wait_until_idle(page)
    keyed(page, "answer").wait_for()
    return page


@pytest.fixture(scope="module")
def searcher(profile: BrowserContext, address: str, tabs: ExitStack) -> Page:
    """A user who has uploaded the scores of TREC-8 ad hoc."""
    page = tabs.enter_context(tab(profile))
    upload(page, address, reference_file("matrices", "trec8_adhoc_top96_ap.csv"))
    return page


TABS = ".st-key-tabs"


VISITORS = {
    "/runs-and-qrels": "organiser",
    "/pool-depth": "organiser",
    "/check-on-my-scores": "searcher",
    "/error-rate": "searcher",
    "/leaderboard": "searcher",
    "/topic-subsets": "searcher",
    "/topic-variance": "organiser",
    "/training-sensitivity": "organiser",
}
"""Who visits which page; the planner visits all others."""


@pytest.fixture(scope="module")
def saved() -> set[str]:
    """Types of the traces in the charts that were saved."""
    return set()


@dataclass
class Visit:
    """A page, in either theme, the types of its saved charts, all its requests, and where its main chart is.

    The files are those of buttons in the tabs.
    """

    listed: contents.Page
    page: Page
    saved: set[str]
    urls: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    # Pixels from the top: of the inside of the axes, or of a table in their place; none on pages without
    main_chart: tuple[float, float] | None = None

    def in_theme(self, scheme: str) -> Page:
        """Return the page once its frame and its charts are in the colours of the theme."""
        self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        wait_for(
            self.page,
            "getComputedStyle(document.querySelector('.stApp')).backgroundColor === wanted",
            _css(THEMES[scheme]["backgroundColor"]),
        )
        wait_for(self.page, _AXIS_TITLES_ARE_LIGHT, scheme == "dark")  # the page runs again by itself
        wait_until_idle(self.page)
        charts_are_drawn(self.page)
        # A note on a saved chart is shown for some seconds and fades.
        wait_for(self.page, "document.querySelector('.notifier-note') === null")
        return self.page


@pytest.fixture(scope="module", params=contents.PAGES, ids=lambda listed: listed.address)
def visit(request: pytest.FixtureRequest, saved: set[str], tmp_path_factory: pytest.TempPathFactory) -> Visit:
    listed: contents.Page = request.param
    page: Page = request.getfixturevalue(VISITORS.get(listed.address, "planner"))
    result = Visit(listed, page, saved)
    page.on("request", lambda requested: result.urls.append(requested.url))
    go(page, listed.address)
    if listed.address == "/training-sensitivity":
        _state_settings(page, tmp_path_factory.mktemp("settings"))
    if listed.address == "/two-systems":
        choose_two_systems(page)
    if keyed(page, "example/show").count():  # other data are loaded than this page needs
        press(page, "example/show")
    charts_are_drawn(page)
    if listed.address not in WITHOUT_CHART:
        result.main_chart = main_chart(page)
    open_expanders(page)
    charts_are_drawn(page)
    return result


def _state_settings(page: Page, folder: Path) -> None:
    """State that the runs of all teams are settings of one system, which the page refuses to assume."""
    keyed(page, "refusal").wait_for()
    fill(page, "training-sensitivity", n_samples="3")  # of 17 runs on 100 topics, so that it takes a second
    table = folder / "settings.csv"
    runs = (reference_data() / "trec" / "robust2003" / "runs").iterdir()
    table.write_text("\n".join(["run", *(path.name.removesuffix(".gz") for path in runs)]))
    attach(keyed(page, "training-sensitivity/table"), [table])
    press(page, "training-sensitivity/read-runs")
    page.mouse.move(0, 0)  # the button has other colours below the pointer
    keyed(page, "answer").wait_for()


def _css(colour: str) -> str:
    """Return a colour as a browser writes it."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def test_colours_and_wcag_aa(visit: Visit) -> None:
    """All rules in the theme of the visit before, and those on colours in the other: no page is drawn thrice."""
    is_dark = visit.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    first, second = ("dark", "light") if is_dark else ("light", "dark")
    within = EVERYWHERE if visit.listed is contents.PAGES[0] else WITHOUT_HEADER
    assert not violations(visit.in_theme(first), AA, within), first
    if visit.listed.address not in LIKE_ONE_WAY_ANOVA:
        assert not violations(visit.in_theme(second), OF_COLOURS, MAIN), second


def test_numbers_and_main_chart_are_on_the_first_screen_of_a_laptop(visit: Visit) -> None:
    if visit.main_chart is not None:
        top, bottom = visit.main_chart
        assert (top <= TOP, bottom <= BOTTOM) == (True, True), visit.main_chart


def test_tabs(visit: Visit) -> None:
    """Each tab follows the rules; its charts are saved where they have a type of trace that none had before."""
    if visit.listed.address in LIKE_ONE_WAY_ANOVA or not keyed(visit.page, "tabs").count():
        return
    for label in each_tab(visit.page):
        assert not violations(visit.page, AA, TABS), label
        visit.saved.update(_save_charts(visit.page, visit.saved, TABS))
        visit.files |= pressed(keyed(visit.page, "tabs"))


def test_answer_and_files(visit: Visit, offline: Page, tmp_path_factory: pytest.TempPathFactory) -> None:
    if answer := ANSWERS.get(visit.listed.address):
        answer(visit.page)
        if visit.listed.address not in LIKE_ONE_WAY_ANOVA:
            visit.saved.update(_save_charts(visit.page, visit.saved))
    else:
        file = tmp_path_factory.getbasetemp() / "page.html"
        WITH_FILES[visit.listed.address](visit.page, _hand_over(visit, offline, file))


def _hand_over(visit: Visit, offline: Page, file: Path) -> Callable[[int], Files]:
    """Return a function that presses every button of a page and opens every file."""

    def handed_over(n_charts: int) -> Files:
        page = visit.page
        new = _save_charts(page, visit.saved)
        contents = visit.files | downloads(page)
        kinds = [name.rpartition(".")[2] for name in contents]
        # The link on the page also carries the answer, for recipients without the data; files have it anyway.
        url = link(page).partition("&shown=")[0] if keyed(page, "link").count() else ""
        of_kind = {kind: content for kind, content in zip(kinds, contents.values(), strict=True)}
        result = Files(
            tables={name: csv_columns(content) for name, content in contents.items() if name.endswith("csv")},
            sheets=workbook(of_kind["xlsx"]) if "xlsx" in kinds else {},
            record=record(of_kind["json"]) if "json" in kinds else {},
            link=url,
        )
        if visit.listed.address == "/score-matrices":  # without an answer, and a text for a paper
            return result
        assert sorted(kind for kind in kinds if kind != "csv") == ["html", "json", "xlsx"]
        plain, latex = texts_for_a_paper(page)
        assert "\\cite{" in latex
        assert "https://doi.org/" in plain
        written = unescape(of_kind["html"].decode())
        assert written.count('role="img"') == n_charts
        assert plain.splitlines()[0] in written
        assert url in written
        html_offline(offline, of_kind["html"], file, charts=n_charts)
        visit.saved.update(new)  # not before: a second try checks them again
        for name, table in result.tables.items():
            alike = [sheet for sheet in result.sheets.values() if list(sheet) == list(table)]
            same = (all(same_cells(table[one], sheet[one]) for one in table) for sheet in alike)
            assert not alike or any(same), name
        assert result.record["link"] == url
        assert not url or url.startswith(f"{page.url.partition('?')[0].rstrip('/')}?")
        return result

    return handed_over


_DRAWN_TYPES = """key => document.querySelector(`.st-key-figure-${key} .js-plotly-plot`)
  .data.map(trace => `${trace.type} ${trace.mode}`)"""


def _save_charts(page: Page, saved: Set[str], within: str = MAIN) -> set[str]:
    """Save, as SVG and PNG, each chart with a type of trace that none had before.

    The golden record contains the data and the axes of every chart.

    Returns
    -------
    set of str
        The types that no page before had.
    """
    charts_are_drawn(page)
    figures = page.locator(within).locator('[class*="st-key-figure-"]').filter(visible=True)
    keys = figures.evaluate_all(
        "all => all.map(one => [...one.classList].find(name => name.startsWith('st-key-figure-')).slice(14))"
    )
    new: set[str] = set()
    for key in keys:
        types = set(page.evaluate(_DRAWN_TYPES, key)) - saved - new
        new |= types
        if types:
            titles = (
                keyed(page, f"figure-{key}")
                .locator(".xtitle, .ytitle, .chart-title span")
                .all_text_contents()
            )
            name, svg = saved_chart(page, key, "svg")
            assert name.endswith(".svg")
            is_chart_svg(svg, *titles)
            name, png = saved_chart(page, key, "png")
            assert name.endswith(".png")
            is_chart_png(png)
    return new


def test_no_request_goes_to_another_host(visit: Visit, address: str) -> None:
    outside = [url for url in visit.urls if not url.startswith((address, "data:", "blob:"))]
    assert not outside


def test_every_page_is_visited_here() -> None:
    assert sorted([*ANSWERS, *WITH_FILES]) == sorted(listed.address for listed in contents.PAGES)


def test_dark_from_the_first_moment_and_saved_charts_are_black_on_white(
    new_user: NewPage, address: str
) -> None:
    page = new_user(color_scheme="dark")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    open_address(page, f"{address}/reported-result")
    charts_are_drawn(page)
    wait_for(page, _AXIS_TITLES_ARE_LIGHT, True)
    _, svg = saved_chart(page, "power-of-replication", "svg")
    text = svg.decode().replace(" ", "").lower()
    dark, paper = (
        f"rgb{ImageColor.getrgb(PALETTES[mode].text)}".replace(" ", "") for mode in ("dark", "print")
    )
    assert paper in text
    assert dark not in text
    _, png = saved_chart(page, "power-of-replication", "png")
    assert int.from_bytes(png[16:20]) == 2700  # three for each of 900 pixels
    # A first visitor loads all there is: none of it from elsewhere.
    assert any("_stcore" in url for url in requested)
    assert not [url for url in requested if not url.startswith((address, "data:", "blob:"))]
