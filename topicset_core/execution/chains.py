"""Work of unknown length in chains of short steps: progress after each, stopped by an exception.

The counterpart of `batches` where it is not known beforehand how long a piece of work is. Each chain goes its
own way whatever the others do, so how many run side by side, and where, changes no result.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Protocol, Self, TypeVar

from topicset_core.execution.batches import Flight, Waiting
from topicset_core.progress import Report


class Chain(Protocol):
    """Work that goes on step by step."""

    @property
    def progress(self) -> float:
        """Share that is done, never falling; 1 at the end."""

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""

    def step(self) -> Self:
        """Return how it stands after less than half a second of work; a new chain, the old one is left alone."""


Work = TypeVar("Work", bound=Chain)


def stepped(chain: Work) -> Work:
    """Do one step of a chain; a function of this module, so that processes can find it."""
    return chain.step()


def in_chains(
    chains: Sequence[Work], report: Report, executor: Executor | None
) -> Iterator[tuple[int, Work]]:
    """Yield each chain at its end, with its place among the chains, in the order in which they end.

    Parameters
    ----------
    chains : sequence of Chain
        They begin in this order: those expected to be long first, so that none is left alone at the end.
    report : callable
        Takes the mean progress after each step. What it raises ends the work.
    executor : Executor or None
        Where steps run; None here and now.
    """
    progress = [chain.progress for chain in chains]

    def say(place: int, chain: Work) -> None:
        progress[place] = chain.progress
        report(sum(progress) / len(progress))

    coming = deque(enumerate(chains))
    if executor is None:
        for place, chain in coming:
            while not chain.is_done:
                chain = chain.step()
                say(place, chain)
            yield place, chain
        return
    flight: Flight[Work] = Flight(stepped, executor)
    waiting: dict[int, Waiting[Work]] = {}
    try:
        while coming or waiting:
            # Chains that were begun go on before others begin, so that few are held at a time.
            while coming and flight.has_room():
                place, chain = coming.popleft()
                waiting[place] = flight.hand_out(chain, 0.0)
            flight.wait()
            for place in [place for place, one in waiting.items() if flight.is_settled(one)]:
                chain = waiting.pop(place).future.result()
                if chain.is_done:
                    yield place, chain
                else:
                    waiting[place] = flight.hand_out(chain, 0.0)
                say(place, chain)
    finally:
        for one in waiting.values():
            one.future.cancel()
