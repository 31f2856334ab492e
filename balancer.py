"""One address for several server processes of this machine; each browser stays with one of them.

A process holds the work of its browsers in memory. It gives each browser a cookie whose checksum is the number of
the process (`number_of`), so the balancer needs no list of browsers. It reads the head of the first request of a
connection only, and then passes bytes. The connections of a browser are its own; those of a proxy are not, so the
processes close them after each request (`middleware.SecurityHeaders`).
"""

import asyncio
import re
import socket
import threading
import zlib
from contextlib import closing, suppress

_MOST_BYTES_OF_A_HEAD = 65_536
_HEAD_SECONDS = 10
_RESTART_SECONDS = 60
_AT_A_TIME = 65_536
_ENDS = (OSError, TimeoutError, EOFError, asyncio.CancelledError, asyncio.LimitOverrunError)
"""What ends a connection only: its browser, its process or the server has closed it."""

_COOKIE = re.compile(rb"topicset_work[^=;\s]*=([^;\s]+)")


def number_of(cookie: bytes, n_workers: int) -> int:
    """Return the process that a browser with this cookie belongs to."""
    return zlib.crc32(cookie) % n_workers


class Balancer:
    """Passes each connection on to one of the processes at these ports; None for one that has not started."""

    def __init__(self, ports: list[int | None], listening: socket.socket) -> None:
        self.ports = ports
        # Held here, because a loop does not hold its tasks.
        self._open: list[set[object]] = [set() for _ in ports]
        self._loop = asyncio.new_event_loop()
        self._has_ended = asyncio.Event()
        self._thread = threading.Thread(target=self._serve, args=(listening,), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Close all connections."""
        self._loop.call_soon_threadsafe(self._has_ended.set)
        self._thread.join(1)

    def _serve(self, listening: socket.socket) -> None:
        async def serve() -> None:
            server = await asyncio.start_server(
                self._pass_on, sock=listening, limit=_MOST_BYTES_OF_A_HEAD, backlog=2048
            )
            await self._has_ended.wait()
            server.close()

        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(serve())

    async def _pass_on(self, browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        with suppress(*_ENDS), closing(to_browser):
            head = await asyncio.wait_for(browser.readuntil(b"\r\n\r\n"), _HEAD_SECONDS)
            number, task = self._chosen(head), asyncio.current_task()
            self._open[number].add(task)
            try:
                process, to_process = await asyncio.wait_for(self._connected(number), _RESTART_SECONDS)
                with closing(to_process):
                    to_process.write(head)
                    sending = asyncio.create_task(_copy(browser, to_process))
                    await _copy(process, to_browser)
                    sending.cancel()
            finally:
                self._open[number].discard(task)

    def _chosen(self, head: bytes) -> int:
        """Return the process of a browser; of a new one, that with the fewest connections."""
        cookie = _COOKIE.search(head)
        if cookie:
            return number_of(cookie[1], len(self.ports))
        places = [(port is None, len(self._open[number])) for number, port in enumerate(self.ports)]
        return places.index(min(places))

    async def _connected(self, number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a process, and wait while it is started again."""
        while True:
            port = self.ports[number]
            if port is not None:
                with suppress(OSError):
                    return await asyncio.open_connection("127.0.0.1", port, limit=_AT_A_TIME)
            await asyncio.sleep(0.1)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass bytes on, no faster than they are taken, and close at their end."""
    with suppress(OSError):
        while content := await reader.read(_AT_A_TIME):
            writer.write(content)
            await writer.drain()
    writer.close()
