"""Where runs and judgments come in: two uploaders, what was read, what was refused."""

import streamlit as st

from pages.parts import frame, runs_data
from topicset_core.parsing.limits import LARGEST_UPLOAD_MB
from topicset_core.parsing.trec.track import Track
from topicset_core.wording import counted

_UPLOADS = "runs/uploads"
_WAITING = f"{_UPLOADS}/waiting"


def draw() -> None:
    """Draw the uploaders and what became of the files."""
    waiting = st.session_state.get(_WAITING) and not runs_data.READING.is_running()
    if waiting and any(_arrived().values()):
        _read()
        waiting = False
    keys = _key("run"), _key("qrels")
    st.file_uploader(
        "Runs",
        accept_multiple_files=True,
        max_upload_size=LARGEST_UPLOAD_MB,
        key=keys[0],
        help="TREC's six columns: topic, Q0, document, rank, score, tag. As text or gz, or many in a zip or tar. "
        "Documents are ranked by score, and by id where scores are equal, as trec_eval does; the rank "
        "column is not used.",
    )
    st.file_uploader(
        "Relevance judgments (qrels)",
        accept_multiple_files=True,
        max_upload_size=LARGEST_UPLOAD_MB,
        key=keys[1],
        help="TREC's four columns: topic, iteration, document, grade; or BEIR's three with a header. A grade "
        "below 0 means pooled but not judged. Several files are several collections. Where a document has lines "
        "that differ in the second column, it numbers intents (subtopics); how likely these are may stand in a "
        "file of its own: topic, intent, probability.",
    )
    st.button("Read these files", key="runs/read", on_click=_read, type="primary", width="stretch")
    if waiting and runs_data.own() is None:
        st.info(
            "No file is here yet. Choose files of runs and of judgments: they are read as soon as they are here."
        )
    runs_data.READING.follow()
    _say(runs_data.READING.latest())
    st.markdown(
        ":small[Your files stay in this browser session: nobody else sees them, nothing is sent elsewhere, and "
        "they are gone two minutes after the connection ends.]"
    )


def _key(kind: str) -> str:
    """Return the key of an uploader; another one after each reading, which empties it."""
    return f"{_UPLOADS}-{kind}-{st.session_state.get(f'{_UPLOADS}/{kind}', 0)}"


def _arrived() -> dict[str, list[tuple[str, bytes]]]:
    """Return the files that are here, by kind."""
    return {
        kind: [(upload.name, upload.getvalue()) for upload in st.session_state.get(_key(kind)) or ()]
        for kind in ("run", "qrels")
    }


def _read() -> None:
    """Read what was uploaded and empty its uploaders: what was read is what counts.

    An uploader that has nothing yet is left alone, as its files may be on their way: Streamlit hands
    them over once all of them are here, and drops them with their uploader. They are read when they come.
    """
    if runs_data.READING.is_running():
        st.session_state[_WAITING] = True
        return
    files = _arrived()
    before = runs_data.own()
    known = {"run": before.runs, "qrels": before.qrels} if before else {}
    st.session_state[_WAITING] = not all(found or known.get(kind) for kind, found in files.items())
    if not any(files.values()):
        return
    runs_data.read(files["run"], files["qrels"])
    for kind in (kind for kind, found in files.items() if found):
        st.session_state[f"{_UPLOADS}/{kind}"] = st.session_state.get(f"{_UPLOADS}/{kind}", 0) + 1


def _say(track: Track | None) -> None:
    """Say what was read, what was refused, and what is still missing."""
    if track is None:
        return
    for error in track.errors:
        st.error(frame.plain(str(error)))
    for sentence in track.said:
        st.info(frame.plain(sentence))
    if not track.judged:
        missing = "judgments" if track.runs else "runs"
        if bool(track.runs) != bool(track.qrels):
            have = counted(len(track.runs), "run") if track.runs else f"{len(track.qrels)} qrels"
            st.info(f"{have} read. Now add the {missing}.")
    if track.runs or track.qrels:
        with st.expander(f"What was read: {counted(len(track.runs), 'run')}, {len(track.qrels)} qrels"):
            read = [(one.qrels.name, one.said) for one in track.qrels]
            read += [(one.run.tag, one.said) for one in track.runs]
            for name, said in read:
                st.markdown(f":small[**{frame.plain(name)}** {frame.plain(' '.join(said))}]")
        st.button("Remove all and use the sample", key="runs/forget", on_click=runs_data.forget)
