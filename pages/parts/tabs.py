"""The tabs of the app, for who serves it: the browser that each is of, and what each is told.

A tab is a session of Streamlit. The server says here what it refused; pages show it.
"""

import time

from streamlit import runtime

BROWSER = "x-topicset-browser"
"""Header with the browser of a request, a digest of its secret; set by the server only."""

_TOLD_SECONDS = 60
_told: dict[str, tuple[str, float]] = {}
"""What a session is to be told, and until when."""


def tell(session: str, sentence: str) -> None:
    """Show a sentence to a user whose request was refused: the browser does not show the answer to it."""
    _told[session] = sentence, time.monotonic() + _TOLD_SECONDS
    run_again(session)


def told(session: str) -> str:
    """Return what a session is to be told now; "" if nothing."""
    now = time.monotonic()
    for one, (_, until) in list(_told.items()):
        if until < now:
            _told.pop(one, None)
    return _told.get(session, ("", 0.0))[0]


def run_again(session: str) -> None:
    """Have the page of a session run again, as it is."""
    active = (
        runtime.get_instance()._session_mgr.get_active_session_info(session) if runtime.exists() else None
    )
    if active is not None:
        active.session.request_rerun(active.session._client_state)  # as it is: the page and its settings
