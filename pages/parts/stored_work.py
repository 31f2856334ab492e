"""What users upload outlives the server, where a folder was given for it (``topicset app --store``).

Each browser has two files of saved work there: its data, and all else, which is small and changes often. The server
deletes those that are old.
"""

import logging
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts import kept_work, saved_work
from pages.parts.limits import STORE
from pages.parts.tabs import run_again
from topicset_core.errors import TopicsetError

_WRITER = ThreadPoolExecutor(1, "storing")
_STORED = "kept_work/stored"
_log = logging.getLogger(__name__)
_failed: dict[str, str] = {}
"""Why the files of a browser could not be written at last."""


def _files() -> list[Path]:
    """Return the files of this browser, whose names tell nobody the secret; none where nothing is stored."""
    folder, owner = os.environ.get(STORE), kept_work.browser()
    return [Path(folder) / f"{owner}.{end}" for end in ("zip", "choices.zip")] if folder and owner else []


def bring_back() -> None:
    """Read the work of this browser, if it is not in memory. Call it before the session begins."""
    files = [file for file in _files() if file.exists()]
    if not files or kept_work.has_begun():
        return
    values: dict[str, Any] = {}
    for file in files:
        try:
            values |= saved_work.read(file.read_bytes(), file.name)[1]
        except (OSError, TopicsetError) as error:
            _log.warning("Stored work cannot be read: %s", error)
    kept_work.add(values)


def show_failed() -> None:
    """Write that the work of this browser could not be stored."""
    if reason := _failed.get(kept_work.browser()):
        with st.container(key="work-not-stored"):
            st.warning(
                f"Your work is not kept in a folder of this server ({reason}): it does not outlive a restart. "
                "Download it with “Save or open”."
            )


def store() -> None:
    """Store what this run of the page changed in the work of this browser. Call it at its end."""
    work, stored = dict(kept_work.snapshot()), st.session_state.setdefault(_STORED, {})
    data = saved_work.data_in(work)
    rest = {name: value for name, value in work.items() if name not in data}
    for file, part, now in zip(_files(), (data, rest), (data, saved_work.choices_in(rest)), strict=False):
        if file.exists():
            os.utime(file)  # its last use
        elif not kept_work.has_something_to_lose():
            continue
        if not kept_work.same(stored.get(file.name, now if file.exists() else {}), now):
            context: Any = get_script_run_ctx()
            _WRITER.submit(_write, file, part, context.session_id)
        stored[file.name] = now


def _write(file: Path, work: Mapping[str, Any], session: str) -> None:
    """Write a file for the server's user alone; a server that ends meanwhile leaves the earlier one."""
    new, owner = file.with_suffix(".new"), file.name.partition(".")[0]
    try:
        content = saved_work.written(work)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as opened:
            opened.write(content)
        new.replace(file)
        _failed.pop(owner, None)
    except Exception as error:  # a thread has no other way to report
        _log.warning("Work cannot be stored: %s", error)
        with suppress(OSError):
            new.unlink(missing_ok=True)
        _failed[owner] = getattr(error, "strerror", None) or type(error).__name__
        run_again(session)
