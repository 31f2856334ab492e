"""Topicset: the app, a navigation over the pages of its table of contents."""

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts.contents import CONTENTS
from pages.parts.tidying import tidy_up

st.set_page_config(page_title="Topicset", page_icon="assets/icon.svg", layout="wide")

sections: dict[str, list[StreamlitPage]] = {}
for listed in CONTENTS:
    is_first = not listed.url_path
    page = st.Page(
        listed.file,
        title=listed.title,
        icon=":material/home:" if is_first else None,
        url_path=listed.url_path or None,
        default=is_first,
    )
    sections.setdefault(listed.section, []).append(page)

tidy_up()
st.logo("assets/logo.svg", size="large")
st.navigation(sections).run()
