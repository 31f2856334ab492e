"""Long work beside the page: progress, result, cancel, errors."""

from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.pages.app import LONGEST_WAIT_SECONDS, errors, healthy, is_busy, until


def _page() -> None:
    """Run as a page: work that steps until told otherwise, and kinds of ending."""
    import time as clock

    import streamlit as st

    from pages.parts import job
    from topicset_core.errors import InputError
    from topicset_core.progress import Report

    def slow(report: Report) -> str:
        for step in range(10_000):
            report(step / 10_000)
            clock.sleep(0.01)
        return "slow result"

    def quick(report: Report) -> str:
        report(0.5)
        return "quick result"

    def refused(report: Report) -> str:
        report(0.1)
        raise InputError("depth", 0, "must be 1 or more")

    def broken(report: Report) -> str:
        report(0.1)
        raise ZeroDivisionError

    for work in (slow, quick, refused, broken):
        st.button(work.__name__, key=work.__name__, on_click=job.start, args=("tried", work.__name__, work))
    st.markdown(f"last: {job.follow('tried')}")


def _opened() -> AppTest:
    return AppTest.from_function(_page, default_timeout=LONGEST_WAIT_SECONDS).run()


def _press(app: AppTest, name: str) -> AppTest:
    return healthy(app.button(key=name).click().run())


def _last(app: AppTest) -> str:
    return next(text.value for text in app.markdown if text.value.startswith("last: "))


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
    until(app, lambda app: bool(app.error))
    assert errors(app) == golden
    assert not is_busy(app)
    assert _last(app) == "last: quick result"
    _press(app, "quick")
    assert not app.error


def test_errors_are_said_those_of_the_user_with_their_rule_and_ours_without_a_traceback(
    golden: SnapshotAssertion,
) -> None:
    for name in ("refused", "broken"):
        app = until(_press(_opened(), name), lambda app: bool(app.error))
        assert errors(app) == golden
        assert _last(app) == "last: None"


def test_starting_again_stops_the_work_before_it() -> None:
    app = _press(_opened(), "slow")
    assert is_busy(app)
    until(_press(app, "quick"), lambda app: _last(app) == "last: quick result")
    assert not is_busy(app)
