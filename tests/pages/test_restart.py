"""After the server was restarted: what a browser reads, and what it finds again where a folder was given for it."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import kept_work, saved_work
from pages.parts.computation import UNDER_WAY
from pages.parts.limits import LONGEST_HOURS, STORE
from server import __main__ as serve
from tests.pages.app import as_on_a_new_server, big_number, blocks, go, healthy, open_app, press, text_of
from tests.pages.uploading import ANOVA, PAGE, SMALL, shows_variance, small_matrix, uploaders, with_small


class Browser:
    """The browser of all sessions; it keeps the cookie that pages set by a script."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}

    def remember(self, seconds: int) -> None:
        self.cookies = {"start": kept_work._start()} if seconds else {}


@pytest.fixture(autouse=True)
def browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    result = Browser()
    monkeypatch.setattr(kept_work, "browser", lambda: "a" * 64)
    monkeypatch.setattr(kept_work, "_remembered", lambda: result.cookies.get("start", kept_work._start()))
    monkeypatch.setattr(kept_work, "_remember", result.remember)
    as_on_a_new_server()
    yield result
    as_on_a_new_server()


def _restart() -> None:
    as_on_a_new_server()
    kept_work._start.clear()


def _stored() -> None:
    """Wait until all that was to be stored is."""
    saved_work._WRITER.submit(lambda: None).result()


def test_lost_data_are_named_once() -> None:
    with_small("first_ap")
    _restart()
    after = open_app(PAGE)
    assert "no longer here" in text_of(after, "work-dropped")
    assert "work-dropped" not in blocks(press(after, "kept_work/understood"))
    assert "work-dropped" not in blocks(open_app(PAGE))


def test_who_had_nothing_to_lose_reads_nothing() -> None:
    open_app(PAGE)
    _restart()
    assert "work-dropped" not in blocks(open_app(PAGE))


def test_data_outlive_a_restart_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, str(tmp_path))
    with_small("first_ap")
    _stored()
    _restart()
    after = open_app(PAGE)
    assert shows_variance(after, small_matrix("first_ap"))
    assert "here again" in text_of(after, "work-dropped")
    _stored()
    files = [*tmp_path.iterdir()]
    assert {file.name for file in files} == {f"{'a' * 64}.zip", f"{'a' * 64}.choices.zip"}
    assert not any(file.stat().st_mode & 0o077 for file in files)


def test_choices_and_long_runs_outlive_a_restart_in_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STORE, str(tmp_path))
    app = go(with_small("first_ap"), ANOVA)
    app.number_input(key="planning/AP/min_d").set_value(0.07)
    app.session_state[f"error-rate{UNDER_WAY}"] = "5 trials"
    app.session_state["dossier/title"] = "TITLE"
    number = big_number(healthy(app.run()))
    _stored()
    _restart()
    after = open_app(ANOVA)
    assert (after.number_input(key="planning/AP/min_d").value, big_number(after)) == (0.07, number)
    assert after.session_state["dossier/title"] == "TITLE"
    assert "start again: 5 trials" in text_of(after, "work-dropped")


def test_who_has_nothing_to_lose_has_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, str(tmp_path))
    open_app(ANOVA)
    _stored()
    assert not [*tmp_path.iterdir()]


def test_work_that_cannot_be_stored_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, str(tmp_path / "absent"))
    app = with_small("first_ap")
    _stored()
    assert "No such file or directory" in text_of(healthy(app.run()), "work-not-stored")
    (tmp_path / "absent").mkdir()
    app.session_state["loaded_scores"] = []
    healthy(app.run())
    _stored()
    assert "work-not-stored" not in blocks(healthy(app.run()))


def test_a_damaged_file_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, str(tmp_path))
    (tmp_path / f"{'a' * 64}.zip").write_bytes(b"PK\x03\x04 and no more")
    after = open_app("pages/one_way_anova.py")
    assert "data-in-use" in blocks(after)
    assert "Your data that this server stored cannot be read any more" in text_of(after, "opened-work")
    assert "opened-work" not in blocks(press(after, "saved_work/dismiss"))


def test_data_of_another_server_on_the_same_folder_are_read_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STORE, str(tmp_path))
    first = with_small("first_ap")
    _stored()
    memory = dict(kept_work._store()._kept), dict(saved_work._last)
    as_on_a_new_server()  # another one, which the browser is led to meanwhile
    saved_work._last.clear()
    second = open_app(PAGE)
    uploaders(second)[0].upload("second_ap.csv", SMALL["second_ap"].encode(), "text/csv")
    healthy(second.run())
    _stored()
    kept_work._store()._kept.update(memory[0])
    saved_work._last.clear()
    saved_work._last.update(memory[1])
    uploaders(first)[0].upload("second_err20.csv", SMALL["second_err20"].encode(), "text/csv")
    healthy(first.run())
    _stored()
    names = {("first", "AP"), ("second", "AP"), ("second", "ERR@20")}

    def loaded(app: AppTest) -> set[tuple[str, str]]:
        matrices = [upload.matrix for upload in app.session_state["loaded_scores"]]
        return {
            (matrix.name.removesuffix("_ap").removesuffix("_err20"), matrix.measure) for matrix in matrices
        }

    assert loaded(first) == names
    numbers = [upload.number for upload in first.session_state["loaded_scores"]]
    assert len(set(numbers)) == 3
    as_on_a_new_server()
    saved_work._last.clear()
    after = open_app(PAGE)
    assert loaded(after) == names


def test_old_work_is_deleted_and_the_oldest_of_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "MOST_BYTES", 25)
    for hours in (0, 1, 2, LONGEST_HOURS + 1):
        file = tmp_path / f"{hours}.zip"
        file.write_bytes(b"0123456789")
        os.utime(file, times=(time.time() - hours * 3600,) * 2)
    serve._delete_old(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"0.zip", "1.zip"}


def test_work_that_another_server_deletes_meanwhile_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "gone.zip").symlink_to("nowhere")  # listed, and not there
    (tmp_path / "here.zip").write_bytes(b"0")
    serve._delete_old(tmp_path)
    assert (tmp_path / "here.zip").exists()


@pytest.mark.parametrize("left", ["", "0" * 63])
def test_a_secret_that_was_cut_off_is_made_anew(tmp_path: Path, left: str) -> None:
    (tmp_path / "secret").write_text(left)
    secret = serve._secret_of(tmp_path)
    assert len(secret) == 64
    assert serve._secret_of(tmp_path) == secret


def test_the_secret_of_a_folder_is_that_of_all_its_servers(tmp_path: Path) -> None:
    secret = serve._secret_of(tmp_path / "store")
    assert serve._secret_of(tmp_path / "store") == secret
    assert len(secret) == 64
    assert (tmp_path / "store").stat().st_mode & 0o077 == 0
    assert (tmp_path / "store" / "secret").stat().st_mode & 0o077 == 0
