"""Batches on any executor, how many are in flight and what stops them; threads that take turns."""

import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from topicset_core.errors import InputError, ParseError, TopicsetError
from topicset_core.execution import fair_pool
from topicset_core.execution.batches import IN_FLIGHT, in_batches
from topicset_core.execution.fair_pool import FairPool, n_processors
from topicset_core.progress import Cancelled, silently

LARGE = np.arange(10_000.0)  # 80 kB


class Elsewhere(Executor):
    """Many workers that are reached by pickled messages only, as those of a cluster; counts them."""

    def __init__(self, workers: int) -> None:
        self.threads = ThreadPoolExecutor(workers)
        self.n_sent = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert not kwargs
        self.n_sent += 1
        return self.threads.submit(self._work, pickle.dumps((fn, args)))

    def _work(self, message: bytes) -> object:
        function, arguments = pickle.loads(message)
        return pickle.loads(pickle.dumps(function(*arguments)))


def square(number: int) -> int:
    return number * number


def slow_square(number: int) -> int:
    time.sleep(0.005 * (number % 3))
    return number * number


@dataclass(frozen=True)
class Task:
    array: np.ndarray
    number: int


def of_task(task: Task) -> tuple[float, bool, tuple[int, ...]]:
    return float(task.array.sum()) + task.number, task.array.flags.writeable, task.array.shape


def refused(number: int) -> int:
    if number == 3:
        raise InputError("number", number, "RULE")
    if number == 5:
        raise ParseError("mine.csv", 7, "EXPECTED")
    return number


def results(work: Callable[[Any], Any], tasks: list[Any], executor: Executor | None) -> list[Any]:
    done = list(in_batches(work, tasks, [1.0] * len(tasks), silently, executor))
    assert [task for task, _ in done] == tasks
    return [result for _, result in done]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3, 40])
def test_results_come_in_the_order_of_the_tasks(workers: int) -> None:
    expected = [number * number for number in range(60)]
    assert results(slow_square, list(range(60)), None) == expected
    for executor in (ThreadPoolExecutor(workers), Elsewhere(workers)):
        assert results(slow_square, list(range(60)), executor) == expected


def test_an_executor_of_many_workers_does_not_starve() -> None:
    # 64 workers; eight in flight would leave 56 idle. Each round of tasks that are done doubles the tasks in
    # flight.
    waiting = Elsewhere(64)
    gate = threading.Barrier(48)  # none of 48 tasks ends before all of them run

    def submit(fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        number, waiting.n_sent = waiting.n_sent, waiting.n_sent + 1

        def wait_for_others() -> object:
            if 100 <= number < 148:
                gate.wait(timeout=120)
            return fn(*args)

        return waiting.threads.submit(wait_for_others)

    waiting.submit = submit  # type: ignore[method-assign]
    assert results(square, list(range(400)), waiting) == [number**2 for number in range(400)]


def test_threads_get_few_extra_tasks() -> None:
    class Counting(ThreadPoolExecutor):
        out = most = 0

        def submit(self, fn, task):  # type: ignore[override]
            self.out += 1
            self.most = max(self.most, self.out)
            future = super().submit(fn, task)
            future.add_done_callback(lambda _: setattr(self, "out", self.out - 1))
            return future

    for workers, most in ((2, IN_FLIGHT), (12, 24)):
        executor = Counting(workers)
        results(slow_square, list(range(100)), executor)
        assert executor.most <= most


@pytest.mark.parametrize(("tasks", "error"), [([1, 2, 3], InputError), ([4, 5], ParseError)])
def test_errors_are_returned_from_other_processes(tasks: list[int], error: type[Exception]) -> None:
    with pytest.raises(error) as here:
        results(refused, tasks, None)
    with pytest.raises(error) as there:
        results(refused, tasks, Elsewhere(2))
    assert str(there.value) == str(here.value)
    assert vars(pickle.loads(pickle.dumps(here.value))) == vars(here.value)


@pytest.mark.cluster
def test_processes_give_the_same_results() -> None:
    tasks = [Task(LARGE, number) for number in range(30)]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert results(of_task, tasks, executor) == [of_task(task) for task in tasks]
        with pytest.raises(InputError) as caught:
            results(refused, [1, 2, 3], executor)
        assert (caught.value.parameter, caught.value.value) == ("number", 3)


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, Elsewhere])
def test_cancelled_work_leaves_no_pending_tasks(kind: type) -> None:
    done: list[int] = []

    def stop(fraction: float) -> None:
        done.append(1)
        if fraction > 0.1:
            raise Cancelled

    executor = kind(1)
    with pytest.raises(Cancelled):
        list(in_batches(slow_square, range(100), [1.0] * 100, stop, executor))
    assert len(done) == 11
    # What waited was cancelled: a worker that is free has nothing left but the task it was at.
    assert executor.submit(square, 3).result(timeout=120) == 9


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


def test_users_share_the_time_equally_however_many_jobs_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, clock = FairPool(1), [0.0]
    monkeypatch.setattr(fair_pool, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    many, one = [pool.executor("many") for _ in range(40)], pool.executor("one")

    def done(n_long: int, n_short: int) -> str:
        order, gate, began = "", threading.Event(), threading.Event()

        def hold() -> None:
            began.set()
            gate.wait()

        def work(who: str, seconds: float) -> None:
            nonlocal order
            order += who
            clock[0] += seconds

        futures = [many[0].submit(hold)]
        began.wait()
        futures += [executor.submit(work, "m", 1.0) for executor in many for _ in range(n_long)]
        futures += [one.submit(work, "o", 0.25) for _ in range(n_short)]
        gate.set()
        wait(futures)
        return order

    assert done(2, 10) == "moooomoooomoo" + "m" * 77
    # Who waited for nothing meanwhile has no claim on the 77 seconds.
    assert done(1, 10) == "moooomoooomoo" + "m" * 37


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


def test_an_executor_that_ends_early_is_named() -> None:
    class Gone(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ARG002
            future: Future[Any] = Future()
            future.cancel()
            future.set_running_or_notify_cancel()  # as those of Dask are once its scheduler was killed
            return future

    with pytest.raises(TopicsetError, match="executor ended"):
        list(in_batches(square, [1, 2], [1, 1], silently, Gone()))
