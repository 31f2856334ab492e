"""One document for a proposal, of answers that were kept on other pages."""

import hashlib

import streamlit as st

from pages.parts import dossier, frame
from topicset_core.exports.dossier import NOT_COMPUTED, Chapter, Entry, dossier_page

_LONGEST_NOTE = 5_000


def _ask(place: int, chapter: Chapter) -> Entry:
    """Draw one answer, with what its reader is to know of it."""
    # Fields are those of an answer, wherever it stands.
    key = hashlib.sha256(f"{chapter.title} {chapter.link} {chapter.record}".encode()).hexdigest()[:16]
    with st.container(border=True, key=f"answer-{place}"):
        mark = " :orange-badge[Sample data]" if chapter.is_sample else ""
        mark += f" :gray-badge[{NOT_COMPUTED}]" if chapter.is_saved else ""
        st.markdown(f"**{place + 1}. {frame.plain(chapter.title)}**{mark}")
        st.markdown(frame.plain(chapter.sentence))
        names = [name for name, _, _ in chapter.figures]
        chosen = f"dossier/figures-{key}"
        if chosen in st.session_state:
            st.session_state[chosen] = [name for name in st.session_state[chosen] if name in names]
        figures = st.multiselect(
            "Figures",
            names,
            default=names[:1],
            wrap=True,
            key=chosen,
            persist_state="session",
            format_func=lambda name: name.replace("-", " "),
        )
        note = st.text_area(
            "Your comment (optional)",
            key=f"dossier/note-{key}",
            persist_state="session",
            max_chars=_LONGEST_NOTE,
            height=68,
        )
        with st.container(horizontal=True, gap="xsmall"):
            for label, icon, by in (("Up", "arrow_upward", -1), ("Down", "arrow_downward", 1)):
                st.button(
                    label,
                    key=f"dossier/{label}-{key}",
                    on_click=dossier.move,
                    args=(place, by),
                    icon=f":material/{icon}:",
                    disabled=not 0 <= place + by < len(dossier.kept()),
                )
            st.button("Remove", key=f"dossier/remove-{key}", on_click=dossier.remove, args=(place,))
    return Entry(chapter=chapter, note=note or "", figures=tuple(figures))


frame.begin("dossier")
kept = dossier.kept()
if not kept:
    with st.container(key="empty"):
        st.info(
            "It is empty. Press “Keep for my dossier” in the menu “Export” of each answer that it should contain."
        )
    frame.link_to("pages/one_way_anova.py", "How many topics does my task need?")
    st.stop()

head, answers = frame.form_and_answer()
with answers:
    entries = [_ask(place, chapter) for place, chapter in enumerate(kept)]
with head:
    title = st.text_input(
        "Title", "Topics and judgments for our task", key="dossier/title", persist_state="session"
    )
    authors = st.text_input("Authors", key="dossier/authors", persist_state="session")
    summary = st.text_area(
        "Summary (optional)", key="dossier/summary", persist_state="session", max_chars=_LONGEST_NOTE
    )
    st.download_button(
        "Download the dossier",
        data=lambda: dossier_page(
            entries, title=title or "Dossier", authors=authors or "", summary=summary or ""
        ),
        file_name="dossier.html",
        mime="text/html",
        on_click="ignore",
        icon=":material/download:",
        type="primary",
        width="stretch",
        key="dossier/download",
    )
    st.markdown(
        ":small[One HTML file that needs no network. To get a PDF, open it in a browser and print it to a file. It "
        "has the answers with their inputs, figures, methods, references, links and the digests of your scores.]"
    )
