"""The audit view of the topic subsets page: how good is a given subset of topics?"""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts import export_drawer, figure, frame, link
from pages.parts.computation import Computation
from pages.parts.form import offer_link, show_preparation
from pages.parts.topic_subsets import form
from pages.parts.topic_subsets.form import GUIVER, KENDALL
from topicset_core.analyses.topic_subsets.held_out.audit import AuditRequest, SubsetAudit, audit_subset
from topicset_core.analyses.topic_subsets.held_out.audit_report import (
    audit_answer,
    audit_place,
    audit_table,
    halves_sentence,
    rank_changes,
    rank_changes_table,
    ranking_sentence,
    report,
    share_in_title,
)
from topicset_core.analyses.topic_subsets.held_out.request import N_SPLITS, N_STARTS
from topicset_core.analyses.topic_subsets.held_out.splits import checked_units, select_runs
from topicset_core.analyses.topic_subsets.request import N_TRIALS
from topicset_core.errors import InputError, ParseError
from topicset_core.parameters import SEED
from topicset_core.parsing.text import decode
from topicset_core.parsing.topic_list import read_topic_list
from topicset_core.wording import counted

_KEY = f"{form.PAGE}/audit"
_TYPED = "Your list"
_LONGEST_IN_LINK = 1500  # characters of ids; some programs cut longer addresses off at 2000
_FIRST = 10
_LARGEST_FILE_MB = 1


@dataclass(frozen=True)
class AuditSettings:
    """A valid question about a set of topics."""

    settings: form.Settings
    topics: tuple[str, ...]
    left_out: tuple[str, ...]  # runs by which the subset was chosen

    @property
    def runs(self) -> tuple[str, ...] | None:
        """The runs that evaluate, None for all."""
        if not self.left_out:
            return None
        out = set(self.left_out)
        return tuple(run for run in self.settings.matrix.systems if run not in out)

    @property
    def key(self) -> tuple[object, ...]:
        """Key of the question."""
        values = self.settings.values
        numbers = (values[field.name] for field in (N_TRIALS, N_SPLITS, N_STARTS, SEED))
        return (self.settings.matrix.digest, self.topics, self.left_out, *numbers)

    @property
    def url(self) -> str:
        """The full link, with the topics and runs if they fit."""
        more: dict[str, link.Value] = {}
        for name, ids in ((form.TOPIC, self.topics), (form.LEFT_OUT, self.left_out)):
            if ids and fits_in_link(ids):
                more[name] = ids
        return self.settings.url("audit", more)


def fits_in_link(ids: tuple[str, ...]) -> bool:
    """Return whether ids are short enough for a link."""
    return len("".join(ids)) + (len(form.TOPIC) + 2) * len(ids) <= _LONGEST_IN_LINK


def ask(settings: form.Settings) -> AuditSettings:
    """Draw the box for the list, and the rest in an expander."""
    matrix = settings.matrix
    if f"{_KEY}/text" not in st.session_state:
        _take_link()
    with st.form(f"{_KEY}/list"):
        st.text_area(
            "Topic ids, one per line or separated by commas",
            key=f"{_KEY}/text",
            height=140,
            persist_state="session",
            placeholder="\n".join(matrix.topics[:3]),
        )
        st.form_submit_button(
            "Evaluate these topics", key=f"{_KEY}/run", on_click=_take_typed, type="primary"
        )
    upload, example = st.columns(2, vertical_alignment="bottom")
    with upload:
        st.file_uploader(
            "or a file with topic ids",
            max_upload_size=_LARGEST_FILE_MB,
            key=f"{_KEY}/file",
            on_change=_take_file,
        )
    with example:
        n = min(_FIRST, matrix.n_topics - 1)
        if n > 0:
            example_ids = "\n".join(matrix.topics[:n])
            st.button(f"Try the first {n}", key=f"{_KEY}/example", on_click=take, args=(example_ids,))
    left_out = _ask_runs(settings)
    return AuditSettings(settings, _topics(matrix.topics), left_out)


def _ask_runs(settings: form.Settings) -> tuple[str, ...]:
    systems = settings.matrix.systems
    with st.expander("Runs and splits of the evaluation"):
        first, second = st.columns(2)
        with first:
            key = f"{_KEY}/{form.LEFT_OUT}"
            if key in st.session_state:  # others were loaded since
                there = set(systems)
                st.session_state[key] = [run for run in st.session_state[key] if run in there]
            left_out = st.multiselect(
                "Runs by which the topics were chosen",
                systems,
                key=key,
                persist_state="session",
                help="They are left out, so that only other runs evaluate your topics.",
            )
        with second:
            form.FORM.ask(N_SPLITS, N_STARTS)
    return tuple(left_out)


def _topics(known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the last valid list of topics.

    The error of an invalid list is shown, and the list stays in the box.
    """
    text, name = st.session_state.get(f"{_KEY}/taken", ("", _TYPED))
    before: tuple[str, ...] = st.session_state.get(f"{_KEY}/good", ())
    if not set(before) <= set(known):  # other scores were loaded since
        before = ()
    if not text:
        return before
    try:
        result = read_topic_list(name, text, known)
        if len(result) == len(known):
            raise ParseError(name, None, "expected a proper subset of the topics, found all of them")
    except ParseError as error:
        kept = " The results below are for the previous list." if before else ""
        link.complain([link.Complaint(f"{error}.{kept}", form.TOPIC)], key=None)
        return before
    st.session_state[f"{_KEY}/good"] = result
    return result


def _take_link() -> None:
    """Start from the topics and runs of the link, if it has any."""
    topics, runs = (link.texts(name) for name in (form.TOPIC, form.LEFT_OUT))
    st.session_state[f"{_KEY}/text"] = "\n".join(topics)
    if topics:
        st.session_state[f"{_KEY}/taken"] = ("\n".join(topics), "The topics of this link")
    if runs:
        st.session_state[f"{_KEY}/{form.LEFT_OUT}"] = runs


def _take_typed() -> None:
    take(st.session_state[f"{_KEY}/text"])


def _take_file() -> None:
    """Put the text of the file into the box."""
    file = st.session_state[f"{_KEY}/file"]
    if file is None:
        return
    content = file.getvalue()
    try:
        take(decode(content, file.name), file.name)
    except ParseError:
        st.session_state[f"{_KEY}/taken"] = (
            content,
            file.name,
        )  # its error is shown where lists are read


def take(text: str, name: str = _TYPED) -> None:
    """Take a list of topics as the one to audit."""
    st.session_state[f"{_KEY}/text"] = text
    # A list without any id is refused; no list at all is not.
    st.session_state[f"{_KEY}/taken"] = (text or "\n", name)


AUDIT: Computation[SubsetAudit] = Computation(f"{form.PAGE}-audit")
_BEGUN = f"{AUDIT.name}/begun"


def show(settings: form.Settings) -> None:
    """Show the box, the answer, its charts and tables."""
    question = ask(settings)
    if question.topics:
        try:
            checked_units(select_runs(settings.matrix, question.runs or settings.matrix.systems), None)
        except InputError as error:
            frame.refuse(frame.plain(f"This subset cannot be evaluated: {form.rule_of(error)}."))
            return
    if question.topics and st.session_state.get(_BEGUN) != question.key:
        _start(question)
    AUDIT.follow()
    answer = AUDIT.result(question.key)
    if answer is None:
        if not question.topics:
            st.markdown(
                "Paste topic ids, for example of a small benchmark, to compare them with all subsets of that size."
            )
        elif not AUDIT.is_running():
            st.button("Evaluate again", key=f"{AUDIT.name}/again", on_click=_start, args=(question,))
        return
    key = settings.measure.key
    _show_sentences(answer, key)
    show_preparation(settings.notes)
    with st.container(horizontal=True, vertical_alignment="center"):
        offer_link(question.url)
    if not fits_in_link(question.topics):
        st.markdown(":small[:gray[The list is too long for a link and is left out of it.]]")
    figure.show(audit_place(answer, key), of="topic-subset")
    export_drawer.draw(
        report(
            answer,
            settings.matrix,
            goodness=key,
            left_out=question.left_out,
            preparation=settings.notes,
            link=question.url,
        )
    )
    changed = sum(one.change != 0 for one in answer.ranking.changes)
    with frame.folded("Ranks", f"{changed:,} of {answer.n_systems:,} runs change their rank"):
        figure.show(rank_changes(answer), of="topic-subset")
        st.dataframe(
            rank_changes_table(answer), hide_index=True, alt="Ranks of the runs, largest change first"
        )
    with frame.folded("Numbers", f"the subset by {counted(len(answer.goodness), 'measure')} of agreement"):
        st.dataframe(audit_table(answer), hide_index=True, alt="The subset by each measure of agreement")
    frame.explain("own_subset", guiver=GUIVER, kendall=KENDALL)


def _show_sentences(result: SubsetAudit, key: str) -> None:
    one = result.by(key)
    topics = counted(result.cardinality, "topic")
    place = (
        ":primary[correlation undefined]"
        if one.percentile is None
        else f"better than :primary[{share_in_title(one)} of subsets]"
    )
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(
            f"Your {topics}: {place}",
            "Run means over your topics are compared with those over all topics. The headline is the share of "
            "subsets of the same size that agree less with the full ranking.",
            "Your topics were chosen without the scores of these runs.",
        )
        st.markdown(frame.plain(audit_answer(result, key)))
    for sentence in (halves_sentence(result, key), ranking_sentence(result)):
        st.markdown(frame.plain(sentence))


def _start(question: AuditSettings) -> None:
    """Start the evaluation, once automatically and again by its button."""
    settings, key = question.settings, question.key
    values: dict[str, Any] = {
        field.name: int(settings.values[field.name]) for field in (N_TRIALS, N_SPLITS, N_STARTS, SEED)
    }
    request = AuditRequest(topics=question.topics, runs=question.runs, **values)

    AUDIT.start(
        key,
        f"Evaluation of {len(question.topics):,} topics",
        lambda job: audit_subset(
            settings.matrix, request, report_progress=job.report_progress, executor=job.executor
        ),
    )
    st.session_state[_BEGUN] = key
