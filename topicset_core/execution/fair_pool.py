"""Threads that several users share in fair order, independently of the amount of work of others.

A server that gave every analysis threads of its own would run as many at once as there are users. Here the
number of threads is that of the processors, and work is taken from the waiting user who had the least time of
them, of each user from all their analyses one by one. By turns, a short analysis in batches of 5 ms would wait for
0.1 s before each of them.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from concurrent.futures import wait as wait_for
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


def n_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class FairPool:
    """A fixed number of threads behind any number of executors."""

    def __init__(self, n_threads: int | None = None) -> None:
        self.n_threads = n_threads or n_processors()
        self._changed = threading.Condition()
        self._waiting: dict[Hashable, deque[Share]] = {}  # by user
        self._seconds: dict[Hashable, float] = {}  # of the threads, by user
        self._least = 0.0  # seconds of the user who was served last
        self._started = False

    def executor(self, user: Hashable = None) -> Executor:
        """Return an executor of one analysis of a user; shut it down when it is done with."""
        return Share(self, user)

    def _enqueue(self, share: "Share", work: Callable[[], None]) -> None:
        with self._changed:
            if not self._started:
                self._started = True
                for number in range(self.n_threads):
                    # Daemons: a server that ends does not wait for running work.
                    threading.Thread(target=self._serve, name=f"pool-{number}", daemon=True).start()
            if share.user not in self._waiting:
                # Who pauses has no claim on the time that others had meanwhile, and need not be known.
                ahead = {
                    user: seconds
                    for user, seconds in self._seconds.items()
                    if seconds > self._least or user in self._waiting
                }
                self._seconds = {share.user: self._least} | ahead
            if not share.queue:
                self._waiting.setdefault(share.user, deque()).append(share)
            share.queue.append(work)
            self._changed.notify()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._changed.wait()
                user = min(self._waiting, key=self._seconds.__getitem__)
                self._least = self._seconds[user]
                shares = self._waiting[user]
                share = shares.popleft()
                work = share.queue.popleft()
                if share.queue:
                    shares.append(share)  # behind the others
                elif not shares:
                    del self._waiting[user]
            began = time.monotonic()
            work()
            with self._changed:
                self._seconds[user] = self._seconds.get(user, self._least) + time.monotonic() - began
            del share, shares, work  # no data of a user stay in memory while the thread waits


class Share(Executor):
    """The executor of one analysis in a pool; its threads share memory with whoever hands in work."""

    def __init__(self, pool: FairPool, user: Hashable) -> None:
        self.user = user
        self.queue: deque[Callable[[], None]] = deque()
        self._pool = pool
        self._futures: set[Future[Any]] = set()
        self._lock = threading.Lock()
        self._is_shut = False

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand in a call; see `concurrent.futures.Executor.submit`."""
        future: Future[_T] = Future()
        with self._lock:
            if self._is_shut:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._futures.add(future)
        future.add_done_callback(self._forget)

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self._pool._enqueue(self, work)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; see `concurrent.futures.Executor.shutdown`."""
        with self._lock:
            self._is_shut = True
            futures = list(self._futures)
        if cancel_futures:
            for future in futures:
                future.cancel()
        if wait:
            wait_for(futures)

    def _forget(self, future: Future[Any]) -> None:
        with self._lock:
            self._futures.discard(future)
