"""What all tests share: a skip is a failure where TOPICSET_NO_SKIPS is set, and pages leave no trace."""

import gc
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from syrupy.assertion import SnapshotAssertion
from xdist.scheduler import LoadFileScheduling

from tests.golden.comparing import GoldenRecords
from topicset_core.execution import n_processors

pytest.register_assert_rewrite("tests.refusals")

# A busy machine is no reason to fail: no test is timed. Each run draws other examples, so few per run suffice.
settings.register_profile("suite", deadline=None, max_examples=40)
settings.load_profile("suite")


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """An alias: ``assert text == golden`` compares with the record, ``make golden`` writes it."""
    return snapshot.use_extension(GoldenRecords)


_MAIN = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def _main_module_stays() -> Iterator[None]:
    """Undo what Streamlit leaves behind: it makes a page that it runs the main module.

    A process that a later test starts would run that page before its work, and end where the page stops.
    """
    sys.modules["__main__"] = _MAIN  # fixtures of a module may have run a page before
    yield
    sys.modules["__main__"] = _MAIN


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which anything was skipped, where that was requested."""
    if not os.environ.get("TOPICSET_NO_SKIPS"):
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    # With workers, only the controlling process has the report; it sees every skip.
    if reporter is not None and reporter.stats.get("skipped") and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line("A test was skipped, and TOPICSET_NO_SKIPS is set: this run fails.", red=True)


def pytest_xdist_auto_num_workers() -> int:
    """Return one process more than processors: tests in a browser wait more than they compute."""
    return n_processors() + 1


class _FilesInTurn(LoadFileScheduling):
    """Gives each process a file of tests at a time: what the tests of a file share is made once.

    Two processes drive a browser at most, so that the others compute while these wait. One process reads real runs
    by plain Python, which takes seconds.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        if "tests/browser/" in file and "every_page" not in file:
            return "browser"
        return "real runs" if file.endswith(_READ_PLAINLY) else file


_READ_PLAINLY = (
    "trec/test_real_files.py",
    "pool_depth/test_real_pools.py",
    "topic_variance/test_shared.py",
    "measures/test_measures_against_other_programs.py",
)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """Return how tests are given to processes."""
    return _FilesInTurn(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that drive a browser first, and allow each a second try, which the summary reports.

    They take longest. A browser has a clock of its own: on a busy machine a page may change between two looks.
    """
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_collection_finish() -> None:
    """Leave modules and collected tests out of garbage collection: they stay. The rest is visited less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their number: gzip writes the time into them, and workers must agree on names."""
    return f"{len(val)} bytes" if isinstance(val, bytes) else None
