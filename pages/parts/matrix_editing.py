"""Scores of a small matrix, changed cell by cell."""

import pandas as pd
import streamlit as st

from pages.parts import data, frame
from pages.parts.data import Loaded
from topicset_core.errors import InputError
from topicset_core.preparation import edit

MOST_CELLS = 2000
_KEY = "score_matrices/edit"


def draw(loaded: Loaded) -> None:
    """Draw the table to edit, and the buttons that take the edits over or back."""
    matrix = loaded.matrix
    if matrix.scores.size > MOST_CELLS:
        st.markdown(
            f"{matrix.scores.size:,} scores are too many to edit here; the limit is {MOST_CELLS:,}. Edit the file, "
            "and upload it again."
        )
        return
    resets = st.session_state.setdefault(f"{_KEY}/resets", 0)
    # Columns are told by their place, as a run may be called anything; a changed matrix is a new table.
    places = [f"run {place}" for place in range(matrix.n_systems)]
    table = pd.DataFrame(matrix.scores, index=pd.Index(matrix.topics, name="topic"), columns=places)
    edited = st.data_editor(
        table,
        key=f"{_KEY}/{loaded.number}-{matrix.digest[:16]}-{resets}",
        column_config={"_index": st.column_config.TextColumn("topic", disabled=True)}
        | {
            place: st.column_config.NumberColumn(run, format="%.6g")
            for place, run in zip(places, matrix.systems, strict=True)
        },
        on_change="ignore",
        placeholder="empty",
        alt=f"Scores of {matrix.name}, to be edited",
    )
    with st.container(horizontal=True):
        use = st.button("Use the edited scores", key=f"{_KEY}/use", type="primary")
        st.button("Reset", key=f"{_KEY}/reset", on_click=_reset, help="Forget edits not yet used.")
    if use:
        try:
            changed, record = edit(matrix, edited.to_numpy(dtype="float64"))
        except InputError as error:
            st.error(
                frame.plain(f"{error.parameter}, {error.value}: {error.rule}. Your edits are still there.")
            )
        else:
            data.change(loaded, changed, record.said, record.summary, rescaled=False)
            st.rerun()


def _reset() -> None:
    st.session_state[f"{_KEY}/resets"] += 1
