"""Results as files and texts: tables, figures, records, pages, paragraphs for papers."""

from topicset_core.exports.figures import Figure
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import csv_bytes, xlsx_bytes

__all__ = ["Figure", "Report", "ReportTable", "csv_bytes", "xlsx_bytes"]
