"""Topicset: the app, a navigation over the pages of its table of contents."""

from copy import copy

# Each session is a thread, and Plotly takes pandas from `sys.modules` also while another thread still imports it.
# This statement waits for that.
import pandas  # noqa: F401
import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts import data, frame, kept_work, link, runs_and_qrels, runs_data, saved_work
from pages.parts.computation import page_turn, tidy_up
from pages.parts.contents import PAGES, by_address
from topicset_core.errors import TopicsetError


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
        # An earlier address has nothing to run: below, it leads to the page.
        moved = (
            st.Page(lambda: None, title=one.title, url_path=address, visibility="hidden")
            for address in one.former
        )
        sections.setdefault(one.section, []).extend([page, *moved])
    return sections


tidy_up()
st.logo("assets/logo.svg", size="large")
# A run marks the page that it opens, so each has copies of its own.
opened = st.navigation({name: list(map(copy, section)) for name, section in pages().items()}, position="top")
page = by_address()[opened.url_path]
if opened.url_path != page.url_path:
    st.switch_page(page.file, query_params={name: st.query_params.get_all(name) for name in st.query_params})
frame.open_head(page)
saved_work.bring_back()
kept_work.bring_back(page)
kept_work.step_back(page)
kept_work.show_dropped()
saved_work.show_failed()
saved_work.draw()
runs_and_qrels.keep_current()
link.offer_awaited(page, lambda: {runs_data.stamp().digest, *(one.digest for one in data.matrices())})
# Whatever is refused in the page, also a value that follows from others, is told there.
told = frame.refusing("No answer: {}.".format, TopicsetError, at_top=True)
with page_turn(), kept_work.Keeping(kept_work.mark, saved_work.store), told:
    opened.run()
