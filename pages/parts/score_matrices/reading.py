"""Import of scores: uploader, pasted text, import options, notes on each file.

Files may leave a choice open: missing or repeated scores, and how the user wants to treat them. Their
content is kept in the session until the user has answered, and no longer.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from pages.parts import data, frame, judges, kept_work, parsing, runs_and_qrels, runs_data
from pages.parts.contents import page_named
from pages.parts.score_matrices import column_roles
from pages.parts.score_matrices.column_roles import LastReading
from topicset_core.analyses.planning.source import size_of
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.parsing import Choices, ReadScores, read_score_files
from topicset_core.parsing.choices import MissingScores, RepeatedScores, TopicsAsked, WordsAsked
from topicset_core.parsing.limits import LARGEST_SCORES_FILE_MB, LARGEST_UPLOAD_MB
from topicset_core.parsing.scores.formats import LISTED, kinds_of
from topicset_core.preparation import join_systems

PASTED = "pasted text"
FORMATS = (
    "".join(f"\n- {words}" for words in LISTED)
    + """
- **Excel** sheets (xlsx); **zip** and **gz** of any of these

Summary rows such as *all* and *amean* are left out. The recognised format of each file, and the reason, are
reported with the matrices. Means over topics are not enough: variance needs one score per topic.
"""
)
_MOST_BOXES = 5  # of one kind of message; a zip may hold hundreds of files
_PREFIX = "score_matrices"
_ORIENTATIONS = {
    "auto": "detect the orientation",
    "topics-by-runs": "rows are topics, columns are runs",
    "runs-by-topics": "rows are runs, columns are topics",
}
_OPEN, _COUNTER, _UPLOADS, _READINGS = (
    f"{_PREFIX}/{name}" for name in ("questions", "questions/counter", "uploads", "readings")
)
_LEADS_TO = f"{_PREFIX}/leads-to"
"""The name of the page that answers for what was just uploaded or handed over."""
_ANY = ("start", "two_systems")
"""Pages with one uploader for all files: scores of a judge and labels of people leave them for their own page."""
_OF_PEOPLE = re.compile("human|people|gold|label|annotat|assess|expert|manual|crowd", re.IGNORECASE)
"""In the name of a file or its measure: its scores are those of people."""
_MOST_OPEN = 3
_NAMED_IN_ERROR = 5

SPOKEN = {
    "missing": {
        "refuse": "refuse the file and list them",
        "drop-topics": "leave out those topics",
        "drop-runs": "leave out those runs",
        "zero": "count them as 0",
    },
    "repeats": {
        "refuse": "refuse the file and list them",
        "average": "average them, report how they differ",
    },
}
"""Choices in plain words."""


Open = MissingScores | RepeatedScores | TopicsAsked | WordsAsked
"""Refusals that a choice of the user answers."""


@dataclass(frozen=True)
class Question:
    """Files imported together, and their open choices."""

    files: tuple[tuple[str, bytes | str], ...]
    choices: Choices  # how they were read
    errors: tuple[Open, ...] = ()  # the open choices
    read: frozenset[tuple[str, str]] = frozenset()  # names and digests of the matrices that came out already
    notes: frozenset[str] = frozenset()  # other errors that were shown to the user
    number: int = 0  # identifies the question in this session


def draw() -> None:
    """Draw everything through which scores come in."""
    _draw_uploader(
        "Upload tables of scores",
        LARGEST_SCORES_FILE_MB,
        _take_uploads,
        "Files are recognised by their contents, not by their names: tables, outputs of evaluation programs, Excel "
        "sheets; zip or gz of any of these.",
    )
    with st.expander("Supported file formats"):
        st.markdown(FORMATS)
    _draw_outcome(opens_roles=True)
    _draw_choices()
    with st.form(f"{_PREFIX}/paste", border=False):
        st.text_area(
            "or paste one",
            key=f"{_PREFIX}/pasted",
            height=140,
            placeholder="topic,run1,run2\n401,0.31,0.28\n402,0.12,0.20",
        )
        st.form_submit_button("Read pasted scores", key=f"{_PREFIX}/read-pasted", on_click=_take_pasted)
    kept_work.show_where_data_stay()


def draw_any() -> None:
    """Draw one uploader for scores, runs and judgments; each file goes where files of its kind are read."""
    uploader = _draw_uploader(
        "Upload scores, runs or judgments",
        LARGEST_UPLOAD_MB,
        _take_any,
        "Tables of scores, outputs of evaluation programs, TREC runs and qrels; several at once, zip and gz too. "
        "Files are recognised by their contents.",
    )
    if st.session_state[uploader] and not runs_data.READING.is_running():
        _take_any(uploader)  # they came while others were read
        st.rerun()
    runs_and_qrels.follow()  # it may run the page again, which would take the messages away
    _draw_outcome(opens_roles=False)  # below them is the form


def _draw_uploader(label: str, megabytes: int, take: Callable[[str], None], text: str) -> str:
    """Draw an uploader whose files are handed over by its key, and return the key; each import empties it."""
    if leads_to := st.session_state.pop(_LEADS_TO, ""):
        frame.open_page(page_named(leads_to).file)  # which draws what became of the files
    parsing.start()
    uploader = f"{_PREFIX}/uploader-{st.session_state.setdefault(_UPLOADS, 0)}"
    st.file_uploader(
        label,
        accept_multiple_files=True,
        max_upload_size=megabytes,
        key=uploader,
        on_change=take,
        args=(uploader,),
        help=text,
    )
    return uploader


def _draw_outcome(*, opens_roles: bool) -> None:
    """Draw what became of the files: open choices, refusals, receipts, and the roles of columns."""
    for question in open_questions():
        _draw_question(question)
    _draw_messages()
    column_roles.draw(_read_with_roles, opens=opens_roles)


def _queue_message(kind: str, message: str) -> None:
    """Keep a message for the next time the page is drawn: "error", "success" or "info"."""
    messages: list[tuple[str, str]] = st.session_state.setdefault(f"{_PREFIX}/messages", [])
    messages.append((kind, message))


def _draw_messages() -> None:
    messages: list[tuple[str, str]] = st.session_state.get(f"{_PREFIX}/messages", [])
    if not (runs_data.READING.is_running() or runs_and_qrels.SCORING.is_running()):
        st.session_state.pop(f"{_PREFIX}/messages", None)
    boxes = {"error": st.error, "success": st.success, "info": st.info}
    for kind, box in boxes.items():
        of_kind = [message for each, message in messages if each == kind]
        for message in of_kind[:_MOST_BOXES]:
            box(frame.plain(message))
        if len(of_kind) > _MOST_BOXES:
            rest = of_kind[_MOST_BOXES:]
            with st.expander(f"{len(rest):,} more of this kind"):
                st.markdown("\n".join(f"- {frame.plain(message)}" for message in rest))


def _draw_choices() -> None:
    with st.expander("Import options"):
        st.markdown(":small[For the next upload or paste. Correct loaded matrices in their cards.]")
        st.selectbox(
            "Orientation",
            list(_ORIENTATIONS),
            key=f"{_PREFIX}/orientation",
            format_func=_ORIENTATIONS.__getitem__,
        )
        st.text_input(
            "Measure",
            key=f"{_PREFIX}/measure",
            help="The measure to read if a file contains several; otherwise its name.",
        )
        st.text_input(
            "Collection", key=f"{_PREFIX}/collection", help="Name of the matrices, instead of the file name."
        )
        st.multiselect(
            "Columns with scores",
            [],
            key=f"{_PREFIX}/columns",
            accept_new_options=True,
            placeholder="All columns with numbers",
            help="For tables with one column per measure; type each name as in the header.",
        )
        for kind, label in (("missing", "Missing scores"), ("repeats", "Repeated scores")):
            st.selectbox(
                label, list(SPOKEN[kind]), key=f"{_PREFIX}/{kind}", format_func=SPOKEN[kind].__getitem__
            )


def _chosen() -> Choices:
    """Return the import options."""
    state = st.session_state

    def text(name: str) -> str | None:
        return str(state.get(f"{_PREFIX}/{name}", "")).strip() or None

    return Choices(
        orientation=state.get(f"{_PREFIX}/orientation", "auto"),
        measure=text("measure"),
        collection=text("collection"),
        missing=state.get(f"{_PREFIX}/missing", "refuse"),
        repeats=state.get(f"{_PREFIX}/repeats", "refuse"),
        columns=tuple(state.get(f"{_PREFIX}/columns", ())) or None,
    )


def _take_uploads(uploader: str) -> None:
    """Read every uploaded file, then empty the uploader: only the list of matrices counts."""
    uploads = [(one.name, one.getvalue()) for one in st.session_state[uploader]]
    files = tuple(upload for upload in uploads if _fits(*upload))
    st.session_state[_UPLOADS] += 1
    if files:
        _read(Question(files, _chosen()))


def _fits(name: str, content: bytes) -> bool:
    """Return whether a file of scores is as small as the uploader asks; the browser alone would not tell."""
    if len(content) > LARGEST_SCORES_FILE_MB * 1_000_000:
        limit = f"expected a table of scores of at most {LARGEST_SCORES_FILE_MB} MB, found a larger one"
        _queue_message("error", f"{name}: {limit}")
        frame.note_refused([name])
        return False
    return True


def _take_any(uploader: str) -> None:
    """Read scores at once, and start to read runs and judgments; plan with what was uploaded last."""
    if runs_data.READING.is_running():
        return
    files: dict[str, list[tuple[str, bytes]]] = {"scores": [], "run": [], "qrels": []}
    uploads = [(upload.name, upload.getvalue()) for upload in st.session_state[uploader]]
    try:
        kinds = parsing.parsed([name for name, _ in uploads], kinds_of, uploads)
    except ParseError as error:
        frame.note_refused([name for name, _ in uploads])
        uploads, kinds = [], []
        _queue_message("error", str(error))
    for upload, kind in zip(uploads, kinds, strict=True):
        if kind != "scores" or _fits(*upload):
            files[kind].append(upload)
    st.session_state[_UPLOADS] += 1
    before = data.own()
    if files["scores"]:
        _read(Question(tuple(files["scores"]), _chosen()))
    if files["run"] or files["qrels"]:
        runs_data.read(files["run"], files["qrels"])
    new = [upload.matrix for upload in data.own() if upload not in before]
    if new:
        data.plan_with(new[0].measure)
        if frame.current().name == "start" and new[0].n_systems == 2:
            st.session_state[_LEADS_TO] = "two_systems"


def _place_of_people(matrices: Sequence[ScoreMatrix]) -> int | None:
    """Return which of two matrices of the same systems has labels of people, by its name and fewer topics."""
    places = [at for at, one in enumerate(matrices) if _OF_PEOPLE.search(f"{one.name} {one.measure}")]
    if len(matrices) != 2 or len(places) != 1:
        return None
    people, judge = matrices[places[0]], matrices[1 - places[0]]
    fits = {*people.systems} == {*judge.systems} and {*people.topics} <= {*judge.topics}
    return places[0] if fits else None


def _as_judged(question: Question, result: ReadScores) -> bool:
    """Hand a judge's scores and people's labels over, not to be score matrices; one may be loaded before."""
    files, matrices, before = question.files, result.matrices, []
    if result.errors or len(files) != len(matrices):
        return False
    if len(matrices) == 1 and not any(result.numbered):  # else rows have no ids to join by
        before = [upload for upload in data.own() if _place_of_people([upload.matrix, *matrices]) is not None]
    if len(before) == 1:
        files, matrices = (_file_of(before[0]), *files), (before[0].matrix, *matrices)
    people = _place_of_people(matrices)
    if people is None:
        return False
    if reason := judges.take_labels(files, people):
        _queue_message("info", f"Not used as scores by a judge and labels by people: {reason}")
        return False
    _forget(question.number)
    _leave_out({matrix.digest for matrix in matrices})
    st.query_params.clear()  # the address is of an answer on other scores
    st.session_state[_LEADS_TO] = "judges"
    return True


def _file_of(upload: data.Upload) -> tuple[str, str]:
    """Return a file of a loaded matrix, by the name of the file that it was read from."""
    return (upload.files[0] if len(upload.files) == 1 else upload.matrix.name), upload.matrix.to_csv()


def _leave_out(digests: Collection[str]) -> None:
    """Forget matrices that are scores by a judge and labels: no page may take them for scores of systems."""
    for upload in data.own():
        if upload.matrix.digest in digests:
            data.remove(upload.number)
    column_roles.forget()


def to_judges(label: str) -> None:
    """Link to the page of judges and repeats; a judge's scores and labels, or the last upload, go along."""
    last, own, page = column_roles.last(), data.own(), "pages/judges.py"
    pairs = [(upload, own[-1]) for upload in own[:-1]]
    judged = [pair for pair in pairs if _place_of_people([upload.matrix for upload in pair]) is not None]
    if len(judged) == 1:
        frame.go_to(page, label, partial(_hand_over_judged, judged[0]))
    elif last is None or data.is_sample():
        frame.link_to(page, label)
    else:
        digests = {upload.matrix.digest for upload in own if upload.origin == last.origin}
        frame.go_to(page, label, partial(_hand_over_files, last.files, digests))


def _hand_over_judged(pair: Sequence[data.Upload]) -> None:
    """Take loaded matrices as scores by a judge and labels by people."""
    st.session_state[_LEADS_TO] = "judges"  # the link is not drawn again
    matrices = [upload.matrix for upload in pair]
    people = _place_of_people(matrices)
    if people is not None and not judges.take_labels([_file_of(upload) for upload in pair], people):
        _leave_out({matrix.digest for matrix in matrices})


def _hand_over_files(files: Sequence[tuple[str, bytes | str]], digests: Collection[str]) -> None:
    """Take files as those of a judge or of repeats; matrices that were read from the former are left out."""
    st.session_state[_LEADS_TO] = "judges"  # the link is not drawn again
    if judges.take(files):
        _leave_out(digests)


def _take_pasted() -> None:
    """Read the text area; keep the text if it could not be read."""
    if _read(Question(((PASTED, st.session_state[f"{_PREFIX}/pasted"]),), _chosen())):
        st.session_state[f"{_PREFIX}/pasted"] = ""


def _read_again(question: Question) -> None:
    """Read files again with the choices that the user has made since."""
    if _read(question) and any(name == PASTED for name, _ in question.files):
        st.session_state[f"{_PREFIX}/pasted"] = ""


def _read_with_roles(reading: LastReading) -> None:
    """Read the files of an upload again, with other roles of their columns; its matrices take the former places."""
    question = Question(reading.files, reading.choices)
    for earlier in open_questions():
        if earlier.files == reading.files:
            question = replace(question, number=earlier.number)
    _read(question, reading)


def _read(question: Question, again: LastReading | None = None) -> bool:
    """Read files into the session; True if nothing was refused. On an error all else stays loaded."""
    try:
        names = [name for name, _ in question.files]
        result = parsing.parsed(names, read_score_files, question.files, question.choices)
    except ParseError as error:
        result = ReadScores(matrices=(), recognised=(), errors=(error,))
    if again is None and frame.current().name in _ANY and _as_judged(question, result):
        return True
    number = again.number if again else st.session_state.get(_READINGS, 0) + 1
    st.session_state[_READINGS] = max(number, st.session_state.get(_READINGS, 0))
    reading = LastReading(question.files, question.choices, result.tables, bool(result.errors), number)
    column_roles.keep(replace(reading, stated=again.stated) if again else reading)
    if again and result.matrices:
        data.replace_from(reading.origin, ())
    is_plain = again is None and question.choices == Choices() and PASTED not in names
    for matrix, sentence, files in zip(result.matrices, result.notes, result.files, strict=True):
        if (matrix.name, matrix.digest) in question.read and not again:
            continue
        files = files if is_plain and {*files} <= {*names} else ()
        if data.add(data.Upload(matrix, sentence, origin=reading.origin, files=files)):
            _queue_message("success", f"{matrix.name}: {matrix.measure}, {size_of(matrix)}.")
        else:
            _queue_message("info", f"{matrix.name}: these {matrix.measure} scores are loaded already.")
    if question.choices.by_line or not any(result.numbered):  # else rows have no ids to join by
        _join_single_systems()
    if result.matrices:
        st.query_params.clear()  # the address is of an answer on other scores
    asking = tuple(error for error in result.errors if isinstance(error, Open))
    others = [str(error) for error in result.errors if error not in asking]
    new = [text for text in others if text not in question.notes]
    for text in new:
        _queue_message("error", text)
    read = question.read | {(matrix.name, matrix.digest) for matrix in result.matrices}
    _keep(question, asking, read=read, notes=question.notes | set(others), refused=bool(new))
    if result.errors:
        frame.note_refused([error.file for error in result.errors], waits=not others)
    return not result.errors


def _join_single_systems() -> None:
    """Join loaded matrices of one system each with the last of them, by measure and topics, and tell it.

    Matrices of one system by name may be rounds of it, and stay apart.
    """
    single = [upload for upload in data.own() if upload.matrix.n_systems == 1]
    last = single[-1].matrix if single else None
    those = [upload for upload in single if last is not None and upload.matrix.measure == last.measure]
    those = [upload for upload in those if {*upload.matrix.topics} == {*those[-1].matrix.topics}]
    if len(those) > 1 and len({upload.matrix.systems for upload in those}) == len(those):
        joined, notes = join_systems([upload.matrix for upload in those])
        data.join(those, joined, notes, 0, note=f"{len(those)} files of one system each")
        _queue_message("info", notes[0])


def open_questions() -> tuple[Question, ...]:
    """Return the questions that wait for an answer, oldest first."""
    questions: tuple[Question, ...] = st.session_state.get(_OPEN, ())
    return questions


def _keep(
    question: Question,
    errors: tuple[Open, ...],
    *,
    read: frozenset[tuple[str, str]],
    notes: frozenset[str],
    refused: bool,
) -> None:
    """Keep a question after an import: its open choices, or all of it where the answer led nowhere."""
    others = tuple(other for other in open_questions() if other.number != question.number)
    if refused and question.errors:
        before = next(
            (earlier for earlier in open_questions() if earlier.number == question.number), question
        )
        errors, question = before.errors, before
    if errors:
        number = question.number or st.session_state.get(_COUNTER, 0) + 1
        st.session_state[_COUNTER] = max(number, st.session_state.get(_COUNTER, 0))
        others += (replace(question, errors=errors, read=read, notes=notes, number=number),)
    # The contents of files are large: an old question that was never answered gives way.
    st.session_state[_OPEN] = others[-_MOST_OPEN:]


def _draw_question(question: Question) -> None:
    """Draw the open choices, and a button that imports the same files again."""
    with st.container(border=True):
        for place, error in enumerate(question.errors):
            st.error(frame.plain(str(error)))
            if isinstance(error, MissingScores | RepeatedScores) and error.n_cells > _NAMED_IN_ERROR:
                _list_cells(error, f"score_matrices/cells-{question.number}-{place}")
        kinds = {type(error) for error in question.errors}
        chosen: dict[str, Any] = {}
        if MissingScores in kinds:
            spoken = SPOKEN["missing"]
            chosen["missing"] = st.selectbox(
                "These missing scores",
                [choice for choice in spoken if choice != "refuse"],
                key=f"score_matrices/answer-{question.number}",
                format_func=spoken.__getitem__,
            )
        if RepeatedScores in kinds:
            st.markdown("Repeated scores will be averaged; a note reports how much they differed.")
            label = "They are of a judge, or of several seeds: Judges and repeats"
            frame.go_to("pages/judges.py", label, partial(_hand_over, question))
            chosen["repeats"] = "average"
        for error in question.errors:
            if isinstance(error, WordsAsked):
                key = f"score_matrices/true-{question.number}"
                chosen["true"] = st.segmented_control(
                    "Which word is 1?", error.found, default=error.found[0], required=True, key=key
                )
        if TopicsAsked in kinds:
            st.markdown("The rows of all files will be taken as the same topics in the same order.")
            chosen["by_line"] = True
        with st.container(horizontal=True):
            st.button(
                "Use these options",
                key=f"score_matrices/read-{question.number}",
                type="primary",
                on_click=_read_again,
                args=(replace(question, choices=replace(question.choices, **chosen)),),
            )
            st.button(
                "Skip this file",
                key=f"score_matrices/leave-{question.number}",
                on_click=_forget,
                args=(question.number,),
            )


def _list_cells(error: MissingScores | RepeatedScores, key: str) -> None:
    what = "missing scores" if isinstance(error, MissingScores) else "repeated scores"
    shown = "" if error.n_cells == len(error.cells) else f", the first {len(error.cells):,} of them"
    with st.expander(f"All {error.n_cells:,} {what}{shown}", on_change="rerun", key=key) as more:
        if more.open:
            topics, runs = zip(*error.cells, strict=True)
            st.dataframe({"topic": topics, "run": runs}, hide_index=True, alt=f"Topic and run of {what}")


def _hand_over(question: Question) -> None:
    _forget(question.number)
    _hand_over_files(question.files, {digest for _, digest in question.read})


def _forget(number: int) -> None:
    frame.note_accepted()
    st.session_state[_OPEN] = tuple(earlier for earlier in open_questions() if earlier.number != number)
