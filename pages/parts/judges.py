"""The form on judges and repeats: scores, the kind of repeats or the pair of systems, and costs."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import streamlit as st

from pages.parts import frame, link, runs_data
from pages.parts.computation import once
from pages.parts.form import ERROR_PROBABILITIES, Choice, Form, Text, fields_of
from pages.parts.link import Stamp
from pages.parts.parsing import parsed
from pages.parts.score_matrices import column_roles
from pages.parts.score_matrices.column_roles import LastReading
from topicset_core.analyses.judge_study import Request as JudgeRequest
from topicset_core.analyses.judge_study import TwoSets, two_sets
from topicset_core.analyses.judge_study.answer import LABELS_ARE, MARKED, TOP_K
from topicset_core.analyses.repeats import Request as RepeatsRequest
from topicset_core.analyses.repeats.answer import KIND
from topicset_core.analyses.run_evaluation import Request as Evaluating
from topicset_core.collection import Qrels, Run
from topicset_core.collection.replicated_scores import PairedLabels, ReplicatedScores
from topicset_core.collection.selection import choose
from topicset_core.errors import InputError, ParseError
from topicset_core.measures import Conventions
from topicset_core.parameters import ALPHA, BETA, MIN_D, AnyParameter
from topicset_core.parsing.choices import Choices, SeveralMeasures
from topicset_core.parsing.limits import LARGEST_SCORES_FILE_MB
from topicset_core.parsing.scores.replicated import columns_of, read_labels, read_replicated
from topicset_core.samples import simulated_judge
from topicset_core.samples.simulated_runs import simulated_two_sets
from topicset_core.wording import counted, first_few, joined

PAGE = "judges"
_OF_REPEATS = {given.parameter.name for given in RepeatsRequest.declared()}
ABOUT = Choice(
    "about",
    "The scores have",
    {
        "judge": "a judge, and some human labels",
        "runs": "runs, judged by people and by a model",
        "repeats": "several seeds or repeats per system",
    },
    look="radio",
)
_FIRST: Choice[str] = Choice("first", "First system")
_SECOND: Choice[str] = Choice("second", "Second system")
_PEOPLE: Choice[str] = Choice("people", "Judged by people")
_MODEL: Choice[str] = Choice("model", "Judged by a model")
_OTHER: Choice[str] = Choice("other", "Judged by other people", help="The most that a model can agree.")
_MEASURE: Choice[str] = Choice(link.MEASURE, "Measure")
_SETS = (_PEOPLE, _MODEL, _OTHER, _MEASURE)
_NOBODY = "nobody"
_TWO_SETS_HELP = "Upload runs and two files of judgments, by people and by a model, on Runs and judgments."
_MARKED = Text("marked", MARKED.label, placeholder="names or patterns, as idst*")
FORM = Form(
    PAGE,
    (
        ABOUT,
        _FIRST,
        _SECOND,
        *_SETS,
        _MARKED,
        *fields_of(RepeatsRequest, is_short=True),
        *(field for field in fields_of(JudgeRequest, is_short=True) if field.name not in _OF_REPEATS),
    ),
    together=ERROR_PROBABILITIES,
)
_HELP = {
    "judge": "One table with columns topic, system, judge and human. Leave human empty without a label; further "
    "rows of a topic and system are further judge calls. Or two files: scores by the judge, and labels by people.",
    "repeats": "A long table with columns topic, system, score and seed (or repeat, variant), one score file per "
    "seed, or logs of Inspect or promptfoo with epochs or repeats.",
}


Data = ReplicatedScores | PairedLabels | TwoSets

OWN = f"{PAGE}/own-"
"""Begins the names of the user's scores in the session; saved work has them, too."""

_READ, _REFUSED, _UPLOADS, _MEASURES = (
    f"frame/judges-{name}-" for name in ("read", "refused", "uploads", "measures")
)
"""Scores of the files in the uploader, why they were refused, how often the uploader was emptied, the measures of
logs with several; by question."""

_READINGS = "frame/judges-readings"
_HANDED = "frame/judges-handed"
"""Why files that were uploaded on another page are not used here."""

_HERE_ONLY = "{} used on this page only. Score matrices takes them as plain scores."
"""On scores of a judge that were uploaded on another page, where its bias would be a difference of systems."""

_EITHER = "frame/judges-either"
"""Names of two files, either of which may have the labels of people."""


def scores(about: str) -> Data:
    """Draw the upload and return the scores in use: the user's, or the simulated sample."""
    if about == "runs":
        return _two_sets()
    state = st.session_state
    uploader = f"{PAGE}/files-{about}-{state.get(f'{_UPLOADS}{about}', 0)}"
    files = st.file_uploader(
        "Upload your own",
        accept_multiple_files=True,
        max_upload_size=LARGEST_SCORES_FILE_MB,
        key=uploader,
        on_change=_take_uploads,
        args=(about, uploader),
        help=_HELP[about],
    )
    if files and state.get(f"{_REFUSED}{about}"):
        frame.refuse(frame.plain(state[f"{_REFUSED}{about}"]))
    if files and state.get(f"{_MEASURES}{about}"):
        st.selectbox(
            "Measure of the logs",
            state[f"{_MEASURES}{about}"],
            index=None,
            key=f"{uploader}-measure",
            on_change=_take_uploads,
            args=(about, uploader),
            kwargs={"chooses": True},
        )
    if files and about == "judge" and state.get(_EITHER):
        names: Sequence[str] = state[_EITHER]
        st.radio(
            "People's labels are in",
            range(len(names)),
            index=None,
            format_func=frame.labelled(
                f"{uploader}-people", range(len(names)), lambda place: frame.plain(names[place])
            ),
            key=f"{uploader}-people",
            on_change=_take_uploads,
            args=(about, uploader),
            kwargs={"chooses": True},
        )
    if files:
        column_roles.draw(
            lambda reading: _take_uploads(about, uploader, chooses=True, again=reading),
            opens=False,
            place=f"{PAGE}/{about}",
        )
    if reason := state.pop(_HANDED, ""):
        frame.refuse(frame.plain(reason))
    result = in_use(about)
    state[frame.ON_SAMPLE] = state.get(f"{OWN}{about}") is None
    with frame.head("data"):
        if frame.on_sample():
            st.markdown("**Sample data**, simulated: three RAG systems.")
        else:
            st.markdown(f"{frame.plain(result.name)}, {len(result.topics):,} topics")
    if isinstance(result, PairedLabels) and result.notes:
        st.markdown(f":small[{frame.plain(' '.join(result.notes))}]")
    if not frame.on_sample():
        st.button("Remove", key=f"{PAGE}/remove-{about}", on_click=_remove, args=(about,))
    return result


@st.cache_resource(show_spinner=False)
def _sample() -> tuple[list[Run], list[Qrels]]:
    """Return simulated runs with the judgments of people and of a model."""
    runs, people, model = simulated_two_sets()
    return runs, [people, model]


def _own_sets() -> tuple[list[Run], list[Qrels]] | None:
    """Return the user's runs and judgments, if two sets are of the same topics."""
    if runs_data.is_sample():
        return None
    track = runs_data.in_use()
    qrels = [judged.qrels for judged in track.judged]
    shared = any(set(first.topics) & set(second.topics) for first, second in combinations(qrels, 2))
    return ([read.run for read in track.runs], qrels) if shared else None


def _two_sets() -> TwoSets:
    """Ask which judgments are by whom, and return the scores of runs by both."""
    own = _own_sets()
    runs, qrels = own or _sample()
    st.session_state[frame.ON_SAMPLE] = own is None
    with frame.head("data"):
        text = "**Sample data**" if own is None else f"Your {counted(len(runs), 'run')}"
        st.markdown(text, width="content", help=_TWO_SETS_HELP)
        frame.link_to("pages/runs_and_qrels.py", "Upload yours" if own is None else "Change them")
    by_name = {judged.name: judged for judged in qrels}
    names = list(by_name)
    people = FORM.draw(replace(_PEOPLE, options=names))
    model = FORM.draw(replace(_MODEL, options=[name for name in names if name != people]))
    other = FORM.draw(
        replace(_OTHER, options=[_NOBODY, *(name for name in names if name not in (people, model))])
    )
    measure = FORM.draw(replace(_MEASURE, options=runs_data.AD_HOC, usual="nDCG@10"))
    level = min(runs_data.relevance_level(), *(int(by_name[name].grades.max()) for name in (people, model)))
    request = Evaluating(measures=(measure,), conventions=Conventions(relevance_level=max(level, 1)))
    return once(
        ("two sets", _stamp_of_sets(runs, qrels).digest, people, model, other, request),
        lambda: two_sets(runs, by_name[people], by_name[model], request, other=by_name.get(other)),
    )


def _stamp_of_sets(runs: Sequence[Run], qrels: Sequence[Qrels]) -> Stamp:
    """Return how links name runs and all their judgments."""
    if not frame.on_sample():
        return runs_data.stamp()
    state = hashlib.sha256(b"".join(judged.grades.astype("<i8").tobytes() for judged in qrels))
    return Stamp(state.hexdigest(), f"{qrels[-1].n_topics}x{len(runs)}", qrels[0].name)


def marked(scores: Data) -> tuple[str, ...] | None:
    """Return the runs that share the model's family, by the text of the form; None without."""
    text = st.session_state.get(f"{PAGE}/{_MARKED.name}", "")
    if not isinstance(scores, TwoSets) or not text.strip():
        return None
    systems = scores.labels.systems
    return tuple(systems[place] for place in choose(text, systems, _MARKED.name, "run").places)


def in_use(about: str) -> ReplicatedScores | PairedLabels:
    """Return the user's scores about a question, or the simulated ones."""
    own: ReplicatedScores | PairedLabels | None = st.session_state.get(f"{OWN}{about}")
    return simulated_judge()[about == "judge"] if own is None else own


def digests() -> set[str]:
    """Return the digests of the scores in use for each question: links name those of one."""
    return {stamp(in_use(about)).digest for about in ("judge", "repeats")}


def _keep_columns(
    about: str, contents: Sequence[tuple[str, bytes]], names: Sequence[str], again: LastReading | None
) -> Choices:
    """Keep the roles of the columns of an upload, to be shown; return how it is read."""
    number = again.number if again else st.session_state.get(_READINGS, 0) + 1
    st.session_state[_READINGS] = max(number, st.session_state.get(_READINGS, 0))
    choices = again.choices if again else Choices()
    tables = parsed(names, columns_of, contents, choices, are_labels=about == "judge" and len(contents) == 1)
    reading = LastReading(
        files=tuple(contents),
        choices=choices,
        tables=tables,
        is_refused=False,
        number=number,
        place=f"{PAGE}/{about}",
    )
    column_roles.keep(replace(reading, stated=again.stated) if again else reading)
    return choices


def _take_uploads(
    about: str, uploader: str, *, chooses: bool = False, again: LastReading | None = None
) -> None:
    """Use the scores of the files in the uploader; if they are refused, the scores in use stay."""
    # If no file is left, the scores read from it are forgotten, but not those of saved work.
    link.leave()
    frame.note_accepted()
    state, kept, read = st.session_state, f"{OWN}{about}", f"{_READ}{about}"
    contents = [(file.name, file.getvalue()) for file in state[uploader]]
    state[f"{_REFUSED}{about}"] = ""
    if again is None and chooses:
        again = column_roles.last(f"{PAGE}/{about}")
    if not chooses:  # other files have other measures
        for name in (f"{_MEASURES}{about}", f"{uploader}-measure", f"{uploader}-people", _EITHER):
            state.pop(name, None)
    if not contents:
        if read in state and state.get(kept) is state.pop(read):
            state[kept] = None
        return
    names = [name for name, _ in contents]
    try:
        for name, content in contents:
            if len(content) > LARGEST_SCORES_FILE_MB * 1_000_000:
                raise ParseError(
                    name, None, f"expected at most {LARGEST_SCORES_FILE_MB} MB, found a larger file"
                )
        choices = _keep_columns(about, contents, names, again)
        if about == "repeats":
            measure = state.get(f"{uploader}-measure") or ""
            state[kept] = state[read] = parsed(names, read_replicated, contents, measure, choices)
        else:
            result = _labels(contents, state.get(f"{uploader}-people"), choices)
            if result is None:
                state[_EITHER] = names
                frame.note_refused(names, PAGE, waits=True)
            else:
                state[kept] = state[read] = result
    except (ParseError, InputError) as error:
        state[f"{_REFUSED}{about}"] = str(error)
        if (reading := column_roles.last(f"{PAGE}/{about}")) is not None:
            column_roles.keep(replace(reading, is_refused=True))
        frame.note_refused(names, PAGE, waits=isinstance(error, SeveralMeasures))
        if isinstance(error, SeveralMeasures):
            state[f"{_MEASURES}{about}"] = error.measures


def take_labels(files: Sequence[tuple[str, bytes | str]], people: int) -> str:
    """Use judge scores and labels of people that were uploaded on another page; return why they are not used."""
    try:
        result = _labels(_encoded(files), people, Choices())
    except (ParseError, InputError) as error:
        return str(error)
    if result is not None:
        frame.note_accepted()
        _use("judge", result, [name for name, _ in files])
    return ""


def take(files: Sequence[tuple[str, bytes | str]]) -> bool:
    """Use files that were uploaded on another page; True of judge scores with labels, False of repeats or none."""
    state, names, about = st.session_state, [name for name, _ in files], "judge"
    contents = _encoded(files)
    frame.note_accepted()
    result: PairedLabels | ReplicatedScores | None = None
    try:
        result = _labels(contents, None, Choices())
        state[_HANDED] = (
            "" if result else f"Upload {first_few(names, 2)} here: either may have the labels of people."
        )
    except ParseError:
        try:
            result, about = parsed(names, read_replicated, contents, "", Choices()), "repeats"
            state[_HANDED] = ""
        except (ParseError, InputError) as error:
            what = "neither judge scores with labels of people nor repeats"
            state[_HANDED] = f"{first_few(names, 2)}: {what}. Upload all files of these here. ({error})"
    _use(about, result, names)
    return isinstance(result, PairedLabels)


def _encoded(files: Sequence[tuple[str, bytes | str]]) -> list[tuple[str, bytes]]:
    return [(name, text.encode() if isinstance(text, str) else text) for name, text in files]


def _use(about: str, result: PairedLabels | ReplicatedScores | None, names: Sequence[str]) -> None:
    """Let the page answer a question, with scores that came from another page where there are any."""
    state, key = st.session_state, f"{PAGE}/{ABOUT.name}"
    if isinstance(result, PairedLabels):
        those = f"{joined(names)} {'is' if len(names) == 1 else 'are read together, and'}"
        result = replace(result, notes=(*result.notes, _HERE_ONLY.format(those)))
    if result is not None:
        state[f"{OWN}{about}"] = result
    state[key if f"{PAGE}/valid" in state else f"{key}{link.WAITS}"] = about


def _labels(
    contents: Sequence[tuple[str, bytes]], people: int | None, choices: Choices
) -> PairedLabels | None:
    """Read judge scores and labels, of two files those of people at a place; None where it may be either."""
    if len(contents) == 1:
        ((name, content),) = contents
        result: PairedLabels = parsed([name], read_labels, name, content, None, choices)
        return result
    if len(contents) > 2:
        rule = f"expected one file, or one of the judge and one of people, found {len(contents)} files"
        raise ParseError(first_few([name for name, _ in contents], 3), None, rule)
    read: dict[int, PairedLabels] = {}
    refused: dict[int, ParseError] = {}
    for place in (0, 1) if people is None else (people,):
        human, judge = contents[place], contents[1 - place]
        try:
            read[place] = parsed([judge[0], human[0]], read_labels, *judge, human, choices)
        except ParseError as error:
            refused[place] = error
    if not read:
        raise refused.get(1) or refused[0]
    if len(read) > 1:
        return None
    ((place, labels),) = read.items()
    n_labelled = int((~np.isnan(labels.human).all(axis=1)).sum())
    where = f"The labels of people are in {contents[place][0]}, on {n_labelled:,} of {len(labels.topics):,} topics."
    return replace(labels, notes=(where, *labels.notes))


def _remove(about: str) -> None:
    """Forget the scores, and the files in the uploader."""
    link.leave()
    frame.note_accepted()
    st.session_state[f"{OWN}{about}"] = None
    st.session_state[f"{_UPLOADS}{about}"] = st.session_state.get(f"{_UPLOADS}{about}", 0) + 1


def stamp(scores: Data) -> Stamp:
    """Return how links name the scores in use."""
    if isinstance(scores, TwoSets):
        return _stamp_of_sets(*(_own_sets() or _sample()))
    return Stamp(scores.digest, f"{len(scores.topics)}x{len(scores.systems)}", scores.name)


def draw_choices(scores: Data) -> tuple[str, str] | None:
    """Draw the kind of repeats, or two systems, and return these."""
    if isinstance(scores, ReplicatedScores):
        FORM.ask(KIND)
        return None
    if isinstance(scores, TwoSets):
        FORM.draw(_MARKED)
    systems = list((scores.labels if isinstance(scores, TwoSets) else scores).systems)
    first = FORM.draw(replace(_FIRST, options=systems, usual=systems[1]))
    return first, FORM.draw(replace(_SECOND, options=[name for name in systems if name != first]))


def numbers(about: str) -> dict[str, Any]:
    """Draw the numbers that this question takes and return all of them."""
    placed: list[AnyParameter] = [ALPHA, BETA, MIN_D]
    placed = placed if about == "repeats" else [LABELS_ARE, *placed, TOP_K]
    FORM.ask(*placed)
    with st.expander("Costs", expanded=True):
        FORM.ask_rest(RepeatsRequest if about == "repeats" else JudgeRequest, KIND, MARKED, *placed)
    return FORM.values()


def url(about: str, scores: Data, pair: tuple[str, str] | None) -> str:
    """Return the full link: the values that the question takes."""
    of_runs = {field.name for field in (*_SETS, _MARKED)}
    names = {
        given.parameter.name for given in (JudgeRequest if pair else RepeatsRequest).declared()
    } - of_runs
    names |= {ABOUT.name} | (of_runs if about == "runs" else set())
    unused = {field.name: None for field in FORM.fields if field.name not in names}
    chosen = dict(zip((_FIRST.name, _SECOND.name), pair or (None, None), strict=True))
    return FORM.url({}, **{**unused, **chosen, link.DATA: str(stamp(scores))})
