"""Work in batches: progress after each, enough of them in flight on any executor, stopped by an exception.

An executor is any `concurrent.futures.Executor`: threads, processes, a cluster. Results are taken in the
order of the tasks, whichever is done first, so that their sum does not depend on where they ran.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from typing import Generic, Protocol, Self, TypeVar

from topicset_core.errors import TopicsetError
from topicset_core.progress import ReportProgress

IN_FLIGHT = 8
"""Batches handed to an executor at a time at first, and the fewest that keep one machine's workers busy."""

MOST_IN_FLIGHT = 2048
"""On an executor that does not state how many workers it has."""

Task = TypeVar("Task")
Result = TypeVar("Result")


def in_batches(
    work: Callable[[Task], Result],  # a function of a module, so that processes can find it
    tasks: Sequence[Task],
    costs: Sequence[float],
    report: ReportProgress,  # an exception from it cancels the waiting batches
    executor: Executor | None,
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result, in their order, and report the share of the costs done."""
    total, done = float(sum(costs)) or 1.0, 0.0
    if executor is None:
        for task, cost in zip(tasks, costs, strict=True):
            yield task, work(task)
            done += cost
            report(done / total)
        return
    flight = Flight(work, executor)
    coming = iter(zip(tasks, costs, strict=True))
    waiting: deque[tuple[Task, float, Future[Result]]] = deque()
    try:
        while True:
            while flight.has_room() and (following := next(coming, None)) is not None:
                waiting.append((*following, flight.hand_out(following[0])))
            if not waiting:
                return
            if waiting[0][2] in flight.unfinished:
                flight.wait()
                continue
            task, cost, future = waiting.popleft()
            yield task, _result(future)
            done += cost
            report(done / total)
    finally:
        for _, _, future in waiting:
            future.cancel()


def _result(future: Future[Result]) -> Result:
    """Return what a batch gave; nobody here cancels one that is waited for."""
    try:
        return future.result()
    except CancelledError:
        raise TopicsetError(
            "The executor ended before the work did, as that of a cluster does with its scheduler. Start it again."
        ) from None


class Flight(Generic[Task, Result]):
    """The tasks that an executor has and has not done yet."""

    def __init__(self, work: Callable[[Task], Result], executor: Executor) -> None:
        self.work, self.executor = work, executor
        self.unfinished: set[Future[Result]] = set()
        self.limit, self.most = IN_FLIGHT, MOST_IN_FLIGHT
        if isinstance(executor, ThreadPoolExecutor | ProcessPoolExecutor):
            self.limit = self.most = max(IN_FLIGHT, 2 * int(getattr(executor, "_max_workers", 1)))

    def has_room(self) -> bool:
        """Return whether another task may be handed out."""
        return len(self.unfinished) < self.limit

    def hand_out(self, task: Task) -> Future[Result]:
        """Hand out a task, and return what will come of it."""
        future = self.executor.submit(self.work, task)
        self.unfinished.add(future)
        return future

    def wait(self) -> None:
        """Wait until some task is done."""
        # Each task that is done makes room for two: so the number in flight doubles with every round until
        # all workers are busy, however many there are, and a short job does not flood a cluster.
        finished, _ = wait(self.unfinished, return_when=FIRST_COMPLETED)
        self.unfinished -= finished
        self.limit = min(self.limit + len(finished), self.most)


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
    chains: Sequence[Work], report: ReportProgress, executor: Executor | None
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
    flight: Flight[Work, Work] = Flight(stepped, executor)
    waiting: dict[int, Future[Work]] = {}
    try:
        while coming or waiting:
            # Chains that were begun go on before others begin, so that few are in memory at a time.
            while coming and flight.has_room():
                place, chain = coming.popleft()
                waiting[place] = flight.hand_out(chain)
            flight.wait()
            for place in [place for place, future in waiting.items() if future not in flight.unfinished]:
                chain = _result(waiting.pop(place))
                if chain.is_done:
                    yield place, chain
                else:
                    waiting[place] = flight.hand_out(chain)
                show(place, chain)
    finally:
        for future in waiting.values():
            future.cancel()
