"""Buttons that hand over files; the bytes are made at the click and nothing reruns."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from topicset_core.exports.csv_table import csv_bytes


def csv(label: str, columns: Callable[[], Mapping[str, Sequence[object]]], *, name: str, key: str) -> None:
    """Offer a table as CSV."""
    st.download_button(
        label,
        data=lambda: csv_bytes(columns()),
        file_name=f"{name}.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key=key,
    )


def methods_text(text: str) -> None:
    """Offer a paragraph for a paper, to be copied."""
    with st.expander("Text for your paper"):
        st.code(text, language=None, wrap_lines=True)
