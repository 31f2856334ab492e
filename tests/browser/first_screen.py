"""Where the main chart of a page is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

TOP, BOTTOM = 330, 730
"""The first screen of a laptop, 1400 x 900: pixels within which the inside of the axes lies."""

WITHOUT_CHART = {"/guide", "/task-dossier"}
LIKE_ONE_WAY_ANOVA = {
    "/two-way-anova",
    "/multiple-comparisons",
    "/paired-t-test",
    "/two-sample-t-test",
    "/non-inferiority-and-equivalence",
    "/scores-of-0-and-1",
    "/confidence-interval",
}
"""Pages that the code of One-way ANOVA draws, with its chart and its tabs: some things are tested there alone."""
_DRAWN = ".st-key-main-chart :is(.nsewdrag, [data-testid=stDataFrame])"
_INSIDE = f"""[...document.querySelectorAll('{_DRAWN}')].map(one => one.getBoundingClientRect()).reduce(
  ([top, bottom], one) => [Math.min(top, one.top), Math.max(bottom, one.bottom)], [Infinity, 0]
)"""


def main_chart(page: Page) -> tuple[float, float]:
    """Return where the inside of the axes of the main chart, or a table in its place, begins and ends."""
    page.locator(_DRAWN).first.wait_for()
    top, bottom = page.evaluate(_INSIDE)
    return top, bottom
