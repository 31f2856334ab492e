"""The request: measures to train by, levels of completeness, and topics to train and test on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from topicset_core.errors import InputError
from topicset_core.measures import TREC_EVAL, Conventions, Measure, measure_named
from topicset_core.parameters import SEED, Parameter

PAPER_LEVELS = (1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0)
"""Percent of the judgments that stay: the 16 of He, Macdonald and Ounis, section 5.1."""

LOW = 10.0
"""Up to this level judgments are "extremely incomplete" in the paper's tables 4 and 5."""

REFERENCE = "AP"
ALTERNATIVES = ("bpref", "infAP", "nDCG")
"""The paper's measures: MAP, and the measures that it calls M."""

COMPLETE = 100.0

Optimiser = Literal["sweep", "annealing"]
"""Evaluate every setting, or anneal over them as the paper did."""

N_SAMPLES = Parameter(
    name="n_samples",
    symbol="samples",
    label="Samples at each level",
    help="Number of random samples of the judgments at each level; 10 in the paper. More samples give smoother "
    "curves, but not more topics.",
    lower=2,
    upper=1000,
    default=10,
    integer=True,
)

N_SPLITS = Parameter(
    name="n_splits",
    symbol="splits",
    label="Splits into halves",
    help="Number of random splits of the topics. The recommendation uses all splits, the tables of the paper use "
    "the first.",
    lower=1,
    upper=100,
    default=10,
    integer=True,
)


@dataclass(frozen=True, kw_only=True)
class Request:
    """One experiment.

    Parameters
    ----------
    measures : tuple of str
        The alternatives M to train by.
    reference : str
        The measure to compare with; MAP in the paper.
    levels : tuple of float
        Percent of the judgments that stay, above 0 up to 100; kept ascending.
    n_samples : int
        Samples at each level.
    seed : int
        Of samples, and of draws among settings that tie.
    keep_one : bool
        Whether each training topic keeps a relevant document.
    optimiser : {"sweep", "annealing"}
        How the best setting is looked for; annealing needs a run for every combination of values.
    conventions : Conventions
        Relevance level, gains and denominators of all measures.

    Raises
    ------
    InputError
        If a value breaks its rule, or a measure is unknown or named twice.
    """

    measures: tuple[str, ...] = ALTERNATIVES
    reference: str = REFERENCE
    levels: tuple[float, ...] = PAPER_LEVELS
    n_samples: int = int(N_SAMPLES.default)
    seed: int = int(SEED.default)
    keep_one: bool = False
    optimiser: Optimiser = "sweep"
    conventions: Conventions = TREC_EVAL

    def __post_init__(self) -> None:
        N_SAMPLES.check(self.n_samples)
        SEED.check(self.seed)
        if self.optimiser not in get_args(Optimiser):
            raise InputError("optimiser", self.optimiser, f"must be one of {', '.join(get_args(Optimiser))}")
        if not self.levels or len(set(self.levels)) < len(self.levels):
            raise InputError("levels", self.levels, "must be at least one percentage, each once")
        for level in self.levels:
            if not 0 < level <= COMPLETE:
                raise InputError("levels", level, "must be percentages above 0 up to 100")
        object.__setattr__(self, "levels", tuple(sorted(float(level) for level in self.levels)))
        if not self.measures:
            raise InputError("measures", 0, f"must be at least 1 measure next to {self.reference}")
        names = [measure.name for measure in self.chosen]
        if len(set(names)) < len(names):
            raise InputError("measures", names, "must be named once each, the reference too")

    @property
    def chosen(self) -> tuple[Measure, ...]:
        """The measures: the reference first, then the alternatives."""
        return tuple(measure_named(name, self.conventions) for name in (self.reference, *self.measures))


def levels_of(text: str) -> tuple[float, ...]:
    """Return the levels that a text lists, as "1,2,5,10"."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InputError("levels", text, 'must be percentages like "1,5,10,50"') from None


@dataclass(frozen=True, kw_only=True)
class Task:
    """One training and its test."""

    name: str  # the test topics, as the paper names its tasks
    training: tuple[str, ...]
    test: tuple[str, ...]

    def __post_init__(self) -> None:
        for parameter, topics in (("training_topics", self.training), ("test_topics", self.test)):
            if not topics or len(set(topics)) < len(topics):
                raise InputError(parameter, len(topics), "must be at least 1 topic, each once")
        shared = set(self.training) & set(self.test)
        if shared:
            raise InputError("test_topics", min(shared), "must not be training topics too")


def exchanged(first: Sequence[str], second: Sequence[str], names: tuple[str, str]) -> tuple[Task, Task]:
    """Return the tasks that test on each of two sets of topics and train on the other."""
    one, other = tuple(first), tuple(second)
    return (
        Task(name=names[0], training=other, test=one),
        Task(name=names[1], training=one, test=other),
    )


def split(topics: Sequence[str], seed: int, n_splits: int = 1) -> tuple[Task, ...]:
    """Return tasks from splits of the topics in halves, drawn at random; two per split."""
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
            tuple(topic for topic, inside in zip(topics, first.tolist(), strict=True) if inside == target)
            for target in (True, False)
        ]
        ends = f" of split {number + 1}" if n_splits > 1 else ""
        tasks += exchanged(halves[0], halves[1], (f"first half{ends}", f"second half{ends}"))
    return tuple(tasks)
