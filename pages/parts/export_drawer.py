"""Buttons that hand over files, and the text for a paper; the bytes are made at the click and nothing reruns.

The function that makes the bytes runs outside of the session: it must hold the user's scores and link, because
a look-up at that moment would return the sample.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages.parts import dossier, frame
from pages.parts.contents import Page
from topicset_core.exports.report import Report, of_sample
from topicset_core.exports.tables import Table, csv_bytes

_MIME = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "html": "text/html",
}


_DRAWN = "frame/reports"


def drawn() -> dict[str, Report]:
    """Return the last report of each page and name that this session has seen, the newest last."""
    result: dict[str, Report] = st.session_state.setdefault(_DRAWN, {})
    return result


def draw(report: Report, **known: Any) -> None:
    """Draw the exports of a report with its link, the text for a paper, and the caution of few topics."""
    report = replace(report, **known)
    frame.caution(frame.plain(report.caution))
    if frame.on_sample():
        report = report.marked_as_sample()
    page = frame.current()
    drawn().pop(f"{page.name}/{report.name}", None)
    drawn()[f"{page.name}/{report.name}"] = report
    with frame.head("exports"):
        files = partial(_files, report, page, frame.plain_headline())
        frame.menu("Export", ":material/download:", files, key="exports")
    with frame.head("text"):
        frame.menu("Text for a paper", ":material/article:", partial(_text, report), key="text")


def _files(report: Report, page: Page, headline: str) -> None:
    """Offer a report for the dossier, and as files."""
    if dossier.is_new():
        st.rerun()  # at the end of a run of the page, not of a menu, the work is kept
    if dossier.has(report):
        frame.link_to("pages/dossier.py", "This answer is in your dossier")
    else:
        st.button(
            "Keep for my dossier",
            key=f"dossier-{report.name}",
            on_click=dossier.keep,
            args=(report, page, headline),
            icon=":material/note_add:",
            disabled=dossier.is_full(),
            help="Answers of several pages become one document for a proposal.",
        )
    for table in report.tables:
        if table.label:
            label = f"{frame.plain(table.label)}, CSV"
            file(label, table.csv, name=f"{table.file}.csv", key=f"csv-{table.file}")
    file("All, Excel", report.workbook, name=f"{report.name}.xlsx", key="xlsx")
    file("Record, JSON", report.json, name=f"{report.name}.json", key="record")
    file("Page, HTML", report.page, name=f"{report.name}.html", key="html")


def _text(report: Report) -> None:
    """Show the text for a paper."""
    tabs = st.tabs(["Plain text", "LaTeX and BibTeX"])
    for tab, text, language in zip(tabs, report.text, (None, "latex"), strict=True):
        tab.code(text, language=language, wrap_lines=True)


def csv(label: str, columns: Table, *, name: str) -> None:
    """Offer a table of the page as CSV."""
    if frame.on_sample():
        columns = of_sample(columns)
    file(label, lambda: csv_bytes(columns), name=f"{name}.csv", key=f"shown-{name}")


def file(label: str, content: Callable[[], bytes], *, name: str, key: str) -> None:
    """Offer a file; its name gives its kind."""
    st.download_button(
        label,
        data=content,
        file_name=name,
        mime=_MIME[name.rpartition(".")[2]],
        on_click="ignore",
        icon=":material/download:",
        key=key,
    )
