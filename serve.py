"""Start the app, wait until it answers, and print its address.

``streamlit run app.py`` does the same without security headers, but for two things. On a fresh server the first
visitor who follows a link to a page would read that it does not exist, because Streamlit learns the pages when
the app first runs: so the app is run once here, by its health check, before anyone comes. And browsers get a
cookie with a secret here, under which the server keeps their work over a reload.

It answers this machine only. ``--share`` lets it answer other ones, too.

With ``--store FOLDER``, uploads outlive a restart: see `pages/parts/stored_work.py`. With ``--workers N``, N server
processes share the users: see `balancer.py`.

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
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

from streamlit.starlette import App

import middleware
from balancer import Balancer
from pages.parts.kept_work import STORE
from pages.parts.limits import LONGEST_HOURS, MOST_BYTES, WORKER
from topicset_core.cli.app import add_options

_PATIENCE_SECONDS = 60
_MOST_SECONDS_TO_END = 2
_TIDY_SECONDS = 600
_POLL_SECONDS = 0.2
_FILES = 65_536
_HERE = Path(__file__).parent

app = App("app.py", middleware=middleware.ALL)


def main(arguments: list[str]) -> int:
    """Serve with the options of the command ``app``."""
    parser = ArgumentParser(allow_abbrev=False)
    add_options(parser)
    return serve(*parser.parse_known_args(arguments))


def serve(given: Namespace, others: list[str]) -> int:
    """Run the server until it ends or is interrupted; other options go to ``streamlit run``."""
    address = given.address or ("" if given.share else "localhost")
    is_shared = given.workers > 1
    if is_shared and given.sslCertFile:
        print("Topicset has HTTPS of its own with one worker only. Let a proxy do it.", file=sys.stderr)
        return 1
    reason = _why_not(address, given.port)
    if reason:
        print(
            f"Topicset cannot start on port {given.port}: {reason}. Choose another one with --port.",
            file=sys.stderr,
        )
        return 1
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
    ports, addresses = [given.port], [shown]
    if is_shared:
        listening, ports = _listening(address, given.port), _free_ports(given.workers)
        addresses = [f"http://127.0.0.1:{port}{path}" for port in ports]
        environment.setdefault("STREAMLIT_SERVER_COOKIE_SECRET", secrets.token_hex(32))
        environment[middleware.PARENT] = secrets.token_hex(32)
        # The processes answer the balancer only, but to the name that they are known by.
        others += [f"--browser.serverAddress={address}"] * bool(address)
        address = "127.0.0.1"
    chosen = {"address": address, "baseUrlPath": path[1:], "sslCertFile": given.sslCertFile}

    def start(number: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - our own command line
            [
                *(sys.executable, "-m", "streamlit", "run", "serve.py", f"--server.port={ports[number]}"),
                *(f"--server.{name}={value}" for name, value in chosen.items() if value),
                *others,
            ],
            cwd=_HERE,
            env=environment | {WORKER: f"{number}/{len(ports)}"},
            stdout=subprocess.DEVNULL,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )

    def code_of(number: int) -> int:
        health = f"{addresses[number]}/_stcore/script-health-check"
        if _answers(servers[number], health, environment.get(middleware.PARENT, "")):
            return 0
        if servers[number].poll() is None:
            print(f"Topicset does not answer at {shown}: it was ended.", file=sys.stderr)
        return servers[number].poll() or 1

    servers: list[subprocess.Popen[bytes]] = []
    compiling: subprocess.Popen[bytes] | None = None
    balancer: Balancer | None = None
    try:
        for number in range(len(ports)):
            servers.append(start(number))
        for number in range(len(ports)):
            if code := code_of(number):
                return code
        if is_shared:
            balancer = Balancer([*ports], listening)
        print(f"Topicset is ready: {shown}  (Ctrl-C ends it)", flush=True)
        if given.share and not given.address:
            print(f"For other computers: {scheme}://{_own_address()}:{given.port}{path}", flush=True)
        if os.environ.get("TOPICSET_WARM_UP") != "0":
            compiling = _compile_kernels()
        while True:
            if store is not None:
                _delete_old(store)
            if (ended := _first_ended(servers, _TIDY_SECONDS)) is None:
                continue
            if balancer is None:
                return servers[0].wait()
            print(f"Server process {ended + 1} of {len(ports)} ended, and is started again.", file=sys.stderr)
            balancer.ports[ended] = None
            servers[ended] = start(ended)
            if code := code_of(ended):
                return code
            balancer.ports[ended] = ports[ended]
    except KeyboardInterrupt:
        return 0
    finally:
        _end([*servers, *([compiling] if compiling else [])])
        if balancer is not None:
            balancer.end()


def _secret_of(store: Path) -> str:
    """Return the secret by which this server knows the cookies of its earlier starts; it is in the folder."""
    store.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = store / "secret"
    if not file.exists():
        whole = store / f"secret-{secrets.token_hex(8)}"  # several servers may start at once
        with open(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
            new.write(secrets.token_hex(32))
        with suppress(FileExistsError):
            os.link(whole, file)
        whole.unlink()
    return file.read_text()


def _delete_old(store: Path) -> None:
    """Delete work that was last used too long ago, and the oldest of what takes too much of the disk."""
    taken = 0
    for last_use, size, file in sorted(
        ((one.stat().st_mtime, one.stat().st_size, one) for one in store.glob("*.zip")), reverse=True
    ):
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


def _listening(address: str, port: int) -> socket.socket:
    """Return a socket for all users, at the addresses where Streamlit would listen."""
    if sys.platform != "win32":
        import resource

        # Each connection takes two files of this process.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):  # more than the system allows
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, _FILES)), hard))
    is_both = address in ("", "::") and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if is_both or ":" in address else socket.AF_INET
    return socket.create_server((address, port), family=family, dualstack_ipv6=is_both)


def _free_ports(n_ports: int) -> list[int]:
    """Return different ports of this machine that nobody uses now."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(n_ports)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def _first_ended(servers: Sequence[subprocess.Popen[bytes]], seconds: float) -> int | None:
    """Wait so long for one of the processes to end; return its number."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for number, server in enumerate(servers):
            if server.poll() is not None:
                return number
        time.sleep(_POLL_SECONDS)
    return None


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ask processes to end, and end those that do not in time."""
    deadline = time.monotonic() + _MOST_SECONDS_TO_END
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(timeout=max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _compile_kernels() -> subprocess.Popen[bytes]:
    """Compile them now, politely: on a fresh install the first user would wait for it."""
    return subprocess.Popen(
        [sys.executable, "-m", "topicset_core.analyses.warm_up"],
        cwd=_HERE,
        preexec_fn=(lambda: os.nice(15) and None) if hasattr(os, "nice") else None,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _answers(server: subprocess.Popen[bytes], address: str, token: str) -> bool:
    """Poll the health check, which runs the app once; False if the server ended or stays silent."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    trusting = ssl._create_unverified_context()  # noqa: S323 - our own server, whose name the certificate may not have
    request = urllib.request.Request(address, headers={middleware.PARENT: token})  # noqa: S310 - this computer
    while server.poll() is None and (left := deadline - time.monotonic()) > 0:
        try:
            with urllib.request.urlopen(request, timeout=left, context=trusting) as answer:  # noqa: S310 - this computer
                return bool(answer.read().strip() == b"ok")
        except (OSError, HTTPException):
            time.sleep(0.1)
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
