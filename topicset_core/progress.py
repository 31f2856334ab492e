"""How long work reports its progress, and how it is stopped.

A long function takes `report` and calls it with the fraction done, between batches of under half a
second. Whoever wants the work stopped raises `Cancelled` from there: nothing else is needed, and
nothing half done is returned.
"""

from collections.abc import Callable

ReportProgress = Callable[[float], None]
"""Takes the fraction done, from 0 to 1."""


class Cancelled(Exception):  # noqa: N818 - not an error: the user requested it
    """The work was stopped on request."""


def part(report: ReportProgress, begin: float, share: float) -> ReportProgress:
    """Return the report of a part of the work, which begins at a fraction of it and is a share of it."""
    return lambda fraction: report(begin + share * fraction)


def silently(fraction: float) -> None:
    """Ignore the report."""
