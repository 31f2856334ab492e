"""Where a sweep comes in: runs with judgments and parameter values, or a small collection that is searched here."""

from dataclasses import replace
from typing import get_args

import streamlit as st

from pages.parts import frame, job
from pages.parts.training_sweeps import (
    PAGE,
    READING,
    Source,
    forget,
    give_values,
    is_untaken,
    settings_of,
    sources,
)
from topicset_core.analyses.training_sensitivity.sweep import EXPANSIONS, sweep_collection
from topicset_core.collection.topic import TopicFields
from topicset_core.errors import ParseError
from topicset_core.parsing.sweep_runs import read_sweep_runs
from topicset_core.parsing.text_collection import read_uploaded_collection
from topicset_core.parsing.trec_limits import LARGEST_UPLOAD_MB
from topicset_core.parsing.trec_qrels import read_qrels
from topicset_core.progress import Report

Uploads = list[tuple[str, bytes]]

_RUNS, _QRELS, _TABLE, _COLLECTION = "runs", "qrels", "table", "collection"
_MODELS = {"bm25": "BM25, over b", "pl2": "PL2, over c"}
_FIELDS: dict[TopicFields, str] = {"title": "titles", "full": "title, description and narrative"}
_READ_SHARE = 0.9  # of the time of reading runs and judgments
_UNPACK_SHARE = 0.1  # of the time of reading and searching a collection


def draw() -> None:
    """Draw the uploaders and what became of the files."""
    with st.expander("Bring your own sweep", expanded=bool(st.session_state.get(f"{READING}/job-error"))):
        runs, collection = st.tabs(["Runs", "A small collection"])
        with runs:
            _ask_for_runs()
        with collection:
            _ask_for_collection()
        job.follow(READING)
        if is_untaken():  # it was read since the choice of a sweep was drawn
            st.rerun()
        refused = st.session_state.get(f"{PAGE}/refused", "")
        if refused:
            st.error(frame.plain(refused))
        st.markdown(
            ":small[Wait until every upload is done before you press. Your files stay in this browser session, and "
            "are gone two minutes after the connection ends.]"
        )
        if any(not one.is_sample for one in sources()):
            st.button("Remove what was brought here", key=f"{PAGE}/forget", on_click=forget)


def _ask_for_runs() -> None:
    _uploader(_RUNS, "Runs of the sweep", "TREC's six columns, a file a setting; as text, gz, zip or tar.")
    _uploader(
        _QRELS, "Their relevance judgments (qrels)", "TREC's four columns, or BEIR's three.", many=False
    )
    _uploader(
        _TABLE,
        "Parameter values (optional)",
        "A table with a header: the run, then a column for each parameter, as run,b,k1. Without it values are "
        "read from names like bm25_b0.75. Alone, it is for the sweep that is in use.",
        many=False,
    )
    st.button(
        "Read these files", key=f"{PAGE}/read-runs", on_click=_read_runs, type="primary", width="stretch"
    )
    st.markdown(":small[Runs loaded on the page Runs and judgments can be chosen above as they are.]")


def _ask_for_collection() -> None:
    _uploader(
        _COLLECTION,
        "Documents, topics and judgments",
        "documents.jsonl (id, title, text), topics.jsonl (id, text) or TREC topics in topics.txt, and qrels.txt; "
        "each may be gz. One by one, or all in a zip.",
    )
    st.radio(
        "Searched by",
        list(_MODELS),
        format_func=_MODELS.__getitem__,
        key=f"{PAGE}/model",
        persist_state="session",
        horizontal=True,
    )
    st.toggle(
        f"Sweep query expansion instead (Bo1, {len(EXPANSIONS)} settings)",
        key=f"{PAGE}/expand",
        persist_state="session",
    )
    st.selectbox(
        "Words of TREC topics",
        get_args(TopicFields),
        format_func=_FIELDS.__getitem__,
        key=f"{PAGE}/fields",
        persist_state="session",
    )
    st.button(
        "Read and search", key=f"{PAGE}/read-collection", on_click=_search, type="primary", width="stretch"
    )


def _uploader(kind: str, label: str, help_text: str, *, many: bool = True) -> None:
    st.file_uploader(
        label,
        accept_multiple_files=many,
        max_upload_size=LARGEST_UPLOAD_MB,
        key=f"{PAGE}/{kind}",
        help=help_text,
    )


def _uploads(kind: str) -> Uploads:
    held = st.session_state.get(f"{PAGE}/{kind}") or []
    return [(one.name, one.getvalue()) for one in (held if isinstance(held, list) else [held])]


def _is_free() -> bool:
    st.session_state[f"{PAGE}/refused"] = ""
    if job.is_running(READING):
        st.toast("Still reading the files before; press again when that is done.")
        return False
    return True


def _read_runs() -> None:
    """Read runs with judgments; a table alone is for the sweep in use."""
    if not _is_free():
        return
    runs, qrels, tables = _uploads(_RUNS), _uploads(_QRELS), _uploads(_TABLE)
    table = tables[0] if tables else None
    if table and not runs and not qrels:
        try:
            give_values(st.session_state[f"{PAGE}/sweep"], table)
        except ParseError as error:
            st.session_state[f"{PAGE}/refused"] = str(error)
    elif not runs or not qrels:
        missing = "runs of a sweep" if not runs else "their judgments"
        st.session_state[f"{PAGE}/refused"] = (
            f"Nothing was read: choose the files of {missing} too, and wait until each is uploaded."
        )
    else:
        job.start(
            READING, "Reading runs and judgments", lambda report: _of_runs(runs, qrels[0], table, report)
        )


def _of_runs(
    runs: Uploads, qrels: tuple[str, bytes], table: tuple[str, bytes] | None, report: Report
) -> Source:
    judgments = read_qrels(*qrels)
    read = read_sweep_runs(runs, lambda share: report(_READ_SHARE * share))
    settings, said = settings_of([run.tag for run in read.runs], table)
    source = Source(
        f"{judgments.qrels.name}, {len(read.runs)} runs",
        read.runs,
        judgments.qrels,
        settings,
        (*judgments.said, *read.said, *said),
    )
    source.sweep()  # refused here, and not after it has become the sweep in use
    return source


def _search() -> None:
    """Read a collection and search it with every setting."""
    if not _is_free():
        return
    files = _uploads(_COLLECTION)
    if not files:
        st.session_state[f"{PAGE}/refused"] = "Nothing was read: choose the files of a collection first."
        return
    state = st.session_state
    model, expand, fields = (state[f"{PAGE}/{name}"] for name in ("model", "expand", "fields"))
    job.start(
        READING, "Reading and searching", lambda report: _of_collection(files, model, expand, fields, report)
    )


def _of_collection(files: Uploads, model: str, expand: bool, fields: TopicFields, report: Report) -> Source:
    read = read_uploaded_collection(files, lambda share: report(_UNPACK_SHARE * share))
    collection = read.collection
    if collection.qrels is None:
        raise ParseError(files[0][0], None, "expected judgments in qrels.txt, found none")
    made = sweep_collection(
        collection,
        model,
        expansions=EXPANSIONS if expand else (),
        fields=fields,
        report=lambda share: report(_UNPACK_SHARE + (1 - _UNPACK_SHARE) * share),
    )
    swept = f"{model.upper()}{' and Bo1' if expand else ''} over {', '.join(made.settings.parameters)}"
    source = Source(
        f"{collection.name}, {swept}",
        made.runs,
        replace(collection.qrels, name=collection.name),
        made.settings,
        (*read.said, f"Searched here by {swept}: {len(made.runs)} settings."),
        made.n_documents,
    )
    source.sweep()
    return source
