"""Which page answers which question, symbols, a worked example per page, and how to report."""

import streamlit as st

from pages.parts import frame, guide
from pages.parts.contents import PAGES, page_named

frame.begin("user_guide")

questions, symbols, examples, reporting, tested = st.tabs(
    ["Which page?", "Glossary", "Worked examples", "How to report", guide.TESTED],
    default=guide.TESTED if frame.TESTED in st.query_params else None,
    key="guide-tabs",
    on_change="rerun",
)

with questions:
    st.markdown(
        "Upload data if you have any (question 1). The first yes among questions 2 to 6 then leads to your "
        "page."
    )
    for number, one in enumerate(guide.QUESTIONS, start=1):
        with st.container(border=True):
            st.markdown(f"**{number}. {one.question}**")
            for condition, name in one.pages:
                with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                    st.markdown(condition, width="content")
                    frame.link_to(page_named(name).file, page_named(name).title)
    known = {name for question in guide.QUESTIONS for _, name in question.pages}
    for page in PAGES:
        if page.url_path and page.name not in known | {"user_guide"}:
            with st.container(border=True):
                st.markdown(page.question)
                frame.link_to(page.file, page.title)

with symbols:
    # Text, which wraps and which a browser searches; a table of data has cells of one line.
    rows = [f"| {term.symbol} | {term.term} | {term.meaning} |" for term in guide.GLOSSARY]
    st.markdown("\n".join(["| symbol | term | meaning |", "| --- | --- | --- |", *rows]))

with examples:
    st.markdown("All examples use the simulated sample, so you can repeat them before you upload anything.")
    for example in guide.EXAMPLES:
        page = page_named(example.page)
        with st.expander(f"{page.title}: {example.headline}"):
            st.markdown(
                f"**Question.** {example.task}\n\n**Do.** {example.steps}\n\n**Result.** {example.headline}\n\n"
                f"**Look for.** {example.look_for}"
            )
            frame.link_to(page.file, f"Open {page.title}")

with reporting:
    st.markdown(guide.REPORTING)

if frame.is_drawn(tested):
    with tested:
        for section in guide.tested_statements():
            st.subheader(section.title, anchor=section.key)
            st.markdown(section.text)
