"""The work of a browser as a file: what `kept_work` keeps, written out, and put back on any machine."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.parts import data, export_drawer, frame, judges, kept_work, runs_data
from pages.parts.computation import UNDER_WAY
from pages.parts.sweeps import Source
from topicset_core.collection import Selected
from topicset_core.collection.replicated_scores import PairedLabels, ReplicatedScores
from topicset_core.errors import InputError, ParseError
from topicset_core.exports import Report
from topicset_core.parsing.limits import LARGEST_UPLOAD_MB
from topicset_core.parsing.saved import Saved, opened, saved
from topicset_core.parsing.trec.track import Track, check_repeated, rejoined
from topicset_core.wording import counted, joined, visible

_KEY = "saved_work"
_WITH_RUNS, _FILE, _SHOWN, _MESSAGE, _BEFORE, _OPENED = (
    f"{_KEY}/{name}" for name in ("with-runs", "file", "shown", "said", "before", "opened")
)
_TRACK, _CHOSEN, _SWEEPS = "runs/reading/results", "runs/chosen", "training-sensitivity/brought"
_OF_RUNS = (_TRACK, _CHOSEN, _SWEEPS)
_DATA: dict[str, Any] = {
    "loaded_scores": list[data.Upload],
    "loaded_scores/counter": int,
    "loaded_scores/pooled-anyway": list[list[str]],
    _TRACK: dict[str, Track],
    _CHOSEN: Selected | None,
    _SWEEPS: list[Source],
    f"{judges.OWN}judge": PairedLabels | None,
    f"{judges.OWN}repeats": ReplicatedScores | None,
}
"""What data there are, by their names in the session, and of what kind in a file."""

_MOST_NAMED, _LONGEST = 20, 200

UNFIT = (StreamlitAPIException, TypeError, ValueError, LookupError, AttributeError)
"""What widgets and pages raise for an opened choice that is not theirs."""


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
        "One zip file with your data (scores as CSV, runs and judgments as TREC files), your choices on all "
        "pages and your dossier, and the answers with their links. Open it in any browser to restore them; "
        "pages compute their results again."
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
        data=lambda: _file(snapshot, reports, with_runs=with_runs),
        file_name=f"topicset-work-{datetime.now(UTC).date().isoformat()}.zip",
        mime="application/zip",
        on_click="ignore",
        icon=":material/download:",
        key=f"{_KEY}/save",
        width="stretch",
    )
    st.file_uploader(
        "Open saved work",
        type="zip",
        max_upload_size=LARGEST_UPLOAD_MB,
        key=f"{_FILE}-{count}",
        on_change=_open,
        help="It replaces your current work; you can undo this.",
    )


def reset_what_does_not_fit() -> bool:
    """Reset, where a page failed, opened choices not changed since; return whether there were any."""
    state = st.session_state
    wrong = [name for name, value in state.pop(_OPENED, {}).items() if name in state and state[name] is value]
    for name in wrong:
        del state[name]
        kept_work.discard(name)
    if wrong:
        state[_MESSAGE] = (
            "error",
            "The opened file has choices that this page cannot show. They were reset.",
        )
    return bool(wrong)


def _file(snapshot: Mapping[str, Any], reports: Mapping[str, Report], *, with_runs: bool) -> bytes:
    """Return the file, in which results are records alone: no page shows a number that it did not compute."""
    data = {name: snapshot[name] for name in _DATA if name in snapshot}
    track = _track(data)
    notes: dict[str, Any] = {"answers": [one.record() | {"answer": one.sentence} for one in reports.values()]}
    if not with_runs:
        data = {name: value for name, value in data.items() if name not in _OF_RUNS}
        notes |= {"runs left out": _in_words(track)}
    elif track is not None:
        data[_TRACK] = {name: replace(one, judged=()) for name, one in data[_TRACK].items()}
        chosen = data.get(_CHOSEN)
        # The selection is repeated from all of it.
        data[_CHOSEN] = chosen[2] if chosen is not None and chosen[0] is track else None
    if _SWEEPS in data:
        data[_SWEEPS] = [replace(one, sweeps={}) for one in data[_SWEEPS]]
    choices = {
        name: value
        for name, value in snapshot.items()
        if name not in _DATA and not name.endswith(("/results", UNDER_WAY))
    }
    answers = "\n\n".join(f"{one.title}\n{one.sentence}\n{one.link}" for one in reports.values())
    return saved(data, choices, notes, {"answers.txt": f"{answers}\n"})[0]


def _track(values: Mapping[str, Any]) -> Track | None:
    """Return the runs and judgments that were read last."""
    kept: dict[Any, Track] = values.get(_TRACK, {})
    return next(reversed(kept.values()), None)


def _in_words(track: Track | None) -> list[str]:
    """Name runs and judgments, with the digest of each collection."""
    judged = () if track is None else track.judged
    return [f"{one.qrels.name} ({counted(one.n_systems, 'run')}, SHA-256 {one.digest})" for one in judged]


def _open() -> None:
    state = st.session_state
    name = f"{_FILE}-{state.get(_FILE, 0)}"
    upload = state[name]
    if upload is None:
        return
    try:
        result = opened(upload.getvalue(), upload.name, _DATA)
        values = _checked(result.data, upload.name)
    except ParseError as error:
        state[_MESSAGE] = ("error", str(error))
        return
    finally:
        state[_FILE] = state.get(_FILE, 0) + 1  # an empty uploader for the next file
    choices = {name: value for name, value in result.choices.items() if name not in values}
    state[_BEFORE] = kept_work.replace(choices | values)
    state[_OPENED] = {name: state[name] for name in choices if name in state}
    state[_MESSAGE] = ("success", _what_was_opened(result))


def _checked(values: dict[str, Any], file: str) -> dict[str, Any]:
    """Return data with the values that follow from them."""
    values = dict(values)
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
    if result.unread:
        text += f" {counted(len(result.unread), 'choice')} of that version could not be read."
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
            st.button("Understood", key=f"{_KEY}/dismiss", on_click=_dismiss)


def _undo() -> None:
    kept_work.replace(st.session_state.pop(_BEFORE))
    _dismiss()


def _dismiss() -> None:
    for name in (_MESSAGE, _BEFORE):
        st.session_state.pop(name, None)
