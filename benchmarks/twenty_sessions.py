"""Twenty users of one server at once, each with scores of their own: right answers, latency, memory.

    python -m benchmarks.twenty_sessions

Browser and server share this machine, so the times contain the drawing of twenty pages as well.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.timing import show
from tests.browser.driving import go, keyed, shows, upload
from tests.browser.running_app import CHROMIUM_OPTIONS, chromium, running_app, wait_until_idle
from topicset_core.designs import one_way_anova

SESSIONS = 20
SHAPE = 200, 50  # topics, runs
SEED = 20
MIN_D = 0.05, 0.07  # asked first by all at the same moment, then by one after the other

_FORGET_AFTER = 5  # seconds; the server keeps a lost session for two minutes otherwise
_SETTLE = 20
_FIELD = "planning/AP/min_d"
_SUBMIT = """topics => {
  const number = () => document.querySelector('h1 .stMarkdownColoredText')?.innerText;
  const start = performance.now();
  window.latency = null;
  const watch = new MutationObserver(() => {
    if (number() === topics) { window.latency = performance.now() - start; watch.disconnect(); }
  });
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
}"""


def score_files(folder: Path) -> list[tuple[Path, float]]:
    """Write one file a session; return it with its within-system variance, taken by NumPy alone."""
    rng = np.random.default_rng(SEED)
    files = []
    for session in range(SESSIONS):
        spread = 0.10 + 0.02 * session
        scores = (0.4 + spread * rng.standard_normal(SHAPE)).clip(0, 1).round(4)
        path = folder / f"session{session}_ap.csv"
        rows = [f"t{topic}," + ",".join(map(str, row)) for topic, row in enumerate(scores.tolist())]
        header = "topic," + ",".join(f"run{run}" for run in range(SHAPE[1]))
        path.write_text("\n".join([header, *rows]) + "\n")
        files.append((path, float(scores.var(axis=0, ddof=1).mean())))
    return files


def topics_for(variance: float, min_d: float) -> int:
    """Return the answer of the core with the defaults of the page."""
    requirements = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=min_d, within_system_variance=variance, n_systems=10
    )
    return one_way_anova.required_topics(requirements).required_topics


def server_process(address: str) -> Path | None:
    """Return the server's folder in /proc; None if not available."""
    port = address.rpartition(":")[2]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode().split("\0")
        except OSError:  # it has just ended
            continue
        if "streamlit" in command and f"--server.port={port}" in command:
            return process
    return None


def resident_mb(server: Path | None) -> float:
    """Return the resident memory of the server, in MB; NaN where it is not known."""
    if server is None:
        return float("nan")
    (line,) = [text for text in (server / "status").read_text().splitlines() if text.startswith("VmRSS")]
    return int(line.split()[1]) / 1024


def cpu_seconds(server: Path | None) -> float:
    """Return the CPU time that the server has taken so far; NaN where it is not known."""
    if server is None:
        return float("nan")
    return time.clock_gettime(~int(server.name) << 3 | 2)  # Linux's clock of another process, in nanoseconds


def submit(pages: Sequence[Page], answers: Sequence[int]) -> list[float]:
    """Press Enter in a field of all pages at once; return seconds from each press to the right number."""
    for page, topics in zip(pages, answers, strict=True):
        page.evaluate(_SUBMIT, f"{topics:,} topics")
    for page in pages:
        page.wait_for_function("() => window.latency !== null", timeout=120_000)
    return [page.evaluate("() => window.latency") / 1000 for page in pages]


def sentence(seconds: Sequence[float]) -> str:
    """Return median and worst."""
    return f"median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s"


def report(write: Callable[[str], None] = show) -> None:
    """Run the sessions and print the results; an answer that is not the core's ends it."""
    executable = chromium()
    if executable is None:
        write("Twenty sessions: no Chromium found, not run.")
        return
    os.environ["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"] = str(_FORGET_AFTER)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app() as address,
        sync_playwright() as playwright,
        ExitStack() as browsers,
    ):
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_OPTIONS)
        browsers.callback(browser.close)
        sessions = score_files(Path(folder))
        server = server_process(address)
        before = resident_mb(server)
        profiles = [browser.new_context() for _ in sessions]
        pages = [profile.new_page() for profile in profiles]
        for page, (path, _) in zip(pages, sessions, strict=True):
            upload(page, address, path)
        for page, (_, variance) in zip(pages, sessions, strict=True):
            go(page, "/one-way-anova")
            shows(page, topics_for(variance, 0.10))
            keyed(page, _FIELD).locator("input").fill(str(MIN_D[0]))
        spent = cpu_seconds(server)
        together = submit(pages, [topics_for(variance, MIN_D[0]) for _, variance in sessions])
        for page in pages:
            wait_until_idle(page)
        spent = (cpu_seconds(server) - spent) / SESSIONS
        alone = []
        for page, (_, variance) in zip(pages, sessions, strict=True):
            keyed(page, _FIELD).locator("input").fill(str(MIN_D[1]))
            alone += submit([page], [topics_for(variance, MIN_D[1])])
        for position, page in enumerate(pages):
            text = page.locator("body").inner_text()
            names = [other for other in range(SESSIONS) if f"session{other}_ap" in text]
            if names != [position]:
                raise AssertionError(f"session {position} shows the scores of {names}")
        during = resident_mb(server)
        for profile in profiles:
            profile.close()
        time.sleep(_FORGET_AFTER + _SETTLE)
        visitor = browser.new_context().new_page()  # a new session frees the sessions that ended
        visitor.goto(address)
        shows_start = visitor.get_by_role("heading", name="Topicset", exact=True)
        shows_start.wait_for()
        after = resident_mb(server)
    write(
        f"{SESSIONS} sessions at once, {SHAPE[0]} x {SHAPE[1]} scores each, all {2 * SESSIONS} answers right and "
        f"their own. Submit to number: one after the other {sentence(alone)}; all in one moment "
        f"{sentence(together)}, "
        f"{spent:.2f} s of server CPU for each page with its charts. "
        f"Server memory: {before:.0f} MB before, {during:.0f} MB with all, {after:.0f} MB after all had left."
    )


if __name__ == "__main__":
    report()
