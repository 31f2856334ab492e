"""The way through the app: Back and Forward, links of others, the keyboard, low screens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from tests.browser.conftest import NewPage
from tests.browser.driving import (
    fill,
    go,
    headline,
    keyed,
    open_address,
    open_tab,
    shows,
    text_of,
    until,
    upload,
)
from tests.browser.running_app import wait_for, wait_until_idle
from topicset_core.samples.simulated import simulated_task

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

MOST_PRESSES = 12
"""Of Tab and Enter, from the address bar to the first field of a page."""

ALPHA = "planning/alpha"


def _alpha(page: Page) -> str:
    return keyed(page, ALPHA).locator("input").input_value()


def _answers(page: Page) -> list[float]:
    wait_until_idle(page)
    return headline(page)


def _length(page: Page) -> int:
    return int(page.evaluate("history.length"))


def test_back_and_forward_step_through_the_values(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    page.goto("about:blank")
    open_address(page, f"{address}/paired-t-test")
    wait_for(page, "location.search.includes('alpha=0.05')")
    first, entries = _answers(page), _length(page)
    answers = [first]
    for value in ("0.01", "0.2"):
        fill(page, "planning", alpha=value)
        until(lambda: _answers(page) != answers[-1])
        answers.append(_answers(page))
    assert _length(page) == entries + 2
    page.go_back()
    shows(page, *answers[1])
    assert _alpha(page) == "0.01"
    page.go_back()
    shows(page, *first)
    assert _alpha(page) == "0.05"
    page.go_forward()
    shows(page, *answers[1])
    # After a reload, too; and the fields are as they were, not those of a link that someone sent.
    page.reload()
    shows(page, *answers[1])
    assert keyed(page, "planning/difference_variance").count() == 0
    page.go_back()
    shows(page, *first)
    assert "alpha=0.05" in page.url
    page.go_back()
    assert page.url == "about:blank"


def test_the_address_of_start_holds_its_values(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    open_address(page, address)
    before = _answers(page)
    wait_for(page, "location.search.includes('min_d=0.1')")
    keyed(page, "planning/nDCG@10/min_d").locator("input").fill("0.2")
    page.keyboard.press("Tab")
    until(lambda: _answers(page) != before)
    page.go_back()
    shows(page, *before)


def test_back_leads_to_the_page_before_with_its_values(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    open_address(page, f"{address}/paired-t-test")
    before = _answers(page)
    fill(page, "planning", alpha="0.01")
    until(lambda: _answers(page) != before)
    changed = _answers(page)
    go(page, "/reported-result")
    page.go_back()
    wait_for(page, "location.pathname === '/paired-t-test'")
    shows(page, *changed)
    page.go_back()
    shows(page, *before)
    assert not page.locator(".st-key-other-data, .st-key-data-needed, .st-key-complaints").count()


def _scores(folder: Path, number: int) -> Path:
    file = folder / f"task{number}.csv"
    file.write_text(simulated_task()[number].to_csv(), encoding="utf-8")
    return file


def test_a_link_without_its_data_opens_once_they_are_loaded(
    address: str, new_user: NewPage, tmp_path: Path
) -> None:
    sender, recipient = new_user(), new_user()
    upload(sender, address, _scores(tmp_path, 0))
    go(sender, "/leaderboard")
    before = _answers(sender)
    fill(sender, "leaderboard", alpha="0.2")
    until(lambda: _answers(sender) != before)
    answer = _answers(sender)
    query = dict(parse_qsl(urlsplit(sender.url).query))
    # What the sender of an address writes is neither an answer nor a link.
    query["shown"] = "**99 of 99** http://evil.example www.evil.example [here](http://evil.example)"
    query["data"] += " http://evil.example <b>x</b>"
    recipient.goto(f"{address}/leaderboard?{urlencode(query)}")
    keyed(recipient, "data-needed").wait_for()
    assert "evil" not in recipient.get_by_test_id("stMain").inner_text()
    keyed(recipient, "data-needed").get_by_role("link").click()
    recipient.locator('input[type="file"]').first.set_input_files(_scores(tmp_path, 0))
    keyed(recipient, "awaited-data").get_by_role("link").click()
    shows(recipient, *answer)
    assert "other numbers" in text_of(recipient, "note")
    assert "evil" not in recipient.get_by_test_id("stMain").inner_text()
    fill(recipient, "leaderboard", alpha="0.05")
    shows(recipient, *before)
    assert not keyed(recipient, "note").count()


def test_own_addresses_give_no_notice(address: str, new_user: NewPage, tmp_path: Path) -> None:
    page = new_user()
    upload(page, address, _scores(tmp_path, 0))
    go(page, "/error-rate")
    wait_for(page, "location.search.includes('data=')")
    go(page, "/score-matrices")
    open_tab(page, "Files and pool")
    page.locator("[class*=st-key-score_matrices-remove-]").first.get_by_role("button").click()
    wait_until_idle(page)
    page.locator('input[type="file"]').first.set_input_files(_scores(tmp_path, 1))
    wait_until_idle(page)
    page.go_back()
    wait_for(page, "location.pathname === '/error-rate'")
    wait_until_idle(page)
    assert not page.locator(".st-key-other-data, .st-key-data-needed, .st-key-note").count()


_IN_A_FIELD = """() => {
  const here = document.activeElement;
  const main = document.querySelector('.st-key-form-and-answer') || document.querySelector('[data-testid=stMain]');
  return main.contains(here) && !here.closest('.st-key-head')
    && here.matches('input, textarea, [role=radio], [data-testid=stFileUploader] button, a, [role=tab]');
}"""


def _enter_the_form(page: Page) -> None:
    page.locator(".to-the-form").wait_for(state="attached")
    wait_until_idle(page)
    for key in ("Tab", "Enter"):
        page.keyboard.press(key)


# A plan, answers with charts and with a table, and a page without a form: all pages have the same link to it.
@pytest.mark.parametrize("path", ["/", "/guide", "/pool-depth", "/leaderboard"])
def test_few_presses_lead_to_the_first_field(address: str, new_tab: NewPage, path: str) -> None:
    page = new_tab()
    open_address(page, f"{address}{path}")
    _enter_the_form(page)
    presses = 2
    while not page.evaluate(_IN_A_FIELD):
        page.keyboard.press("Tab")
        presses += 1
        assert presses <= MOST_PRESSES


_PLACE = """() => {
  const here = document.activeElement, form = document.querySelector(
    '.st-key-form-and-answer > * > [data-testid=stHorizontalBlock] > [data-testid=stColumn]'
  );
  return [form.contains(here), (here.getAttribute('aria-label') || '').startsWith('Help')];
}"""


def test_tab_reaches_the_help_after_all_fields(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    open_address(page, f"{address}/paired-t-test")
    _enter_the_form(page)
    seen = []
    while (place := page.evaluate(_PLACE))[0]:
        seen.append(place[1])
        page.keyboard.press("Tab")
        assert len(seen) < 50
    assert seen == sorted(seen), "fields, then their help"
    assert seen[0] is False
    assert seen[-1] is True
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(_PLACE) == [True, True]


def test_another_view_begins_at_its_top(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    open_address(page, f"{address}/topic-subsets?cardinality=20")
    open_tab(page, "Which topics?")
    page.get_by_role("button", name="Test 20 topics on other runs").filter(visible=True).first.click()
    until(lambda: "other runs, the best 20" in text_of(page, "headline"))
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0


_TOP_OF_CHART = """document.querySelector('.st-key-main-chart :is(.nsewdrag, [data-testid=stDataFrame])')
  .getBoundingClientRect().top"""


@pytest.mark.parametrize("path", ["/", "/error-rate", "/leaderboard"])
def test_a_low_screen_shows_the_top_of_the_chart(address: str, new_user: NewPage, path: str) -> None:
    """A laptop at 200 %."""
    page = new_user(viewport={"width": 700, "height": 450})
    open_address(page, f"{address}{path}")
    page.locator(".st-key-main-chart :is(.nsewdrag, [data-testid=stDataFrame])").first.wait_for()
    wait_until_idle(page)
    assert page.evaluate(_TOP_OF_CHART) < 350
