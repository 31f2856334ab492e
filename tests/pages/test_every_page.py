"""Every page within the app; alone, with its charts, each is opened by tests/golden/test_pages.py."""

from pathlib import Path

import pytest

from tests.contents import CONTENTS, Listed
from tests.pages.app import ROOT, go, open_app


@pytest.mark.slow
def test_every_page_runs_within_the_app() -> None:
    app = open_app(CONTENTS[0].file)
    for page in CONTENTS:
        assert go(app, page.file).title[0].value == page.heading, page.file


def test_the_app_lists_every_file_of_a_page_once() -> None:
    files = {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")} - {"pages/__init__.py"}
    assert sorted(page.file for page in CONTENTS) == sorted(files)


@pytest.mark.parametrize("page", CONTENTS, ids=lambda page: Path(page.file).stem)
def test_no_address_equals_a_file_name(page: Listed) -> None:
    """Streamlit would serve the bare file, without the app around it, to a first visitor."""
    assert page.address.startswith("/")
    assert page.address[1:] not in {Path(other.file).stem for other in CONTENTS}


def test_every_address_is_named_once() -> None:
    assert len({page.address for page in CONTENTS}) == len(CONTENTS)
    assert [page.file for page in CONTENTS if page.address == "/"] == ["pages/start.py"]
