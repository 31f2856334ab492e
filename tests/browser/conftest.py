"""A running app and a Chromium, shared by the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.running_app import CHROMIUM_OPTIONS, PATIENCE_SECONDS, chromium, running_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

NewPage = Callable[..., "Page"]
"""Opens a tab, or a profile with a tab."""

# With animations, Chromium paints some frames of each: a third of its work.
_OPTIONS: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    executable = chromium()
    if executable is None:
        pytest.skip(
            "no Chromium found: install one (Debian: apt-get install chromium-headless-shell) "
            "or name it in TOPICSET_CHROMIUM"
        )
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_OPTIONS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def address(browser: Browser) -> Iterator[str]:  # noqa: ARG001 - without a browser no server is needed
    with running_app() as result:
        yield result


@contextmanager
def fresh_profile(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    """A browser profile of its own, as another person's: nothing is cached."""
    context = browser.new_context(**_OPTIONS | options)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    try:
        yield context
    finally:
        context.close()


@pytest.fixture(scope="session")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """A profile that caches loaded files. Each tab is a session."""
    with fresh_profile(browser) as context:
        yield context


@pytest.fixture(scope="session")
def offline(browser: Browser) -> Iterator[Page]:
    """A tab without a network."""
    with fresh_profile(browser, offline=True) as context:
        yield context.new_page()


@contextmanager
def tab(profile: BrowserContext) -> Iterator[Page]:
    """A tab of a person without earlier work, closed afterwards."""
    profile.clear_cookies()
    page = profile.new_page()
    try:
        yield page
    finally:
        page.close()


@pytest.fixture
def new_tab(profile: BrowserContext) -> Iterator[NewPage]:
    """A function that opens a tab in which what was loaded once is cached, but as a person without earlier work."""
    with ExitStack() as tabs:
        yield lambda: tabs.enter_context(tab(profile))


@pytest.fixture
def new_user(browser: Browser) -> Iterator[NewPage]:
    """A function that opens a profile of another user, and a tab in it."""
    with ExitStack() as profiles:
        yield lambda **options: profiles.enter_context(fresh_profile(browser, **options)).new_page()
