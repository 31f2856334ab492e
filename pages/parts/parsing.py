"""Uploads are parsed in a process of its own, so that no file can end the server or hold it up for others.

A user's uploads of one kind are parsed one after the other, and those of all users as far as there is memory.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from pages.parts.computation import user_now
from pages.parts.limits import MOST_MEGABYTES_OF_PARSING, OF_SCORES
from topicset_core.errors import ParseError
from topicset_core.execution.confined import Bounds, Confinement, NoProcess, OutOfBounds
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import first_few

_PARSERS = Confinement(("topicset_core.parsing", "topicset_core.parsing.scores.replicated"))
_PATIENCE_SECONDS = 60
_POLL_SECONDS = 0.2

_turns = threading.Condition()
_under_way: set[tuple[str, Bounds]] = set()

_Result = TypeVar("_Result")


def start() -> None:
    """Start the process, where files may come soon; it takes a moment."""
    with suppress(NoProcess):  # `parsed` reports it
        _PARSERS.start()


def parsed(
    names: Sequence[str],
    function: Callable[..., _Result],
    *arguments: Any,
    bounds: Bounds = OF_SCORES,
    user: str = "",
    report: ReportProgress | None = None,
    apart: Confinement = _PARSERS,
    **options: Any,
) -> _Result:
    """Return what a parser makes of files, or raise its error; one that needs too much is a `ParseError`, too."""
    # Long work gives its `user` and a `report`, which the parser takes as well; other modules are imported
    # `apart`.
    where = first_few(names, 3)
    with _turn((user or user_now(), bounds), where, report):
        try:
            result: _Result = apart.call(function, *arguments, bounds=bounds, report=report, **options)
        except OutOfBounds as error:
            raise ParseError(
                where, None, f"expected less to read at a time, but {error}; upload fewer or smaller files"
            ) from None
        except NoProcess as error:
            raise ParseError(where, None, f"not read, as {error}; upload it again later") from None
    return result


@contextmanager
def _turn(turn: tuple[str, Bounds], where: str, report: ReportProgress | None) -> Iterator[None]:
    """Wait until no other upload of this kind by this user is parsed, and there is memory for one more."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    with _turns:
        while turn in _under_way or (
            sum(bounds.megabytes for _, bounds in (*_under_way, turn)) > MOST_MEGABYTES_OF_PARSING
        ):
            (report or silently)(0.0)
            if report is None and time.monotonic() > deadline:
                raise ParseError(where, None, "other files are being read for long; upload it again later")
            _turns.wait(_POLL_SECONDS)
        _under_way.add(turn)
    try:
        yield
    finally:
        with _turns:
            _under_way.remove(turn)
            _turns.notify_all()
