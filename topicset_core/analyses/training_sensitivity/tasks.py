"""Which topics to train on and which to test on, each set in both parts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topicset_core.errors import InputError
from topicset_core.execution.seed import SEED
from topicset_core.parameter import Parameter

N_SPLITS = Parameter(
    name="n_splits",
    symbol="splits",
    label="Splits into halves",
    help="How often topics are cut in two at random; splits of the same topics are no independent evidence.",
    lower=1,
    upper=100,
    lower_included=True,
    default=1,
    step=1,
    integer=True,
)


@dataclass(frozen=True, kw_only=True)
class Task:
    """One training and its test.

    Parameters
    ----------
    name : str
        What is tested on, as the paper names its tasks.
    training, test : tuple of str
        Topics, none in both.

    Raises
    ------
    InputError
        If either has no topic, one twice, or they share one.
    """

    name: str
    training: tuple[str, ...]
    test: tuple[str, ...]

    def __post_init__(self) -> None:
        for parameter, topics in (("training_topics", self.training), ("test_topics", self.test)):
            if not topics or len(set(topics)) < len(topics):
                raise InputError(parameter, len(topics), "must be at least 1 topic, each once")
        shared = set(self.training) & set(self.test)
        if shared:
            raise InputError("test_topics", min(shared), "must not be training topics too")


def swapped(first: Sequence[str], second: Sequence[str], names: tuple[str, str]) -> tuple[Task, Task]:
    """Return the tasks that test on each of two sets of topics and train on the other."""
    one, other = tuple(first), tuple(second)
    return (
        Task(name=names[0], training=other, test=one),
        Task(name=names[1], training=one, test=other),
    )


def split(topics: Sequence[str], seed: int, n_splits: int = 1) -> tuple[Task, ...]:
    """Return tasks from splits of the topics in halves, drawn at random; two a split.

    Parameters
    ----------
    topics : sequence of str
        At least 2; with an odd number the second half has one more.
    seed : int
        Split s draws from ``SeedSequence(seed, spawn_key=(s,))``.
    n_splits : int
        How often; splits of the same topics are no independent evidence.

    Raises
    ------
    InputError
        If there are fewer than 2 topics, or no split.
    """
    SEED.check(seed)
    if len(topics) < 2:
        raise InputError("topics", len(topics), "must be at least 2, to train on some and test on others")
    N_SPLITS.check(n_splits)
    tasks: list[Task] = []
    for number in range(n_splits):
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number,))))
        first = np.zeros(len(topics), dtype=np.bool_)
        first[rng.permutation(len(topics))[: len(topics) // 2]] = True
        halves = [
            tuple(topic for topic, inside in zip(topics, first.tolist(), strict=True) if inside == wanted)
            for wanted in (True, False)
        ]
        ends = f" of split {number + 1}" if n_splits > 1 else ""
        tasks += swapped(halves[0], halves[1], (f"first half{ends}", f"second half{ends}"))
    return tuple(tasks)
