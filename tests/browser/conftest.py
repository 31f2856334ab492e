"""A running app and a Chromium, shared by the tests of this folder."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.running_app import CHROMIUM_OPTIONS, chromium, running_app


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = chromium()
    if executable is None:
        pytest.skip(
            "no Chromium found: install one (Debian: apt-get install chromium) or name it in TOPICSET_CHROMIUM"
        )
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_OPTIONS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def address(browser: Browser) -> Iterator[str]:  # noqa: ARG001 - without a browser no server is needed
    with running_app() as found:
        yield found


@pytest.fixture
def new_user(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A function that opens a fresh browser profile; what pages report as errors fails the test."""
    contexts = []

    def new(**options: Any) -> Page:
        context = browser.new_context(
            viewport={"width": 1400, "height": 1000},
            permissions=["clipboard-read", "clipboard-write"],
            **options,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        return page

    yield new
    for context in contexts:
        context.close()
