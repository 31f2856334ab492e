"""Numbers as people type them: a decimal comma is read as one, and what has two meanings is refused.

Chromium alone drops the comma of "0,07" in a field of numbers; Streamlit alone reads "1e1" and "2.5" in a field of
whole numbers as 1 and 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import NewPage
from tests.browser.driving import keyed, open_address, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

DIFFERENCE, SYSTEMS = "planning/nDCG@10/min_d", "planning/n_systems"


def _typed(page: Page, key: str, text: str, end: str = "Enter") -> None:
    """Type a text key by key, as a fill would skip what the browser does with keys."""
    field = keyed(page, key).locator("input")
    field.click()
    field.press("Control+a")
    field.press("Delete")
    field.type(text)
    field.press(end)


def _value(page: Page, key: str) -> str:
    return keyed(page, key).locator("input").input_value()


def _answered(page: Page, value: str) -> bool:
    """Return whether the address, which follows the answer, has a value."""
    return f"{value}&" in f"{page.evaluate('location.search')}&"


def _complaint(page: Page, key: str) -> str:
    return "".join(keyed(page, key).locator(".typed-number").all_inner_texts())


def test_numbers_are_read_as_they_are_typed(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    open_address(page, f"{address}/one-way-anova")
    for text, value in (("0,07", "0.07"), ("1e-3", "0.001"), (".08", "0.08"), ("0,125", "0.125")):
        _typed(page, DIFFERENCE, text)
        until(lambda value=value: _answered(page, f"min_d={value}"))  # type: ignore[misc]
        assert _value(page, DIFFERENCE) == value
    for text, expected in (
        ("1,500", "Expected a number without a comma, found 1,500; write 1.5 or 1500."),
        ("0.07.1", "Expected a number such as 0.07, found 0.07.1."),
    ):
        _typed(page, DIFFERENCE, text, "Tab")
        until(lambda expected=expected: expected in _complaint(page, DIFFERENCE))  # type: ignore[misc]
        keyed(page, DIFFERENCE).get_by_test_id("stNumberInputStepUp").click()  # takes no part of the text
        assert _value(page, DIFFERENCE) == text
    assert _answered(page, "min_d=0.125")
    _typed(page, DIFFERENCE, "0,09", "Tab")
    until(lambda: _answered(page, "min_d=0.09"))
    assert not _complaint(page, DIFFERENCE)
    for text, value in (("1e1", "10"), ("1,000", "1000"), ("12", "12")):
        _typed(page, SYSTEMS, text)
        until(lambda value=value: _answered(page, f"n_systems={value}"))  # type: ignore[misc]
    _typed(page, SYSTEMS, "2,5")
    until(lambda: "Expected a whole number, found 2,5." in _complaint(page, SYSTEMS))
    assert _answered(page, "n_systems=12")
