"""Topicset: the app, a navigation over the pages of its table of contents."""

from copy import copy

# Each session is a thread, and Plotly takes pandas from `sys.modules` also while another thread still imports it.
# This statement waits for that.
import pandas  # noqa: F401
import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts import frame, kept_work, runs_and_qrels, saved_work, stored_work
from pages.parts.computation import page_turn, tidy_up
from pages.parts.contents import PAGES, page_at


@st.cache_resource(show_spinner=False)
def pages() -> dict[str, list[StreamlitPage]]:
    """Return the pages of each menu: each looks its file up, so they are made once."""
    sections: dict[str, list[StreamlitPage]] = {}
    for one in PAGES:
        is_first = not one.url_path
        page = st.Page(
            one.file,
            title=one.title,
            icon=":material/home:" if is_first else None,
            url_path=one.url_path or None,
            default=is_first,
        )
        sections.setdefault(one.section, []).append(page)
    return sections


tidy_up()
st.logo("assets/logo.svg", size="large")
# A run marks the page that it opens, so each has copies of its own.
opened = st.navigation({name: list(map(copy, those)) for name, those in pages().items()}, position="top")
frame.open_head(page_at(opened.url_path))
stored_work.bring_back()
kept_work.bring_back()
kept_work.show_dropped()
stored_work.show_failed()
saved_work.draw()
runs_and_qrels.keep_current()
with page_turn(), kept_work.Keeping(kept_work.mark, stored_work.store):
    opened.run()
