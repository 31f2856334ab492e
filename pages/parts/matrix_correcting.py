"""Corrections of what was recognised in a matrix that is loaded."""

import streamlit as st

from pages.parts import data, frame
from pages.parts.data import Loaded
from topicset_core.errors import InputError
from topicset_core.preparation import turn

_KEY = "score_matrices/correct"


def draw(loaded: Loaded) -> None:
    """Draw the names, to be changed, and the button that swaps rows and columns."""
    number, matrix = loaded.number, loaded.matrix
    with st.form(f"{_KEY}/names-{number}", border=False):
        # Keys carry the present names, so that fields follow when these change elsewhere.
        name = st.text_input("Collection", matrix.name, key=f"{_KEY}/name-{number}-{matrix.name}")
        measure = st.text_input("Measure", matrix.measure, key=f"{_KEY}/measure-{number}-{matrix.measure}")
        pressed = st.form_submit_button("Rename", key=f"{_KEY}/rename-{number}")
    if pressed:
        try:
            data.rename(number, name.strip(), measure.strip())
        except InputError as error:
            st.error(frame.plain(f"{error.parameter} {error.rule}."))
        else:
            st.rerun()
    st.markdown(
        f"Read as **{matrix.n_topics:,} topics** ({frame.plain(', '.join(matrix.topics[:2]))}, …) and "
        f"**{matrix.n_systems:,} runs** ({frame.plain(matrix.systems[0])}, …)."
    )
    if st.button("Swap topics and runs", key=f"{_KEY}/swap-{number}"):
        try:
            turned = turn(matrix)
        except InputError as error:
            st.error(frame.plain(f"{error.parameter} {error.rule}."))
        else:
            said = "Rows and columns were swapped: what was read as topics are runs."
            data.change(loaded, turned, (said,), "rows and columns swapped", rescaled=False)
            st.rerun()
