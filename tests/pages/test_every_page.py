"""The table of contents: every file of a page, each at an address of its own."""

from pathlib import Path

import pytest

from pages.parts.contents import PAGES, Page, by_address
from tests.pages.app import ROOT


def test_the_app_lists_every_file_of_a_page_once() -> None:
    files = {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")} - {"pages/__init__.py"}
    assert sorted(page.file for page in PAGES) == sorted(files)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: Path(page.file).stem)
def test_no_address_equals_a_file_name(page: Page) -> None:
    """Streamlit would serve the bare file, without the app around it, to a first visitor."""
    assert page.address.startswith("/")
    assert {page.url_path, *page.former}.isdisjoint(other.name for other in PAGES)


def test_every_address_is_named_once() -> None:
    assert len(by_address()) == sum(1 + len(page.former) for page in PAGES)
    assert [page.file for page in PAGES if page.address == "/"] == ["pages/start.py"]
