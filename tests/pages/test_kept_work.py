"""Uploads, choices and results of users are restored in another session of their browser, and in no other one's."""

import inspect
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit import runtime
from streamlit.runtime import Runtime
from streamlit.runtime.caching.ttl_cache import TTLCache
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.testing.v1 import AppTest

from pages.parts import kept_work
from pages.parts.limits import LONGEST_HOURS
from tests.pages.app import (
    PAGES,
    as_on_a_new_server,
    big_number,
    blocks,
    finished,
    go,
    heading,
    healthy,
    link_of,
    linked,
    open_app,
    open_page,
    planned,
    planning_field,
    press,
    text_of,
    typed,
)
from tests.pages.uploading import ANOVA, PAGE, SMALL, upload, with_small
from tests.words import numbers_in

ERROR_RATE = "pages/error_rate.py"


@dataclass
class Browsers:
    """Whose browser the next session is of."""

    name: str = "alice"


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[Browsers]:
    """The browser of the sessions to come; nothing is kept of others."""
    browsers = Browsers()
    monkeypatch.setattr(kept_work, "browser", lambda: browsers.name)
    as_on_a_new_server()
    yield browsers
    as_on_a_new_server()


def _seen(app: AppTest, page: str) -> tuple[set[str], str]:
    """Go to a page; return the keys of what it shows but a preview, and its link."""
    finished(go(app, page))
    assert app.title[0].value == PAGES[page]
    return {key for key in blocks(app) if "preview" not in key}, link_of(app) if blocks(app)[
        "head-link"
    ].code else ""


@pytest.mark.slow
@pytest.mark.usefixtures("browser")
def test_every_page_runs_within_the_app_and_is_restored_in_the_next_session() -> None:
    first = open_app("pages/start.py")
    before = {page: _seen(first, page) for page in PAGES}
    second = open_app("pages/start.py")
    for page, (keys, link) in before.items():
        again, same = _seen(second, page)
        assert keys <= again | {"data-in-use"}, page
        assert same == link, page


@pytest.mark.slow
def test_uploads_choices_and_answers_return_to_their_browser_only(browser: Browsers) -> None:
    mine = planned(go(with_small("first_ap", "second_ap"), ANOVA), min_d=0.07)
    again = open_app(ANOVA)
    assert big_number(again) == big_number(mine)
    assert planning_field(again, "min_d").value == 0.07
    assert link_of(again) == link_of(mine)

    browser.name = "bob"
    other = open_app(ANOVA)
    assert big_number(other) != big_number(mine)
    assert planning_field(other, "min_d").value == 0.1
    browser.name = ""  # without a cookie nothing is kept
    assert big_number(open_app(ANOVA)) == big_number(other)


@pytest.mark.usefixtures("browser")
def test_an_older_tab_does_not_undo_uploads_of_another_tab() -> None:
    idle = open_app(ANOVA)
    busy = with_small("first_ap")
    upload(busy, second_ap=SMALL["second_ap"])
    planned(idle, alpha=0.01)
    third = open_app(ANOVA)
    assert len(third.session_state["loaded_scores"]) == 2
    assert planning_field(third, "alpha").value == 0.01  # the last act


@pytest.mark.usefixtures("browser")
def test_a_shared_link_sets_its_settings_and_keeps_the_data() -> None:
    mine = press(typed(go(with_small("first_ap"), ERROR_RATE), "error-rate", min_d=0.11), "error-rate/run")
    finished(mine)
    same = open_app(ERROR_RATE)
    assert same.number_input(key="error-rate/min_d").value == 0.11
    linked_here = open_app(ERROR_RATE, min_d="0.03")
    assert linked_here.number_input(key="error-rate/min_d").value == 0.03
    assert len(linked_here.session_state["loaded_scores"]) == 1


@pytest.mark.usefixtures("browser")
def test_switches_return_and_files_and_buttons_do_not() -> None:
    mine = open_app("pages/rank_resolution.py")
    for toggle in mine.toggle:
        toggle.set_value(True)
    before = {toggle.key: toggle.value for toggle in healthy(mine.run()).toggle}
    assert before
    again = open_app("pages/rank_resolution.py")  # a kept button or file would raise
    assert {toggle.key: toggle.value for toggle in again.toggle} == before


@pytest.mark.usefixtures("browser")
def test_removed_data_stay_removed() -> None:
    app = with_small("first_ap")
    assert len(open_app(PAGE).session_state["loaded_scores"]) == 1
    press(app, "score_matrices/forget")
    assert open_app(PAGE).session_state["loaded_scores"] == []


def test_memory_is_bounded_and_the_user_of_deleted_work_is_notified_once() -> None:
    store = kept_work.WorkStore(most_bytes=10 * 2**20)
    for user in range(100):
        store.put(f"user {user}", {"loaded_scores": [np.zeros(2**17)]}, "")  # 1 MiB each
        assert store.n_bytes <= 10 * 2**20
    assert store.find("user 0") is None
    assert store.find("user 99") is not None
    assert [store.was_dropped("user 0"), store.was_dropped("user 0")] == [True, False]
    assert not store.was_dropped("user 99")
    assert not store.was_dropped("somebody new")


def _uploads() -> None:
    """Run as a page: an uploader that the button empties, as pages do once they have read its files."""
    import streamlit as st

    from pages.parts import kept_work

    n_read = st.session_state.setdefault("n-read", 0)
    st.file_uploader("files", accept_multiple_files=True, key=f"files-{n_read}")

    def read() -> None:
        st.session_state["n-read"] += 1

    st.button("read", key="read", on_click=read)
    kept_work.keep()


def test_files_that_were_read_are_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    freed: list[str] = []
    monkeypatch.setattr(
        MemoryUploadedFileManager, "remove_file", lambda _, __, file_id: freed.append(file_id)
    )
    app = AppTest.from_function(_uploads).run()
    app.file_uploader[0].upload("run.txt", b"1 Q0 a 1 1 r", "text/plain")
    (waiting,) = healthy(app.run()).file_uploader[0].value
    assert healthy(app.run()).file_uploader[0].value == [waiting]
    assert freed == []
    press(app, "read")
    healthy(app.run())
    assert freed == [waiting.file_id]


def test_visits_without_data_delete_no_data() -> None:
    store = kept_work.WorkStore(most_browsers=20)
    store.put("user with data", {"loaded_scores": [np.zeros(100)]}, "")
    for visit in range(120):
        store.put(f"visit {visit}", {"loaded_scores": [], "score_matrices/orientation": "auto"}, "/")
    assert store.find("user with data") is not None
    assert store.find("visit 100") is None
    assert store.find("visit 101") is not None


def test_work_is_dropped_without_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    store = kept_work.WorkStore(longest_seconds=60.0)
    store.put("user", {"loaded_scores": [np.zeros(100)]}, "")
    later = time.monotonic() + 61.0
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert store.n_bytes > 800
    store.tidy_up()
    assert store.n_bytes == 0
    assert store.was_dropped("user")


def test_a_session_ends_two_minutes_after_its_tab_was_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    now, ended = [0.0], []
    storage = MemorySessionStorage()
    storage._cache = TTLCache(maxsize=128, ttl=120, timer=lambda: now[0])
    # Streamlit's own loop may hold the session still: it ends nevertheless.
    values = {"loaded_scores": [1]}
    closed = SimpleNamespace(id="closed", session_state=values, shutdown=lambda: ended.append("closed"))
    info: Any = SimpleNamespace(session=closed)
    storage.save(info)
    loop = SimpleNamespace(call_soon_threadsafe=lambda call: call())
    running = SimpleNamespace(
        _session_mgr=SimpleNamespace(_session_storage=storage),
        _get_async_objs=lambda: SimpleNamespace(eventloop=loop),
    )
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: running)
    kept_work.tidy_up()
    assert (ended, values) == ([], {"loaded_scores": [1]})
    now[0] = 121.0
    kept_work.tidy_up()
    assert (ended, values) == (["closed"], {})
    for private in ("_session_mgr", "_get_async_objs", "_session_storage"):  # these are Streamlit's, too
        assert private in inspect.getsource(Runtime) + inspect.getsource(WebsocketSessionManager)


@pytest.mark.usefixtures("browser")
def test_the_oldest_work_of_a_user_is_removed_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    app = with_small("first_ap", "second_ap", "second_err20")
    *_, newest = app.session_state["loaded_scores"]
    size = kept_work.n_bytes(newest)
    monkeypatch.setattr(kept_work, "MOST_BYTES_OF_A_USER", size)
    healthy(app.run())
    assert app.session_state["loaded_scores"] == [newest]
    assert numbers_in(text_of(healthy(app.run()), "work-removed"))[-1] == 2
    assert text_of(healthy(app.run()), "work-removed") == ""
    assert open_app(PAGE).session_state["loaded_scores"] == [newest]


def test_results_are_removed_before_score_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", state)
    old, new = np.zeros(2**17), np.zeros(2**17)  # 1 MiB each
    kept_work.snapshot().update(
        {"loaded_scores": [old, new], "error-rate/results": {"first": old.copy(), "second": new}}
    )
    kept_work.bound(2 * 2**20 + 2**19 + 2**18 + 2**18 + 10_000)
    assert list(state["error-rate/results"]) == ["second"]  # type: ignore[call-overload]
    assert "loaded_scores" not in state
    kept_work.bound(0)  # the newest of each kind stays
    assert len(state["loaded_scores"]) == 1  # type: ignore[arg-type]
    assert list(state["error-rate/results"]) == ["second"]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("work", "is_reported"), [({"loaded_scores": [1]}, True), ({"anova/alpha": 0.01}, False)]
)
def test_unused_work_is_deleted_and_settings_without_data_silently(
    work: dict[str, object], is_reported: bool
) -> None:
    store = kept_work.WorkStore(longest_seconds=-1.0)
    store.put("user", work, "")
    assert store.find("user") is None
    assert store.was_dropped("user") == is_reported


def test_bytes_are_counted_once_including_containers() -> None:
    array = np.zeros(1000)
    assert 8000 <= kept_work.n_bytes([array, array, {"again": array}]) < 9000
    assert kept_work.n_bytes([array, array.copy()]) > 16000


@pytest.mark.usefixtures("browser")
def test_a_user_who_returns_too_late_is_notified(monkeypatch: pytest.MonkeyPatch) -> None:
    with_small("first_ap")
    store = kept_work._store()
    with monkeypatch.context() as patch:
        patch.setattr(store, "_limits", (0, 0, 0.0))
        assert store.find("alice") is None
    assert "work-dropped" in blocks(open_app(PAGE))
    assert not text_of(open_app(PAGE), "work-dropped")


def test_a_link_to_an_answer_without_its_scores_shows_no_number() -> None:
    sent = linked(go(with_small("first_ap"), ERROR_RATE))
    opened = open_page(ERROR_RATE, **sent)
    assert "data-needed" in blocks(opened)
    assert "answer" not in blocks(opened)
    assert "first_ap" in text_of(opened, "data-needed")
    press(opened, "data-needed/dismiss")
    assert "data-needed" not in blocks(opened)
    assert "answer" in blocks(opened)


HOSTILE = "**1.0 % of 7** http://evil.example www.evil.example [here](http://evil.example) a@evil.example"


@pytest.mark.parametrize(
    "name",
    ["see http://evil.example", "[x](http://evil.example)", "<b>evil</b>", "an evil name of many words"],
)
def test_words_of_the_sender_of_a_link_are_not_shown(name: str) -> None:
    opened = open_page(ERROR_RATE, data=f"{'0' * 12}.50x30.{name}", shown=HOSTILE)
    assert "50 topics × 30 runs, SHA-256 000000000000" in text_of(opened, "data-needed")
    assert not [one.value for one in [*opened.info, *opened.warning, *opened.markdown] if "evil" in one.value]


def test_an_answer_with_other_numbers_than_in_its_link_is_reported() -> None:
    first = open_page(ERROR_RATE)
    sent = linked(first)
    assert numbers_in(sent["shown"][0]) == numbers_in(heading(first))[: len(numbers_in(sent["shown"][0]))]
    assert "note" not in blocks(open_page(ERROR_RATE, **sent))
    opened = open_page(ERROR_RATE, **sent | {"shown": [HOSTILE]})
    assert "other numbers" in text_of(opened, "note")
    assert heading(opened) == heading(first)
    assert "evil" not in text_of(opened, "note")
    assert "note" in blocks(opened.run())
    assert "note" not in blocks(typed(opened, "error-rate", min_d=0.07))  # it is another question


def test_back_puts_back_the_choices_of_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app(ANOVA)
    first, before = linked(app), heading(app)
    planned(app, alpha=0.01)
    changed, now = linked(app), heading(app)
    assert now != before
    planned(app, alpha=7.0)  # refused: the address is that of the last answer
    assert linked(app) == changed
    monkeypatch.setattr(kept_work, "_is_step_back", lambda: True)
    for address, answer, alpha in ((first, before, 0.05), (changed, now, 0.01)):
        app.query_params.update(address)
        assert heading(healthy(app.run())) == answer
        assert planning_field(app, "alpha").value == alpha
    # An address of someone else changes nothing.
    app.query_params.update(first | {"alpha": ["0.2"]})
    assert heading(healthy(app.run())) == now


@pytest.mark.slow
def test_a_link_to_an_answer_with_other_scores_is_reported() -> None:
    (stamp,) = linked(go(with_small("first_ap"), ERROR_RATE))["data"]
    app = go(with_small("second_ap"), ERROR_RATE)
    assert "other-data" not in blocks(app)
    app.query_params["data"] = stamp
    app.run()
    assert "other-data" in blocks(app)
    assert "answer" in blocks(app)
    press(app, "other-data/dismiss")
    assert "other-data" not in blocks(app)
    both = upload(go(app, PAGE), first_ap=SMALL["first_ap"])
    both = go(both, ERROR_RATE)
    both.query_params["data"] = stamp
    assert "other-data" not in blocks(both.run())


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    ["pages/topic_variance.py", "pages/pool_depth.py", "pages/training_sensitivity.py"],
    ids=lambda page: Path(page).stem,
)
def test_links_based_on_runs_name_them(page: str) -> None:
    (stamp,) = linked(finished(open_page(page)))["data"]
    digest, size, _ = stamp.split(".", 2)
    assert len(digest) == 12
    assert size == ("60x21" if "training" in page else "50x20")
    assert "answer" in blocks(finished(open_page(page, data=stamp)))
    opened = open_page(page, data=f"{'0' * 12}.50x20.other runs")
    assert "data-needed" in blocks(opened)
    assert "answer" not in blocks(opened)


def test_only_answers_of_the_sample_are_marked() -> None:
    assert "badge" in heading(open_app(ANOVA))
    assert "badge" not in heading(go(with_small("first_ap"), ANOVA))
    # A variance that comes with a link owes nothing to the sample.
    assert "badge" not in heading(open_page(ANOVA, within_system_variance="0.05", measure="AP"))


@pytest.mark.slow
@pytest.mark.parametrize("page", [PAGE, "pages/runs_and_qrels.py", "pages/training_sensitivity.py"])
def test_pages_with_uploads_state_the_retention_time(browser: Browsers, page: str) -> None:
    hours = LONGEST_HOURS

    def hours_named() -> bool:
        return any(
            hours in numbers_in(text.value) for text in open_app(page).markdown if "hours" in text.value
        )

    assert hours_named()
    browser.name = ""  # without the cookie nothing is kept beyond the tab
    assert not hours_named()


@pytest.mark.usefixtures("browser")
def test_the_users_link_to_another_plan_shows_that_plan() -> None:
    first = planned(open_app(ANOVA), min_d=0.07)
    link = {name: value for name, (value,) in linked(first).items()}
    last = planned(go(first, "pages/paired_t.py"), min_d=0.2)
    assert linked(last)["min_d"] == ["0.2"]
    again = open_app(ANOVA, **link)
    assert (linked(again)["min_d"], planning_field(again, "min_d").value) == (["0.07"], 0.07)
