"""Many users of one server at the same moment, by websockets and without browsers: seconds, CPU seconds, memory.

    python -m benchmarks.users [users ...] [--jobs N ...] [--page NAME] [--against PATH]
                               [--rounds N] [--memory [SECONDS]]

Each user opens a page in a session of their own, all at once, and then again. The first number is the headline; the
page is whole when its script has ended. Jobs are experiments of 200,000 trials per size on the page of error rates,
each of a user of its own. CPU seconds per page do not change with other programs on the machine.

Servers take turns in each round, of which there are more for few users, and pages of a bare Streamlit script are
measured in the same way (`benchmarks/floor.py`): a title and four fields with the chart of the ANOVA page, which is
built each time or kept, and as many texts as the page has elements. Their rows end in the ratio of our page to
theirs, by the medians of the seconds until it is whole and by CPU seconds.

`--against` starts the server of another checkout, such as a git worktree of an older commit, and measures it before
this one. CPU seconds and memory are those of a server with the process that started it. `--memory` uploads 100
score matrices, with a change of page after each, and gives the resident memory before, with all of them, and so
many seconds after the last user left (300 by default).
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import time
import urllib.request
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.floor import floor
from benchmarks.timing import show
from benchmarks.twenty_sessions import cpu_seconds, resident_mb
from tests.browser.running_app import server
from tests.reference_data import REPOSITORY

_NUMBER = ":primary["
_FEWEST_PAGES = 20  # of a row: rounds are more with few users
_MOST_SECONDS = 300
_JOB_PAGE, _JOB_BUTTON, _JOB_TRIALS = "error-rate", "Run all 200,000", "n_trials=200000"
_UPLOADERS, _UPLOADS_EACH, _SHAPE = 10, 10, (200, 50)  # users, files of each, topics and runs
_DATA_PAGE, _OTHER_PAGES = "score-matrices", ("one-way-anova", "error-rate", "compare-designs", "leaderboard")


@dataclass
class User:
    """One websocket, and its messages for the page that was opened last."""

    socket: websockets.ClientConnection
    address: str
    buttons: dict[str, str] = field(default_factory=dict)
    uploader: str = ""
    session: str = ""
    first: float = float("nan")
    whole: float = float("nan")
    n_messages: int = 0
    n_bytes: int = 0
    n_matrices: int = 0

    async def open(self, page: str, query: str = "", pressed: str = "") -> None:
        """Open a page, or press a button on it, and wait until its script has ended."""
        request = BackMsg()
        request.rerun_script.page_name = page
        request.rerun_script.query_string = query
        if pressed:
            state = request.rerun_script.widget_states.widgets.add()
            state.id, state.trigger_value = pressed, True
        await self._run(request)

    async def upload(self, page: str, name: str, content: bytes) -> None:
        """Upload a file on a page that is open."""
        request = BackMsg()
        request.file_urls_request.request_id = name
        request.file_urls_request.file_names.append(name)
        request.file_urls_request.session_id = self.session
        await self.socket.send(request.SerializeToString())
        while True:
            message = await self._received()
            if message.WhichOneof("type") == "file_urls_response":
                (urls,) = message.file_urls_response.file_urls
                break
        await asyncio.to_thread(_put, f"{self.address}{urls.upload_url}", name, content)
        request = BackMsg()
        request.rerun_script.page_name = page
        state = request.rerun_script.widget_states.widgets.add()
        state.id = self.uploader
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = urls.file_id, name, len(content)
        info.file_urls.CopyFrom(urls)
        await self._run(request)

    async def _run(self, request: BackMsg) -> None:
        self.first = self.whole = float("nan")
        self.n_messages = self.n_bytes = self.n_matrices = 0
        started = time.monotonic()
        await self.socket.send(request.SerializeToString())
        async with asyncio.timeout(_MOST_SECONDS):
            while True:
                message = await self._received()
                kind = message.WhichOneof("type")
                if kind == "new_session":
                    self.session = message.new_session.initialize.session_id
                if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                    self._take(message, started)
                if kind == "script_finished":
                    self.whole = time.monotonic() - started
                    return

    async def _received(self) -> ForwardMsg:
        given = await self.socket.recv()
        content = given.encode() if isinstance(given, str) else given
        self.n_messages += 1
        self.n_bytes += len(content)
        message: ForwardMsg = ForwardMsg.FromString(content)
        return message

    def _take(self, message: ForwardMsg, started: float) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "button":
            self.buttons[element.button.label] = element.button.id
            self.n_matrices += "score_matrices/remove-" in element.button.id
        if kind == "file_uploader" and "score_matrices" in element.file_uploader.id:
            self.uploader = element.file_uploader.id
        if kind in ("markdown", "heading") and self.first != self.first:  # NaN: no number yet
            text = element.markdown.body if kind == "markdown" else element.heading.body
            if _NUMBER in text:
                self.first = time.monotonic() - started


def _put(url: str, name: str, content: bytes) -> None:
    """Send a file as a browser does."""
    border = "topicset-load-test"
    head = f'--{border}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
    body = head.encode() + content + f"\r\n--{border}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={border}"}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers, method="PUT"), timeout=60):
        pass


async def _connected(address: str) -> User:
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    # A busy server answers late: neither a slow handshake nor a missing pong ends a connection.
    socket = await websockets.connect(
        stream,
        subprotocols=[websockets.Subprotocol("streamlit")],
        max_size=None,
        open_timeout=_MOST_SECONDS,
        ping_interval=None,
        close_timeout=1,
    )
    return User(socket, address)


async def _leave(users: Iterable[User]) -> None:
    for user in users:
        with suppress(websockets.WebSocketException, OSError):
            await user.socket.close()


async def _with_jobs(address: str, n_jobs: int) -> list[User]:
    """Start a number of long jobs, each of a separate user; fewer where the page has no such button."""
    working = []
    for number in range(n_jobs):
        user = await _connected(address)
        query = f"{_JOB_TRIALS}&seed={number}"
        await user.open(_JOB_PAGE, query)
        button = next((one for label, one in user.buttons.items() if label.startswith(_JOB_BUTTON)), None)
        if button is None:
            await _leave([user])
            break
        await user.open(_JOB_PAGE, query, button)
        working.append(user)
    return working


async def _survived(opening: Awaitable[None]) -> bool:
    try:
        await opening
    except (TimeoutError, websockets.WebSocketException, OSError):
        return False
    return True


def _summary(seconds: list[float]) -> str:
    """Return median and 95th percentile."""
    known = sorted(one for one in seconds if one == one)
    return f"{statistics.median(known):.2f} / {np.percentile(known, 95):.2f}" if known else "-"


@dataclass
class Server:
    """A running process, with the processes that it started, and where users go."""

    process: subprocess.Popen[str]
    address: str
    page: str
    query: str = ""

    def total(self, measure: Callable[[Path], float]) -> float:
        """Return the sum of a measure over the processes, which have folders in /proc."""
        folder = Path("/proc") / str(self.process.pid)
        if not folder.exists():
            return float("nan")
        children = (folder / "task" / folder.name / "children").read_text().split()
        return sum(measure(folder.with_name(number)) for number in (folder.name, *children))


@dataclass
class Row:
    """What users of a server waited for in all rounds, and what that took of the processors."""

    first: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    cpu: float = 0.0
    n_messages: int = 0
    n_bytes: int = 0
    memory: float = 0.0
    n_lost: int = 0
    n_jobs: int = 0  # fewer where the page has no such button

    def ratio_to(self, other: "Row") -> str:
        """Return the ratios of seconds until the page is whole, and of CPU seconds."""
        whole = statistics.median(self.whole) / statistics.median(other.whole)
        return f"{whole:.1f} / {self.cpu / len(self.whole) / (other.cpu / len(other.whole)):.1f}"


async def _measure(server: Server, n_users: int, n_jobs: int, rows: dict[str, Row]) -> None:
    """Add a round to the rows of a server; a page that is opened again is measured without jobs only."""
    working = await _with_jobs(server.address, n_jobs)
    users = [await _connected(server.address) for _ in range(n_users)]
    for what in ("opens", "again") if n_jobs == 0 else ("opens",):
        row = rows.setdefault(what, Row())
        spent = server.total(cpu_seconds)
        survived = await asyncio.gather(*(_survived(user.open(server.page, server.query)) for user in users))
        row.cpu += server.total(cpu_seconds) - spent
        row.first += [user.first for user in users]
        row.whole += [user.whole for user in users]
        row.n_messages, row.n_bytes = users[0].n_messages, users[0].n_bytes
        row.memory = server.total(resident_mb)
        row.n_lost += survived.count(False)
        row.n_jobs = len(working)
    await _leave((*users, *working))


def _show(
    servers: dict[str, Server], floors: Collection[str], n_users: int, n_jobs: int, rounds: int
) -> None:
    """Measure each server, round by round, and write its rows; those of a floor with the ratio of ours to it."""
    rows: dict[str, dict[str, Row]] = {}
    for _ in range(max(rounds, _FEWEST_PAGES // n_users if n_jobs == 0 else 0)):
        for name, one in servers.items():
            if n_jobs == 0 or name not in floors:
                asyncio.run(_measure(one, n_users, n_jobs, rows.setdefault(name, {})))
    for name, by_page in rows.items():
        for what, row in by_page.items():
            cpu = (
                f"{row.cpu / len(row.whole):.4f}" if n_jobs == 0 else "-"
            )  # not told apart from that of jobs
            ours = rows["now"][what].ratio_to(row) if name in floors else ""
            lost = f", {row.n_lost} lost" if row.n_lost else ""
            waited = f"{_summary(row.first):>15} {_summary(row.whole):>15}"
            line = (
                f"{name:14} {n_users:5} {row.n_jobs:5}  {what:6} {waited} "
                f"{cpu:>11} {row.n_messages:9} {row.n_bytes / 1000:6.0f} {row.memory:7.0f}  {ours}{lost}"
            )
            show(line.rstrip())


def _scores(seed: int) -> bytes:
    scores = np.random.default_rng(seed).uniform(0, 1, _SHAPE).round(4)
    rows = [f"t{topic}," + ",".join(map(str, row)) for topic, row in enumerate(scores.tolist())]
    return "\n".join(["topic," + ",".join(f"run{run}" for run in range(_SHAPE[1])), *rows, ""]).encode()


async def _uploading(address: str, first_seed: int, n_files: int) -> User:
    user = await _connected(address)
    for number in range(n_files):
        await user.open(_DATA_PAGE)
        seed = first_seed + number
        await user.upload(_DATA_PAGE, f"scores{seed}_ap.csv", _scores(seed))
        if user.n_matrices != number + 1:
            raise AssertionError(f"{user.n_matrices} matrices on the page after {number + 1} uploads")
        await user.open(_OTHER_PAGES[number % len(_OTHER_PAGES)])
    return user


async def _memory(name: str, server: Server, pause: float) -> None:
    address = server.address
    await _leave([await _uploading(address, 10_000, len(_OTHER_PAGES))])  # imports and kernels
    before = server.total(resident_mb)
    users = await asyncio.gather(
        *(_uploading(address, _UPLOADS_EACH * user, _UPLOADS_EACH) for user in range(_UPLOADERS))
    )
    during = server.total(resident_mb)
    await _leave(users)
    await asyncio.sleep(pause)
    await _leave([await _connected(address)])
    after = server.total(resident_mb)
    show(
        f"{name:7} {_UPLOADERS * _UPLOADS_EACH} uploads of {_SHAPE[0]} x {_SHAPE[1]} scores with page changes by "
        f"{_UPLOADERS} users: {before:.0f} MB before, {during:.0f} MB at once, {after:.0f} MB {pause:.0f} s after "
        f"the last left ({after / before - 1:+.0%})"
    )


def report(
    n_users: list[int],
    n_jobs: list[int],
    page: str,
    against: Path | None,
    rounds: int,
    pause: float | None,
) -> None:
    """Measure each number of users next to each number of jobs, on each server in turn."""
    os.environ["STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION"] = "false"  # which is about browsers
    with ExitStack() as running:
        servers = {"before": Server(*running.enter_context(server(against)), page)} if against else {}
        servers["now"] = Server(*running.enter_context(server(REPOSITORY)), page)
        ours = dict(servers)
        bare = running.enter_context(floor())
        n_elements = _n_messages(servers["now"]) - _n_messages(Server(*bare, "", "elements=0"))
        floors = {"built": "", "kept": "kept", "texts": f"elements={n_elements}"}
        servers |= {name: Server(*bare, "", query) for name, query in floors.items()}
        show(f"load of the machine at the start: {os.getloadavg()[0]:.1f}")
        for one in servers.values():
            asyncio.run(_measure(one, 2, 0, {}))  # imports and compiled kernels
        show("imports are done and kernels compiled; seconds: median / 95th percentile")
        show(
            "server          users  jobs  page      first number      whole page  CPU s/page  messages     kB"
            "  RSS MB  ours to it: whole / CPU"
        )
        for jobs in n_jobs:
            for users in n_users:
                _show(servers, floors.keys(), users, jobs, rounds)
        show(f"load of the machine at the end: {os.getloadavg()[0]:.1f}")
        if pause is not None:

            async def both() -> None:
                await asyncio.gather(*(_memory(name, one, pause) for name, one in ours.items()))

            asyncio.run(both())


def _n_messages(server: Server) -> int:
    """Return the messages of a page that is opened again."""
    rows: dict[str, Row] = {}
    asyncio.run(_measure(server, 1, 0, rows))
    return rows["again"].n_messages


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("users", nargs="*", type=int, default=[1, 20, 50, 100])
    parser.add_argument("--jobs", nargs="+", type=int, default=[0, 1, 4])
    parser.add_argument("--page", default="one-way-anova")
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout, measured as before")
    parser.add_argument(
        "--rounds", type=int, default=3, metavar="N", help="how often each server is measured"
    )
    parser.add_argument(
        "--memory", nargs="?", type=float, const=300.0, metavar="SECONDS", help="after uploads"
    )
    given = parser.parse_args()
    report(given.users, given.jobs, given.page, given.against, given.rounds, given.memory)
