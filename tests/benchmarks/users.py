"""Many users of one server at the same moment, by websockets and without browsers: seconds, CPU seconds, memory.

    python -m tests.benchmarks.users [users ...] [--jobs N ...] [--page one-way-anova]

Each user opens a page in a session of their own, all at once, and then asks again. The first number is the
headline; the whole page is there when its script has ended. Jobs are experiments of 200,000 trials per size on the
page of error rates.
CPU seconds per page are what a shared machine does not change.
"""

import argparse
import asyncio
import statistics
import time
from dataclasses import dataclass, field

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.timing import say
from tests.benchmarks.twenty_sessions import cpu_seconds, resident_mb, server_process
from tests.browser.running_app import running_app

_NUMBER = ":primary["
_MOST_SECONDS = 300
_JOB_PAGE, _JOB_BUTTON, _JOB_TRIALS = "error-rate", "Run all 200,000", "n_trials=200000"


@dataclass
class User:
    """One websocket, and what came by it for the page that was opened last."""

    socket: websockets.ClientConnection
    buttons: dict[str, str] = field(default_factory=dict)
    first: float = float("nan")
    whole: float = float("nan")
    n_messages: int = 0
    n_bytes: int = 0

    async def open(self, page: str, query: str = "", pressed: str = "") -> None:
        """Open a page, or press a button on it, and wait until its script has ended."""
        asked = BackMsg()
        asked.rerun_script.page_name = page
        asked.rerun_script.query_string = query
        if pressed:
            state = asked.rerun_script.widget_states.widgets.add()
            state.id, state.trigger_value = pressed, True
        self.first = self.whole = float("nan")
        self.n_messages = self.n_bytes = 0
        started = time.monotonic()
        await self.socket.send(asked.SerializeToString())
        async with asyncio.timeout(_MOST_SECONDS):
            while True:
                given = await self.socket.recv()
                content = given.encode() if isinstance(given, str) else given
                message = ForwardMsg.FromString(content)
                self.n_messages += 1
                self.n_bytes += len(content)
                kind = message.WhichOneof("type")
                if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                    self._take(message, started)
                if kind == "script_finished":
                    self.whole = time.monotonic() - started
                    return

    def _take(self, message: ForwardMsg, started: float) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "button":
            self.buttons[element.button.label] = element.button.id
        if kind in ("markdown", "heading") and self.first != self.first:  # NaN: no number yet
            text = element.markdown.body if kind == "markdown" else element.heading.body
            if _NUMBER in text:
                self.first = time.monotonic() - started


async def _connected(address: str) -> User:
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    socket = await websockets.connect(
        stream, subprotocols=[websockets.Subprotocol("streamlit")], max_size=None
    )
    return User(socket)


async def _with_jobs(address: str, n_jobs: int) -> list[User]:
    """Start so many long jobs, each of a user of its own."""
    working = []
    for number in range(n_jobs):
        user = await _connected(address)
        query = f"{_JOB_TRIALS}&seed={number}"
        await user.open(_JOB_PAGE, query)
        pressed = next(one for label, one in user.buttons.items() if label.startswith(_JOB_BUTTON))
        await user.open(_JOB_PAGE, query, pressed)
        working.append(user)
    return working


def _said(seconds: list[float]) -> str:
    known = [one for one in seconds if one == one]
    return f"{statistics.median(known):.2f} / {max(known):.2f}" if known else "-"


async def _measured(address: str, page: str, n_users: int, n_jobs: int) -> None:
    server = server_process(address)
    working = await _with_jobs(address, n_jobs)
    users = [await _connected(address) for _ in range(n_users)]
    for what in ("opens", "again"):
        spent = cpu_seconds(server)
        await asyncio.gather(*(user.open(page) for user in users))
        spent = (cpu_seconds(server) - spent) / n_users
        cpu = f"{spent:.3f} CPU s per page" if n_jobs == 0 else "CPU s not told apart from jobs"
        say(
            f"{n_users:4} users, {n_jobs} jobs, {what}: first number {_said([user.first for user in users])} s, "
            f"whole page {_said([user.whole for user in users])} s (median / worst), {cpu}, "
            f"{users[0].n_messages} messages, {users[0].n_bytes / 1000:.0f} kB, {resident_mb(server):.0f} MB"
        )
    for user in (*users, *working):
        await user.socket.close()


def report(n_users: list[int], n_jobs: list[int], page: str) -> None:
    """Measure each number of users beside each number of jobs, on one server."""
    with running_app() as address:
        asyncio.run(_measured(address, page, 1, 0))  # imports and compiled kernels
        for jobs in n_jobs:
            for users in n_users:
                asyncio.run(_measured(address, page, users, jobs))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("users", nargs="*", type=int, default=[1, 20, 50, 100])
    parser.add_argument("--jobs", nargs="+", type=int, default=[0, 1, 4])
    parser.add_argument("--page", default="one-way-anova")
    given = parser.parse_args()
    report(given.users, given.jobs, given.page)
