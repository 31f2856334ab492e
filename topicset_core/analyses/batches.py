"""Work in batches: progress after each, a few in flight on an executor, stopped by an exception."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from typing import TypeVar

from topicset_core.progress import Report

IN_FLIGHT = 8
"""Batches handed to an executor at a time: enough to keep its workers busy, few to wait for at the end."""

Task = TypeVar("Task")
Result = TypeVar("Result")


def in_batches(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    costs: Sequence[float],
    report: Report,
    executor: Executor | None,
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result, in their order, and report the share of the costs done.

    Parameters
    ----------
    work : callable
        From a task to its result; a function of a module, so that processes can find it.
    tasks, costs : sequence
        What to do, and how long each takes in units of its own.
    report : callable
        Takes the fraction done. What it raises ends the work: batches that wait are cancelled.
    executor : Executor or None
        Where the batches run; None here and now.
    """
    total, done = float(sum(costs)) or 1.0, 0.0
    if executor is None:
        for task, cost in zip(tasks, costs, strict=True):
            yield task, work(task)
            done += cost
            report(done / total)
        return
    waiting: deque[tuple[Task, float, Future[Result]]] = deque()
    coming = iter(zip(tasks, costs, strict=True))
    try:
        while True:
            while len(waiting) < IN_FLIGHT and (following := next(coming, None)) is not None:
                waiting.append((*following, executor.submit(work, following[0])))
            if not waiting:
                return
            task, cost, future = waiting.popleft()
            yield task, future.result()
            done += cost
            report(done / total)
    finally:
        for _, _, future in waiting:
            future.cancel()
