"""A page whose address changes: links to the earlier one, and work that was saved under it, lead to the page."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.parts import contents, frame, kept_work, saved_work
from pages.parts.limits import STORE
from tests.pages.app import (
    LONGEST_WAIT_SECONDS,
    ROOT,
    as_on_a_new_server,
    finished,
    go,
    healthy,
    linked,
    open_app,
)
from tests.pages.uploading import with_small
from topicset_core.parsing.saved import saved

FILE, NOW = "pages/error_rate.py", "another-address"
BEFORE = contents.page_named("error_rate").url_path
CHOICES = {"min_d": "0.11", "n_topics": "6"}


@pytest.fixture(autouse=True)
def _renamed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give one page another address, in the one file where it stands."""
    renamed = tuple(
        replace(page, url_path=NOW, former=(BEFORE, *page.former)) if page.url_path == BEFORE else page
        for page in contents.PAGES
    )
    assert renamed != contents.PAGES
    monkeypatch.setattr(contents, "PAGES", renamed)
    # Not in a process of its own, which would have the addresses of the product
    monkeypatch.setattr(saved_work, "parsed", lambda _names, read, *given, **_options: read(*given))
    st.cache_resource.clear()  # with the navigation
    as_on_a_new_server()
    yield
    st.cache_resource.clear()
    as_on_a_new_server()


def _visited(address: str, **query: str | list[str]) -> AppTest:
    """Open the app by an address, as from a link."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_WAIT_SECONDS)
    app.query_params.update(query)
    app._page_hash = calc_hash(address)
    return healthy(app.run())


@pytest.mark.parametrize("address", [BEFORE, NOW])
def test_an_earlier_link_opens_the_page_with_its_choices(address: str) -> None:
    app = finished(_visited(address, **CHOICES))
    assert app.session_state[frame.PAGE] == "error_rate"
    assert {name: linked(app)[name] for name in CHOICES} == {name: [value] for name, value in CHOICES.items()}


def test_an_earlier_link_finds_the_data_of_the_session() -> None:
    app = with_small("first_ap")
    app._page_hash = calc_hash(BEFORE)
    app = finished(healthy(app.run()))
    assert app.session_state[frame.PAGE] == "error_rate"
    assert [one.matrix.name for one in app.session_state["loaded_scores"]] == ["first_ap"]
    assert linked(app)["data"][0].endswith("first_ap, AP")


def test_several_values_of_a_name_survive_the_way_to_the_page() -> None:
    app = _visited(BEFORE, colour=["red", "blue"])
    assert app.query_params["colour"] == ["red", "blue"]


def _written(keys: dict[str, str]) -> bytes:
    """Return saved work with choices of the page under the key of its line."""
    app = go(with_small("first_ap"), "pages/user_guide.py")
    state = app.session_state
    content = saved_work.written(state["kept_work/snapshot"], {}, with_runs=True)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["choices.txt"] = "".join(f"{key}?{query}\n" for key, query in keys.items()).encode()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return written.getvalue()


@pytest.mark.parametrize("key", [f"/{BEFORE}", f"/{NOW}", "error_rate"])
def test_saved_work_opens_by_the_name_of_the_page_and_by_each_address(key: str) -> None:
    content = _written({key: urlencode(CHOICES)})
    app = open_app("pages/user_guide.py")
    app.file_uploader(key="saved_work/file-0").upload("work.zip", content, "application/zip")
    healthy(app.run())
    assert "could not be read" not in app.success[0].value
    app = finished(go(app, FILE))
    assert {name: linked(app)[name] for name in CHOICES} == {name: [value] for name, value in CHOICES.items()}
    # Saved again, it has the name.
    snapshot = app.session_state["kept_work/snapshot"]
    assert {"error_rate"} <= saved_work._links_in(snapshot).keys()
    assert {BEFORE, NOW}.isdisjoint(saved_work._links_in(snapshot))


def test_stored_work_of_before_comes_back(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, str(tmp_path))
    monkeypatch.setattr(kept_work, "browser", lambda: "a" * 64)
    content = _written({f"/{BEFORE}": urlencode(CHOICES)})
    saved_work._WRITER.submit(lambda: None).result()
    (stored,) = (file for file in saved_work._files() if file.name.endswith(".choices.zip"))
    stored.write_bytes(content)
    as_on_a_new_server()
    app = finished(_visited(BEFORE))
    assert {name: linked(app)[name] for name in CHOICES} == {name: [value] for name, value in CHOICES.items()}


def test_the_link_of_the_address_bar_is_kept_by_the_name_of_the_page() -> None:
    # As version 0.1 wrote it, below the path of a proxy; and as it is now
    for address in (f"/topicset/{BEFORE}?[('a', '1')]", f"/{NOW}?[('a', '1')]", "error_rate?[('a', '1')]"):
        content = saved({kept_work.ADDRESS: address}, {})
        assert saved_work.read(content, "work.zip")[1][kept_work.ADDRESS] == "error_rate?[('a', '1')]"
