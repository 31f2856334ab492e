"""Acts of a user with mouse and keyboard, in one word each; pages name their elements by keys."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pages.parts.contents import PAGES
from tests.browser.running_app import PATIENCE_SECONDS, wait_for, wait_until_idle, wait_until_stands
from tests.words import numbers_in

if TYPE_CHECKING:
    from playwright.sync_api import Download, Locator, Page

ADDRESSES = {page.address: page.heading for page in PAGES}
_FIRST_PRESS_MS = 15_000
_POLL_SECONDS = 0.2
"""Between two looks by `until`, each of which costs the browser some messages and often a layout."""

_OPEN_ALL = """() => {
  const closed = document.querySelectorAll('[data-testid=stMain] details:not([open]) > summary');
  for (const summary of closed) summary.click();
  return closed.length;
}"""
_MARKS = ".scatterlayer path, .heatmaplayer image, .barlayer path"
_CHARTS_ARE_DRAWN = f"""[...document.querySelectorAll('[data-testid=stPlotlyChart]')].every(
  chart => chart.offsetParent === null || (chart.querySelector('{_MARKS}') && chart.querySelector('.xtitle'))
)"""


def open_address(page: Page, url: str) -> None:
    """Open an address and wait until its page is complete."""
    page.bring_to_front()  # to any other tab Chromium gives less of the processor
    page.goto(url, wait_until="commit")
    path = urlsplit(url).path or "/"
    wait_until_stands(page, path, ADDRESSES[path])


def go(page: Page, path: str) -> None:
    """Change the page by the menus on top, within the session."""
    page.bring_to_front()  # to any other tab Chromium gives less of the processor
    here = urlsplit(page.url)
    if here.path != path:
        section = next(one.section for one in PAGES if one.address == path)
        if section:
            page.get_by_test_id("stTopNavSection").filter(has_text=section).click()
        links = page.locator('[data-testid="stTopNavLink"], [data-testid="stTopNavDropdownLink"]')
        links.and_(page.locator(f'[href$="{here.netloc}{path}"]')).click()
    wait_until_stands(page, path, ADDRESSES[path])


def keyed(page: Page | Locator, key: str) -> Locator:
    """Return the element to which the page gives this key."""
    return page.locator(f".st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)}")


def press(page: Page, key: str) -> None:
    """Press the button of this key."""
    keyed(page, key).get_by_role("button").click()


def fill(page: Page, form: str, **values: str) -> None:
    """Type into the fields of a form, as `form/name`."""
    for name, value in values.items():
        field = keyed(page, f"{form}/{name}").locator("input, textarea")
        field.fill(value)
        field.press("Tab")


def choose(page: Page, key: str, place: int) -> None:
    """Choose the option at this place of a radio or segmented control."""
    keyed(page, key).locator('[data-testid="stRadioOption"], button[role="radio"]').nth(place).click()


def until(reached: Callable[[], bool], awaited: Callable[[], object] = lambda: "") -> None:
    """Wait until a condition is true; `awaited` reports the state if it never is."""
    began = time.monotonic()
    while not reached():
        assert time.monotonic() - began < PATIENCE_SECONDS, awaited()
        time.sleep(_POLL_SECONDS)


def shown(page: Page, key: str) -> Locator:
    """Return the element of this key that can be seen: tabs that are not open may have others."""
    return keyed(page, key).filter(visible=True)


def text_of(page: Page, key: str) -> str:
    """Return the text that can be seen under a key; "" if it is not visible."""
    return "\n".join(shown(page, key).all_inner_texts()).replace("\N{NO-BREAK SPACE}", " ")


def headline(page: Page) -> list[float]:
    """Return the numbers of the answer's heading."""
    return numbers_in("\n".join(shown(page, "headline").get_by_role("heading").all_inner_texts()[:1]))


def shows(page: Page, *numbers: float) -> None:
    """Wait for these numbers at the beginning of the answer's heading."""
    until(lambda: headline(page)[: len(numbers)] == [*numbers], lambda: f"{headline(page)}, not {numbers}")
    wait_until_idle(page)


def upload(page: Page, address: str, *files: Path) -> None:
    """Upload files of scores, a matrix each, and wait until all are read."""
    open_address(page, f"{address}/score-matrices")
    page.locator('input[type="file"]').set_input_files(files)
    wait_for(
        page,
        "document.querySelectorAll('[class*=\"st-key-score_matrices-remove-\"]').length === wanted",
        len(files),
    )
    wait_until_idle(page)


def attach(uploader: Locator, files: Sequence[Path]) -> None:
    """Choose files in an uploader and wait until all have arrived."""
    uploader.locator('input[type="file"]').set_input_files(files)
    chips, under_way = (uploader.get_by_test_id(name) for name in ("stFileChip", "stFileChipIconSpinner"))
    until(lambda: chips.count() == len(files) and under_way.count() == 0)
    wait_until_idle(uploader.page)


def bring_runs(page: Page, address: str, runs: Sequence[Path], qrels: Sequence[Path]) -> None:
    """Upload files of runs and of judgments, and have them read."""
    open_address(page, f"{address}/runs-and-qrels")
    for kind, files in (("run", runs), ("qrels", qrels)):
        attach(page.locator(f'[class*="st-key-runs-uploads-{kind}-"]'), files)
    press(page, "runs/read")


def link(page: Page) -> str:
    """Open the link of the answer and return it."""
    result = menu(page, "link").get_by_test_id("stCode").inner_text().strip()
    close_menu(page)
    return result


def menu(page: Page, part: str) -> Locator:
    """Open a menu of the head line, "link", "text", "exports" or "work", and return it."""
    body = page.get_by_test_id("stPopoverBody")
    keyed(page, part).get_by_test_id("stPopoverButton").click()
    body.get_by_test_id("stElementContainer").first.wait_for()  # drawn once it is open
    wait_until_idle(page)  # the first part of it is there before the last
    return body


def close_menu(page: Page) -> None:
    """Close the menu that is open."""
    page.keyboard.press("Escape")
    page.get_by_test_id("stPopoverBody").wait_for(state="detached")


def texts_for_a_paper(page: Page) -> tuple[str, str]:
    """Return the plain text and the LaTeX that the page offers."""
    text = menu(page, "text")
    plain = text.get_by_test_id("stCode").first.inner_text()
    text.get_by_role("tab").last.click()
    latex = text.get_by_test_id("stCode").last
    latex.wait_for()
    result = plain, latex.inner_text()
    close_menu(page)
    return result


def open_expanders(page: Page) -> None:
    """Open every expander of the page, and those within."""

    def are_open() -> bool:
        wait_until_idle(page)
        return bool(page.evaluate(_OPEN_ALL) == 0)

    until(are_open)


def each_tab(page: Page) -> Iterator[str]:
    """Open the tabs below the main chart from last to first, with all expanders; yield the label of each.

    The very last one, how the answer is computed, has text alone.
    """
    *tabs, _ = keyed(page, "tabs").locator('[role="tablist"]').first.get_by_role("tab").all()
    for tab in reversed(tabs):
        tab.click()
        open_expanders(page)
        charts_are_drawn(page)
        yield tab.inner_text()


def open_tab(page: Page, label: str) -> None:
    """Open a tab below the main chart."""
    keyed(page, "tabs").get_by_role("tab", name=label, exact=True).click()
    wait_until_idle(page)


def charts_are_drawn(page: Page) -> None:
    """Wait until every chart of the page has its title and its lines, points, bars or cells."""
    wait_for(page, _CHARTS_ARE_DRAWN)


_UNFOLD = """element => {
  for (let outer = element; outer; outer = outer.parentElement) {
    if (outer.tagName === 'DETAILS' && !outer.open) outer.querySelector('summary').click();
    if (outer.getAttribute('role') === 'tabpanel') {
      const tab = document.getElementById(outer.getAttribute('aria-labelledby'));
      if (tab && tab.getAttribute('aria-selected') !== 'true') tab.click();
    }
  }
}"""


def chart(page: Page, key: str) -> Locator:
    """Return a chart once its lines, points, bars or cells are drawn."""
    keyed(page, f"figure-{key}").locator(".js-plotly-plot").first.wait_for(state="attached")
    result = keyed(page, f"figure-{key}").locator(".js-plotly-plot")
    result.locator(_MARKS).first.wait_for(state="attached")
    title = result.locator(".xtitle").first
    # It may be in a folded section, or in a tab that is closed.
    result.first.evaluate(_UNFOLD)
    title.wait_for()
    return result


def saved_chart(page: Page, key: str, kind: str) -> tuple[str, bytes]:
    """Save a chart by its button as "svg" or "png"; return file name and content."""
    chart(page, key)
    saved = _downloaded(page, keyed(page, f"save-{key}").locator(f'button[data-format="{kind}"]'))
    return saved.suggested_filename, saved.path().read_bytes()


def saved_file(page: Page, key: str) -> bytes:
    """Press the download button of this key; return the content of the file."""
    return _downloaded(page, keyed(page, key).get_by_role("button")).path().read_bytes()


def downloads(page: Page) -> dict[str, bytes]:
    """Press every download button of the page, outside of its tabs, and of its exports; return files by name."""
    contents = pressed(page.get_by_test_id("stMain"), ":not(.st-key-tabs *)")
    if keyed(page, "exports").get_by_test_id("stPopoverButton").count():
        contents |= pressed(menu(page, "exports"))
        close_menu(page)
    return contents


def pressed(within: Locator, which: str = "") -> dict[str, bytes]:
    """Press the download buttons that can be seen here; return the contents by file name."""
    from playwright.sync_api import TimeoutError as NothingCame

    contents = {}
    offered = within.locator(f"[data-testid=stDownloadButton]{which}").get_by_role("button")
    for button in offered.filter(visible=True).all():
        try:
            result = _downloaded(within.page, button, _FIRST_PRESS_MS)
        except NothingCame:
            # Streamlit forgets the file of a button when the page runs again; a press just then is lost.
            wait_until_idle(within.page)
            result = _downloaded(within.page, button)
        contents[result.suggested_filename] = result.path().read_bytes()
    return contents


def _downloaded(page: Page, button: Locator, timeout: float | None = None) -> Download:
    with page.expect_download(timeout=timeout) as download:
        button.click()
    return download.value


def nothing_runs(page: Page, job: str) -> None:
    """Wait until the job of this name is done, cancelled or refused."""
    until(lambda: shown(page, f"{job}/job-cancel").count() == 0)
    wait_until_idle(page)


def cancel(page: Page, job: str) -> None:
    """Cancel the job of this name and wait until the page reports it."""
    press(page, f"{job}/job-cancel")
    keyed(page, f"{job}/job-cancel").wait_for(state="detached")
    keyed(page, f"{job}/stopped").wait_for()
    wait_until_idle(page)
