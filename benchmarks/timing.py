"""CPU time of one call, and a comparison of ours with a peer's."""

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """Our CPU time next to a peer's, for the same answer on the same machine in the same run.

    Parameters
    ----------
    task : str
        The work.
    ours, peer : float
        CPU seconds, medians.
    peer_name : str
        Whose time it is.
    note : str
        A caveat: a sample that was scaled up, answers that differ.
    """

    task: str
    ours: float
    peer: float
    peer_name: str
    note: str = ""


def cpu_seconds(call: Callable[[], object], repeats: int = 7, calls: int = 1) -> float:
    """Return the median CPU time of one call, after a first call that is not counted.

    Short calls are timed `calls` at a time, as the clock's own step is about a microsecond.
    """
    call()
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(calls):
            call()
        seconds.append((time.process_time() - start) / calls)
    return statistics.median(seconds)


def shown(seconds: float) -> str:
    """Return seconds in the unit that needs fewest zeros."""
    for unit, scale in (("s", 1.0), ("ms", 1e3)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def show(line: str) -> None:
    """Write one line at once, so that a slow benchmark shows how far it is."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
