"""The app as users run it: a server process of its own and a real Chromium."""

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
ADDRESSES = {
    "/": "Topicset",
    "/score-matrices": "Score matrices",
    "/one-way-anova": "One-way ANOVA",
    "/paired-t-test": "Paired t test",
    "/two-sample-t-test": "Two-sample t test",
    "/confidence-interval": "Confidence interval",
    "/compare-designs": "Compare designs",
    "/reported-result": "Reported result",
    "/runs-and-qrels": "Runs and judgments",
    "/pool-depth": "Pool depth",
    "/error-rate": "Error rate",
    "/topic-subsets": "Topic subsets",
    "/topic-variance": "Topic variance",
    "/training-sensitivity": "Training sensitivity",
}
"""Every address and its heading."""

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
_PATIENCE_SECONDS = 90  # against hanging; the app is ready in about three


def chromium() -> str | None:
    """Return where Chromium is: TOPICSET_CHROMIUM, or the first one on the path."""
    return os.environ.get("TOPICSET_CHROMIUM") or next(
        (
            found
            for name in ("chromium", "chromium-browser", "google-chrome")
            if (found := shutil.which(name))
        ),
        None,
    )


@contextmanager
def running_app() -> Iterator[str]:
    """Start the app as ``make run`` does, yield its address, and end it."""
    with server() as (_, address):
        yield address


@contextmanager
def server() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the app as ``make run`` does, yield its process and address, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "serve.py", f"--server.port={port}"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        ready = process.stdout.readline()  # printed once the app has run, or empty if it ended
        assert f"http://localhost:{port}" in ready, ready
        yield process, f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(timeout=_PATIENCE_SECONDS)
        if process.stdout:
            process.stdout.close()


def wait_until_idle(page: Page) -> None:
    """Wait until the script has ended and nothing on screen is stale."""
    page.wait_for_function(
        "() => document.querySelector('[data-test-script-state=\"notRunning\"]') !== null"
        " && document.querySelectorAll('[data-stale=\"true\"]').length === 0",
        timeout=_PATIENCE_SECONDS * 1000,
    )


def health(address: str) -> str:
    """Return what the server says of itself."""
    with urllib.request.urlopen(f"{address}/_stcore/health", timeout=10) as answer:
        return str(answer.read().decode())
