"""What a user leaves behind is given back without a run of a page."""

import gc
import time
import weakref

import pytest

from pages.parts import tidying


class Left:
    """An object that holds on to itself, as a session that has ended does."""

    def __init__(self) -> None:
        self.itself = self


def test_what_holds_on_to_itself_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "_EVERY_SECONDS", 0.05)
    gc.disable()  # or Python might be first
    try:
        left = weakref.ref(Left())
        assert left() is not None
        thread = tidying.tidy_up()
        assert tidying.tidy_up() is thread
        assert thread.daemon  # it must not keep a server that is ended
        until = time.monotonic() + 60  # against hanging
        while left() is not None and time.monotonic() < until:
            time.sleep(0.01)
        assert left() is None
    finally:
        gc.enable()
        tidying.tidy_up.clear()
