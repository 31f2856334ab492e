"""The limits of what pages read, compute and keep; those of requests, and the table of all, are the server's."""

from topicset_core.execution.confined import Bounds

STORE = "TOPICSET_STORE"
"""Variable of the environment with the folder in which data outlive the server; see `saved_work`."""

OF_SCORES = Bounds(megabytes=1_500, cpu_seconds=60)
OF_RUNS = Bounds(megabytes=2_500, cpu_seconds=600)
"""What reading an upload may take, in a process of its own."""

MOST_MEGABYTES_OF_PARSING = OF_SCORES.megabytes + OF_RUNS.megabytes
"""Of all uploads that are read at a time."""

MOST_JOBS = 4
"""Jobs of one user at a time; more would only wait for each other."""

ABANDONED_SECONDS = 60
"""For which work continues without a tab."""

MOST_BYTES_OF_A_USER = 1_000_000_000
"""Memory of the score matrices and results of one session, by estimate."""

MOST_BYTES = 2_000_000_000
"""Memory of the work that is kept for all browsers, by estimate."""


MOST_BROWSERS = 2_000
"""Browsers whose work is kept."""

LONGEST_HOURS = 12
"""For which work is kept after its last use."""
