"""The work of a browser as a file: what `kept_work` keeps, written out, and put back on any machine.

Users download and open it. Where the server has a folder (``topicset app --store``), it also stores their work
there, so that it outlives the server: each browser has a file of its data, and one of all else, which is small and
changes often. The server deletes those that are old.
"""

import json
import logging
import os
import secrets
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts import data, dossier, export_drawer, frame, judges, kept_work, link, runs_data
from pages.parts.computation import UNDER_WAY
from pages.parts.contents import PAGES, by_address
from pages.parts.form import USUAL, switched
from pages.parts.limits import OF_RUNS, STORE
from pages.parts.parsing import parsed
from pages.parts.sweeps import Source
from pages.parts.tabs import run_again
from topicset_core.collection import Selected
from topicset_core.collection.replicated_scores import PairedLabels, ReplicatedScores
from topicset_core.errors import InputError, ParseError, TopicsetError
from topicset_core.execution.confined import Confinement
from topicset_core.exports import Report
from topicset_core.exports.dossier import Chapter
from topicset_core.parsing.limits import LARGEST_UPLOAD_MB
from topicset_core.parsing.saved import Saved, fits, opened, saved
from topicset_core.parsing.trec.track import Track, check_repeated, rejoined
from topicset_core.wording import counted, first_few, joined, visible

_KEY = "saved_work"
_WITH_RUNS, _FILE, _SHOWN, _MESSAGE, _BEFORE = (
    f"{_KEY}/{name}" for name in ("with-runs", "file", "shown", "said", "before")
)
_TRACK, _CHOSEN, _SWEEPS = "runs/reading/results", "runs/chosen", "training-sensitivity/brought"
_OF_RUNS = (_TRACK, _CHOSEN, _SWEEPS)
_DATA: dict[str, Any] = {
    "loaded_scores": list[data.Upload],
    "loaded_scores/counter": int,
    "loaded_scores/leading": list[int],
    "loaded_scores/pooled-anyway": list[list[str]],
    _TRACK: dict[str, Track],
    _CHOSEN: Selected | None,
    _SWEEPS: list[Source],
    f"{judges.OWN}judge": PairedLabels | None,
    f"{judges.OWN}repeats": ReplicatedScores | None,
}
"""What data there are, by their names in the session, and of what kind in a file."""

_MORE: dict[str, Any] = {
    dossier.KEPT: tuple[Chapter, ...],
    **dict.fromkeys((f"dossier/{name}" for name in ("title", "authors", "summary")), str),
    **dict.fromkeys((f"{data.PLANNING}/{name}" for name in ("scores", "weights", "scenario")), str),
    **dict.fromkeys((f"{data.PLANNING}/{name}" for name in ("sources", "last")), dict[str, str]),
    f"{data.PLANNING}/sources/measure": str,
    "check-scores-planned": dict[str, object],
    "runs/level": int,
    "runs/sample": Literal["ad hoc", "diversity"],
    **dict.fromkeys((f"{name}-by-intent" for name in ("runs/measure-names", "pool/measures")), list[str]),
    **dict.fromkeys(("runs/measure-names", "pool/measures", "topic-subsets/audit/left_out"), list[str]),
    **dict.fromkeys(("looks/differences", "compare/typed-variances", "topic-subsets/audit/text"), str),
    "topic-subsets/audit/taken": tuple[str, str],
    kept_work.ADDRESS: str,
}
"""The dossier, and what users typed or chose that no link carries."""

_SHARED = (data.PLANNING, "runs")
"""Forms of several pages, or of a page without a link: a line has their fields by their keys."""

_ADDRESSES = {
    "check-scores": "check-on-my-scores",
    "compare": "compare-designs",
    "judges": "judges-and-repeats",
    "pool": "pool-depth",
    "reported": "reported-result",
}
"""Forms in files of earlier versions whose names were not the address of their page."""

_NO_FIELDS = {"model", "fields", "expand", "variance-from", "table", "level", "refused"}
"""What these files have of widgets outside of forms."""

_MOST_NAMED, _LONGEST = 20, 200

_APART = Confinement((__name__,))
"""Starts with the first file that is opened, as it imports the classes of pages, too."""

_WRITER = ThreadPoolExecutor(1, "storing")
_STORED = "kept_work/stored"
_log = logging.getLogger(__name__)
_last: dict[str, bytes] = {}
_VERSION_BYTES = 32
_failed: dict[str, str] = {}
"""Why the files of a browser could not be written at last."""


def draw() -> None:
    """Draw, in the head line, how to save the work and how to open work that was saved."""
    with frame.head("work"):
        frame.menu("Save or open", ":material/save:", _save_or_open, key="work")
    _show_outcome()


def _save_or_open() -> None:
    state, count = st.session_state, st.session_state.get(_FILE, 0)
    if state.setdefault(_SHOWN, count) != count:
        state[_SHOWN] = count
        st.rerun()  # a file was opened, which changes the page
    st.markdown(
        "One zip file with your data (scores as CSV, runs and judgments as TREC files), your choices (a line per "
        "page), your dossier, and the answers. Open it in any browser to restore them; pages compute their results "
        "again."
    )
    with_runs = True
    if runs_data.own() is not None:
        with_runs = st.toggle(
            "With runs and judgments",
            value=True,
            key=_WITH_RUNS,
            persist_state="session",
            help="Without them the file is small: it has the scores, and of runs and judgments their names and "
            "SHA-256 digests. Answers that need the runs are then left out.",
        )
    snapshot, reports = kept_work.snapshot(), export_drawer.drawn()
    st.download_button(
        "Save my work",
        data=lambda: written(snapshot, reports, with_runs=with_runs),
        file_name=f"topicset-work-{datetime.now(UTC).date().isoformat()}.zip",
        mime="application/zip",
        on_click="ignore",
        icon=":material/download:",
        key=f"{_KEY}/save",
        width="stretch",
    )
    if unfit := _unfit(snapshot):
        st.warning(f"The file will not have {frame.plain(joined(unfit))}: Topicset could not read it again.")
    st.file_uploader(
        "Open saved work",
        type="zip",
        max_upload_size=LARGEST_UPLOAD_MB,
        key=f"{_FILE}-{count}",
        on_change=_open,
        help="It replaces your current work; you can undo this.",
    )


def written(work: Mapping[str, Any], reports: Mapping[str, Report] = {}, *, with_runs: bool = True) -> bytes:
    """Return the file, in which results are records alone: no page shows a number that it did not compute."""
    unfit = _unfit(work)
    kept = {
        name: value
        for name, value in work.items()
        if _kind(name) is not None and name not in unfit and (value or not name.endswith(UNDER_WAY))
    }
    track, notes = _track(kept), dict[str, Any]()
    if not with_runs:
        kept = {name: value for name, value in kept.items() if name not in _OF_RUNS}
        judged = () if track is None else track.judged
        notes["runs left out"] = [
            f"{one.qrels.name} ({counted(one.n_systems, 'run')}, SHA-256 {one.digest})" for one in judged
        ]
    elif track is not None:
        kept[_TRACK] = {name: replace(one, judged=()) for name, one in kept[_TRACK].items()}
        chosen = kept.get(_CHOSEN)
        # The selection is repeated from all of it.
        kept[_CHOSEN] = chosen[2] if chosen is not None and chosen[0] is track else None
    if _SWEEPS in kept:
        kept[_SWEEPS] = [replace(one, sweeps={}) for one in kept[_SWEEPS]]
    answers = "\n\n".join(f"{one.title}\n{one.sentence}\n{one.link}" for one in reports.values())
    records = [one.record() | {"answer": one.sentence} for one in reports.values()]
    texts = {"answers.txt": f"{answers}\n", "answers.json": json.dumps(records, ensure_ascii=False, indent=1)}
    return saved(kept, _links_in(work), notes, texts)


def _unfit(values: Mapping[str, Any]) -> list[str]:
    """Return the names of values that a file should have, and that are not of their kind."""
    return [
        name
        for name, value in values.items()
        if (kind := _kind(name)) is not None and name != _CHOSEN and not fits(value, kind)
    ]


def _links_in(snapshot: Mapping[str, Any]) -> dict[str, str]:
    """Return the queries of pages, and of forms that pages share, by their names."""
    return dict(snapshot.get(link.OF_PAGES, {})) | _links_of_shared(snapshot)


def _links_of_shared(values: Mapping[str, Any]) -> dict[str, str]:
    links = {form: urlencode(dict(_fields(values, form)), safe="/:@") for form in _SHARED}
    return {form: query for form, query in links.items() if query}


def _kind(name: str) -> Any:
    """Return of what kind a value of this name is in a file; None if files do not have it."""
    if name.startswith(("dossier/note-", "dossier/figures-")):
        return str if name.startswith("dossier/note-") else list[str]
    if name.endswith(UNDER_WAY):
        return str
    return _DATA.get(name, _MORE.get(name))


def _fields(values: Mapping[str, Any], form: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of a form by their keys, as links write them: the valid numbers, and texts."""
    valid = values.get(f"{form}/valid")
    for key, value in valid.items() if isinstance(valid, dict) else ():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield str(key), str(link.written(value))
    for name, value in values.items():
        if name.startswith(f"{form}/") and isinstance(value, str) and value and _kind(name) is None:
            yield name.removeprefix(f"{form}/").removesuffix(link.WAITS), value


def _links_of_earlier(values: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, str]:
    """Return the queries of pages by their names, made of the choices in a file of an earlier version."""
    links = _links_of_shared(values)
    for form in dict.fromkeys(name.partition("/")[0] for name in values):
        page = by_address().get(_ADDRESSES.get(form, form))
        if form in _SHARED or page is None:
            continue
        test = values.get("reported/test", "")
        written: dict[str, Any] = {
            key.removeprefix(f"{test}/"): text
            for key, text in _fields(values, form)
            if text != USUAL and key not in _NO_FIELDS
        }
        for name, value in values.items():
            key = name.removeprefix(f"{form}/")
            if name == key or key in _NO_FIELDS or _kind(name) is not None:
                continue
            if isinstance(value, bool):
                written[key] = switched(value)
            elif fits(value, list[str]):
                written[key] = value
            elif key == "matrix" and isinstance(value, int):
                uploads = data.used(
                    content.get("loaded_scores", ()), content.get("loaded_scores/leading", ())
                )
                if value in range(len(uploads)):
                    written |= data.named_in_links(uploads[value].matrix)
        links[page.name] = urlencode({key: one for key, one in written.items() if "/" not in key}, doseq=True)
    return links


def _track(values: Mapping[str, Any]) -> Track | None:
    """Return the runs and judgments that were read last."""
    kept: dict[Any, Track] = values.get(_TRACK, {})
    return next(reversed(kept.values()), None)


def _choices_in(work: Mapping[str, Any]) -> dict[str, Any]:
    """Return all else that a file has of a session: the dossier, choices, and links."""
    more = {name: value for name, value in work.items() if name not in _DATA and value and _kind(name)}
    return more | _of_links(_links_in(work))


def read(content: bytes, name: str) -> tuple[Saved, dict[str, Any]]:
    """Return the contents of a file, and the values of a session that follow from them."""
    result = opened(content, name, _kind)
    earlier = {name: one for name, one in result.choices.items() if fits(one, _kind(name) or Literal[()])}
    values = _checked(result.data | earlier, name)
    if address := values.get(kept_work.ADDRESS):
        page, _, query = address.partition("?")
        values[kept_work.ADDRESS] = f"{_page_name(page.rpartition('/')[2])}?{query}"
    return result, values | _of_links(_links_of_earlier(result.choices, values) | result.links)


def _page_name(text: str) -> str:
    """Return the name of the page that a file names; files of earlier versions have its address."""
    page = None if text in (page.name for page in PAGES) else by_address().get(text)
    return text if page is None else page.name


def _of_links(links: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of a session that links are; fields of shared forms wait until a page draws them."""
    shared = [(form, *pair) for form in _SHARED for pair in parse_qsl(links.get(form, ""))]
    of_pages = {_page_name(name): query for name, query in links.items() if name not in _SHARED}
    return {link.OF_PAGES: of_pages} | {f"{form}/{name}{link.WAITS}": text for form, name, text in shared}


def _open() -> None:
    state = st.session_state
    name = f"{_FILE}-{state.get(_FILE, 0)}"
    upload = state[name]
    if upload is None:
        return
    try:
        result, values = parsed(
            [upload.name], read, upload.getvalue(), upload.name, bounds=OF_RUNS, apart=_APART
        )
    except ParseError as error:
        state[_MESSAGE] = ("error", str(error))
        return
    finally:
        state[_FILE] = state.get(_FILE, 0) + 1  # an empty uploader for the next file
    state[_BEFORE] = kept_work.replace(values)
    state[_MESSAGE] = ("success", _what_was_opened(result))


def _checked(values: dict[str, Any], file: str) -> dict[str, Any]:
    """Return data with the values that follow from them."""
    values = dict(values)
    if dossier.KEPT in values:
        values[dossier.KEPT] = tuple(replace(chapter, is_saved=True) for chapter in values[dossier.KEPT])
    chosen: Selected | None = values.pop(_CHOSEN, None)
    try:
        if _TRACK in values:
            values[_TRACK] = {name: rejoined(one) for name, one in values[_TRACK].items()}
            track = _track(values)
            if chosen is not None and track is not None:
                values[_CHOSEN] = (track, *track.select(chosen.topics, chosen.systems))
        for source in values.get(_SWEEPS, []):
            for run in source.runs:
                check_repeated(run)
            check_repeated(source.qrels)
        if any(source.sweeps or source.is_sample for source in values.get(_SWEEPS, [])):
            raise InputError("sweeps", 0, "must be neither joined files nor a sample")
    except InputError as error:
        raise ParseError(file, None, f"expected saved work as it was written, found {error}") from None
    return values


def _what_was_opened(result: Saved) -> str:
    parts = []
    if uploads := data.own():
        parts.append(f"{counted(len(uploads), 'table')} of scores")
    track = runs_data.own()
    if track is not None:
        parts.append(f"{counted(len(track.runs), 'run')} with judgments")
    if any(one is not None for name, one in result.data.items() if name.startswith(judges.OWN)):
        parts.append("scores with a judge or repeats")
    what = joined(parts) if parts else "choices without data"
    text = f"Opened the work that Topicset {result.version} saved on {result.date}: {what}."
    missing = result.notes.get("runs left out")
    if isinstance(missing, list) and missing:
        named = "; ".join(str(one)[:_LONGEST] for one in missing[:_MOST_NAMED])
        text += f" The file was saved without runs and judgments; upload them where pages need them: {named}."
    known = {*(page.name for page in PAGES), *_SHARED}
    unread = [*result.unread, *(name for name in result.links if _page_name(name) not in known)]
    if unread:
        listed = first_few([one[:_LONGEST] for one in unread], _MOST_NAMED)
        text += f" {counted(len(unread), 'choice')} of that version could not be read: {listed}."
    return visible(text)


def _show_outcome() -> None:
    """Report the import of a file, above the page, until it is dismissed or the work goes on elsewhere."""
    state = st.session_state
    if _MESSAGE not in state:
        return
    kind, text = state[_MESSAGE]
    with st.container(key="opened-work"):
        (st.error if kind == "error" else st.success)(frame.plain(text))
        with st.container(horizontal=True):
            if kind != "error" and _BEFORE in state:
                st.button("Undo: restore the previous work", key=f"{_KEY}/undo", on_click=_undo)
            st.button("Hide this note", key=f"{_KEY}/dismiss", on_click=_dismiss)


def _undo() -> None:
    kept_work.replace(st.session_state.pop(_BEFORE))
    _dismiss()


def _dismiss() -> None:
    for name in (_MESSAGE, _BEFORE):
        st.session_state.pop(name, None)


def _files() -> list[Path]:
    """Return the files of this browser, whose names tell nobody the secret; none where nothing is stored."""
    folder, owner = os.environ.get(STORE), kept_work.browser()
    return [Path(folder) / f"{owner}.{end}" for end in ("zip", "choices.zip")] if folder and owner else []


def bring_back() -> None:
    """Read the work of this browser where it is not in memory, or another server stored it since."""
    files = [file for file in _files() if file.exists()]
    if not files or (kept_work.has_begun() and _version(files[0]) in (_last.get(files[0].name), b"")):
        return
    values: dict[str, Any] = {}
    for file in files:
        try:
            version, content = _version(file), file.read_bytes()
            values |= read(content, file.name)[1]
            _last[file.name] = version
        except (OSError, TopicsetError) as error:
            _log.warning("Stored work cannot be read: %s", error)
            what = "choices" if file.name.endswith(".choices.zip") else "data"
            again = "" if what == "choices" else f" {kept_work.AGAIN}"
            text = f"Your {what} that this server stored cannot be read any more, and are lost.{again}"
            st.session_state[_MESSAGE] = "error", text
    if not kept_work.has_begun():
        if values:
            kept_work.add(values)
        return
    state, before = st.session_state, kept_work.snapshot()
    added = data.added_since(before)
    for name in _DATA:
        is_joined = added and name.startswith(data.UPLOADS)  # with what is new here
        if name in values and (is_joined or kept_work.same(state.get(name), before.get(name))):
            state[name] = values[name]
    for upload in added:
        data.append(upload)


def _version(file: Path) -> bytes:
    """Return what tells a stored file from all others of its name: its last bytes; b"" without a file."""
    try:
        with file.open("rb") as opened:
            opened.seek(-_VERSION_BYTES, os.SEEK_END)
            return opened.read()
    except OSError:
        return b""


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
    content = {name: value for name, value in work.items() if name in _DATA and value}
    rest = {name: value for name, value in work.items() if name not in content}
    for file, part, now in zip(_files(), (content, rest), (content, _choices_in(rest)), strict=False):
        if file.exists():
            os.utime(file)  # its last use
        elif not kept_work.has_something_to_lose():
            continue
        if not kept_work.same(stored.get(file.name, now if file.exists() else {}), now):
            context: Any = get_script_run_ctx()
            _WRITER.submit(_write_stored, file, part, context.session_id)
        stored[file.name] = now


def _write_stored(file: Path, work: Mapping[str, Any], session: str) -> None:
    """Write a file for the server's user alone; a server that ends meanwhile leaves the earlier one."""
    new, owner = file.with_suffix(".new"), file.name.partition(".")[0]
    try:
        version = secrets.token_hex(_VERSION_BYTES // 2).encode()
        # The comment of the archive, whose length is in its last two bytes, is the version.
        content = written(work)[:-2] + _VERSION_BYTES.to_bytes(2, "little") + version
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        new.replace(file)
        _last[file.name] = version
        _failed.pop(owner, None)
    except Exception as error:  # a thread has no other way to report
        _log.warning("Work cannot be stored: %s", error)
        with suppress(OSError):
            new.unlink(missing_ok=True)
        _failed[owner] = getattr(error, "strerror", None) or type(error).__name__
        run_again(session)
