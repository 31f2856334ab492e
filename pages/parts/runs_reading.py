"""Where runs and judgments come in: two uploaders, what was read, what was refused."""

import streamlit as st

from pages.parts import frame, job, runs_data
from topicset_core.parsing.trec_limits import LARGEST_UPLOAD_MB
from topicset_core.parsing.trec_track import Track

_UPLOADS = "runs/uploads"


def draw() -> None:
    """Draw the uploaders and what became of the files."""
    uploads = st.session_state.setdefault(_UPLOADS, 0)
    keys = f"runs/run-files-{uploads}", f"runs/qrels-files-{uploads}"
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
        "below 0 means pooled but not judged. Several files are several collections.",
    )
    st.button("Read these files", on_click=_read, args=keys, type="primary", width="stretch")
    _say(job.follow(runs_data.READING))
    st.markdown(
        ":small[Your files stay in this browser session: nobody else sees them, nothing is sent elsewhere, and "
        "they are gone two minutes after the connection ends.]"
    )


def _read(runs_key: str, qrels_key: str) -> None:
    """Read what was uploaded, then empty the uploaders: what was read is what counts."""
    runs, qrels = (
        [(upload.name, upload.getvalue()) for upload in st.session_state.get(key) or ()]
        for key in (runs_key, qrels_key)
    )
    if runs or qrels:
        runs_data.read(runs, qrels)
        st.session_state[_UPLOADS] += 1
    else:
        st.toast("Choose files of runs and of judgments first.")


def _say(track: Track | None) -> None:
    """Say what was read, what was refused, and what is still missing."""
    if track is None:
        return
    for error in track.errors:
        st.error(frame.plain(str(error)))
    for sentence in track.said:
        st.info(frame.plain(sentence))
    if not track.judged and not track.errors:
        missing = "judgments" if track.runs else "runs"
        if not (track.runs and track.qrels):
            have = f"{len(track.runs)} runs" if track.runs else f"{len(track.qrels)} files of judgments"
            st.info(f"{have} read. Now add the {missing}.")
    if track.runs or track.qrels:
        with st.expander(f"What was read: {len(track.runs)} runs, {len(track.qrels)} qrels"):
            for one in (*track.qrels, *track.runs):
                name = one.qrels.name if hasattr(one, "qrels") else one.run.tag
                st.markdown(f":small[**{frame.plain(name)}** {frame.plain(' '.join(one.said))}]")
        st.button("Remove all and use the sample", key="runs/forget", on_click=runs_data.forget)
