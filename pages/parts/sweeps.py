"""The parameter sweeps a user can train on: uploaded here, loaded on the page of runs, or simulated.

An upload is runs with judgments and parameter values, or a small collection that is searched here.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import get_args

import streamlit as st

from pages.parts import frame, kept_work, runs_data
from pages.parts.computation import Computation, Job
from pages.parts.limits import OF_RUNS
from pages.parts.link import Stamp, leave
from pages.parts.parsing import parsed
from topicset_core.analyses.training_sensitivity import Sweep, sweep_of
from topicset_core.analyses.training_sensitivity.request import AssumedPool
from topicset_core.analyses.training_sensitivity.sweep import EXPANSIONS, sweep_collection
from topicset_core.collection import Qrels, Run
from topicset_core.collection.judged_runs import join
from topicset_core.collection.run import Settings, without_parameters
from topicset_core.collection.text_collection import TopicFields
from topicset_core.errors import ParseError
from topicset_core.parsing.limits import LARGEST_UPLOAD_MB
from topicset_core.parsing.text_collection import read_uploaded_collection
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.sweep import ReadSettings, read_sweep_runs, settings_of_runs
from topicset_core.retrieval import MODELS
from topicset_core.samples import simulated_sweep

PAGE = "training-sensitivity"

Uploads = list[tuple[str, bytes]]

_UPLOADED, _TAKEN, _UPLOADS = f"{PAGE}/brought", f"{PAGE}/taken", f"{PAGE}/loaded"
_RUNS, _QRELS, _TABLE, _COLLECTION = "runs", "qrels", "table", "collection"
_MODELS = {model.name: f"{model.name.upper()}, over {model.parameter.name}" for model in MODELS}
_FIELDS: dict[TopicFields, str] = {"title": "titles", "full": "title, description and narrative"}
_READ_SHARE = 0.9  # of the time to import runs and judgments
_UNPACK_SHARE = 0.1  # of the time to import and search a collection


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """Runs of a sweep before they are joined with judgments."""

    name: str
    runs: tuple[Run, ...] = field(repr=False)  # at least 2
    qrels: Qrels = field(repr=False)
    settings: Settings | None = field(repr=False)
    notes: tuple[str, ...] = ()
    n_documents: int | None = None  # of the collection, where known
    is_sample: bool = False
    # Sweeps joined before, by relevance level and assumed pool
    sweeps: dict[tuple[int, AssumedPool], Sweep] = field(default_factory=dict, repr=False)

    @cached_property
    def stamp(self) -> Stamp:
        """How links name it: runs with judgments, and values of parameters."""
        runs = join(self.runs, self.qrels)
        settings = self.settings or without_parameters(runs.systems)
        state = hashlib.sha256(f"{runs.digest} {settings.parameters}".encode())
        for system in runs.systems:
            state.update(f"{system} {settings.of([system]).values.tolist()}".encode())
        return Stamp(state.hexdigest(), f"{runs.n_topics}x{runs.n_systems}", self.name)

    def sweep(self, relevance_level: int = 1, assumed_pool: AssumedPool = "auto") -> Sweep:
        """Return the runs joined with the judgments."""
        key = relevance_level, assumed_pool
        if key not in self.sweeps:
            self.sweeps[key] = sweep_of(
                self.runs,
                self.qrels,
                self.settings or settings_of_runs([run.tag for run in self.runs]).settings,
                relevance_level=relevance_level,
                assumed_pool=assumed_pool,
            )
        return self.sweeps[key]


READING: Computation[Source] = Computation(f"{PAGE}/reading")
_FILES = "files"  # one answer is kept: the sweep that was read last


def sources() -> tuple[Source, ...]:
    """Return all sweeps: the last uploaded one first, the simulated one at the end."""
    uploaded: list[Source] = st.session_state.setdefault(_UPLOADED, [])
    return (*uploaded, *_from_runs_page(), _sample())


def is_untaken() -> bool:
    """Return whether a sweep was read since `take`."""
    latest = READING.latest()
    return latest is not None and latest is not st.session_state.get(_TAKEN)


def take() -> None:
    """Put the sweep that was read last in use; before the choice of a sweep is drawn."""
    latest = READING.latest()
    if latest is not None and is_untaken():
        st.session_state[_TAKEN] = latest
        uploaded = st.session_state.setdefault(_UPLOADED, [])
        kept = [source for source in uploaded if source.name != latest.name]
        uploaded[:] = [latest, *kept]
        st.session_state[f"{PAGE}/sweep"] = latest.name


def forget() -> None:
    """Remove uploaded sweeps."""
    leave()
    READING.forget()
    st.session_state[_UPLOADED] = []


def _give_values(table: tuple[str, bytes]) -> None:
    """Give the runs of the sweep in use the parameter values of a table."""
    source = next(sweep for sweep in sources() if sweep.name == st.session_state[f"{PAGE}/sweep"])
    read = _settings([run.tag for run in source.runs], table)
    new = replace(source, settings=read.settings, notes=(*source.notes, *read.notes), sweeps={})
    for kept in (st.session_state[_UPLOADED], st.session_state.get(_UPLOADS, [])):
        kept[:] = [new if sweep is source else sweep for sweep in kept]


def _from_runs_page() -> list[Source]:
    """Return the runs loaded on their page, a sweep for each collection of judgments with two runs or more."""
    if runs_data.is_sample():
        return []
    known: list[Source] = st.session_state.setdefault(_UPLOADS, [])
    track = runs_data.in_use()
    results = []
    for judged in track.judged:
        size = judged.n_systems
        kept = [source for source in known if source.qrels is judged.qrels and len(source.runs) == size]
        if kept:
            results += kept
        elif size > 1:
            own = set(judged.systems)
            runs = tuple(loaded.run for loaded in track.runs if loaded.run.tag in own)
            read = None
            with suppress(ParseError):
                read = settings_of_runs([run.tag for run in runs])
            name = f"{judged.qrels.name}, runs loaded"
            settings, notes = (None, ()) if read is None else (read.settings, read.notes)
            results.append(Source(name=name, runs=runs, qrels=judged.qrels, settings=settings, notes=notes))
    known[:] = results
    return results


@st.cache_resource(show_spinner=False)
def _sample() -> Source:
    runs, qrels, settings = simulated_sweep()
    return Source(name=qrels.name, runs=tuple(runs), qrels=qrels, settings=settings, is_sample=True)


def is_loaded(source: Source) -> bool:
    """Return whether these are the runs loaded on their page."""
    return any(source is sweep for sweep in st.session_state.get(_UPLOADS, ()))


def offer_sample() -> None:
    """Offer the simulated sweep in place of runs that are none."""
    st.button(
        "Show the simulated sweep",
        key=f"{PAGE}/show-sample",
        on_click=lambda: st.session_state.update({f"{PAGE}/sweep": _sample().name}),
    )


def draw_uploads(source: Source) -> None:
    """Draw the uploaders and messages about the files, open where the sweep in use has no settings."""
    with st.expander("Upload your own sweep", expanded=bool(READING.error) or source.settings is None):
        runs, collection = st.tabs(["Runs", "A small collection"])
        with runs:
            _ask_for_runs()
        with collection:
            _ask_for_collection()
        READING.follow()
        if is_untaken():  # it was read since the choice of a sweep was drawn
            st.rerun()
        refused = st.session_state.get(f"{PAGE}/refused", "")
        if refused:
            st.error(frame.plain(refused))
        kept_work.show_where_data_stay()
        if any(not sweep.is_sample for sweep in sources()):
            st.button("Remove uploaded sweeps", key=f"{PAGE}/forget", on_click=forget)


def _ask_for_runs() -> None:
    _uploader(
        _RUNS, "Runs of the sweep", "TREC's six columns, one file per setting; as text, gz, zip or tar."
    )
    _uploader(
        _QRELS, "Their relevance judgments (qrels)", "TREC's four columns, or BEIR's three.", many=False
    )
    _uploader(
        _TABLE,
        "Parameter values (optional)",
        "A table with a header: the run, then one column per parameter, for example run,b,k1; the column run "
        "alone if settings have no numbers. Without it, values are read from run names like bm25_b0.75. A table "
        "alone applies to the selected sweep.",
        many=False,
    )
    runs, qrels, tables = (bool(_uploads(kind)) for kind in (_RUNS, _QRELS, _TABLE))
    st.button(
        "Read these files",
        key=f"{PAGE}/read-runs",
        on_click=_read_runs,
        type="primary",
        width="stretch",
        disabled=not ((runs and qrels) or (tables and not runs and not qrels)),
        help="Needs runs and their judgments, or a table of values alone.",
    )
    st.markdown(":small[Runs you already loaded are in the *Sweep* list above.]")


def _ask_for_collection() -> None:
    _uploader(
        _COLLECTION,
        "Documents, topics and judgments",
        "documents.jsonl (id, title, text), topics.jsonl (id, text) or TREC topics in topics.txt, and "
        "qrels.txt, each optionally gz; as single files or in one zip.",
    )
    st.radio(
        "Retrieval model",
        list(_MODELS),
        format_func=_MODELS.__getitem__,
        key=f"{PAGE}/model",
        persist_state="session",
        horizontal=True,
    )
    st.toggle(
        f"Sweep query expansion instead (Bo1, {len(EXPANSIONS)} settings)",
        key=kept_work.switch(f"{PAGE}/expand"),
        persist_state="session",
    )
    st.selectbox(
        "Query from TREC topics",
        get_args(TopicFields),
        format_func=_FIELDS.__getitem__,
        key=f"{PAGE}/fields",
        persist_state="session",
    )
    st.button(
        "Read and search",
        key=f"{PAGE}/read-collection",
        on_click=_search,
        type="primary",
        width="stretch",
        disabled=not _uploads(_COLLECTION),
        help="Needs documents, topics and judgments.",
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
    return [(file.name, file.getvalue()) for file in (held if isinstance(held, list) else [held])]


def _is_free() -> bool:
    st.session_state[f"{PAGE}/refused"] = ""
    if READING.is_running():
        st.toast("The previous files are still being read. Press again when that is done.")
        return False
    return True


def _read_runs() -> None:
    """Read runs with judgments; a table alone applies to the sweep in use."""
    if not _is_free():
        return
    runs, qrels, tables = _uploads(_RUNS), _uploads(_QRELS), _uploads(_TABLE)
    table = tables[0] if tables else None
    if table and not runs and not qrels:
        try:
            _give_values(table)
        except ParseError as error:
            st.session_state[f"{PAGE}/refused"] = str(error)
    else:
        READING.start(
            _FILES,
            "Reading runs and judgments",
            lambda run: _of_runs(runs, qrels[0], table, run),
        )


def _of_runs(runs: Uploads, qrels: tuple[str, bytes], table: tuple[str, bytes] | None, job: Job) -> Source:
    judgments = parsed([qrels[0]], read_qrels, *qrels, bounds=OF_RUNS, user=job.user)
    read = parsed(
        [name for name, _ in runs],
        read_sweep_runs,
        runs,
        bounds=OF_RUNS,
        user=job.user,
        report=lambda share: job.report_progress(_READ_SHARE * share),
    )
    values = _settings([run.tag for run in read.runs], table, job.user)
    source = Source(
        name=f"{judgments.qrels.name}, {len(read.runs)} runs",
        runs=read.runs,
        qrels=judgments.qrels,
        settings=values.settings,
        notes=(*judgments.notes, *read.notes, *values.notes),
    )
    source.sweep()  # refused here, and not after it has become the sweep in use
    return source


def _settings(tags: list[str], table: tuple[str, bytes] | None, user: str = "") -> ReadSettings:
    if table is None:
        return settings_of_runs(tags)
    return parsed([table[0]], settings_of_runs, tags, table, user=user)


def _search() -> None:
    """Read a collection and search it with every setting."""
    if not _is_free():
        return
    files = _uploads(_COLLECTION)
    state = st.session_state
    model, expand, fields = (state[f"{PAGE}/{name}"] for name in ("model", "expand", "fields"))
    READING.start(
        _FILES,
        "Reading and searching",
        lambda run: _of_collection(files, model, expand, fields, run),
    )


def _of_collection(files: Uploads, model: str, expand: bool, fields: TopicFields, job: Job) -> Source:
    report = job.report_progress
    read = parsed(
        [name for name, _ in files],
        read_uploaded_collection,
        files,
        bounds=OF_RUNS,
        user=job.user,
        report=lambda share: report(_UNPACK_SHARE * share),
    )
    collection = read.collection
    if collection.qrels is None:
        raise ParseError(files[0][0], None, "expected judgments in qrels.txt, found no judgment")
    new = sweep_collection(
        collection,
        model,
        expansions=EXPANSIONS if expand else (),
        fields=fields,
        report_progress=lambda share: report(_UNPACK_SHARE + (1 - _UNPACK_SHARE) * share),
    )
    swept = f"{model.upper()}{' and Bo1' if expand else ''} over {', '.join(new.settings.parameters)}"
    source = Source(
        name=f"{collection.name}, {swept}",
        runs=new.runs,
        qrels=replace(collection.qrels, name=collection.name),
        settings=new.settings,
        notes=(*read.notes, f"Searched here by {swept}: {len(new.runs)} settings."),
        n_documents=new.n_documents,
    )
    source.sweep()
    return source
