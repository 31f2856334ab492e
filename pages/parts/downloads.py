"""Buttons that hand over files; the bytes are made at the click and nothing reruns.

What makes the bytes runs outside of the session: it must be given the user's scores and link, as looking
them up at that moment would find those of nobody, that is the sample.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from topicset_core.exports.csv_table import Table, csv_bytes
from topicset_core.exports.xlsx_table import xlsx_bytes

_MIME = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "html": "text/html",
}


@dataclass(frozen=True)
class NamedTable:
    """A table to take home as CSV.

    Parameters
    ----------
    label : str
        What the button says before ", CSV".
    name : str
        File name without ending.
    columns : callable
        The table, made at the click.
    """

    label: str
    name: str
    columns: Callable[[], Table]


def every_kind(
    name: str,
    *,
    tables: Sequence[NamedTable],
    workbook: Callable[[], Mapping[str, Table]],
    record: Callable[[], bytes],
    page: Callable[[], bytes],
    text: tuple[str, str],
) -> None:
    """Offer an answer in every form: tables, workbook, record, page, text for a paper.

    Parameters
    ----------
    name : str
        File name of workbook, record and page, without ending.
    tables : sequence of NamedTable
        A button each.
    workbook : callable
        Sheets by title.
    record, page : callable
        JSON and HTML.
    text : (str, str)
        Paragraph for a paper, plain and LaTeX.
    """
    with st.container(horizontal=True, gap="xsmall"):
        for table in tables:
            csv(f"{table.label}, CSV", table.columns, name=table.name, key=f"csv-{table.name}")
        xlsx("All, Excel", workbook, name=name, key="xlsx")
        file("Record, JSON", record, name=f"{name}.json", key="record")
        file("Page, HTML", page, name=f"{name}.html", key="html")
    methods_text(*text)


def csv(label: str, columns: Callable[[], Table], *, name: str, key: str) -> None:
    """Offer a table as CSV."""
    file(label, lambda: csv_bytes(columns()), name=f"{name}.csv", key=key)


def xlsx(label: str, sheets: Callable[[], Mapping[str, Table]], *, name: str, key: str) -> None:
    """Offer tables as one Excel workbook."""
    file(label, lambda: xlsx_bytes(sheets()), name=f"{name}.xlsx", key=key)


def file(label: str, content: Callable[[], bytes], *, name: str, key: str) -> None:
    """Offer a file whose kind its name tells."""
    st.download_button(
        label,
        data=content,
        file_name=name,
        mime=_MIME[name.rpartition(".")[2]],
        on_click="ignore",
        icon=":material/download:",
        key=key,
    )


def methods_text(plain: str, latex: str) -> None:
    """Offer a paragraph for a paper, to be copied."""
    with st.expander("Text for your paper"):
        text, tex = st.tabs(["Plain text", "LaTeX and BibTeX"])
        text.code(plain, language=None, wrap_lines=True)
        tex.code(latex, language="latex", wrap_lines=True)
