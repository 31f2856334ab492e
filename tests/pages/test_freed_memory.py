"""Memory of ended sessions is freed without a run of a page."""

import gc
import time
import weakref
from collections.abc import Iterator

import pytest

from pages.parts import computation
from tests.pages.app import LONGEST_WAIT_SECONDS


class Left:
    """An object that refers to itself, as an ended session does."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _a_thread_of_this_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start with no thread: one that an earlier test started in the app sleeps for half a minute."""
    monkeypatch.setattr(computation, "_EVERY_SECONDS", 0.05)
    computation.tidy_up.clear()
    yield
    computation.tidy_up.clear()


def test_reference_cycles_are_freed() -> None:
    gc.disable()  # or Python might be first
    try:
        left = weakref.ref(Left())
        assert left() is not None
        thread = computation.tidy_up()
        assert computation.tidy_up() is thread
        assert thread.daemon  # it must not keep a server that is ended
        until = time.monotonic() + LONGEST_WAIT_SECONDS
        while left() is not None and time.monotonic() < until:
            time.sleep(0.01)
        assert left() is None
    finally:
        gc.enable()
