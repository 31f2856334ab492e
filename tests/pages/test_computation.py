"""Long work in the background: progress, result, cancel, errors."""

from collections.abc import Hashable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts import computation, frame
from pages.parts.computation import Computation
from pages.parts.job import Answers
from pages.parts.limits import ABANDONED_SECONDS
from tests.pages.app import LONGEST_WAIT_SECONDS, SESSION, blocks, errors, healthy, is_busy, text_of, until
from topicset_core.inputs import Inputs
from topicset_core.question import Work


def _page() -> None:
    """Run as a page: work that steps until it is cancelled, and kinds of ending."""
    import time as clock

    import streamlit as st

    from pages.parts.computation import Computation, Job
    from topicset_core.errors import InputError

    tried: Computation[str] = Computation("tried")

    def slow(job: Job) -> str:
        for step in range(10_000):
            job.report_progress(step / 10_000)
            clock.sleep(0.01)
        return "slow result"

    def quick(job: Job) -> str:
        job.report_progress(0.5)
        return "quick result"

    def refused(job: Job) -> str:
        job.report_progress(0.1)
        raise InputError("depth", 0, "must be 1 or more")

    def broken(job: Job) -> str:
        job.report_progress(0.1)
        raise ZeroDivisionError

    for work in (slow, quick, refused, broken):
        name = work.__name__
        st.button(name, key=name, on_click=tried.start, args=("question", name, work))
    tried.follow()
    st.markdown(f"last: {tried.latest()}")


def _opened() -> AppTest:
    st.cache_resource.clear()  # all sessions of these tests have one id
    return AppTest.from_function(_page, default_timeout=LONGEST_WAIT_SECONDS).run()


def _press(app: AppTest, name: str) -> AppTest:
    return healthy(app.button(key=name).click().run())


def _last(app: AppTest) -> str:
    return next(text.value for text in app.markdown if text.value.startswith("last: "))


class _EndedError(Exception):
    """Of a script that Streamlit ends, as the page is to run again."""


class _EndingState(dict[str, object]):
    """Session state that ends the script at one access to it, before the access, as Streamlit does."""

    def __init__(self, fatal: int) -> None:
        super().__init__()
        self.left = fatal

    def _access(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise _EndedError

    def get(self, *which: Any) -> Any:
        self._access()
        return super().get(*which)

    def __setitem__(self, name: str, value: object) -> None:
        self._access()
        super().__setitem__(name, value)


@dataclass(frozen=True, kw_only=True)
class _Nothing(Inputs):
    """A request without fields."""


class _EndsBetween(Computation[dict[_Nothing, str]]):
    """A job that ends right after a page has asked for its result."""

    n_asked = 0
    _jobs = computation.SessionJobs("ends-between", 1)  # there is no session here

    def result(self, key: Hashable) -> dict[_Nothing, str] | None:  # noqa: ARG002 - the only one
        self.n_asked += 1
        return {_Nothing(): "whole"} if self.n_asked > 1 else None

    def partial(self, key: Hashable) -> dict[_Nothing, str]:  # noqa: ARG002 - the only one
        return {_Nothing(): "part"}


def test_a_part_is_not_kept_as_the_whole_answer_when_a_job_ends_as_a_page_reads_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(frame, "on_sample", lambda: True)  # kept for all
    st.cache_resource.clear()
    work = Work(slug="tried", request=_Nothing, compute=str, is_whole=lambda answer, _: answer == "whole")
    answers, data = Answers(work, "ends-between"), SimpleNamespace(digest="d", name="n")
    answers.jobs = _EndsBetween("ends-between")
    assert not answers.best(data, _Nothing()).is_whole
    known = answers.best(data, _Nothing())
    assert (known.answer, known.is_whole) == ("whole", True)


@pytest.mark.parametrize("fatal", [1, 2, 3])
def test_a_result_is_kept_wherever_the_script_is_ended_that_takes_it(
    fatal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit ends scripts at accesses to the session; taking a result has three."""
    state, jobs = _EndingState(0), computation.SessionJobs("tried", 5)
    monkeypatch.setattr(st, "session_state", state)
    job = computation.Job("question", "work")
    jobs.begin(job)
    job.do(lambda _: "result")
    state.left = fatal
    try:
        jobs.collect()
    except _EndedError:
        jobs.collect()
    assert jobs.job is None
    assert jobs.results == {"question": "result"}
    assert jobs.lost == ""


def test_work_that_a_script_could_not_begin_is_not_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = computation.SessionJobs("tried", 5)
    monkeypatch.setattr(st, "session_state", _EndingState(1))
    with pytest.raises(_EndedError):
        jobs.begin(computation.Job("question", "work"))
    assert jobs.job is None
    assert jobs.lost == ""


def test_quick_work_needs_no_progress_bar() -> None:
    app = until(_press(_opened(), "quick"), lambda app: _last(app) == "last: quick result")
    assert not is_busy(app)


def test_slow_work_shows_progress_and_a_cancelled_job_leaves_the_result_before_it(
    golden: SnapshotAssertion,
) -> None:
    app = until(_press(_opened(), "quick"), lambda app: _last(app) == "last: quick result")
    _press(app, "slow")
    assert is_busy(app)
    assert _last(app) == "last: quick result"
    _press(app, "tried/job-cancel")
    until(app, lambda app: "tried/stopped" in blocks(app))
    assert not app.error  # it was requested
    assert text_of(app, "tried/stopped") == golden
    assert not is_busy(app)
    assert _last(app) == "last: quick result"
    _press(app, "quick")
    assert "tried/stopped" not in blocks(app)


def test_input_errors_show_their_rule_and_internal_errors_no_traceback(
    golden: SnapshotAssertion,
) -> None:
    for name in ("refused", "broken"):
        app = until(_press(_opened(), name), lambda app: bool(app.error))
        assert errors(app) == golden
        assert _last(app) == "last: None"


def test_a_restart_cancels_the_earlier_work() -> None:
    app = _press(_opened(), "slow")
    assert is_busy(app)
    until(_press(app, "quick"), lambda app: _last(app) == "last: quick result")
    assert not is_busy(app)


@pytest.mark.parametrize("seconds", [ABANDONED_SECONDS, 0.0], ids=["soon", "late"])
def test_work_of_a_closed_tab_is_found_by_the_next_tab_in_time(seconds: float) -> None:
    first, second, stranger = (
        computation.SessionJobs("left", 5, whose) for whose in ("alice", "alice", "bob")
    )
    job = first.job = computation.Job("question", "title")
    first.leave()
    computation.stop_what_was_left(seconds)
    stranger.find()
    assert stranger.job is None
    second.find()
    assert (second.job is job) == bool(seconds)
    assert job.stopped.is_set() == (not seconds)


def test_work_of_a_browser_without_a_name_ends_with_its_tab() -> None:
    jobs = computation.SessionJobs("left", 5)
    job = jobs.job = computation.Job("question", "title")
    jobs.leave()
    assert job.stopped.is_set()


def test_lost_work_is_reported() -> None:
    app = _opened()
    app.session_state["tried/under-way"] = "slow"
    assert "slow" in text_of(healthy(app.run()), "tried/lost")
    until(_press(app, "quick"), lambda app: _last(app) == "last: quick result")
    assert "tried/lost" not in blocks(app)


def _keeping_page() -> None:
    """Run as a page: of three answers two are kept."""
    from pages.parts.computation import Computation

    kept: Computation[str] = Computation("kept", n_kept=2)
    for question in ("a", "b", "c"):
        assert kept.keep(question, question.upper()) == question.upper()
    assert [kept.result(question) for question in ("a", "b", "c")] == [None, "B", "C"]
    assert kept.latest() == "C"
    kept.forget()
    assert kept.latest() is None


def test_answers_are_cached_by_request() -> None:
    healthy(AppTest.from_function(_keeping_page).run())


def _sharing_page() -> None:
    """Run as a page: it shows how often a function has run for it."""
    import streamlit as st

    from pages.parts import frame
    from pages.parts.computation import once

    def made() -> int:
        st.session_state["made"].append("digest")
        return len(st.session_state["made"])

    st.session_state[frame.ON_SAMPLE] = "simulated" in st.session_state["whose"]
    st.session_state.setdefault("made", [])
    st.markdown(f"last: {once('digest', made)}, {len(st.session_state['made'])}")


def _made_for(whose: str) -> str:
    clear_session_cache(SESSION)  # the one before has left
    app = AppTest.from_function(_sharing_page)
    app.session_state["whose"] = whose
    return _last(healthy(app.run().run()))


def test_only_results_of_simulated_data_are_shared_by_users() -> None:
    st.cache_resource.clear()
    assert _made_for("simulated, first user") == "last: 1, 1"
    assert _made_for("simulated, second user") == "last: 1, 0"
    assert _made_for("own, third user") == "last: 1, 1"
    assert _made_for("own, fourth user") == "last: 1, 1"


def test_more_jobs_than_one_user_may_have_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computation, "MOST_JOBS", 0)
    app = _press(_opened(), "quick")
    assert errors(app) == ["0 of your computations are running, the most at a time. Cancel one or wait."]
    assert not is_busy(app)


def test_jobs_show_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [computation.Job(number, "title") for number in range(3)]
    monkeypatch.setattr(computation, "_running", {id(job): (job, "user") for job in jobs})
    assert computation._place_of(jobs[1]) == ", job 2 of 3 that take turns"
    jobs[0].is_done = True
    assert computation._place_of(jobs[1]) == ", job 1 of 2 that take turns"
    jobs[2].is_done = True
    assert computation._place_of(jobs[1]) == ""


def test_three_pages_run_at_a_time_and_one_that_waited_for_long_runs_anyway(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(computation, "_LONGEST_TURN_SECONDS", 0.05)
    with computation.page_turn(), computation.page_turn(), computation.page_turn():
        assert not computation._page_turns.acquire(blocking=False)
        with computation.page_turn():
            assert not computation._page_turns.acquire(blocking=False)
        assert not computation._page_turns.acquire(blocking=False)  # nothing is given back that was not taken
    assert [computation._page_turns.acquire(blocking=False) for _ in range(4)] == [True] * 3 + [False]
    computation._page_turns.release(3)
