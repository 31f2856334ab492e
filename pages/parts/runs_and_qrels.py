"""The page on runs: where files come in, by which measures and conventions runs are scored, and their scores."""

from dataclasses import replace

import streamlit as st

from pages.parts import conventions, data, frame, kept_work, link, parsing, runs_data
from pages.parts.computation import Computation
from pages.parts.form import Form, fields_of
from pages.parts.runs_data import (
    AD_HOC_AT_FIRST,
    BY_INTENT,
    HELP_BY_INTENT,
    are_by_intent,
    offered,
)
from topicset_core.analyses.run_evaluation import Evaluation, Request, evaluate
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.errors import InputError, ParseError
from topicset_core.measures import KNOWN, Conventions
from topicset_core.parsing.limits import LARGEST_UPLOAD_MB
from topicset_core.parsing.trec.track import Track
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted

Scored = tuple[tuple[JudgedRuns, ...], tuple[Evaluation, ...]]
"""The scored collections, and their scores: files of the same names may hold something else the next time."""

SCORING: Computation[Scored] = Computation("runs/scoring")

_FORM = Form("runs", (runs_data.LEVEL, *conventions.FIELDS, *fields_of(Request)), texts=(link.MEASURE,))
_NAMES = "runs/measure-names"
_HANDED_OVER, _STARTED = "runs/handed-over", "runs/started"
_REPORTED = "frame/runs-reported"
"""Name in the session: the runs and judgments whose refusals were told."""
_UPLOADS = "runs/uploads"
_WAITING = f"{_UPLOADS}/waiting"
_CHOOSE = "runs/choose"


def upload() -> None:
    """Draw the uploaders and what became of the files."""
    parsing.start()
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
        "below 0 means pooled but not judged. Each file is one collection. Where a document has lines "
        "that differ in the second column, it numbers intents (subtopics); you can upload their "
        "probabilities as another file: topic, intent, probability.",
    )
    st.button("Read these files", key="runs/read", on_click=_read, type="primary", width="stretch")
    if waiting and runs_data.own() is None:
        st.info(
            "No file is uploaded yet. Choose files of runs and of judgments; they are read after the upload."
        )
    runs_data.READING.follow()
    track = runs_data.READING.latest()
    if track is not None:
        _report_reading(track)
        _draw_read(track)
    kept_work.show_where_data_stay()


def _key(kind: str) -> str:
    """Return the key of an uploader; another one after each import, which empties it."""
    return f"{_UPLOADS}-{kind}-{st.session_state.get(f'{_UPLOADS}/{kind}', 0)}"


def _arrived() -> dict[str, list[tuple[str, bytes]]]:
    """Return the files that are here, by kind."""
    return {
        kind: [(upload.name, upload.getvalue()) for upload in st.session_state.get(_key(kind)) or ()]
        for kind in ("run", "qrels")
    }


def _read() -> None:
    """Read the uploaded files and empty the uploaders: only imported files count."""
    # An uploader that has nothing yet is left alone, as its files may be on their way: Streamlit hands them
    # over once all of them are here, and drops them with their uploader. They are read when they come.
    if runs_data.READING.is_running():
        st.session_state[_WAITING] = True
        return
    files = _arrived()
    before = runs_data.own()
    known = {"run": before.runs, "qrels": before.qrels} if before else {}
    st.session_state[_WAITING] = not all(result or known.get(kind) for kind, result in files.items())
    if not any(files.values()):
        return
    runs_data.read(files["run"], files["qrels"])
    for kind in (kind for kind, result in files.items() if result):
        st.session_state[f"{_UPLOADS}/{kind}"] = st.session_state.get(f"{_UPLOADS}/{kind}", 0) + 1


def _draw_selection() -> None:
    """Draw the boxes that choose topics and runs of the imported files."""
    with st.expander("Choose topics and runs"), st.form(f"{_CHOOSE}/form", border=False):
        data.ask_selection(_CHOOSE)
        st.form_submit_button("Use these", key=f"{_CHOOSE}/apply", on_click=_choose)
    complaint = st.session_state.pop(f"{_CHOOSE}/complaint", "")
    if complaint:
        st.error(frame.plain(complaint))
    chosen = runs_data.selected()
    for sentence in chosen.notes if chosen else ():
        st.info(frame.plain(sentence))


def _choose() -> None:
    try:
        runs_data.choose(st.session_state[f"{_CHOOSE}/topics"], st.session_state[f"{_CHOOSE}/systems"])
    except InputError as error:
        st.session_state[f"{_CHOOSE}/complaint"] = f"{error}. Nothing changed."


def follow() -> None:
    """Draw what becomes of runs and judgments on a page without their form: new ones are scored as usual."""
    runs_data.READING.follow()
    track = runs_data.READING.latest()
    if track is not None:
        _report_reading(track)
    if not _scored() and not runs_data.is_sample() and _is_new():
        _run(_usual(runs_data.relevance_level()))
        data.plan_with("")
    SCORING.follow()
    before = st.session_state.get(_HANDED_OVER)
    keep_current()
    if st.session_state.get(_HANDED_OVER) is not before:
        st.rerun()  # the data in use are written above


def _report_reading(track: Track) -> None:
    """Name refused and missing files."""
    if st.session_state.get(_REPORTED) is not track:
        st.session_state[_REPORTED] = track
        if track.errors:
            frame.note_refused([error.file for error in track.errors if isinstance(error, ParseError)])
        else:
            frame.note_accepted()
    for error in track.errors:
        st.error(frame.plain(str(error)))
    for sentence in track.notes:
        st.info(frame.plain(sentence))
    if not track.judged:
        missing = "judgments" if track.runs else "runs"
        if bool(track.runs) != bool(track.qrels):
            have = counted(len(track.runs), "run") if track.runs else f"{len(track.qrels)} qrels"
            st.info(f"{have} read. Now add the {missing}.")


def _draw_read(track: Track) -> None:
    """List the imported files, with the choice among them and the way back."""
    if track.runs or track.qrels:
        with st.expander(f"Files read: {counted(len(track.runs), 'run')}, {len(track.qrels)} qrels"):
            read = [(file.qrels.name, file.notes) for file in track.qrels]
            read += [(file.run.tag, file.notes) for file in track.runs]
            for name, text in read:
                st.markdown(f":small[**{frame.plain(name)}** {frame.plain(' '.join(text))}]")
        if track.judged:
            _draw_selection()
        st.button("Remove all and use the sample", key="runs/forget", on_click=runs_data.forget)


def _defaults() -> tuple[str, ...]:
    """Return the measures that the form starts from."""
    return BY_INTENT if are_by_intent(runs_data.judged()) else AD_HOC_AT_FIRST


def _names_key() -> str:
    """Return the key of the choice of measures; each kind of judgments has its own."""
    return f"{_NAMES}-by-intent" if are_by_intent(runs_data.judged()) else _NAMES


def ask() -> None:
    """Draw the form; its button scores the runs."""
    _FORM.start()
    by_intent = are_by_intent(runs_data.judged())
    with st.container():
        st.multiselect(
            "Measures",
            offered(runs_data.judged()),
            default=_defaults(),
            accept_new_options=True,
            wrap=True,
            key=_names_key(),
            help=f"Choose, or type any of {', '.join(KNOWN)}; trec_eval's names are accepted, too."
            + (f" {HELP_BY_INTENT}" if by_intent else ""),
        )
        with st.expander("Conventions that change the numbers"):
            conventions.draw(_FORM)
            _FORM.ask_rest(Request)
        pressed = st.button("Score the runs", key="runs/score", type="primary", width="stretch")
    pressed |= conventions.presets(_FORM)
    _FORM.values()
    if pressed:
        _start()


def _start() -> None:
    """Score the runs in use by the values of the form; the scores go where uploaded ones go."""
    try:
        names = tuple(st.session_state.get(_names_key(), _defaults()))
        request = _FORM.request(Request, {}, measures=names, conventions=conventions.of(_FORM))
    except InputError as error:
        text = f"{error}. The answer shown is still the last one."
        link.complain([link.Complaint(text, error.parameter)], key=None)
    else:
        _run(request)


def _run(request: Request) -> None:
    collections = runs_data.judged()
    SCORING.start(
        "latest",
        "Scoring runs",
        lambda run: (collections, _score(collections, request, run.report_progress)),
    )


def _score(
    collections: tuple[JudgedRuns, ...], request: Request, report: ReportProgress = silently
) -> tuple[Evaluation, ...]:
    """Return one evaluation per collection."""
    return tuple(
        evaluate(
            runs,
            request,
            report_progress=lambda share, done=done: report((done + share) / len(collections)),  # type: ignore[misc]
        )
        for done, runs in enumerate(collections)
    )


@st.cache_resource(show_spinner=False)
def _of_sample(measures: tuple[str, ...], level: int) -> tuple[Evaluation, ...]:
    """Score the sample that is in use; its default measures identify the sample."""
    return _score(runs_data.judged(), _usual(level, measures))


def _usual(level: int, measures: tuple[str, ...] | None = None) -> Request:
    """Return the request that no form has changed."""
    return Request(measures=measures or _defaults(), conventions=Conventions(relevance_level=level))


def keep_current() -> None:
    """Score the runs in use again where the relevance level changed; call it before any page."""
    # Scores of the user's own runs go where uploaded scores go, so that every page plans with them.
    result, level = _scored(), runs_data.relevance_level()
    if result and result[0].request.conventions.relevance_level != level and _is_new():
        asked = result[0].request
        _run(replace(asked, conventions=replace(asked.conventions, relevance_level=level)))
        result = _scored()
    if result and not runs_data.is_sample() and st.session_state.get(_HANDED_OVER) is not result:
        chosen = runs_data.selected()
        text = chosen.notes if chosen else ()
        uploads = [data.Upload(matrix, (*text, *one.notes)) for one in result for matrix in one.matrices]
        data.replace_from(runs_data.ORIGIN, uploads)
        st.session_state[_HANDED_OVER] = result


def _scored() -> tuple[Evaluation, ...]:
    """Return the last scores of the runs in use; none before the first."""
    scored = SCORING.latest()
    return scored[1] if scored is not None and scored[0] is runs_data.judged() else ()


def _is_new() -> bool:
    """Return whether scores of the runs in use at their relevance level were not started before."""
    track, level = runs_data.in_use(), runs_data.relevance_level()
    before = st.session_state.get(_STARTED, (None, 0))
    st.session_state[_STARTED] = track, level
    return before[0] is not track or before[1] != level


def evaluations() -> tuple[Evaluation, ...]:
    """Return the scores to show; new runs are scored without a request."""
    keep_current()
    SCORING.follow()
    result, level = _scored(), runs_data.relevance_level()
    if result:
        return result if result[0].request.conventions.relevance_level == level else ()
    if runs_data.is_sample():
        return _of_sample(_defaults(), level)
    if _is_new():
        _start()
        st.rerun()
    return ()
