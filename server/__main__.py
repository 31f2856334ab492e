"""Start the app, wait until it answers, and print its address.

``streamlit run app.py`` does the same without security headers, but for two things. On a fresh server the first
visitor who follows a link to a page would read that it does not exist, because Streamlit learns the pages when
the app first runs: so the app is run once here, by its health check, before anyone comes. And browsers get a
cookie with a secret here, under which the server keeps their work over a reload.

It answers this machine only. ``--share`` lets it answer other ones, too.

With ``--store FOLDER``, uploads outlive a restart: see `pages/parts/saved_work.py`. For several servers behind a
proxy, which share the folder, see docs/deploy.md.

Afterwards the kernels are compiled in the background, unless TOPICSET_WARM_UP=0 is set in the environment.
"""

import ctypes
import errno
import os
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

from pages.parts.limits import LONGEST_HOURS, MOST_BYTES, STORE
from topicset_core.cli.app import add_options

_PATIENCE_SECONDS = 60
_MOST_SECONDS_TO_END = 2
_TIDY_SECONDS = 600
_MOST_OPEN_FILES = 65_536
_SECRET_LENGTH = 64
_ROOT = Path(__file__).parents[1]


def main(arguments: list[str]) -> int:
    """Serve with the options of the command ``app`` until the server ends; others go to ``streamlit run``."""
    parser = ArgumentParser(prog="topicset app", allow_abbrev=False)
    add_options(parser)
    given, others = parser.parse_known_args(arguments)
    address = given.address or ("" if given.share else "localhost")
    reason = _why_not(address, given.port)
    if reason:
        print(
            f"Topicset cannot start on port {given.port}: {reason}. Choose another one with --port.",
            file=sys.stderr,
        )
        return 1
    _raise_open_files()
    store = Path(given.store).resolve() if given.store else None
    environment = dict(os.environ)
    if store is not None:
        try:
            environment |= {STORE: str(store), "STREAMLIT_SERVER_COOKIE_SECRET": _secret_of(store)}
        except OSError as error:
            print(f"Topicset cannot store data in {store}: {error.strerror}.", file=sys.stderr)
            return 1
    # A service manager ends the server with SIGTERM, a user with Ctrl-C; the server must end in both cases,
    # and also where a shell started it in the background, which has SIGINT ignored.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
    path = f"/{given.baseUrlPath.strip('/')}".rstrip("/")
    host = "localhost" if address in ("", "0.0.0.0", "::") else address  # noqa: S104 - compared
    scheme = "https" if given.sslCertFile else "http"
    shown = f"{scheme}://{f'[{host}]' if ':' in host else host}:{given.port}{path}"
    chosen = {
        "port": given.port,
        "address": address,
        "baseUrlPath": path[1:],
        "sslCertFile": given.sslCertFile,
    }
    started: list[subprocess.Popen[bytes]] = []
    try:
        server = subprocess.Popen(  # noqa: S603 - our own command line
            [
                *(sys.executable, "-m", "streamlit", "run", "server/web.py"),
                *(f"--server.{name}={value}" for name, value in chosen.items() if value),
                *others,
            ],
            cwd=_ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
        started.append(server)
        if not _answers(server, f"{shown}/_stcore/script-health-check"):
            if server.poll() is None:
                print(f"Topicset does not answer at {shown}: it was ended.", file=sys.stderr)
            return server.poll() or 1
        print(f"Topicset is ready: {shown}  (Ctrl-C ends it)", flush=True)
        if given.share and not given.address:
            print(f"For other computers: {scheme}://{_own_address()}:{given.port}{path}", flush=True)
        if os.environ.get("TOPICSET_WARM_UP") != "0":
            started.append(_compile_kernels())
        while True:
            if store is not None:
                _delete_old(store)
            with suppress(subprocess.TimeoutExpired):
                return server.wait(_TIDY_SECONDS)
    except KeyboardInterrupt:
        return 0
    finally:
        _end(started)


def _raise_open_files() -> None:
    """Allow as many open files as the system grants: a tab takes four, and the usual 1,024 are few."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_OPEN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _secret_of(store: Path) -> str:
    """Return the secret by which this server knows the cookies of its earlier starts; it is in the folder."""
    store.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = store / "secret"
    if file.exists() and len(file.read_text()) != _SECRET_LENGTH:  # what a power cut leaves is no secret
        file.unlink(missing_ok=True)
    if not file.exists():
        whole = store / f"secret-{secrets.token_hex(8)}"  # several servers may start at once
        with open(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
            new.write(secrets.token_hex(_SECRET_LENGTH // 2))
            new.flush()
            os.fsync(new.fileno())
        with suppress(FileExistsError):
            os.link(whole, file)
        whole.unlink()
    return file.read_text()


def _delete_old(store: Path) -> None:
    """Delete work that was last used too long ago, and the oldest of what takes too much of the disk."""
    stored = []
    for file in store.glob("*.zip"):
        with suppress(FileNotFoundError):  # another server has deleted it meanwhile
            stored.append((file.stat().st_mtime, file.stat().st_size, file))
    taken = 0
    for last_use, size, file in sorted(stored, reverse=True):
        taken += size
        if taken > MOST_BYTES or time.time() - last_use > LONGEST_HOURS * 3600:
            file.unlink(missing_ok=True)


def _why_not(address: str, port: int) -> str:
    """Return why the server could not listen there, as on a port of another program; "" where it can."""
    try:
        places = socket.getaddrinfo(address or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        return error.strerror or str(error)
    for family, _, _, _, place in places:
        try:
            # Also the ones that the server would not take: browsers look for localhost in two places.
            socket.create_server(place[:2], family=family).close()
        except OSError as error:
            if (
                error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT) or len(places) == 1
            ):  # without IPv6
                return os.strerror(error.errno) if error.errno else str(error)
    return ""


def _own_address() -> str:
    """Return the address of this computer in its network; nothing is sent for that."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation: RFC 5737
        return str(probe.getsockname()[0])
    return socket.gethostname()


def _end_with_parent() -> None:
    """Have Linux end this process with the one that starts it, also where that one is killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ask processes to end, and end those that do not in time."""
    deadline = time.monotonic() + _MOST_SECONDS_TO_END
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(timeout=max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            # No wait without end: where the interrupt came while `wait` held its lock, the lock stays held.
            process.kill()


def _compile_kernels() -> subprocess.Popen[bytes]:
    """Compile them now, politely: on a fresh install the first user would wait for it."""
    return subprocess.Popen(
        [sys.executable, "-m", "topicset_core.analyses.warm_up"],
        cwd=_ROOT,
        preexec_fn=(lambda: os.nice(15) and None) if hasattr(os, "nice") else None,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _answers(server: subprocess.Popen[bytes], address: str) -> bool:
    """Poll the health check, which runs the app once; False if the server ended or stays silent."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    trusting = ssl._create_unverified_context()  # noqa: S323 - our own server, whose name the certificate may not have
    while server.poll() is None and (left := deadline - time.monotonic()) > 0:
        try:
            with urllib.request.urlopen(address, timeout=left, context=trusting) as answer:  # noqa: S310 - this computer
                return bool(answer.read().strip() == b"ok")
        except (OSError, HTTPException):
            time.sleep(0.1)
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
