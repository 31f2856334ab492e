"""Topics in groups: the group of each topic from a table or from its id, and what groups do to the variance."""

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.parts import data, export_drawer, frame, parsing
from pages.parts.computation import once
from pages.parts.data import Upload
from topicset_core.analyses.score_variance.groups import grouping
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError, ParseError
from topicset_core.parsing.groups import groups_by_pattern, read_groups
from topicset_core.parsing.limits import LARGEST_SCORES_FILE_MB
from topicset_core.wording import counted

_KEY = "score_matrices/groups"
_FILE, _PATTERN, _TARGET, _COMPLAINT = (
    f"{_KEY}/{name}" for name in ("file", "pattern", "target", "complaint")
)
_THIS = "this matrix"


def draw(upload: Upload) -> None:
    """Draw what groups do, and the fields that name them."""
    matrix = upload.matrix
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
    if complaint := st.session_state.pop(_COMPLAINT, ""):
        st.error(frame.plain(complaint))


def _show_effect(matrix: ScoreMatrix) -> None:
    """Write intraclass correlation and design effect, and offer the groups as a table."""
    try:
        result = once(("groups", matrix.digest), lambda: grouping(matrix))
    except InputError as error:
        st.markdown(frame.plain(f"These groups have no variance components: {error.parameter} {error.rule}."))
        return
    if result is not None:
        with st.container(key="groups"):
            st.markdown(frame.plain(" ".join(result.sentences)))
    table: Mapping[str, Sequence[str]] = {"topic": matrix.topics, "group": matrix.groups or ()}
    export_drawer.csv("Groups, CSV", table, name="groups", key="csv-groups")


def _apply(this: Upload, others: list[Upload], count: int) -> None:
    """Group the topics of the matrix, or of all; if one refuses, no matrix is changed."""
    state = st.session_state
    file, pattern = state[f"{_FILE}-{count}"], state[_PATTERN].strip()
    targets = [this] if state.get(_TARGET, _THIS) == _THIS else [this, *others]
    try:
        if (file is None) == (not pattern):
            raise InputError("Groups", pattern or None, "must be either a table or a pattern")
        if file is not None:
            by_topic = parsing.parsed([file.name], read_groups, file.name, file.getvalue())
            grouped = [one.matrix.grouped(by_topic) for one in targets]
        else:
            grouped = [one.matrix.grouped(groups_by_pattern(pattern, one.matrix.topics)) for one in targets]
    except ParseError as error:
        state[_COMPLAINT] = f"{error}. Nothing changed."
        return
    except InputError as error:
        state[_COMPLAINT] = f"{error.parameter} = {error.value}: {error.rule}. Nothing changed."
        return
    for upload, matrix in zip(targets, grouped, strict=True):
        groups = counted(len(matrix.group_sizes), "group")
        text = f"Topics are in {groups}, by {pattern or file.name}."
        data.change(upload, matrix, (text,), f"in {groups}", rescaled=False)
    state[_PATTERN] = ""
    state[f"{_FILE}/count"] = count + 1


def _remove(upload: Upload) -> None:
    text = "Groups of topics were removed."
    data.change(upload, upload.matrix.grouped(None), (text,), "without groups", rescaled=False)
