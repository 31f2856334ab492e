"""Everything of an answer to take home: buttons for its files, and the text for a paper.

A file is made at the click, outside of the session: the report must hold the user's scores and link, as
looking them up at that moment would find those of nobody, that is the sample.
"""

import streamlit as st

from pages.parts import downloads, frame
from topicset_core.exports.report import Report


def draw(report: Report) -> None:
    """Draw a button for each table, for workbook, record and page, and the text for a paper."""
    with st.container(horizontal=True, gap="xsmall"):
        for table in report.tables:
            if table.label:
                name = f"{table.file}.csv"
                label = f"{frame.plain(table.label)}, CSV"
                downloads.file(label, table.csv, name=name, key=f"csv-{table.file}")
        downloads.file("All, Excel", report.workbook, name=f"{report.name}.xlsx", key="xlsx")
        downloads.file("Record, JSON", report.json, name=f"{report.name}.json", key="record")
        downloads.file("Page, HTML", report.page, name=f"{report.name}.html", key="html")
    downloads.methods_text(*report.text)
