"""Results as bytes and texts to take home: one module a format."""

from topicset_core.exports.csv_table import csv_bytes
from topicset_core.exports.record import record_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.xlsx_table import xlsx_bytes

__all__ = ["Report", "ReportTable", "csv_bytes", "record_of", "xlsx_bytes"]
