"""The loaded matrices, one by one: what was recognised, what was done since, and whether the designs use it."""

import streamlit as st

from pages.parts import data, frame
from pages.parts.data import Loaded

MOST_CARDS = 12
"""Up to this many matrices are shown at once; more are shown on demand, as each costs time to draw."""


def draw() -> None:
    """Draw a card for each loaded matrix."""
    st.subheader("What was recognised", anchor=False)
    count = len(data.own())
    if count <= MOST_CARDS:
        _draw_cards()
    else:
        with st.expander(f"All {count} matrices", on_change="rerun", key="score_matrices/cards") as more:
            if more.open:
                _draw_cards()
    st.button("Remove all and use the sample", key="score_matrices/forget", on_click=data.forget_all)


def _draw_cards() -> None:
    for loaded in data.own():
        with st.container(border=True):
            said, actions = st.columns([4, 1.3], vertical_alignment="center")
            name, measure = frame.plain(loaded.matrix.name), frame.plain(loaded.matrix.measure)
            said.markdown(f"**{name}** ({measure}): {frame.plain(' '.join(loaded.recognised))}")
            if loaded.done:
                said.markdown(f"**Done here:** {frame.plain(' '.join(loaded.done))}")
            with actions:
                _draw_actions(loaded)


def _draw_actions(loaded: Loaded) -> None:
    key = f"score_matrices/pool-{loaded.number}"
    st.checkbox(
        "In the pool",
        value=loaded.in_pool,
        key=key,
        on_change=lambda: data.pool(loaded.number, st.session_state[key]),
        help="Whether the designs use these scores. Out of the pool they stay loaded.",
    )
    if loaded.done:
        st.button(
            "Undo changes",
            key=f"score_matrices/restore-{loaded.number}",
            on_click=data.restore,
            args=(loaded.number,),
        )
    st.button(
        "Remove", key=f"score_matrices/remove-{loaded.number}", on_click=data.remove, args=(loaded.number,)
    )
