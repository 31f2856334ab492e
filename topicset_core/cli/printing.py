"""What commands print: the record of a report, and tables as text."""

from collections.abc import Mapping
from typing import Any

from topicset_core.exports.report import Report


def flat(report: Report, **more: object) -> dict[str, Any]:
    """Return the record of a report for ``--json``.

    Parameters
    ----------
    report : Report
        What the page of the analysis hands over as its record, too.
    more : object
        Further facts of the command line, as plain values for JSON, each a key at the top.

    Returns
    -------
    dict
        The record; beside its keys, for scripts, those of its first result, and `more`.
    """
    record = report.record()
    first: Mapping[str, Any] = record["results"][0] if record["results"] else {}
    return {**record, **first, **more}
