"""The limits of a server in one place; `docs/deploy.md` has the same table, which a test compares with `TABLE`."""

import os
from pathlib import Path
from typing import NamedTuple

from topicset_core.execution.confined import Bounds
from topicset_core.parsing.limits import (
    LARGEST_FILE_MB,
    LARGEST_SCORES_FILE_MB,
    LARGEST_SCORES_MB,
    LARGEST_TOTAL_MB,
    LARGEST_UPLOAD_MB,
)

WORKER = "TOPICSET_WORKER"
"""Variable with the number of this server process, and of how many that share the memory of all users."""

NUMBER, N_WORKERS = map(int, os.environ.get(WORKER, "0/1").split("/"))

OF_SCORES = Bounds(megabytes=1_500, cpu_seconds=60)
OF_RUNS = Bounds(megabytes=2_500, cpu_seconds=600)
"""What reading an upload may take, in a process of its own."""

MOST_MEGABYTES_OF_PARSING = max(OF_RUNS.megabytes, (OF_SCORES.megabytes + OF_RUNS.megabytes) // N_WORKERS)
"""Of all uploads that are read at a time."""

MOST_JOBS = 4
"""Jobs of one user at a time; more would only wait for each other."""

ABANDONED_SECONDS = 60
"""For which work continues without a tab."""

MOST_BYTES_OF_A_USER = 1_000_000_000
"""Memory of the score matrices and results of one session, by estimate."""

MOST_BYTES = 2_000_000_000 // N_WORKERS
"""Memory of the work that is kept for all browsers, by estimate."""


class Most(NamedTuple):
    """Bytes of memory that one session may take, and all together."""

    of_one: int
    of_all: int


def _memory() -> int:
    """Return the bytes of memory of this machine or container."""
    most = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if hasattr(os, "sysconf") else []
    for file in ("memory.max", "memory/memory.limit_in_bytes"):
        path = Path("/sys/fs/cgroup") / file
        if path.exists() and (text := path.read_text().strip()).isdecimal():
            most.append(int(text))
    return min(most, default=MOST_BYTES_OF_A_USER * 6)


_OF_ALL = min(2 * MOST_BYTES_OF_A_USER, _memory() // 3)
UPLOADS = Most(_OF_ALL // max(2, N_WORKERS), _OF_ALL // N_WORKERS)
"""Files that wait to be read, or are in an uploader."""

MESSAGES = Most(20_000_000, 300_000_000 // N_WORKERS)
"""Messages of browsers: settings, and pasted text."""

CLOSED_SECONDS = 120
"""For which Streamlit keeps a session whose tab was closed."""

MOST_BROWSERS = 2_000
"""Browsers whose work is kept."""

LONGEST_HOURS = 12
"""For which work is kept after its last use."""

TABLE = (
    ("an upload of runs", f"{LARGEST_UPLOAD_MB} MB"),
    ("a file of scores; all of an import, unpacked", f"{LARGEST_SCORES_FILE_MB} MB; {LARGEST_SCORES_MB} MB"),
    ("a run; all runs of an import", f"{LARGEST_FILE_MB} MB; {LARGEST_TOTAL_MB:,} MB"),
    ("to read scores", f"{OF_SCORES.megabytes:,} MB, {OF_SCORES.cpu_seconds} s of a processor"),
    ("to read runs and judgments", f"{OF_RUNS.megabytes:,} MB, {OF_RUNS.cpu_seconds} s of a processor"),
    ("to read at a time, of all users", f"{MOST_MEGABYTES_OF_PARSING:,} MB"),
    (
        "files in uploaders of one tab; of all",
        f"{MOST_BYTES_OF_A_USER // 1_000_000:,} MB; {2 * MOST_BYTES_OF_A_USER // 1_000_000:,} MB, "
        "at most a sixth and a third of the memory",
    ),
    (
        "a message of a browser; large ones of all",
        f"{MESSAGES.of_one // 1_000_000} MB; {MESSAGES.of_all // 1_000_000} MB",
    ),
    ("a session after its tab was closed", f"{CLOSED_SECONDS // 60} minutes"),
    ("score matrices and results of one user", f"{MOST_BYTES_OF_A_USER // 1_000_000:,} MB"),
    ("kept work of all users", f"{MOST_BYTES // 1_000_000:,} MB"),
    ("browsers whose work is kept", f"{MOST_BROWSERS:,}"),
    ("work after its last use", f"{LONGEST_HOURS} hours"),
    ("jobs of one user at a time", f"{MOST_JOBS}"),
    ("a job without a tab", f"{ABANDONED_SECONDS} seconds"),
    ("threads for jobs of all users", "one per processor"),
)
"""Each limit and its value, in words."""
