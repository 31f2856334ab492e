"""The curve in the hand: a click on it answers, a pinned scenario stays, a phone has it before the form."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from pages.parts.contents import PAGES
from tests.browser.conftest import NewPage
from tests.browser.driving import (
    charts_are_drawn,
    close_menu,
    fill,
    go,
    headline,
    keyed,
    link,
    menu,
    open_address,
    press,
    text_of,
    until,
)
from tests.browser.first_screen import BOTTOM, LIKE_ONE_WAY_ANOVA, TOP, WITHOUT_CHART, main_chart
from tests.browser.running_app import wait_until_idle
from tests.words import numbers_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

_POINT = """([chart, place]) => {
  const drawn = chart._fullData.findIndex(one => one.line?.width === 3);
  const {x, y} = chart._fullData[drawn], {xaxis, yaxis} = chart._fullLayout, box = chart.getBoundingClientRect();
  return [box.left + xaxis._offset + xaxis.c2p(x[place]), box.top + yaxis._offset + yaxis.c2p(y[place])];
}"""
_NAMES_ON_LINES = """[...document.querySelectorAll('.st-key-main-chart .js-plotly-plot')].flatMap(chart => {
  const names = [...chart.querySelectorAll('.annotation-text')];
  const points = [...chart.querySelectorAll('.js-line, .shapelayer path')].flatMap(path => {
    const steps = [...Array(Math.ceil(path.getTotalLength() / 2)).keys()], place = path.getScreenCTM();
    const is_drawn = path.style.strokeWidth !== '0px';
    return is_drawn ? steps.map(at => path.getPointAtLength(2 * at).matrixTransform(place)) : [];
  });
  return names.filter(name => {
    const {left, right, top, bottom} = name.getBoundingClientRect();
    return points.some(({x, y}) => x > left + 1 && x < right - 1 && y > top + 3 && y < bottom - 4);
  }).map(name => name.textContent);
})"""


def test_on_sample_data_every_main_chart_is_on_the_first_screen(new_tab: NewPage, address: str) -> None:
    page, outside = new_tab(), {}
    open_address(page, f"{address}/")
    for listed in PAGES:
        if listed.address not in WITHOUT_CHART | LIKE_ONE_WAY_ANOVA:
            go(page, listed.address)
            top, bottom = main_chart(page)
            charts_are_drawn(page)
            if listed.address != "/pool-depth":  # the depths are names on the axis, where areas end
                assert not page.evaluate(_NAMES_ON_LINES), listed.address
            if top > TOP or bottom > BOTTOM:
                outside[listed.address] = (top, bottom)
    assert not outside


def test_on_a_phone_the_answer_and_its_curve_come_before_the_form(new_tab: NewPage, address: str) -> None:
    page = new_tab()
    page.set_viewport_size({"width": 400, "height": 850})
    open_address(page, f"{address}/one-way-anova")
    charts_are_drawn(page)

    def ends() -> list[float]:
        parts = (".st-key-headline h1", ".st-key-main-chart", ".st-key-planning-alpha")
        return [page.locator(one).evaluate("one => one.getBoundingClientRect().bottom") for one in parts]

    until(lambda: ends()[0] < 850 and ends() == sorted(ends()), ends)


def _click(page: Page, place: int) -> float:
    """Click on a point of the user's curve, and return the seconds until the headline has changed."""
    before, chart = headline(page), page.locator(".st-key-main-chart .js-plotly-plot")
    x, y = chart.evaluate("(chart, place) => (" + _POINT + ")([chart, place])", place)
    page.mouse.move(x, y)
    page.mouse.down()
    began = time.monotonic()
    page.mouse.up()
    until(lambda: headline(page) != before)
    seconds = time.monotonic() - began
    wait_until_idle(page)
    return seconds


def test_click_on_a_depth_spends_the_budget_there(new_tab: NewPage, address: str) -> None:
    page = new_tab()
    open_address(page, f"{address}/pool-depth?budget=60000")
    charts_are_drawn(page)
    wait_until_idle(page)  # a preview gives way to the answer
    for place, depth in ((1, 30), (2, 50), (0, 10)):
        _click(page, place)
        until(lambda depth=depth: headline(page)[2] == depth)  # type: ignore[misc]
        topics = headline(page)[1]
        (cost,) = numbers_in(page.get_by_test_id("stMetricValue").first.inner_text())
        assert 60_000 - cost / topics < cost <= 60_000  # one topic more is not in the budget
        charts_are_drawn(page)


def test_click_on_the_curve_sets_the_difference(new_tab: NewPage, address: str) -> None:
    page = new_tab()
    open_address(page, f"{address}/one-way-anova")
    charts_are_drawn(page)
    seconds = []
    for place in (45, 30, 45):
        chart = page.locator(".st-key-main-chart .js-plotly-plot")
        clicked = chart.evaluate(
            "(chart, place) => chart._fullData.find(one => one.line?.width === 3).x[place]", place
        )
        seconds.append(_click(page, place))
        topics, _, _, difference = headline(page)[:4]  # the interval is between them
        field = keyed(page, "planning/nDCG@10/min_d").locator("input").input_value()
        assert float(field) == difference == float(f"{clicked:.3g}")  # of this point and not of its neighbour
        assert page.locator(".st-key-main-chart").get_by_text(f"{topics:,.0f}", exact=True).count()
    assert sorted(seconds)[1] < 10  # against hanging; the benchmark has the time
    # The headline stays in view below the menus.
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo({top: 500, behavior: 'instant'})")
    shown = page.locator(".headline-in-view")
    until(lambda: shown.evaluate("one => getComputedStyle(one).visibility") == "visible")
    menus = page.get_by_test_id("stHeader").evaluate("one => one.getBoundingClientRect().bottom")
    assert shown.evaluate("one => one.getBoundingClientRect().top") >= menus


def test_a_pinned_scenario_stays_in_chart_tile_link_and_dossier(new_tab: NewPage, address: str) -> None:
    page = new_tab()
    open_address(page, f"{address}/two-way-anova")
    first = headline(page)[0]
    press(page, "scenario/pin")
    fill(page, "planning/nDCG@10", min_d="0.07")
    until(lambda: headline(page)[0] != first)
    wait_until_idle(page)
    now = headline(page)[0]
    compared = f"{first:,.0f} ({now - first:+,.0f} now)"
    page.get_by_test_id("stMetricValue").get_by_text(compared).wait_for()
    charts_are_drawn(page)
    shared = link(page)
    menu(page, "exports")
    press(page, "dossier-topic-set-size")
    keyed(page, "dossier-topic-set-size").wait_for(state="detached")
    close_menu(page)
    go(page, "/task-dossier")
    assert {first, now} <= set(numbers_in(text_of(page, "answer-0")))
    friend = new_tab()
    open_address(friend, shared)
    friend.get_by_test_id("stMetricValue").get_by_text(compared).wait_for()
    press(friend, "scenario/pin")
    friend.get_by_test_id("stMetricValue").get_by_text(compared).wait_for(state="detached")
