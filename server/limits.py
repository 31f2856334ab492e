"""The limits of requests, and all limits in one table, which a test compares with that of `docs/deploy.md`."""

import os
import sys
from pathlib import Path
from typing import NamedTuple

from pages.parts.limits import (
    ABANDONED_SECONDS,
    LONGEST_HOURS,
    MOST_BROWSERS,
    MOST_BYTES,
    MOST_BYTES_OF_A_USER,
    MOST_JOBS,
    MOST_MEGABYTES_OF_PARSING,
    OF_RUNS,
    OF_SCORES,
)
from topicset_core.parsing.limits import (
    LARGEST_FILE_MB,
    LARGEST_SCORES_FILE_MB,
    LARGEST_SCORES_MB,
    LARGEST_TOTAL_MB,
    LARGEST_UPLOAD_MB,
)


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
UPLOADS = Most(_OF_ALL // 2, _OF_ALL)
"""Files that wait to be read, or are in an uploader."""

MESSAGES = Most(20_000_000, 300_000_000)
"""Messages of browsers: settings, and pasted text."""

FILES_PER_TAB = 5
"""A tab takes four open files; the fifth is for pages under way, uploads and the program itself."""


def most_tabs() -> int:
    """Return how many tabs may be open: with more, the server could not accept any connection."""
    if sys.platform == "win32":
        return 100_000
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] // FILES_PER_TAB


CLOSED_SECONDS = 120
"""For which Streamlit keeps a session whose tab was closed."""

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
    ("open tabs", f"1 per {FILES_PER_TAB} files that the system lets the server open"),
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
