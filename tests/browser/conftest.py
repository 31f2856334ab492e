"""A running app and a Chromium, shared by the tests of this folder."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.driving import PATIENCE_MS, bring_runs, upload
from tests.browser.real_scores import trec03new, trec04new, write
from tests.browser.running_app import CHROMIUM_OPTIONS, chromium, running_app, wait_until_idle
from tests.reference_data import reference_data, reference_file


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


@contextmanager
def fresh_profile(browser: Browser, **options: Any) -> Iterator[Page]:
    """A browser profile of its own, as another person's, and a page in it."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, **options)
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        yield page
    finally:
        context.close()


@pytest.fixture
def new_user(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A function that opens a fresh browser profile."""
    with ExitStack() as open_profiles:
        yield lambda **options: open_profiles.enter_context(fresh_profile(browser, **options))


@pytest.fixture(scope="module")
def planner(browser: Browser, address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A user who has brought the scores of TREC robust 2003 new and 2004 new, for all tests of a file."""
    folder = tmp_path_factory.mktemp("scores")
    with fresh_profile(browser) as page:
        upload(page, address, write(trec03new(), folder), write(trec04new(), folder))
        yield page


@pytest.fixture(scope="module")
def organiser(browser: Browser, address: str) -> Iterator[Page]:
    """A user who has brought the 17 runs of Robust 2003 and their judgments, for all tests of a file."""
    reference_file("trec", "robust2003", "qrels.txt.gz")
    folder = reference_data() / "trec" / "robust2003"
    with fresh_profile(browser) as page:
        bring_runs(page, address, sorted((folder / "runs").iterdir()), [folder / "qrels.txt.gz"])
        expect(page.get_by_text("These scores are now what the other pages plan with.")).to_be_visible()
        wait_until_idle(page)
        yield page
