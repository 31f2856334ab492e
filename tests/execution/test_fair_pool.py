"""Threads shared fairly: executors behave as those of the standard library, and take turns."""

import threading
from concurrent.futures import CancelledError, Future, wait

import pytest

from topicset_core.execution import in_batches
from topicset_core.execution.fair_pool import FairPool, n_processors
from topicset_core.progress import silently


def test_results_errors_and_order_of_map() -> None:
    with FairPool(3).executor() as executor:
        assert list(executor.map(lambda x: x * x, range(50))) == [x * x for x in range(50)]
        failed = executor.submit(int, "x")
        with pytest.raises(ValueError, match="invalid literal"):
            failed.result()
    with pytest.raises(RuntimeError):
        executor.submit(int)


def test_a_later_user_gets_every_second_slot() -> None:
    pool, gate = FairPool(1), threading.Event()
    done: list[str] = []
    first, second = pool.executor(), pool.executor()
    futures: list[Future[object]] = [first.submit(gate.wait)]
    futures += [first.submit(done.append, "first") for _ in range(100)]
    futures += [second.submit(done.append, "second") for _ in range(3)]
    gate.set()
    wait(futures)
    assert len(done) == 103
    assert "".join(name[0] for name in done[:7]) in ("fsfsfsf", "sfsfsff")


def test_no_more_threads_than_requested() -> None:
    pool, lock, running, most = FairPool(2), threading.Lock(), [0], [0]
    step = threading.Barrier(2, timeout=60)  # passes only where two run at once

    def work() -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        step.wait()
        with lock:
            running[0] -= 1

    executors = [pool.executor() for _ in range(5)]
    wait([executor.submit(work) for executor in executors for _ in range(4)])
    assert most[0] == 2


def test_pending_work_is_cancelled() -> None:
    pool, gate = FairPool(1), threading.Event()
    executor = pool.executor()
    began = threading.Event()

    def hold() -> str:
        began.set()
        gate.wait()
        return "held"

    held, waiting = executor.submit(hold), executor.submit(int, "1")
    began.wait()
    executor.shutdown(wait=False, cancel_futures=True)
    gate.set()
    assert held.result() == "held"
    with pytest.raises(CancelledError):
        waiting.result()
    assert pool.executor().submit(int, "2").result() == 2


def test_processors_are_those_of_this_process() -> None:
    assert 1 <= n_processors() <= FairPool().n_threads


def test_work_is_not_copied_for_threads() -> None:
    given = object()
    executor = FairPool(1).executor()
    # A lambda cannot be pickled; and a copy would be another object.
    ((_, result),) = in_batches(lambda task: task, [given], [1.0], silently, executor)
    assert result is given
