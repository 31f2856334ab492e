"""Topics in groups: the group of each topic from a table or from its id, and what groups do to the variance."""

import streamlit as st

from pages.parts import data, export_drawer, frame, parsing
from pages.parts.computation import once
from pages.parts.data import Upload
from topicset_core.analyses.score_variance.groups import grouping
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError, ParseError
from topicset_core.parsing.groups import groups_and_notes, groups_by_pattern
from topicset_core.parsing.limits import LARGEST_SCORES_FILE_MB
from topicset_core.preparation import join_topics, mean_of
from topicset_core.wording import GROUPS_OF_ONE, counted

_KEY = "score_matrices/groups"
_FILE, _PATTERN, _TARGET, _COMPLAINT, _JOINED = (
    f"{_KEY}/{name}" for name in ("file", "pattern", "target", "complaint", "joined")
)
_THIS = "this matrix"


def draw(upload: Upload) -> None:
    """Draw what groups do, and the fields that name them."""
    matrix = upload.matrix
    if upload.joined:
        st.markdown(frame.plain(" ".join(upload.done)))
    if matrix.groups is None:
        st.markdown(
            "Turns of a conversation, questions on a passage or topics of a dataset resemble each other. Name the "
            "group of each topic, and intervals and tests count groups in place of topics."
        )
    else:
        _show_effect(matrix)
    others = [one for one in data.own() if one.number != upload.number]
    count = st.session_state.setdefault(f"{_FILE}/count", 0)
    st.file_uploader(
        "Table with the columns topic and group",
        max_upload_size=LARGEST_SCORES_FILE_MB,
        key=f"{_FILE}-{count}",
        help="CSV, TSV or Excel; topics without scores in it do not matter.",
    )
    st.text_input(
        "or a pattern of topic ids",
        key=_PATTERN,
        placeholder="*_*",
        help="The group is what the first * stands for: 31 of topic 31_4 by the pattern *_*.",
    )
    if others:
        st.selectbox("Groups for", [_THIS, f"all {len(others) + 1} matrices"], key=_TARGET)
    with st.container(horizontal=True):
        st.button(
            "Group topics", key=f"{_KEY}/apply", type="primary", on_click=_apply, args=(upload, others, count)
        )
        if matrix.groups is not None:
            st.button("Remove groups", key=f"{_KEY}/remove", on_click=_remove, args=(upload,))
        if upload.joined:
            st.button("Undo changes", key=f"{_KEY}/undo", on_click=data.restore, args=(upload.number,))
    _draw_join(upload, [one for one in data.own() if one.matrix.measure == matrix.measure])
    if complaint := st.session_state.pop(_COMPLAINT, ""):
        st.error(frame.plain(complaint))


def _draw_join(upload: Upload, same: list[Upload]) -> None:
    """Offer to join matrices of one measure, each of which becomes a group."""
    if len(same) < 2:
        return
    st.markdown(
        "Are these matrices the datasets of a benchmark or the years of a track? Join their topics: each matrix "
        "becomes a group. Runs that not all of them have are left out."
    )
    labels = {one.number: one.matrix.name for one in same}
    key = f"{_JOINED}-{list(labels)}"
    chosen = st.multiselect(
        "Matrices to join",
        labels,
        default=list(labels),
        format_func=frame.labelled(key, labels, labels.__getitem__),
        key=key,
    )
    st.button(
        "Join topics",
        key=f"{_KEY}/join",
        disabled=len(chosen) < 2,
        on_click=_join,
        args=([one for one in same if one.number in chosen], upload.number),
    )


def _join(uploads: list[Upload], shown: int) -> None:
    """Join topics; if a rule is broken, no matrix is changed."""
    try:
        matrix, notes = join_topics([upload.matrix for upload in uploads])
    except InputError as error:
        st.session_state[_COMPLAINT] = f"{error.parameter} = {error.value}: {error.rule}. Nothing changed."
    else:
        data.join(uploads, matrix, notes, shown)
        st.session_state["tabs"] = "Groups"  # tabs are others where the rounds of a task are gone


def _show_effect(matrix: ScoreMatrix) -> None:
    """Write intraclass correlation and design effect, and offer the groups as a table."""
    try:
        mean = mean_of(matrix, None)
        result = once(("groups", matrix.digest, mean), lambda: grouping(matrix, mean))
    except InputError as error:
        st.markdown(frame.plain(f"These groups have no variance components: {error.parameter} {error.rule}."))
        return
    if result is not None:
        frame.show(" ".join(result.sentences), key="groups")
    name = f"scores_{matrix.measure}.csv"
    export_drawer.file(
        "Scores and groups, CSV", lambda: matrix.to_csv().encode(), name=name, key="csv-groups"
    )


def _apply(this: Upload, others: list[Upload], count: int) -> None:
    """Group the topics of the matrix, or of all; if one refuses, no matrix is changed."""
    state = st.session_state
    file, pattern = state[f"{_FILE}-{count}"], state[_PATTERN].strip()
    targets = [this] if state.get(_TARGET, _THIS) == _THIS else [this, *others]
    try:
        if (file is None) == (not pattern):
            raise InputError("Groups", pattern or None, "must be either a table or a pattern")
        if file is not None:
            by_topic, notes = parsing.parsed([file.name], groups_and_notes, file.name, file.getvalue())
            grouped = [one.matrix.grouped(by_topic) for one in targets]
        else:
            grouped = [one.matrix.grouped(groups_by_pattern(pattern, one.matrix.topics)) for one in targets]
            notes = ()
    except ParseError as error:
        state[_COMPLAINT] = f"{error}. Nothing changed."
        return
    except InputError as error:
        state[_COMPLAINT] = f"{error.parameter} = {error.value}: {error.rule}. Nothing changed."
        return
    for upload, matrix in zip(targets, grouped, strict=True):
        if matrix.groups is None:
            data.change(upload, matrix, (GROUPS_OF_ONE, *notes), "without groups", rescaled=False)
            continue
        groups = counted(len(matrix.group_sizes), "group")
        text = f"Topics are in {groups}, by {pattern or file.name}."
        data.change(upload, matrix, (text, *notes), f"in {groups}", rescaled=False)
    state[_PATTERN] = ""
    state[f"{_FILE}/count"] = count + 1


def _remove(upload: Upload) -> None:
    text = "Groups of topics were removed."
    data.change(upload, upload.matrix.grouped(None), (text,), "without groups", rescaled=False)
