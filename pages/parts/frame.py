"""What every page begins with."""

import streamlit as st

from topicset_core.charts.style import Mode


def begin(title: str, question: str) -> None:
    """Write the page's heading and the question it answers; also frames a page that runs alone."""
    st.set_page_config(page_title=f"{title} · Topicset", page_icon=":material/target:", layout="wide")
    st.title(title, anchor=False)
    st.markdown(question)


def chart_mode() -> Mode:
    """Return how charts are to be coloured: as the theme, or for print where the user asked for it."""
    if st.session_state.get("print_style"):
        return "print"
    return "dark" if st.context.theme.type == "dark" else "light"
