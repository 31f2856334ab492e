"""What a user does with mouse and keyboard, in one word each."""

import re
from pathlib import Path

from playwright.sync_api import Download, Locator, Page, TimeoutError, expect

from tests.browser.running_app import wait_until_idle

PATIENCE_MS = 60_000  # against hanging, on a machine that does much else; nothing here is timed
expect.set_options(timeout=PATIENCE_MS)

_FIRST_PRESS_MS = 15_000


def open_address(page: Page, address: str, heading: str) -> None:
    """Open an address and wait until its page stands."""
    page.goto(address)
    stands(page, heading)


def go(page: Page, heading: str) -> None:
    """Change the page by the side bar, within the session."""
    page.get_by_test_id("stSidebarNavLink").filter(has_text=heading).click()
    stands(page, heading)


def stands(page: Page, heading: str) -> None:
    """Wait until the page with this heading is complete."""
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    wait_until_idle(page)


def upload(page: Page, address: str, *files: Path) -> None:
    """Bring files of scores; each says its shape once it is read."""
    open_address(page, f"{address}/score-matrices", "Score matrices")
    page.locator('input[type="file"]').set_input_files(files)
    expect(page.get_by_text("runs.").filter(has_text="topics ×")).to_have_count(len(files))
    wait_until_idle(page)


def bring_runs(page: Page, address: str, runs: list[Path], qrels: list[Path]) -> None:
    """Bring files of runs and of judgments, and have them read."""
    open_address(page, f"{address}/runs-and-qrels", "Runs and judgments")
    for place, files in enumerate((runs, qrels)):
        uploader = page.get_by_test_id("stFileUploader").nth(place)
        uploader.locator('input[type="file"]').set_input_files(files)
        expect(uploader.get_by_test_id("stFileChip")).to_have_count(len(files))
        expect(uploader.get_by_label(re.compile("^Cancel upload"))).to_have_count(0)
        wait_until_idle(page)
    page.get_by_role("button", name="Read these files").click()


def fill(page: Page, **values: str) -> None:
    """Type into fields by the symbol that their labels begin with."""
    for symbol, value in values.items():
        field = page.get_by_label(re.compile(f"^{symbol},"))
        field.fill(value)
        field.press("Tab")


def number(page: Page) -> int:
    """Return the one large number of topics on the page."""
    heading = page.get_by_role("heading", name=re.compile(r"[\d,]+ topics$")).first.inner_text()
    return int(heading.split()[-2].replace(",", ""))


def shows(page: Page, topics: int) -> None:
    """Wait for the large number."""
    expect(page.get_by_role("heading", name=re.compile(rf"(^| ){topics:,} topics$"))).to_be_visible()
    wait_until_idle(page)


def link(page: Page) -> str:
    """Open the link of the answer and return it."""
    page.get_by_role("button", name="Link to this answer").click()
    found = (
        page.get_by_test_id("stCode")
        .filter(has_text="?alpha=")
        .or_(page.get_by_test_id("stCode").filter(has_text="?test="))
    )
    text = found.first.inner_text().strip()
    page.keyboard.press("Escape")
    return text


def texts_for_a_paper(page: Page) -> tuple[str, str]:
    """Return the plain text and the LaTeX that the page offers."""
    expander = opened(page, "Text for your paper")
    plain = expander.get_by_test_id("stCode").first.inner_text()
    expander.get_by_role("tab", name="LaTeX and BibTeX").click()
    latex = expander.get_by_test_id("stCode").last.inner_text()
    return plain, latex


def opened(page: Page, title: str) -> Locator:
    """Open an expander, if it is not open, and return it."""
    expander = page.get_by_test_id("stExpander").filter(has_text=title)
    if expander.locator("details[open]").count() == 0:
        expander.locator("summary").click()
        wait_until_idle(page)
    return expander


def chart(page: Page, key: str) -> Locator:
    """Return a chart once its lines, points or cells are drawn."""
    found = page.locator(f".st-key-figure-{key} .js-plotly-plot")
    expect(found.locator(".scatterlayer path, .heatmaplayer image").first).to_be_attached()
    expect(found.locator(".xtitle")).to_be_visible()
    return found


def saved_chart(page: Page, key: str, kind: str) -> tuple[str, bytes]:
    """Save a chart by its button; return file name and content."""
    chart(page, key)
    button = page.locator(f'[class*="st-key-save-{key}"]').get_by_role("button", name=kind)
    with page.expect_download() as download:
        button.click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def downloads(page: Page) -> dict[str, bytes]:
    """Press every download button of the page; return the contents by file name."""
    contents = {}
    for button in page.get_by_test_id("stDownloadButton").get_by_role("button").all():
        wait_until_idle(page)
        try:
            found = _downloaded(page, button, _FIRST_PRESS_MS)
        except TimeoutError:
            # Streamlit forgets the file of a button when the page runs anew; a press just then is lost.
            wait_until_idle(page)
            found = _downloaded(page, button)
        contents[found.suggested_filename] = found.path().read_bytes()
    return contents


def _downloaded(page: Page, button: Locator, timeout: float | None = None) -> Download:
    with page.expect_download(timeout=timeout) as download:
        button.click()
    return download.value
