"""The app as users run it: a server process of its own and a real Chromium."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.reference_data import REPOSITORY

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM_OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_SECONDS = 120
"""Time limit for a busy machine; nothing here is timed."""

LOOKUPS = Path(tempfile.gettempdir()) / f"topicset-lookups-{os.getpid()}"
"""Other computers that a server asked for; there is no such file as long as there are none."""

POLL_MS = 50
"""Between two checks of a page. A check at every frame makes Chromium draw frames for nothing else."""

_IDLE = (
    "document.querySelector('[data-test-script-state=\"notRunning\"]') !== null"
    " && document.querySelector('[data-stale=\"true\"]') === null"
)
"""The script has ended and nothing on screen is stale."""


def chromium() -> str | None:
    """Return where Chromium is: TOPICSET_CHROMIUM, or the first one on the path.

    The headless shell is Chromium without its windows: per visit it needs a fifth less of the processor.
    """
    return os.environ.get("TOPICSET_CHROMIUM") or next(
        (
            result
            for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
            if (result := shutil.which(name))
        ),
        None,
    )


@contextmanager
def running_app() -> Iterator[str]:
    """Start the app as ``make run`` does, yield its address, and end it."""
    with server() as (_, address):
        yield address


@contextmanager
def server(folder: Path = REPOSITORY, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the app of a checkout as ``make run`` does, yield its process and address, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "topicset_core", "app", f"--server.port={port}", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        # `make test` compiles the kernels once before; each server would compile them again.
        env=os.environ
        | {
            "TOPICSET_WARM_UP": "0",
            "PYTHONPATH": str(Path(__file__).parent / "no_lookups"),
            "TOPICSET_LOOKUPS": str(LOOKUPS),
        },
    )
    try:
        assert process.stdout is not None
        ready = process.stdout.readline()  # printed once the app has run, or empty if it ended
        assert f"http://localhost:{port}" in ready, ready
        yield process, f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_SECONDS)
        if process.stdout:
            process.stdout.close()
        if LOOKUPS.exists():
            raise AssertionError(f"the server looked up {LOOKUPS.read_text()}")


def wait_until_idle(page: Page) -> None:
    """Wait until the script has ended and nothing on screen is stale."""
    wait_for(page, _IDLE)


def wait_until_stands(page: Page, path: str, heading: str) -> None:
    """Wait until the page of this address shows its heading, and is idle."""
    wait_for(
        page,
        "location.pathname === wanted.path"
        " && [...document.querySelectorAll('h1')].some(h1 => h1.innerText.trim() === wanted.heading)"
        f" && {_IDLE}",
        {"path": path, "heading": heading},
    )


def wait_for(page: Page, condition: str, target: object = None) -> None:
    """Wait until an expression of JavaScript is true; it reads `wanted` by this name."""
    page.wait_for_function(
        f"wanted => {condition}", arg=target, polling=POLL_MS, timeout=PATIENCE_SECONDS * 1000
    )


def health(address: str) -> str:
    """Return the health report of the server."""
    with urllib.request.urlopen(f"{address}/_stcore/health", timeout=PATIENCE_SECONDS) as answer:
        return str(answer.read().decode())
