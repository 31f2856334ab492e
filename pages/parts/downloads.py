"""Buttons that hand over files; the bytes are made at the click and nothing reruns."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from topicset_core.exports.csv_table import csv_bytes
from topicset_core.exports.xlsx_table import xlsx_bytes

Table = Mapping[str, Sequence[object]]

_MIME = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "html": "text/html",
}


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
