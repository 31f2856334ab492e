"""Results as files and texts: tables, figures, records, pages, paragraphs for papers."""

from topicset_core.exports.report import Report
from topicset_core.exports.tables import csv_bytes, xlsx_bytes

__all__ = ["Report", "csv_bytes", "xlsx_bytes"]
