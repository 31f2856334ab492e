"""Two views of the topic subsets page: subsets on other runs or topics, and a subset of the user's own."""

import math
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import data, export_drawer, figure, frame, link
from pages.parts.form import Number, offer_link, show_preparation
from pages.parts.job import Answers
from pages.parts.topic_subsets import (
    CHOOSING,
    EVALUATING,
    FORM,
    GUIVER,
    KENDALL,
    LEFT_OUT,
    PAGE,
    SAME,
    TOPIC,
    SubsetsInput,
    refusing,
    take,
)
from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.held_out import audit_report, splits
from topicset_core.analyses.topic_subsets.held_out import report as held_out_report
from topicset_core.analyses.topic_subsets.held_out.audit import SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve
from topicset_core.analyses.topic_subsets.request import (
    AGREEMENT,
    CARDINALITIES,
    CARDINALITY,
    CHOOSE_BY,
    HOLD_OUT,
    N_TRIALS,
    TARGET,
    AuditRequest,
    HeldOutRequest,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.parameters import SEED
from topicset_core.parsing.names import read_topic_list
from topicset_core.parsing.text import decode

_SIZE = replace(CARDINALITY, label="c, topics in a set", help="Size of the subsets in the headline.")
_AUDIT = f"{PAGE}/audit"
_LONGEST_IN_LINK = 1500  # characters of ids; some programs cut longer addresses off at 2000
_FIRST = 10
_LARGEST_FILE_MB = 1

HELD_OUT: Answers[HeldOutRequest, HeldOutCurve] = Answers(held_out_report.QUESTION, f"{PAGE}-held-out")
AUDIT: Answers[AuditRequest, SubsetAudit] = Answers(
    audit_report.QUESTION, f"{PAGE}-audit", unasked_seconds=math.inf, button="again"
)


def show_held_out(asked: SubsetsInput, form: DeltaGenerator, place: DeltaGenerator) -> None:
    """Show the question, the answer, the curves, the numbers."""
    with form:
        FORM.ask(HOLD_OUT)
        FORM.draw(Number(_SIZE))
        with st.expander("Options of the hold-out experiment"):
            as_evaluated = f"{measure_of(asked.request.goodness).label}, as for the evaluation"
            choose_by = FORM.draw(replace(CHOOSING, options={SAME: as_evaluated, **CHOOSE_BY.options}))
            evaluating = _ask_evaluating(asked)
            placed = AGREEMENT, TARGET, CARDINALITY, CARDINALITIES, HOLD_OUT, CHOOSE_BY, SEED
            FORM.ask_rest(HeldOutRequest, *placed)
    chosen_by = None if choose_by == SAME else choose_by
    request = FORM.request(HeldOutRequest, asked.values, choose_by=chosen_by)
    more = {EVALUATING.name: None if evaluating is None else evaluating.measure}
    url = asked.url(hold_out=request.hold_out, choose_by=choose_by, **more)
    with place:
        with refusing("These scores cannot be split for a hold-out experiment"):
            known = HELD_OUT.look(splits.BothScores(asked.matrix, evaluating), request)
        curve = known.answer
        if curve is None:
            asked.show_waiting("The experiment takes a while")
            show_preparation(asked.notes)
            HELD_OUT.bar(known, "", url)
            return
        exported, held_out = held_out_report.report(curve), request.hold_out
        frame.show_answer(
            exported,
            f"The {held_out} are split in random halves. The best subset is chosen on one half and evaluated on "
            "the other, so the value is not biased by the choice.",
            f"Other {held_out} differ from yours as the two halves differ from each other.",
            is_preview=not known.is_whole,
        )
        figure.show(held_out_report.held_out_goodness(curve), of="topic-subsets")
        show_preparation(asked.notes)
        HELD_OUT.bar(
            known, ("" if known.is_whole else f"{known.stage}: ") + held_out_report.how_counted(curve), url
        )
        export_drawer.draw(exported, preparation=asked.notes, link=url)
        evidence, numbers = frame.tabs("Answer", "Numbers")
        with evidence:
            frame.show_findings(exported)
            asked.show_size(curve.request.shown_size(curve.n_topics))
        if frame.is_drawn(numbers):
            with numbers:
                frame.table(
                    *held_out_report.POINTS.screen(curve.points),
                    alt="Agreement on held-out halves by subset size",
                )
        frame.explain("subsets_held_out", guiver=GUIVER)


def _ask_evaluating(asked: SubsetsInput) -> ScoreMatrix | None:
    """Let the user evaluate with another metric of the same runs and topics, if one is loaded."""
    others: dict[str, ScoreMatrix] = {}
    for matrix in data.matrices():
        if matrix is not asked.upload and splits.same_runs_and_topics(asked.upload, matrix):
            others[f"{matrix.measure}, {matrix.name}" if matrix.measure in others else matrix.measure] = (
                matrix
            )
    if not others:
        st.markdown(
            ":small[:gray[To evaluate with another metric, load its scores for the same runs and topics.]]"
        )
        return None
    labels = {SAME: f"{asked.matrix.measure}, as for the choice"}
    labels |= {key: f"{matrix.measure}, {matrix.name}" for key, matrix in others.items()}
    chosen = FORM.draw(replace(EVALUATING, options=labels))
    return None if chosen == SAME else splits.select_runs(others[chosen], asked.matrix.systems)


def show_audit(asked: SubsetsInput, form: DeltaGenerator, place: DeltaGenerator) -> None:
    """Show the box, the answer, its charts and tables."""
    with form:
        topics, left_out = _ask_subset(asked)
    with place:
        if topics:
            _audit(asked, topics, left_out)
            return
        AUDIT.jobs.follow()
        st.markdown(
            "Paste topic ids, for example of a small benchmark, to compare them with all subsets of that size."
        )


def _audit(asked: SubsetsInput, topics: tuple[str, ...], left_out: tuple[str, ...]) -> None:
    out = set(left_out)
    runs = tuple(run for run in asked.matrix.systems if run not in out)
    request = FORM.request(
        AuditRequest, asked.values, topics=topics, runs=runs if left_out and runs else None
    )
    with refusing("This subset cannot be evaluated"):
        splits.checked_units(splits.select_runs(asked.matrix, runs), None)
    known = AUDIT.look(asked.matrix, request)
    AUDIT.follow(known)
    answer = known.answer
    if answer is None:
        AUDIT.offer(known, "Evaluate again")
        return
    exported = audit_report.report(answer)
    frame.show_answer(
        exported,
        "Run means over your topics are compared with those over all topics. The headline is the share of "
        "subsets of the same size that agree less with the full ranking.",
        "Your topics were chosen without the scores of these runs.",
    )
    figure.show(audit_report.audit_place(answer), of="topic-subset")
    show_preparation(asked.notes)
    more = {name: ids for name, ids in ((TOPIC, topics), (LEFT_OUT, left_out)) if ids and fits_in_link(ids)}
    url = asked.url(**more)
    offer_link(url)
    if not fits_in_link(topics):
        st.markdown(":small[:gray[The list is too long for a link and is left out of it.]]")
    export_drawer.draw(exported, preparation=asked.notes, link=url)
    evidence, ranks, numbers = frame.tabs("Answer", audit_report.RANKS_TAB, "Numbers")
    with evidence:
        frame.show_findings(exported)
    if frame.is_drawn(ranks):
        with ranks:
            frame.show_findings(exported, audit_report.RANKS_TAB, key="ranks")
            figure.show(audit_report.rank_changes(answer), of="topic-subset")
            rows = audit_report.RANKS.screen(answer.ranking.changes)
            frame.table(*rows, alt="Ranks of the runs, largest change first")
    if frame.is_drawn(numbers):
        with numbers:
            frame.table(
                *audit_report.PLACE.screen(answer.goodness), alt="The subset by each measure of agreement"
            )
    frame.explain("own_subset", guiver=GUIVER, kendall=KENDALL)


def fits_in_link(ids: tuple[str, ...]) -> bool:
    """Return whether ids are short enough for a link."""
    return len("".join(ids)) + (len(TOPIC) + 2) * len(ids) <= _LONGEST_IN_LINK


def _ask_subset(asked: SubsetsInput) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Draw the box for the list, and the rest in an expander; return topics, and the runs that chose them."""
    matrix = asked.matrix
    if f"{_AUDIT}/text" not in st.session_state:
        _take_link()
    with st.form(f"{_AUDIT}/list"):
        st.text_area(
            "Topic ids, one per line or separated by commas",
            key=f"{_AUDIT}/text",
            height=140,
            persist_state="session",
            placeholder="\n".join(matrix.topics[:3]),
        )
        st.form_submit_button(
            "Evaluate these topics",
            key=f"{_AUDIT}/run",
            on_click=lambda: take(st.session_state[f"{_AUDIT}/text"]),
            type="primary",
        )
    st.file_uploader(
        "or a file with topic ids",
        max_upload_size=_LARGEST_FILE_MB,
        key=f"{_AUDIT}/file",
        on_change=_take_file,
    )
    n = min(_FIRST, matrix.n_topics - 1)
    if n > 0:
        example_ids = "\n".join(matrix.topics[:n])
        st.button(f"Try the first {n}", key=f"{_AUDIT}/example", on_click=take, args=(example_ids,))
    left_out = _ask_runs(matrix.systems)
    return _topics(matrix.topics), left_out


def _ask_runs(systems: tuple[str, ...]) -> tuple[str, ...]:
    with st.expander("Runs and splits of the evaluation"):
        key = f"{_AUDIT}/{LEFT_OUT}"
        if key in st.session_state:  # others were loaded since
            st.session_state[key] = [run for run in st.session_state[key] if run in set(systems)]
        left_out = st.multiselect(
            "Runs by which the topics were chosen",
            systems,
            key=key,
            persist_state="session",
            help="They are left out, so that only other runs evaluate your topics.",
        )
        FORM.ask_rest(AuditRequest, AGREEMENT, N_TRIALS, SEED)
    return tuple(left_out)


def _topics(known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the last valid list of topics, and show the error of an invalid one."""
    text, name = st.session_state.get(f"{_AUDIT}/taken", ("", ""))
    before: tuple[str, ...] = st.session_state.get(f"{_AUDIT}/good", ())
    if not set(before) <= set(known):  # other scores were loaded since
        before = ()
    if not text:
        return before
    try:
        result = read_topic_list(name, text, known)
        if len(result) == len(known):
            raise ParseError(name, None, "expected a proper subset of the topics, found all of them")
    except ParseError as error:
        kept = " The results are for the previous list." if before else ""
        link.complain([link.Complaint(f"{error}.{kept}", TOPIC)], key=None)
        return before
    st.session_state[f"{_AUDIT}/good"] = result
    return result


def _take_link() -> None:
    """Start from the topics and runs of the link, if it has any."""
    topics, runs = (link.texts(name) for name in (TOPIC, LEFT_OUT))
    st.session_state[f"{_AUDIT}/text"] = "\n".join(topics)
    if topics:
        st.session_state[f"{_AUDIT}/taken"] = ("\n".join(topics), "The topics of this link")
    if runs:
        st.session_state[f"{_AUDIT}/{LEFT_OUT}"] = runs


def _take_file() -> None:
    """Put the text of the file into the box."""
    file = st.session_state[f"{_AUDIT}/file"]
    if file is None:
        return
    if file.size > _LARGEST_FILE_MB * 2**20:
        st.toast(f"A list of topics may have {_LARGEST_FILE_MB} MB; this file is larger.")
        return
    content = file.getvalue()
    try:
        take(decode(content, file.name), file.name)
    except ParseError:
        # Its error is shown where lists are read.
        st.session_state[f"{_AUDIT}/taken"] = content, file.name
