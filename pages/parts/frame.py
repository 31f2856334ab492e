"""What every page begins with."""

import re
from contextlib import nullcontext

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from topicset_core.charts.style import Mode

SAKAI_2016 = (
    "T. Sakai. Topic set size design. *Information Retrieval Journal* 19, 256–283 (2016). "
    "[doi:10.1007/s10791-015-9273-z](https://doi.org/10.1007/s10791-015-9273-z)"
)

# Streamlit writes white on a filled button, and on what is chosen in a multiselect. In the dark theme no colour
# can carry white text and also be read as text itself on the page, at 4.5 : 1 each; so there the label takes the
# colour of the page.
_DARK_LABEL = (
    "<style>button[kind^=primary], button[kind^=primary]:hover, "
    "[data-testid=stMultiSelectTagsContainer] :is(span, button, svg) { color: #14181F !important; }</style>"
)


def begin(title: str, question: str) -> None:
    """Write the page's heading and the question it answers; also frames a page that runs alone."""
    st.set_page_config(page_title=f"{title} · Topicset", page_icon="assets/icon.svg", layout="wide")
    if st.context.theme.type == "dark":
        st.html(_DARK_LABEL)
    st.title(title, anchor=False)
    st.markdown(question)


def link_to(page: str, label: str) -> None:
    """Link to another page; by file name, as an address would start a new session without the data."""
    try:
        st.page_link(page, label=label, icon=":material/arrow_forward:", width="content")
    except StreamlitPageNotFoundError:  # a page that runs alone has no neighbours
        st.markdown(label, width="content")


def refuse(text: str) -> None:
    """Write why there is no answer, in Markdown."""
    with st.container(key="refusal"):
        st.error(text)


def say_what_it_rests_on(text: str, *, is_preview: bool) -> None:
    """Write what the numbers rest on, within a row; a preview stands under a key of its own."""
    with st.container(key="preview", width="content") if is_preview else nullcontext():
        st.markdown(text, width="content")


def plain(text: str) -> str:
    """Return text so that Markdown shows it as it is: names in files and links may hold anything."""
    return re.sub(r"([\\`*_{}\[\]()#+!|$~<>:^])", r"\\\1", text)


def unmarked(sentence: str) -> str:
    """Return a sentence of a page without its Markdown."""
    return sentence.replace("**", "").replace(chr(92), "")


def chart_mode() -> Mode:
    """Return how charts are to be coloured: as the theme, or for print where the user asked for it."""
    if st.session_state.get("print_style"):
        return "print"
    return "dark" if st.context.theme.type == "dark" else "light"
