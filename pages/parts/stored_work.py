"""What users upload outlives the server, where a folder was given for it (`serve.py --store`).

Each browser has one file there, which is its saved work; `serve.py` deletes those that are old.
"""

import logging
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts import kept_work, saved_work
from topicset_core.errors import TopicsetError

_WRITER = ThreadPoolExecutor(1, "storing")
_STORED = "kept_work/stored"
_log = logging.getLogger(__name__)


def _file() -> Path | None:
    """Return the file of this browser, whose name tells nobody the secret; None where nothing is stored."""
    folder, owner = os.environ.get(kept_work.STORE), kept_work.browser()
    return Path(folder) / f"{owner}.zip" if folder and owner else None


def bring_back() -> None:
    """Read the data of this browser, if they are not in memory. Call it before the session begins."""
    file = _file()
    if file is None or kept_work.has_begun() or not file.exists():
        return
    try:
        kept_work.add(saved_work.read(file.read_bytes(), file.name)[1])
    except (OSError, TopicsetError) as error:
        _log.warning("Stored work cannot be read: %s", error)


def store() -> None:
    """Store the work of this browser, if this run of the page changed its data. Call it at its end."""
    file, state = _file(), st.session_state
    if file is None:
        return
    if file.exists():
        os.utime(file)  # its last use
    work = dict(kept_work.snapshot())
    data = saved_work.data_in(work)
    if not kept_work.same(state.get(_STORED, data if file.exists() else {}), data):
        _WRITER.submit(_write, file, work)
    state[_STORED] = data


def _write(file: Path, work: Mapping[str, Any]) -> None:
    """Write a file for the server's user alone; a server that ends meanwhile leaves the earlier one."""
    new = file.with_suffix(".new")
    try:
        content = saved_work.written(work)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as opened:
            opened.write(content)
        new.replace(file)
    except Exception as error:  # a thread has no other way to report
        _log.warning("Work cannot be stored: %s", error)
