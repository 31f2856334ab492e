"""How far a long reading is: bytes done of those given, to the fraction that is reported."""

from topicset_core.progress import Report


class Watch:
    """Reports the share of bytes read, which never falls.

    Parameters
    ----------
    total : int
        Bytes that were given, packed as they are.
    report : callable
        Takes the fraction done; it may raise to end the reading.
    """

    def __init__(self, total: int, report: Report) -> None:
        self._total = max(total, 1)
        self._report = report
        self._fraction = 0.0

    def reached(self, done: float) -> None:
        """Report that `done` bytes of those given are read."""
        self._fraction = max(self._fraction, min(done / self._total, 1.0))
        self._report(self._fraction)

    def beat(self) -> None:
        """Report the same fraction again: work goes on, and may be stopped."""
        self._report(self._fraction)
