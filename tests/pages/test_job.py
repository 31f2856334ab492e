"""Long work beside the page: progress, result, cancel, errors."""

import time
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.pages.app import healthy

_LONGEST_WAIT_SECONDS = 20  # against hanging


def _page() -> None:
    """Run as a page: work that steps until told otherwise, and kinds of ending."""
    import time as clock

    import streamlit as st

    from pages.parts import job
    from topicset_core.errors import InputError
    from topicset_core.progress import Report

    def slow(report: Report) -> str:
        for step in range(2000):
            report(step / 2000)
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
        st.button(work.__name__, on_click=job.start, args=("tried", work.__name__, work))
    st.markdown(f"last: {job.follow('tried')}")


def _press(app: AppTest, label: str) -> AppTest:
    (button,) = [button for button in app.button if button.label == label]
    return healthy(button.click().run())


def _last(app: AppTest) -> str:
    return next(text.value for text in app.markdown if text.value.startswith("last: "))


def _until(app: AppTest, reached: Callable[[AppTest], bool]) -> None:
    waited = time.monotonic()
    while not reached(app):
        assert time.monotonic() - waited < _LONGEST_WAIT_SECONDS
        time.sleep(0.05)
        healthy(app.run())


def test_quick_work_needs_no_progress_bar() -> None:
    app = _press(AppTest.from_function(_page).run(), "quick")
    assert _last(app) == "last: quick result"
    assert "Cancel" not in [button.label for button in app.button]


def test_slow_work_shows_progress_and_a_cancelled_job_leaves_the_result_before_it() -> None:
    app = _press(AppTest.from_function(_page).run(), "quick")
    _press(app, "slow")
    assert _last(app) == "last: quick result"
    _press(app, "Cancel")
    _until(app, lambda app: bool(app.error))
    assert app.error[0].value == "Cancelled. What was there before is unchanged."
    assert _last(app) == "last: quick result"
    _press(app, "quick")
    assert not app.error


def test_an_error_of_the_user_is_said_with_its_rule() -> None:
    app = _press(AppTest.from_function(_page).run(), "refused")
    assert "must be 1 or more" in app.error[0].value


def test_an_error_of_ours_shows_no_traceback() -> None:
    app = _press(AppTest.from_function(_page).run(), "broken")
    assert "an error of Topicset" in app.error[0].value
    assert "ZeroDivision" not in app.error[0].value


def test_starting_anew_stops_the_work_before_it() -> None:
    app = _press(AppTest.from_function(_page).run(), "slow")
    _press(app, "quick")
    assert _last(app) == "last: quick result"
