"""Work in batches: progress after each, enough of them in flight on any executor, stopped by an exception.

An executor is any `concurrent.futures.Executor`: threads, processes, a cluster. Results are taken in the
order of the tasks, whichever is done first, so that their sum does not depend on where they ran.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from topicset_core.execution.fair_pool import Share
from topicset_core.execution.parcels import Lacking, sender_to, unpack_and_do
from topicset_core.progress import Report

IN_FLIGHT = 8
"""Batches handed to an executor at a time at first, and the fewest that keep one machine's workers busy."""

MOST_IN_FLIGHT = 2048
"""On an executor that does not state how many workers it has."""

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(eq=False)
class Waiting(Generic[Task]):
    """A task that was handed out to an executor, and what will come of it."""

    task: Task
    cost: float
    future: Future[Any]


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
        Takes the fraction done. An exception from it cancels the waiting batches.
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
    flight = Flight(work, executor)
    coming = iter(zip(tasks, costs, strict=True))
    waiting: deque[Waiting[Task]] = deque()
    try:
        while True:
            while flight.has_room() and (following := next(coming, None)) is not None:
                waiting.append(flight.hand_out(*following))
            if not waiting:
                return
            if not flight.is_done(waiting[0]):
                flight.wait()
                continue
            first = waiting.popleft()
            yield first.task, first.future.result()
            done += first.cost
            report(done / total)
    finally:
        for one in waiting:
            one.future.cancel()


class Flight(Generic[Task]):
    """The tasks that an executor has and has not done yet."""

    def __init__(self, work: Callable[[Task], Any], executor: Executor) -> None:
        self.work, self.executor = work, executor
        self.unfinished: dict[Future[Any], Waiting[Task]] = {}
        # Threads share memory with us; whatever else runs tasks may be another process.
        self.sender = None if isinstance(executor, ThreadPoolExecutor | Share) else sender_to(executor)
        self.limit, self.most = IN_FLIGHT, MOST_IN_FLIGHT
        if isinstance(executor, ThreadPoolExecutor | ProcessPoolExecutor):
            self.limit = self.most = max(IN_FLIGHT, 2 * int(getattr(executor, "_max_workers", 1)))

    def has_room(self) -> bool:
        """Return whether another task may be handed out."""
        return len(self.unfinished) < self.limit

    def hand_out(self, task: Task, cost: float) -> Waiting[Task]:
        """Hand out a task."""
        one = Waiting(task, cost, self._submit(task))
        self.unfinished[one.future] = one
        return one

    def is_done(self, one: Waiting[Task]) -> bool:
        """Return whether a task is done, its answer being more than a request for its arrays."""
        return one.future not in self.unfinished

    def wait(self) -> None:
        """Wait until some task is done, and send those again that lacked their arrays.

        Each task that is done makes room for two: so the number in flight doubles with every round until
        all workers are busy, however many there are, and a short job does not flood a cluster.
        """
        finished, _ = wait(self.unfinished, return_when=FIRST_COMPLETED)
        for future in finished:
            one = self.unfinished.pop(future)
            if self._lacks_arrays(future):
                one.future = self._submit(one.task, whole=True)
                self.unfinished[one.future] = one
            else:
                self.limit = min(self.limit + 1, self.most)

    def _lacks_arrays(self, future: Future[Any]) -> bool:
        if self.sender is None or future.cancelled() or future.exception() is not None:
            return False
        return isinstance(future.result(), Lacking)

    def _submit(self, task: Task, *, whole: bool = False) -> Future[Any]:
        if self.sender is None:
            return self.executor.submit(self.work, task)
        return self.executor.submit(unpack_and_do, self.sender.pack(self.work, task, whole=whole))


class Chain(Protocol):
    """Work that goes on step by step."""

    @property
    def progress(self) -> float:
        """Share that is done, never falling; 1 at the end."""

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""

    def step(self) -> Self:
        """Return its state after less than half a second of work; a new chain, the old one is left alone."""


Work = TypeVar("Work", bound=Chain)


def stepped(chain: Work) -> Work:
    """Do one step of a chain; a function of this module, so that processes can find it."""
    return chain.step()


def in_chains(
    chains: Sequence[Work], report: Report, executor: Executor | None
) -> Iterator[tuple[int, Work]]:
    """Yield each chain at its end, with its place among the chains, in the order in which they end."""
    progress = [chain.progress for chain in chains]

    def show(place: int, chain: Work) -> None:
        progress[place] = chain.progress
        report(sum(progress) / len(progress))

    coming = deque(enumerate(chains))
    if executor is None:
        for place, chain in coming:
            while not chain.is_done:
                chain = chain.step()
                show(place, chain)
            yield place, chain
        return
    flight: Flight[Work] = Flight(stepped, executor)
    waiting: dict[int, Waiting[Work]] = {}
    try:
        while coming or waiting:
            # Chains that were begun go on before others begin, so that few are in memory at a time.
            while coming and flight.has_room():
                place, chain = coming.popleft()
                waiting[place] = flight.hand_out(chain, 0.0)
            flight.wait()
            for place in [place for place, one in waiting.items() if flight.is_done(one)]:
                chain = waiting.pop(place).future.result()
                if chain.is_done:
                    yield place, chain
                else:
                    waiting[place] = flight.hand_out(chain, 0.0)
                show(place, chain)
    finally:
        for one in waiting.values():
            one.future.cancel()
