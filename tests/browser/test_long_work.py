"""Work in the background: it shows its progress by itself, ends or is cancelled, and never blocks the server."""

from __future__ import annotations

import signal
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pages.parts.contents import PAGES
from tests.browser.conftest import NewPage, fresh_profile
from tests.browser.driving import (
    attach,
    bring_runs,
    cancel,
    chart,
    go,
    headline,
    keyed,
    open_address,
    press,
    text_of,
    until,
)
from tests.browser.running_app import PATIENCE_SECONDS, health, server, wait_until_idle
from tests.words import numbers_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

N_BIG_TOPICS, BIG_DEPTH, N_BIG_RUNS = 100, 1000, 60


def _done_so_far(page: Page) -> float:
    """Return the number of trials or splits behind the answer; 0 where it is complete."""
    return next(iter(numbers_in(text_of(page, "preview"))), 0)


def test_topic_subsets_grow_and_stay_when_the_search_is_cancelled(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    # By correlation, a search of about 15 s shows a partial result after 1 s.
    open_address(page, f"{address}/topic-subsets")
    chart(page, "curve")
    before = _lines(page)
    press(page, "topic-subsets/run")
    until(lambda: _lines(page) not in ([], before))  # by itself, without an act of the user
    cancel(page, "topic-subsets")
    keyed(page, "topic-subsets/run").wait_for()
    chart(page, "curve")
    assert _lines(page) != before


def _lines(page: Page) -> list[str]:
    """Return the drawn part of the curve, by one message to the browser."""
    lines = keyed(page, "figure-curve").locator(".js-line")
    return lines.evaluate_all("all => all.map(line => line.getAttribute('d'))")


def test_held_out_curves_grow_and_stay_after_stop_and_return(address: str, new_tab: NewPage) -> None:
    page, job = new_tab(), "topic-subsets-held-out"
    open_address(page, f"{address}/topic-subsets?view=held-out&n_splits=10000&n_starts=0")
    preview = _done_so_far(page)
    press(page, f"{job}/run")
    until(lambda: _done_so_far(page) > preview)  # by itself, without an act of the user
    before = _done_so_far(page)
    go(page, "/")
    go(page, "/topic-subsets")
    until(lambda: _done_so_far(page) > before)
    before = _done_so_far(page)
    page.reload()  # another session of the same browser follows the work
    wait_until_idle(page)
    until(lambda: _done_so_far(page) > before)
    cancel(page, job)
    keyed(page, f"{job}/run").wait_for()
    assert _done_so_far(page) > before
    # No line passes behind the label of the point: it is above them all, except for a pixel of rounding.
    drawn = chart(page, "held-out")
    label = drawn.locator(".annotation-text").last.bounding_box()
    lines = [line.bounding_box() for line in drawn.locator(".scatterlayer path.js-line").all()]
    assert label is not None
    assert lines
    assert all(line is None or label["y"] + label["height"] <= line["y"] + 1 for line in lines)


@pytest.fixture(scope="module")
def big_files(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], list[Path]]:
    """An archive of runs, larger than what other pages take, that takes seconds to read on any machine."""
    folder = tmp_path_factory.mktemp("big")
    lines = "".join(
        f"{topic} Q0 document-{rank * (topic + 7) % 9973} {rank} {BIG_DEPTH - rank} the-tag\n"
        for topic in range(N_BIG_TOPICS)
        for rank in range(BIG_DEPTH)
    ).encode()
    with zipfile.ZipFile(folder / "runs.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for run in range(N_BIG_RUNS):
            archive.writestr(f"run{run}.txt", lines.replace(b"the-tag", b"run%d" % run))
    assert (folder / "runs.zip").stat().st_size > 20_000_000
    qrels = folder / "qrels.txt"
    qrels.write_text("".join(f"{topic} 0 document-{k} {k % 2}\n" for topic in range(100) for k in range(50)))
    return [folder / "runs.zip"], [qrels]


def test_import_is_cancelled_and_the_server_ends_at_once(
    browser: Browser, big_files: tuple[list[Path], list[Path]]
) -> None:
    """On a server of its own, whose first visitor comes by a link.

    tests/pages/test_every_page.py contains the rule behind such links for every address.
    """
    with server() as (process, address), fresh_profile(browser) as profile:
        page = profile.new_page()
        bring_runs(page, address, *big_files)
        assert page.get_by_test_id("stTopNavSection").count() == len({one.section for one in PAGES} - {""})
        assert health(address) == "ok"
        sample = headline(page)
        cancel(page, "runs/reading")
        assert keyed(page, "runs/forget").count() == 0
        assert headline(page) == sample
        attach(page.locator('[class*="st-key-runs-uploads-run-"]'), big_files[0])
        press(page, "runs/read")
        keyed(page, "runs/reading/job-cancel").wait_for()
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE_SECONDS)
        # Two seconds are asked of an idle machine; a busy one is given more, a hanging server none.
        assert time.monotonic() - began < 30
