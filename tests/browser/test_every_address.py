"""Every address in both themes: looks, WCAG AA by axe-core, and no request that leaves the host."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import fresh_profile
from tests.browser.driving import open_address
from tests.browser.running_app import ADDRESSES, health, running_app, wait_until_idle

pytestmark = pytest.mark.browser

BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 31)"}
AA = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}

# Streamlit's own, out of our hands, each by rule and by what it is about:
STREAMLITS_OWN = {
    # Its side bar puts the titles of sections between the items of one list.
    "list": '[data-testid="stSidebarNavItems"]',
    "listitem": '[data-testid="stSidebarNavItems"] li, [data-testid="stSidebarNav"] li',
}
_MOST_EXPANDERS = 30  # against an endless loop; a page has about five


@dataclass
class Visits:
    """Each page opened once a theme and kept, with all that it asked of anyone."""

    open_profile: Callable[[str], Page]
    address: str
    pages: dict[tuple[str, str], Page] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def page(self, scheme: str, path: str) -> Page:
        """Return the page, complete, with its expanders open."""
        if (scheme, path) not in self.pages:
            first = next((page for (known, _), page in self.pages.items() if known == scheme), None)
            page = first.context.new_page() if first else self.open_profile(scheme)
            page.on("request", lambda request: self.asked.append(request.url))
            open_address(page, f"{self.address}{path}", ADDRESSES[path])
            closed = page.get_by_test_id("stMain").locator("details:not([open]) > summary")
            for _ in range(_MOST_EXPANDERS):
                if closed.count() == 0:
                    break
                closed.first.click()
                wait_until_idle(page)
            self.pages[scheme, path] = page
        self.pages[scheme, path].bring_to_front()
        return self.pages[scheme, path]


@pytest.fixture(scope="module")
def visits(browser: Browser, address: str) -> Iterator[Visits]:
    with ExitStack() as profiles:
        yield Visits(
            lambda scheme: profiles.enter_context(fresh_profile(browser, color_scheme=scheme)), address
        )


@pytest.mark.parametrize("scheme", BACKGROUNDS)
@pytest.mark.parametrize("path", ADDRESSES)
def test_page_and_charts_are_in_the_colours_of_the_theme(visits: Visits, path: str, scheme: str) -> None:
    page = visits.page(scheme, path)
    shown = page.locator(".stApp").evaluate("element => getComputedStyle(element).backgroundColor")
    assert shown == BACKGROUNDS[scheme]
    for chart in page.locator(".js-plotly-plot").all():
        expect(chart.locator(".xtitle")).to_be_visible()
        color = chart.locator(".xtitle").evaluate("element => getComputedStyle(element).fill")
        light = sum(int(part) for part in color.removeprefix("rgb(").rstrip(")").split(",")[:3]) > 3 * 128
        assert light == (scheme == "dark")


@pytest.mark.parametrize("scheme", BACKGROUNDS)
@pytest.mark.parametrize("path", ADDRESSES)
def test_wcag_aa_by_axe(visits: Visits, path: str, scheme: str) -> None:
    page = visits.page(scheme, path)
    found = Axe().run(page, options=AA).response
    assert found["passes"] or found["violations"]  # axe has looked at something
    ours = []
    for violation in found["violations"]:
        excluded = STREAMLITS_OWN.get(violation["id"])
        for node in violation["nodes"]:
            target = node["target"][-1]
            is_streamlits = excluded and page.locator(target).first.evaluate(
                "(element, selector) => element.matches(selector)", excluded
            )
            if not is_streamlits:
                ours.append(f"{violation['id']} at {target}: {node['failureSummary']}")
    assert not ours, "\n".join(ours)


def test_nothing_is_asked_of_any_other_host(visits: Visits) -> None:
    for path in ADDRESSES:
        visits.page("light", path)
    assert any("_stcore" in url for url in visits.asked)
    assert not [url for url in visits.asked if not url.startswith((visits.address, "data:", "blob:"))]


def test_print_style_makes_charts_black_on_white_in_the_dark(visits: Visits) -> None:
    page = visits.page("dark", "/reported-result")
    page.get_by_text("Print style").click()
    wait_until_idle(page)
    expect(page.locator(".js-plotly-plot .main-svg").first).to_have_css(
        "background-color", "rgb(255, 255, 255)"
    )


@pytest.mark.parametrize("path", ["/", "/score-matrices", "/one-way-anova"])
def test_cold_link(browser: Browser, path: str) -> None:
    """A fresh server each; tests/pages/test_every_page.py holds the rule behind it for every address."""
    with running_app() as fresh, fresh_profile(browser) as page:
        open_address(page, f"{fresh}{path}", ADDRESSES[path])
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(page.get_by_role("link", name="Paired t test").first).to_be_visible()
        assert health(fresh) == "ok"
