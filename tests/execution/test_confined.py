"""Functions in a process of their own: results and errors come back, what takes too much ends alone."""

import os
from collections.abc import Iterator

import pytest

from topicset_core.execution.confined import Bounds, Confinement, OutOfBounds
from topicset_core.parsing import ReadScores, read_runs, read_score_files
from topicset_core.progress import Cancelled

BOUNDS = Bounds(megabytes=200, cpu_seconds=10)
TABLE = [
    ("a_ap.csv", b"topic,r,s\n1,.1,.2\n2,.3,\n3,.4,.5\n"),
    ("b_ap.csv", b"topic,r,s\n1,.1,.2\n2,.3,.1\n"),
]


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    result = Confinement(("topicset_core.parsing",))
    yield result
    result.end()


def test_a_result_comes_back_as_it_is_made_here(confinement: Confinement) -> None:
    there: ReadScores = confinement.call(read_score_files, TABLE, bounds=BOUNDS)
    here = read_score_files(TABLE)
    assert there.matrices == here.matrices
    assert (there.recognised, there.notes, there.files) == (here.recognised, here.notes, here.files)
    assert list(map(repr, there.errors)) == list(map(repr, here.errors))
    assert vars(there.errors[0]) == vars(here.errors[0])
    assert not there.matrices[0].scores.flags.writeable


def test_an_error_is_raised_here(confinement: Confinement) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        confinement.call(int, "x", bounds=BOUNDS)


def test_a_call_that_needs_too_much_memory_ends_alone(confinement: Confinement) -> None:
    assert len(confinement.call(bytes, 100_000_000, bounds=BOUNDS)) == 100_000_000
    with pytest.raises(OutOfBounds, match="200 MB"):
        confinement.call(bytes, 300_000_000, bounds=BOUNDS)
    assert confinement.call(int, "3", bounds=BOUNDS) == 3


def test_arguments_do_not_count(confinement: Confinement) -> None:
    assert confinement.call(len, bytes(50_000_000), bounds=Bounds(10, 10)) == 50_000_000


@pytest.mark.slow  # a limit of processor time is at least a second
def test_a_call_that_needs_too_much_time_ends_alone(confinement: Confinement) -> None:
    with pytest.raises(OutOfBounds, match="1 s of processor time"):
        confinement.call(sum, range(10**12), bounds=Bounds(200, 1))


def test_progress_comes_and_a_call_is_stopped_from_there(confinement: Confinement) -> None:
    lines = b"".join(b"1 Q0 d%d 1 1 t\n" % number for number in range(100_000))
    heard: list[float] = []
    read = confinement.call(read_runs, [("r", lines)], bounds=BOUNDS, report=heard.append)
    assert read.runs[0].documents.size == 100_000
    assert all(0 <= one <= 1 for one in heard)

    def stop(_: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        confinement.call(read_runs, [("r", lines)], bounds=BOUNDS, report=stop)


def test_the_process_starts_again_where_it_was_ended(confinement: Confinement) -> None:
    confinement.end()
    assert confinement.call(os.getpid, bounds=BOUNDS) != os.getpid()
