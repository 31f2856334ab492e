"""Work that takes longer than a page should wait: it runs beside the page, shows progress, can be cancelled.

One job a page and session. The work runs in a daemon thread and never touches Streamlit. It ends when
the user cancels, starts it anew, or closes the browser tab; and with the server.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.parts import frame
from topicset_core.errors import TopicsetError
from topicset_core.progress import Cancelled, Report

_PATIENCE_SECONDS = 0.3  # what is done by then needs no progress bar
_LOOK_EVERY_SECONDS = 0.4
_log = logging.getLogger(__name__)


@dataclass
class _Job:
    """One piece of work, under way or done."""

    said: str
    work: Callable[[Report], Any]
    stopped: threading.Event = field(default_factory=threading.Event)
    fraction: float = 0.0
    started: float = field(default_factory=time.monotonic)
    result: Any = None
    error: str = ""
    done: bool = False

    def report(self, fraction: float) -> None:
        """Note how far the work is; the door through which it is stopped."""
        if self.stopped.is_set():
            raise Cancelled
        self.fraction = min(max(fraction, 0.0), 1.0)

    def run(self) -> None:
        """Do the work and keep its result, or what the user is to read in its place."""
        try:
            self.result = self.work(self.report)
        except Cancelled:
            self.error = "Cancelled. What was there before is unchanged."
        except TopicsetError as error:
            self.error = str(error)
        except Exception:  # the one place that catches all: a thread has nobody else to tell
            _log.exception("job failed: %s", self.said)
            self.error = "This could not be computed: an error of Topicset, noted in the server's log."
        finally:
            self.done = True


class _Desk:
    """Where a page keeps its job; emptied when the session ends."""

    def __init__(self) -> None:
        self.job: _Job | None = None

    def stop(self) -> None:
        """Ask the job to end; it does so at its next report."""
        if self.job is not None:
            self.job.stopped.set()


@st.cache_resource(scope="session", on_release=_Desk.stop, show_spinner=False)
def _desk(page: str) -> _Desk:  # noqa: ARG001 - tells the pages of a session apart
    return _Desk()


def start(page: str, said: str, work: Callable[[Report], Any]) -> None:
    """Start work for a page, in place of what it may be doing. Call it from a callback.

    Parameters
    ----------
    page : str
        Prefix of this page's keys.
    said : str
        What is being done, for the progress bar.
    work : callable
        Takes a `Report`; neither it nor what it calls may touch Streamlit.
    """
    desk = _desk(page)
    desk.stop()
    st.session_state.pop(f"{page}/job-error", None)
    desk.job = _Job(said, work)
    thread = threading.Thread(target=desk.job.run, name=f"job of {page}", daemon=True)
    thread.start()
    thread.join(_PATIENCE_SECONDS)


def latest(page: str) -> Any:
    """Return the last result of a page's work, None before the first. Draws nothing."""
    desk = _desk(page)
    if desk.job is not None and desk.job.done:
        finished, desk.job = desk.job, None
        if finished.error:
            st.session_state[f"{page}/job-error"] = finished.error
        else:
            st.session_state[f"{page}/job-result"] = finished.result
    return st.session_state.get(f"{page}/job-result")


def follow(page: str) -> Any:
    """Show how far the job is, with a button to cancel it; return what `latest` does.

    An error or a cancelled job is said until the next one starts, and leaves the result before it in place.
    """
    result = latest(page)
    error = st.session_state.get(f"{page}/job-error", "")
    if error:
        st.error(frame.plain(error))
    if _desk(page).job is not None:
        _show_progress(page)
    return result


def forget(page: str) -> None:
    """Stop the page's work and forget its last result."""
    desk = _desk(page)
    desk.stop()
    desk.job = None
    for kept in ("result", "error"):
        st.session_state.pop(f"{page}/job-{kept}", None)


def is_running(page: str) -> bool:
    """Return whether the page's work is under way."""
    job = _desk(page).job
    return job is not None and not job.done


@st.fragment(run_every=_LOOK_EVERY_SECONDS)
def _show_progress(page: str) -> None:
    """Draw the bar; once the job is done, run the page anew."""
    desk = _desk(page)
    if desk.job is None or desk.job.done:
        st.rerun()
    seconds = time.monotonic() - desk.job.started
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(desk.job.fraction, text=f"{desk.job.said}: {desk.job.fraction:.0%}, {seconds:.0f} s")
        st.button("Cancel", key=f"{page}/job-cancel", on_click=desk.stop)
