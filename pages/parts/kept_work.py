"""The work of a browser outlives its tab: after a reload, and in a second tab, all is as it was.

A session of Streamlit ends with its tab. Therefore what users upload, choose and compute is also kept under
the secret of their browser: a cookie that the server sets and that no script can read. It is kept in memory
only, for some hours, and the oldest goes first where memory is short. Users without that cookie lose nothing
but this.
"""

import hashlib
import json
import os
import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import streamlit as st
from streamlit import config, runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts import frame
from pages.parts.contents import Page
from pages.parts.limits import LONGEST_HOURS, MOST_BROWSERS, MOST_BYTES, MOST_BYTES_OF_A_USER, STORE
from pages.parts.tabs import BROWSER, told
from topicset_core.wording import counted, joined

_MOST_DROPPED = 100_000  # browsers whose work went; 64 bytes each
_MOST_ADDRESSES = 50

_DATA = (
    "loaded_scores",
    "runs/",
    "score_matrices/",
    "training-sensitivity/brought",
    "judges/own-",
    "dossier/",
)
"""How the names begin of data, and of the dossier; the other names are settings of pages."""

_UPLOADED = (
    "loaded_scores",
    "runs/reading/results",
    "training-sensitivity/brought",
    "judges/own-",
    "dossier/kept",
)
"""Of these, the beginnings of names that hold something only where a user brought it."""

AGAIN = "Please upload them again, or open saved work with “Save or open”."

_MATRICES = "loaded_scores"
_SEEN, _DROPPED_MESSAGE = "kept_work/seen", "kept_work/dropped"
ADDRESS = "links/address"  # the link that the address bar shows: name of its page, and query
SHOWN = "shown"
"""Name in links of the sender's answer, which is no setting: an address is the same without it."""
_STEPS = "links/steps"  # the choices at each address that the address bar has shown
_MOST_STEPS = 50
_FOLLOWED, _IS_ANSWERED = "kept_work/followed", "kept_work/is-answered"
_SIZES, _REMOVED = "kept_work/sizes", "kept_work/removed"
_FILES = "kept_work/files"
_SNAPSHOT, _SWITCHES = "kept_work/snapshot", "kept_work/switches"
_UNDER_WAY = "/under-way"  # as in `computation`
OF_THE_TAB = ("kept_work/", "frame/", "saved_work/")
"""Prefixes of names with values of one tab: they are not kept."""


@dataclass
class Work:
    """The work of one browser: values of the session by name, its addresses, and when it was last used."""

    values: dict[str, Any] = field(default_factory=dict)
    addresses: OrderedDict[str, None] = field(default_factory=OrderedDict)
    used: float = field(default_factory=time.monotonic)
    n_bytes: int = 0
    has_data: bool = False


class WorkStore:
    """The work of all browsers, the one used last at the end."""

    def __init__(
        self,
        most_bytes: int = MOST_BYTES,
        most_browsers: int = MOST_BROWSERS,
        longest_seconds: float = LONGEST_HOURS * 3600.0,
    ) -> None:
        self._limits = most_bytes, most_browsers, longest_seconds
        self._kept: OrderedDict[str, Work] = OrderedDict()
        self._dropped: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, browser: str) -> Work | None:
        """Return the work of a browser, as it is now; None if not available."""
        with self._lock:
            self._tidy()
            work = self._kept.get(browser)
            return None if work is None else Work(dict(work.values), OrderedDict(work.addresses), work.used)

    def was_dropped(self, browser: str) -> bool:
        """Return whether the work of a browser was dropped, once: it is then forgotten."""
        with self._lock:
            self._tidy()
            return self._dropped.pop(browser, False) is None

    def put(self, browser: str, changed: Mapping[str, Any], address: str) -> None:
        """Keep the changes, next to the values kept already."""
        with self._lock:
            work = self._kept.setdefault(browser, Work())
            work.used = time.monotonic()
            self._kept.move_to_end(browser)
            if address:
                work.addresses[address] = None
                while len(work.addresses) > _MOST_ADDRESSES:
                    work.addresses.popitem(last=False)
            if changed:
                work.values |= changed
                work.n_bytes = n_bytes(work.values)
                work.has_data = any(
                    bool(value) for name, value in work.values.items() if name.startswith(_UPLOADED)
                )
                self._tidy()

    def forget(self, browser: str) -> None:
        """Forget the work of a browser: other work takes its place."""
        with self._lock:
            self._kept.pop(browser, None)

    @property
    def n_bytes(self) -> int:
        """What all work takes, by estimate."""
        with self._lock:
            return sum(work.n_bytes for work in self._kept.values())

    def tidy_up(self) -> None:
        """Drop what is too old, also where nobody uses the store."""
        with self._lock:
            self._tidy()

    def _tidy(self) -> None:
        """Drop work: what is too old, then where memory is short that without data, each the oldest first."""
        most_bytes, most_browsers, longest = self._limits
        now = time.monotonic()
        while self._kept and now - next(iter(self._kept.values())).used > longest:
            self._drop(next(iter(self._kept)))
        taken = sum(work.n_bytes for work in self._kept.values())
        if taken <= most_bytes and len(self._kept) <= most_browsers:
            return
        for browser, work in sorted(self._kept.items(), key=lambda item: item[1].has_data):
            if taken <= most_bytes and len(self._kept) <= most_browsers:
                return
            taken -= work.n_bytes
            self._drop(browser)

    def _drop(self, browser: str) -> None:
        if self._kept.pop(browser).has_data:
            self._dropped[browser] = None
        while len(self._dropped) > _MOST_DROPPED:
            self._dropped.popitem(last=False)


def n_bytes(value: Any) -> int:
    """Return about how many bytes a value takes, with all that it refers to, each counted once."""
    seen: set[int] = set()
    waiting, total = [value], 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        total += one.nbytes if isinstance(one, np.ndarray) else sys.getsizeof(one, 64)
        waiting.extend(_parts(one))
    return total


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from value.keys()
        yield from value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        yield from value
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield getattr(value, one.name, None)
        yield from getattr(value, "__dict__", {}).values()


@st.cache_resource(show_spinner=False)
def _store() -> WorkStore:
    """Return the one of this server."""
    return WorkStore()


@st.cache_resource(show_spinner=False)
def _start() -> str:
    """Return what tells this start of the server from others."""
    return secrets.token_hex(4)


def browser() -> str:
    """Return the owner of this session, all tabs of a browser: a digest of its secret; "" without the cookie."""
    return st.context.headers.get(BROWSER, "")


def has_begun() -> bool:
    """Return whether this session has begun, or the work of its browser is in memory."""
    return _SEEN in st.session_state or _store().find(browser()) is not None


def add(values: Mapping[str, Any]) -> None:
    """Take values as work of this browser, before its session begins."""
    _store().put(browser(), values, values.get(ADDRESS, ""))


def bring_back(page: Page) -> None:
    """Put the work of this browser into a session that begins on a page; only data where a link has settings."""
    state = st.session_state
    if _SEEN in state:
        return
    state[_SEEN] = {}
    owner = browser()
    work = _store().find(owner) if owner else None
    if _remembered() != _start():
        values = work.values if work else {}
        lost = [one for name, one in values.items() if name.endswith(_UNDER_WAY) and one]
        again = f"; start again: {frame.plain(joined(lost))}" if lost else ", without results of long runs"
        state[_DROPPED_MESSAGE] = (
            "The server was restarted, and computations that were running have ended. "
            + (f"Your data are here again{again}." if work else f"Your data are no longer here. {AGAIN}")
        )
    elif work is None and owner and _store().was_dropped(owner):
        state[_DROPPED_MESSAGE] = (
            "The data that you loaded earlier are no longer on the server. It keeps data for "
            f"{LONGEST_HOURS} hours, or less where many people use it. {AGAIN}"
        )
    if work is None:
        return
    only_data = bool(st.query_params) and _here(page) not in work.addresses
    for name, value in work.values.items():
        if name not in state and (name.startswith(_DATA) or name.endswith("/results") or not only_data):
            _set(name, value)
            state[_SEEN][name] = _copied(value)


def _address(page: Page, query: Iterable[tuple[str, str]]) -> str:
    """Return how an address is named here."""
    return f"{page.name}?{sorted((name, value) for name, value in query if name != SHOWN)}"


def _here(page: Page) -> str:
    """Return the address that the browser asked for."""
    query = st.query_params
    return _address(page, ((name, value) for name in query for value in query.get_all(name)))


def is_own(page: Page) -> bool:
    """Return whether this work wrote the address: it is no link that someone sent."""
    return _here(page) in st.session_state.get(_STEPS, {})


def _is_step_back() -> bool:
    """Return whether the user pressed Back or Forward for this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def step_back(page: Page) -> None:
    """Where the user pressed Back or Forward, put back the choices as they were at that address; data stay."""
    state = st.session_state
    choices = state.get(_STEPS, {}).get(_here(page)) if _is_step_back() else None
    if choices is None:
        return
    for name in _choices(_work(state.to_dict())).keys() - choices.keys():
        del state[name]
    for name, value in choices.items():
        _set(name, value)


def _choices(work: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices in the work: neither data nor results, nor what is kept of links and jobs."""
    return {
        name: _copied(value)
        for name, value in work.items()
        if not name.startswith((*_DATA, "links/")) and not name.endswith(("/results", _UNDER_WAY))
    }


class Keeping:
    """Keeps what a run of a page changes, unless it raises: what breaks a page does not outlive its tab."""

    def __init__(self, *further: Callable[[], None]) -> None:
        self._further = further  # steps after it

    def __enter__(self) -> None:
        """Begin the run."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End it; Streamlit ends runs early by what is no `Exception`."""
        if kind is None or not issubclass(kind, Exception):
            keep()
            for step in self._further:
                step()


def tidy_up() -> None:
    """End sessions of closed tabs, and drop old work; Streamlit and the store would do it for the next visitor."""
    _store().tidy_up()
    if runtime.exists():
        running: Any = runtime.get_instance()

        def end_closed() -> None:
            for _, closed in running._session_mgr._session_storage._cache.expire():
                closed.session.shutdown()
                # Streamlit holds the last session until another one begins: without its values.
                closed.session.session_state.clear()

        running._get_async_objs().eventloop.call_soon_threadsafe(end_closed)


def _free_read_files(values: Iterable[Any]) -> None:
    """Free files that left their uploader: Streamlit holds them as long as the session."""
    parts = (value if isinstance(value, list) else [value] for value in values)
    here = {one.file_id for value in parts for one in value if isinstance(one, UploadedFile)}
    context: Any = get_script_run_ctx()
    for file in st.session_state.get(_FILES, set()) - here:
        context.uploaded_file_mgr.remove_file(context.session_id, file)
    st.session_state[_FILES] = here


def keep() -> None:
    """Keep what this run of the page changed."""
    owner, state = browser(), st.session_state
    values = state.to_dict()  # each look-up in the session takes longer
    _free_read_files(values.values())
    work = _work(values)
    if state.pop(_IS_ANSWERED, False) and not state.get(frame.IS_PREVIOUS):
        steps = {one: choices for one, choices in state.get(_STEPS, {}).items() if one != state[ADDRESS]}
        steps[state[ADDRESS]] = _choices(work)
        state[_STEPS] = work[_STEPS] = dict(list(steps.items())[-_MOST_STEPS:])
    snapshot().update((name, _copied(value)) for name, value in work.items())
    bound(MOST_BYTES_OF_A_USER)
    if not owner or _SEEN not in state:
        return
    seen: dict[str, Any] = state[_SEEN]
    changed = {}
    for name, value in snapshot().items():
        if name not in seen or not same(seen[name], value):
            changed[name] = seen[name] = value
    _store().put(owner, changed, state.get(ADDRESS, ""))


def mark() -> None:
    """Have the browser remember this start of the server, if a restart would lose something or has just done so."""
    if has_something_to_lose():
        _remember(2 * LONGEST_HOURS * 3600)
    elif _DROPPED_MESSAGE in st.session_state:
        _remember(0)


def has_something_to_lose() -> bool:
    """Return whether this session has data, a dossier, or work under way."""
    kept = [name for name, value in snapshot().items() if value]
    return any(name.startswith(_UPLOADED) or name.endswith(_UNDER_WAY) for name in kept)


def _remembered() -> str:
    """Return the start of the server that the browser remembers, or this one."""
    result: str = st.context.cookies.get(_name_of_start(), _start())
    return result


def _remember(seconds: int) -> None:
    written = f"{_name_of_start()}={_start()}; path=/; max-age={seconds}; samesite=lax"
    st.html(f"<script>document.cookie = '{written}'</script>", unsafe_allow_javascript=True)


def _name_of_start() -> str:
    """Return the name of that cookie, which other servers on this computer do not have."""
    here = urlsplit(st.context.url or "")
    place = f"{here.netloc}/{config.get_option('server.baseUrlPath').strip('/')}"
    return f"topicset_start_{hashlib.sha256(place.encode()).hexdigest()[:8]}"


def bound(most_bytes: int) -> None:
    """Remove the oldest results, then the oldest matrices, if they take more memory; the newest of each stays."""
    state, known = st.session_state, st.session_state.setdefault(_SIZES, {})
    values = {
        name: value
        for name, value in snapshot().items()
        if name == _MATRICES or (name.endswith("/results") and isinstance(value, dict))
    }
    for name, value in values.items():
        if name not in known or not same(known[name][0], value):
            known[name] = value, n_bytes(value)
    taken = sum(known[name][1] for name in values)
    removed = {True: 0, False: 0}  # matrices and not
    for name in sorted(values, key=lambda name: name == _MATRICES):  # results can be computed again
        left = list(values[name].items()) if name != _MATRICES else list(values[name])
        while len(left) > 1 and taken > most_bytes:
            taken -= n_bytes(left.pop(0))
            removed[name == _MATRICES] += 1
        if len(left) < len(values[name]):
            state[name] = left if name == _MATRICES else dict(left)
            snapshot()[name] = _copied(state[name])
    if any(removed.values()):
        state[_REMOVED] = removed[True], removed[False]


def snapshot() -> dict[str, Any]:
    """Return the work of this session, by name, as it was at the end of the last run; kept up to date."""
    result: dict[str, Any] = st.session_state.setdefault(_SNAPSHOT, {})
    return result


def replace(values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace all work of this session, and return the previous work. Call it from a callback."""
    state, before = st.session_state, snapshot().copy()
    for name in [*before, *_work(state.to_dict())]:
        if name in state:
            del state[name]
    for name, value in values.items():
        if not name.startswith(OF_THE_TAB):
            _set(name, value)
    state[_SEEN] = {}
    state[_SNAPSHOT] = {}
    state[ADDRESS] = ""
    st.query_params.clear()
    if owner := browser():
        _store().forget(owner)
    return before


def _set(name: str, value: Any) -> None:
    st.session_state[switch(name) if isinstance(value, bool) else name] = _copied(value)


def show_where_data_stay() -> None:
    """Write where uploads are kept, and for how long; without the cookie that is not beyond the tab."""
    until = "They are deleted two minutes after this tab is closed."
    if browser():
        until = (
            "They are restored after a reload, in this browser only, and are deleted "
            f"{LONGEST_HOURS} hours after your last use."
        )
    where = (
        "in the memory and a folder of this server" if STORE in os.environ else "in the memory of this server"
    )
    st.markdown(
        f":small[Your data stay {where}. Other users cannot see them, and they are not "
        f"sent elsewhere. {until}]"
    )


def show_dropped() -> None:
    """Write what was refused, and once that earlier work is gone, or the oldest of this session's."""
    context = get_script_run_ctx()
    if context is not None and (refusal := told(context.session_id)):
        with st.container(key="refused"):
            st.error(refusal)
            # Streamlit's own words about the file are a status code.
            st.html(
                "<style>[role=tooltip]:has([data-testid=stTooltipErrorContent]) { display: none; }</style>"
            )
    if (removed := st.session_state.pop(_REMOVED, None)) is not None:
        kinds = zip(removed, ("upload", "result"), strict=True)
        listed = " and ".join(counted(n, kind) for n, kind in kinds if n)
        with st.container(key="work-removed"):
            st.warning(
                f"Your data and results take more than {MOST_BYTES_OF_A_USER // 1_000_000:,} MB, the most for one "
                f"user. The oldest were removed: {listed}."
            )
    if st.session_state.get(_DROPPED_MESSAGE):
        with st.container(key="work-dropped"):
            st.warning(st.session_state[_DROPPED_MESSAGE])
            st.button(
                "Hide this note",
                key="kept_work/understood",
                on_click=lambda: st.session_state.pop(_DROPPED_MESSAGE, None),
            )


def follow(url: str) -> None:
    """Let the address bar show the link to the answer, with a step in the history where a value changed."""
    # Streamlit's own way adds such a step for each address of a page, also for the first one.
    state, parts = st.session_state, urlsplit(url)
    address = _address(frame.current(), parse_qsl(parts.query, keep_blank_values=True))
    before, state[ADDRESS] = state.get(_FOLLOWED, ""), address
    state[_FOLLOWED], state[_IS_ANSWERED] = address, True
    same_page = before.partition("?")[0] == address.partition("?")[0]
    how = "pushState" if same_page and before != address and not _is_step_back() else "replaceState"
    written = json.dumps(f"{parts.path or '/'}?{parts.query}").replace("<", "\\u003c")
    # A step whose address is there already is none.
    st.html(
        f"<script>((url, how) => {{ if (location.pathname + location.search !== url) "
        f"history[how](history.state, '', url); }})({written}, '{how}')</script>",
        unsafe_allow_javascript=True,
    )


def switch(key: str) -> str:
    """Return the key of a widget that is on or off; only so can it be told from a button, which cannot be set."""
    st.session_state.setdefault(_SWITCHES, set()).add(key)
    return key


def _work(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of all values of this session that can be set: not buttons and uploads."""
    return {
        name: value
        for name, value in values.items()
        if not name.startswith(OF_THE_TAB) and _can_be_set(name, value)
    }


def _can_be_set(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return name in st.session_state.get(_SWITCHES, ())
    if value is None or (
        isinstance(value, list) and not value
    ):  # an uploader without a file is the same, but it never had a value that was kept
        return name in snapshot()
    if isinstance(value, Mapping) and {"edited_rows", "selection"} & set(value):
        return False  # the state of a table editor or a chart, which belongs to the drawn widget
    return not any(isinstance(one, UploadedFile) for one in (value if isinstance(value, list) else [value]))


def _copied(value: Any) -> Any:
    """Return a value that no session changes for another one: a copy of what can be changed in place."""
    return value.copy() if isinstance(value, list | dict | set) else value


def same(before: Any, now: Any) -> bool:
    """Return whether a value did not change: identical, equal and simple, or with identical elements."""
    if before is now:
        return True
    if type(before) is not type(now):
        return False
    if isinstance(now, list | tuple):
        return len(before) == len(now) and all(map(same, before, now))
    if isinstance(now, dict):
        return list(before) == list(now) and all(same(before[key], now[key]) for key in now)
    return isinstance(now, str | int | float | bool) and bool(before == now)
