"""Run a function in a process of its own, within bounds of memory and processor time.

What parses the files of strangers may meet one that fills all memory; here that ends a process and not the server.
A small process starts once, imports the modules that are needed, and forks for each call, which takes milliseconds;
a server with threads must not fork itself. Where the system cannot fork, functions run unconfined.
"""

import atexit
import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from topicset_core.errors import TopicsetError
from topicset_core.progress import ReportProgress

CAN_CONFINE = sys.platform != "win32" and hasattr(socket, "send_fds")

_FRACTION = struct.Struct("d")
_ANSWER = 2.0  # a fraction that says: the answer comes next
_PID = struct.Struct("q")
_POLL_SECONDS = 0.2


class Bounds(NamedTuple):
    """What a call may take, in addition to its arguments and the imports."""

    megabytes: int
    cpu_seconds: int


class OutOfBounds(TopicsetError):  # noqa: N818 - named for its message
    """A call that took more than its bounds, so that its process was ended."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        super().__init__(
            f"more than {bounds.megabytes:,} MB of memory or {bounds.cpu_seconds:,} s of processor time are needed"
        )


class NoProcess(TopicsetError):  # noqa: N818 - named for its message
    """A call for which the system starts no process."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"this computer starts no further process ({reason})")


@dataclass
class Confinement:
    """The process that forks, with the modules it imports; it starts at first use and ends with this process."""

    modules: tuple[str, ...]
    _process: subprocess.Popen[bytes] | None = None
    _control: socket.socket | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        """Start the process where it does not run, without waiting for it; raise `NoProcess` where it cannot."""
        with self._lock:
            if not CAN_CONFINE or (self._process is not None and self._process.poll() is None):
                return
            control, theirs = _pair()
            code = f"import sys; sys.path[:] = {sys.path!r}; import {__name__} as it; it.serve({theirs.fileno()})"
            with theirs:
                try:
                    self._process = subprocess.Popen(  # noqa: S603 - our own command line
                        [sys.executable, "-c", code, *self.modules],
                        pass_fds=(theirs.fileno(),),
                        stdin=subprocess.DEVNULL,
                        env=os.environ
                        | {"OPENBLAS_NUM_THREADS": "1"},  # a process with threads must not fork
                    )
                except OSError as error:
                    control.close()
                    raise NoProcess(error.strerror or str(error)) from None
            self._control = control
            atexit.register(self.end)

    def end(self) -> None:
        """End the process, if it runs; a call starts it again."""
        with self._lock:
            if self._process is not None and self._control is not None:
                self._control.close()
                self._process.wait()
                self._process = self._control = None

    def call(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        bounds: Bounds,
        report: ReportProgress | None = None,
        **options: Any,
    ) -> Any:
        """Return what a function returns, and raise what it raises, or `OutOfBounds` or `NoProcess`."""
        # With `report`, which may raise to stop the call, the function gets one, too. The function is one
        # that its module names; arguments and result can be pickled.
        if not CAN_CONFINE:
            more = {} if report is None else {"report": report}
            return function(*arguments, **options, **more)
        self.start()
        ours, theirs = _pair()
        with ours:
            try:
                with theirs, self._lock:
                    if self._control is not None:
                        socket.send_fds(self._control, [b"\0"], [theirs.fileno()])
                try:
                    pid = _PID.unpack(_received(ours, _PID.size))[0]
                except EOFError:
                    raise NoProcess("it does not fork") from None
                try:
                    with ours.makefile("wb") as stream:
                        pickle.dump(
                            (bounds, function, arguments, options, report is not None), stream, protocol=5
                        )
                    _follow(ours, report)
                    with ours.makefile("rb") as stream:
                        is_result, result = pickle.load(stream)  # noqa: S301 - of our own process
                finally:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            except (EOFError, ConnectionError, pickle.UnpicklingError):
                raise OutOfBounds(bounds) from None
        if is_result:
            return result
        raise result


def _pair() -> tuple[socket.socket, socket.socket]:
    try:
        return socket.socketpair()
    except OSError as error:
        raise NoProcess(error.strerror or str(error)) from None


def _received(connection: socket.socket, n_bytes: int) -> bytes:
    result = connection.recv(n_bytes, socket.MSG_WAITALL)
    if len(result) < n_bytes:
        raise EOFError
    return result


def _follow(connection: socket.socket, report: ReportProgress | None) -> None:
    """Report progress until the answer begins; without news report the last fraction again, to be stopped."""
    fraction = 0.0
    while True:
        if select.select([connection], [], [], _POLL_SECONDS)[0]:
            fraction = _FRACTION.unpack(_received(connection, _FRACTION.size))[0]
            if fraction == _ANSWER:
                return
        if report is not None:
            report(fraction)


def serve(descriptor: int) -> None:
    """Fork for each connection that comes, until the process at the other end is gone."""
    for module in sys.argv[1:]:
        __import__(module)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, with which this process ends
    with socket.socket(fileno=descriptor) as control:
        while descriptors := socket.recv_fds(control, 1, 1)[1]:
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            with socket.socket(fileno=descriptors[0]) as connection, suppress(OSError):
                if os.fork() == 0:
                    try:
                        control.close()
                        _answer(connection)
                    finally:
                        os._exit(0)


def _answer(connection: socket.socket) -> None:
    """Do one call, in the process that was forked for it."""
    connection.sendall(_PID.pack(os.getpid()))
    with connection.makefile("rb") as stream:
        bounds, function, arguments, options, reports = pickle.load(stream)  # noqa: S301 - of our own process
    if reports:
        options["report"] = _Reporter(connection).report
    _confine(bounds)
    try:
        answer = True, function(*arguments, **options)
    except MemoryError:
        return
    except Exception as error:  # whatever it is, the caller raises it
        answer = False, error
    connection.sendall(_FRACTION.pack(_ANSWER))
    with connection.makefile("wb") as stream:
        pickle.dump(answer, stream, protocol=5)


def _confine(bounds: Bounds) -> None:
    import resource  # not on Windows

    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")  # where memory is short, the system ends this process and not the server
    resource.setrlimit(resource.RLIMIT_CPU, (bounds.cpu_seconds, bounds.cpu_seconds + 1))
    with suppress(OSError, ValueError):  # not all systems tell the size, or bound it
        with open("/proc/self/statm") as sizes:
            size = int(sizes.read().split()[0]) * resource.getpagesize()
        most = size + bounds.megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


class _Reporter:
    """Sends the fraction done, not more often than anybody looks."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._last = 0.0

    def report(self, fraction: float) -> None:
        """Send it; if nobody is there any more, the process ends by the error."""
        now = time.monotonic()
        if now - self._last >= _POLL_SECONDS:
            self._last = now
            self._connection.sendall(_FRACTION.pack(fraction))
