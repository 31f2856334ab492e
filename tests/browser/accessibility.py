"""The violations that axe-core reports for a page by WCAG 2.2, levels A and AA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

AA = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
"""All rules of both levels."""

OF_COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"], "resultTypes": ["violations"]}
"""The rules on colours; all others read the document, which no theme changes."""

EVERYWHERE = "html"
MAIN = '[data-testid="stMain"]'
WITHOUT_HEADER = {"include": [[EVERYWHERE]], "exclude": [['[data-testid="stHeader"]']]}
"""The page without its menus, which are the same for all."""


def violations(page: Page, rules: Mapping[str, Sequence[str]] = AA, within: object = EVERYWHERE) -> list[str]:
    """Return the violations of the rules, one entry per element."""
    if not page.evaluate("'axe' in window"):  # it stays while one changes the page by the menus
        from axe_playwright_python.base import AXE_SCRIPT

        page.evaluate(AXE_SCRIPT)
    # At its top: where it is scrolled, Streamlit's header lies over parts of fields, and axe finds them too small.
    page.locator(MAIN).evaluate("main => main.scrollTo({top: 0, behavior: 'instant'})")
    result = page.evaluate("([within, options]) => axe.run(within, options)", [within, rules])
    assert result["passes"] or result["violations"]  # axe has evaluated something
    return [
        f"{violation['id']} at {node['target'][-1]}: {node['html']} {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]
