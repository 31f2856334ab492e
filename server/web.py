"""What ``streamlit run`` serves: the app behind the middleware."""

import logging
import time
from pathlib import Path

from streamlit.starlette import App

from server.middleware import ALL

_QUIET_SECONDS = 60


class OutOfFiles(logging.Filter):
    """Pass an error of a connection that could not be accepted once per minute: a full server logs thousands."""

    last = -float(_QUIET_SECONDS)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is another one, or the first for some time."""
        if "socket.accept()" not in record.getMessage():
            return True
        now = time.monotonic()
        is_first = now - self.last >= _QUIET_SECONDS
        self.last = now if is_first else self.last
        return is_first


logging.getLogger("asyncio").addFilter(OutOfFiles())
app = App(Path(__file__).parents[1] / "app.py", middleware=ALL)
