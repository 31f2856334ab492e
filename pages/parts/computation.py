"""Background computations of a page: they show progress, can be cancelled, and are kept by their question.

The work runs in a daemon thread and never touches Streamlit. It ends when the user cancels, starts it again,
or closes the browser tab for more than a minute; and with the server. A tab of the same browser that opens before,
as after a reload, finds it again. All users share one pool of threads equally, however many jobs each has.

What pages compute at once and keep, with `once`, `shared` or Streamlit's caches, is next to its use. Its key
is scalars and digests only: Streamlit's own hashing of large arrays samples them and returns stale numbers.
Therefore scores are passed unhashed, behind an underscore, with their digests in the key (`tests/house` holds
that). Nothing that is kept reads ``st.session_state``, or one user might see another one's data.
"""

import gc
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts import frame, kept_work
from pages.parts.limits import ABANDONED_SECONDS, MOST_JOBS
from topicset_core.errors import TopicsetError
from topicset_core.execution import n_processors
from topicset_core.execution.fair_pool import FairPool
from topicset_core.progress import Cancelled

_PATIENCE_SECONDS = 0.3  # what is done by then needs no progress bar
_SECONDS_WORTH_TELLING = 2.0
_POLL_SECONDS = 0.4
_SECONDS_BEFORE_A_GUESS, _FRACTION_BEFORE_A_GUESS = 2.0, 0.05  # of the time left; earlier it would jump about
_POOL = FairPool()
_log = logging.getLogger(__name__)

UNDER_WAY = "/under-way"
"""Suffix of session names for running work: a later tab learns from them about lost work."""

_Result = TypeVar("_Result")


def threads() -> Executor:
    """Return an executor on the threads that all users share; shut it down when it is done with."""
    # Work of this user takes turns with that of others; all users without the cookie count as one.
    return _POOL.executor(kept_work.browser())


@dataclass
class Job:
    """One piece of work, running or finished, with its inputs."""

    key: Hashable
    title: str  # description of the work, for the progress bar
    user: str = ""
    executor: Executor = field(default_factory=threads, repr=False)  # threads for its batches
    stopped: threading.Event = field(default_factory=threading.Event, repr=False)
    fraction: float = 0.0
    started: float = field(default_factory=time.monotonic)
    partial: Any = field(default=None, repr=False)
    result: Any = field(default=None, repr=False)
    error: str = ""
    is_done: bool = False
    is_cancelled: bool = False
    n_shown: int = 0  # partial answers so far

    def report_progress(self, fraction: float) -> None:
        """Note how far the work is; the door through which it is stopped."""
        if self.stopped.is_set():
            raise Cancelled
        self.fraction = min(max(fraction, 0.0), 1.0)

    def show_partial(self, result: Any) -> None:
        """Take what there is of the answer by now, in place of what there was."""
        self.partial = result
        self.n_shown += 1

    def do(self, work: Callable[["Job"], Any]) -> None:
        """Do the work and keep its result, or the message that replaces it."""
        try:
            with self.executor:
                self.result = work(self)
        except Cancelled:
            self.is_cancelled = True
        except TopicsetError as error:
            self.error = str(error)
        except Exception:  # a thread has no other way to report
            _log.exception("job failed: %s", self.title)
            self.error = "This could not be computed: an error of Topicset, noted in the server's log."
        finally:
            self.is_done = True


_running: dict[int, tuple[Job, str]] = {}
"""All jobs under way, by their `id`, with their user."""


def user_now() -> str:
    """Return the browser, or the session where there is no cookie."""
    context = get_script_run_ctx()
    return kept_work.browser() or ("" if context is None else context.session_id)


_left: dict[tuple[str, str], tuple[Job, float]] = {}
"""Work under way that no tab follows, by browser and computation, and since when."""


class SessionJobs:
    """Where one session keeps the work under way of one computation; its results are in the session's state."""

    # Streamlit may end a script at any access to the session's state, when the page is to run again. So what
    # an access could cut off comes after it, and is done by the next script.

    def __init__(self, name: str, n_kept: int, browser: str = "") -> None:
        self._results, self._under_way = f"{name}/results", f"{name}{UNDER_WAY}"
        self._whose = browser, name
        self.n_kept = n_kept
        self.job: Job | None = None
        self.last: Job | None = None  # under way, or the last one that was: it has the partial result
        self.error = ""
        self.is_cancelled = False

    def leave(self) -> None:
        """Let the work continue for a while without a tab; stop it where no other tab could find it."""
        if self.job is not None and not self.job.is_done and self._whose[0]:
            _left[self._whose] = self.job, time.monotonic()
        else:
            self.stop()

    def find(self) -> None:
        """Follow the work that another tab of this browser left."""
        if self.job is None and self._whose in _left:
            self.job = self.last = _left.pop(self._whose)[0]

    @property
    def lost(self) -> str:
        """The work that ran when an earlier tab was left and is lost; "" where not available."""
        return st.session_state.get(self._under_way, "") if self.job is None else ""

    def begin(self, job: Job) -> None:
        """Replace the running work by a new job."""
        self.stop()
        st.session_state[self._under_way] = job.title
        self.error, self.is_cancelled = "", False
        self.job = self.last = job

    @property
    def results(self) -> dict[Hashable, Any]:
        """The answers, the latest at the end; kept in the session, so that they survive a reload."""
        result: dict[Hashable, Any] = st.session_state.get(self._results, {})
        return result

    @results.setter
    def results(self, result: dict[Hashable, Any]) -> None:
        st.session_state[self._results] = result

    def stop(self) -> None:
        """Ask the job to end; it does so at its next report."""
        if self.job is not None:
            self.job.stopped.set()

    def collect(self) -> None:
        """Take the result of a job that has ended, or its error."""
        if self.job is None or not self.job.is_done:
            return
        ended = self.job
        if not ended.is_cancelled and not ended.error:
            self.keep(ended.key, ended.result)
        st.session_state[self._under_way] = ""
        self.is_cancelled, self.error = ended.is_cancelled, ended.error
        self.job = None

    def keep(self, key: Hashable, result: Any) -> None:
        """Keep an answer, and of the others as many as are kept."""
        others = [(known, kept) for known, kept in self.results.items() if known != key]
        self.results = dict([*others, (key, result)][-self.n_kept :])


def _leave_all(jobs: dict[str, SessionJobs]) -> None:
    for one in jobs.values():
        one.leave()


@st.cache_resource(scope="session", on_release=_leave_all, show_spinner=False)
def _all_jobs() -> dict[str, SessionJobs]:
    """Return the work of a session by computation; Streamlit finds one for all faster than one for each name."""
    return {}


def _jobs_of(name: str, n_kept: int) -> SessionJobs:
    jobs = _all_jobs()
    return jobs.get(name) or jobs.setdefault(name, SessionJobs(name, n_kept, kept_work.browser()))


@dataclass(frozen=True)
class Computation(Generic[_Result]):
    """One kind of long work of a page; a session runs one of it at a time."""

    name: str  # prefix of its keys
    n_kept: int = 5  # answers that are kept, the latest ones

    @property
    def _jobs(self) -> SessionJobs:
        jobs = _jobs_of(self.name, self.n_kept)
        jobs.find()
        jobs.collect()
        return jobs

    def start(self, key: Hashable, title: str, work: Callable[[Job], _Result]) -> None:
        """Start to answer a question and replace the running work. Call it from a callback."""
        user = user_now()
        job, jobs = Job(key, title, user), self._jobs
        n_running = sum(not other.is_done and whose == user for other, whose in list(_running.values()))
        if not self.is_running() and n_running >= MOST_JOBS:
            jobs.error = (
                f"{MOST_JOBS} of your computations are running, the most at a time. Cancel one or wait."
            )
            return
        jobs.begin(job)
        _running[id(job)] = job, user

        def do() -> None:
            try:
                job.do(work)
            finally:
                _running.pop(id(job), None)

        thread = threading.Thread(target=do, name=f"job of {self.name}", daemon=True)
        thread.start()
        thread.join(_PATIENCE_SECONDS)

    def result(self, key: Hashable) -> _Result | None:
        """Return the answer to a question; None where it is not known."""
        return self._jobs.results.get(key)

    def latest(self) -> _Result | None:
        """Return the latest answer to any question; None before the first."""
        return next(reversed(self._jobs.results.values()), None)

    def keep(self, key: Hashable, result: _Result) -> _Result:
        """Keep an answer that was found at once, and return it."""
        self._jobs.keep(key, result)
        return result

    @property
    def error(self) -> str:
        """Why the last job ended without a result; "" where it did not."""
        return self._jobs.error

    def partial(self, key: Hashable) -> _Result | None:
        """Return the partial answer of a running or cancelled job; None if it is empty."""
        last = self._jobs.last
        return last.partial if last is not None and last.key == key else None

    def n_shown(self, key: Hashable) -> int:
        """Return how many partial answers the work on this question has shown."""
        last = self._jobs.last
        return last.n_shown if last is not None and last.key == key else 0

    def is_running(self) -> bool:
        """Return whether work is under way."""
        return self._jobs.job is not None

    def is_about(self, key: Hashable) -> bool:
        """Return whether the work under way answers this question, and not another one."""
        job = self._jobs.job
        return job is not None and job.key == key

    def follow(self) -> None:
        """Draw how far the work is, with a button to cancel it, or why it ended without a result."""
        # Why it ended is reported until the next one starts.
        jobs = self._jobs
        if jobs.error:
            st.error(frame.plain(jobs.error))
        elif jobs.is_cancelled:
            with st.container(key=f"{self.name}/stopped"):
                st.markdown(":gray[Stopped. The previous results are unchanged.]")
        if jobs.job is not None:
            _show_progress(self.name, self.n_kept)
        elif jobs.lost:
            _show_lost(self.name, self.n_kept)

    def forget(self) -> None:
        """Stop the work and forget its results."""
        jobs = self._jobs
        jobs.stop()
        jobs.job = jobs.last = None
        jobs.results = {}
        jobs.error, jobs.is_cancelled = "", False


@st.fragment(run_every=_POLL_SECONDS)
def _show_progress(name: str, n_kept: int) -> None:
    """Draw the bar; once the work is done, run the page again."""
    jobs = _jobs_of(name, n_kept)
    job = jobs.job
    if job is None or job.is_done:
        st.rerun()
    seconds = time.monotonic() - job.started
    left = ""
    if seconds >= _SECONDS_BEFORE_A_GUESS and job.fraction >= _FRACTION_BEFORE_A_GUESS:
        left = f", about {_duration(seconds * (1 - job.fraction) / job.fraction)} left"
    left += _place_of(job)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.fraction, text=f"{job.title}: {job.fraction:.0%}, {_duration(seconds)}{left}")
        st.button("Cancel", key=f"{name}/job-cancel", on_click=jobs.stop)


@st.fragment(run_every=_POLL_SECONDS)
def _show_lost(name: str, n_kept: int) -> None:
    """Report work that is not followed here any more; follow it again where the tab before has just been left."""
    jobs = _jobs_of(name, n_kept)
    jobs.find()
    if jobs.job is not None:
        st.rerun()
    with st.container(key=f"{name}/lost"):
        st.markdown(
            f":gray[“{frame.plain(jobs.lost)}” no longer runs in this tab: it continues in another tab, or it "
            "was stopped after its tab was closed. Start it again if you need it.]"
        )


def _place_of(job: Job) -> str:
    """Return the place of a job among all that take turns, the longest under way first; "" where it is alone."""
    order = [one for one, _ in list(_running.values()) if not one.is_done]
    if job not in order or len(order) < 2:
        return ""
    return f", job {order.index(job) + 1} of {len(order)} that take turns"


def expected_time(cpu_seconds: float) -> str:
    """Return how long work will take here, for the label of its button; "" for less than two seconds."""
    seconds = cpu_seconds / n_processors()
    return f", about {_duration(seconds)}" if seconds >= _SECONDS_WORTH_TELLING else ""


def _duration(seconds: float) -> str:
    """Write how long work takes, in seconds or, from two minutes on, in minutes."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def once(key: Hashable, work: Callable[[], _Result]) -> _Result:
    """Return what work returns, and keep it by its key: scalars, requests and digests, for it reads no others."""
    # Results from simulated data are kept for all users, those from a user's own data for the session.
    return shared(key, work) if frame.on_sample() else _found(_known(), _MOST_OWN, key, _own, work)


def shared(key: Hashable, work: Callable[[], _Result]) -> _Result:
    """Return what work returns, and keep it for all users, who must not change it; the key is all that it reads."""
    return _found(_known_to_all(), _MOST_SHARED, key, _shared, work)


def _found(
    known: OrderedDict[Hashable, Any],
    most: int,
    key: Hashable,
    kept: Callable[..., Any],
    work: Callable[[], _Result],
) -> _Result:
    """Return what is known, else what is kept; Streamlit's digest of a key takes ten times longer than a hash."""
    try:
        result: _Result = known[key]
    except KeyError:
        result = known[key] = kept(key, _work=work)
        while len(known) > most:
            with suppress(KeyError):  # another thread was faster
                known.popitem(last=False)
    return result


def _done(key: Hashable, *, _work: Callable[[], Any]) -> Any:  # noqa: ARG001 - the key
    return _work()


_MOST_OWN, _MOST_SHARED = 100, 1000
_own = st.cache_resource(scope="session", max_entries=_MOST_OWN, show_spinner="Computing")(_done)
_shared = st.cache_resource(max_entries=_MOST_SHARED, show_spinner="Computing")(_done)


@st.cache_resource(scope="session", show_spinner=False)
def _known() -> OrderedDict[Hashable, Any]:
    """Return what `once` keeps of a session."""
    return OrderedDict()


@st.cache_resource(show_spinner=False)
def _known_to_all() -> OrderedDict[Hashable, Any]:
    """Return what is kept for all users."""
    return OrderedDict()


_EVERY_SECONDS = 30


@st.cache_resource(show_spinner=False)
def tidy_up() -> threading.Thread:
    """Begin to tidy up, once a server."""
    thread = threading.Thread(target=_tidy_up, name="tidying", daemon=True)
    thread.start()
    return thread


def _tidy_up() -> None:
    while True:
        time.sleep(_EVERY_SECONDS)
        stop_what_was_left()
        kept_work.tidy_up()
        gc.collect()


def stop_what_was_left(longest_seconds: float = ABANDONED_SECONDS) -> None:
    """Stop work that no tab followed for so long."""
    for whose, (job, since) in list(_left.items()):
        if time.monotonic() - since >= longest_seconds and _left.pop(whose, None) is not None:
            job.stopped.set()


_PAGES_AT_ONCE, _LONGEST_TURN_SECONDS = 3, 1.0
_page_turns = threading.Semaphore(_PAGES_AT_ONCE)


@contextmanager
def page_turn() -> Iterator[None]:
    """Let three pages run at a time: more threads that wait for Python's lock take longer, one and all."""
    # A page that waited for a second runs anyway: those before it may read large files.
    has_turn = _page_turns.acquire(timeout=_LONGEST_TURN_SECONDS)
    try:
        yield
    finally:
        if has_turn:
            _page_turns.release()
