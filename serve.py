"""Start the app, wait until it answers, and print its address.

``streamlit run app.py`` does the same without security headers, but for two things. On a fresh server the first
visitor who follows a link to a page would read that it does not exist, because Streamlit learns the pages when
the app first runs: so the app is run once here, by its health check, before anyone comes. And browsers get a
cookie with a secret here, under which the server keeps their work over a reload.

It answers this machine only. ``--share`` lets it answer other ones, too.

Afterwards the kernels are compiled in the background, unless TOPICSET_WARM_UP=0 is set in the environment.
"""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from streamlit.starlette import App

import middleware

_PATIENCE_SECONDS = 60
_MOST_SECONDS_TO_END = 2
_HERE = Path(__file__).parent

app = App("app.py", middleware=middleware.ALL)


def main(arguments: list[str]) -> int:
    """Run the server until it ends or is interrupted; `arguments` go to ``streamlit run``."""
    # A service manager ends the server with SIGTERM, a user with Ctrl-C; the server must end in both cases,
    # and also where a shell started it in the background, which has SIGINT ignored.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
    port = _option(arguments, "--server.port", "8501")
    path = _option(arguments, "--server.baseUrlPath", "").strip("/")
    below = f"/{path}" if path else ""
    if "--share" in arguments:
        arguments.remove("--share")
    elif not any(argument.startswith("--server.address") for argument in arguments):
        arguments.append("--server.address=localhost")
    given = [*arguments, f"--server.baseUrlPath={path}"] if path else arguments
    server = subprocess.Popen(  # noqa: S603 - our own command line
        [sys.executable, "-m", "streamlit", "run", "serve.py", f"--server.port={port}", *given],
        cwd=_HERE,
        stdout=subprocess.DEVNULL,
    )
    compiling: subprocess.Popen[bytes] | None = None
    try:
        if not _answers(server, f"http://localhost:{port}{below}/_stcore/script-health-check"):
            return server.wait() or 1
        print(f"Topicset is ready: http://localhost:{port}{below}  (Ctrl-C ends it)", flush=True)
        if os.environ.get("TOPICSET_WARM_UP") != "0":
            compiling = _compile_kernels()
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        for process in (server, compiling):
            if process is not None:
                _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end, and end it where it does not in time."""
    process.terminate()
    try:
        process.wait(timeout=_MOST_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _compile_kernels() -> subprocess.Popen[bytes]:
    """Compile them now, politely: on a fresh install the first user would wait for it."""
    return subprocess.Popen(
        [sys.executable, "-m", "topicset_core.analyses.warm_up"],
        cwd=_HERE,
        preexec_fn=_step_back,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _step_back() -> None:
    """Give this process the lowest priority, if the system can."""
    if hasattr(os, "nice"):
        os.nice(15)


def _answers(server: subprocess.Popen[bytes], address: str) -> bool:
    """Poll the health check, which runs the app once; False if the server ended or stays silent."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=_PATIENCE_SECONDS) as answer:  # noqa: S310 - localhost
                return bool(answer.read().strip() == b"ok")
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    return False


def _option(arguments: list[str], name: str, default: str) -> str:
    """Take ``name=value`` or ``name value`` out of `arguments`."""
    for position, argument in enumerate(arguments):
        if argument.startswith(f"{name}="):
            return arguments.pop(position).removeprefix(f"{name}=")
        if argument == name:
            arguments.pop(position)
            return arguments.pop(position)
    return default


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
