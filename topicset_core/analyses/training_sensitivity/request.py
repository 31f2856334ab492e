"""The request: measures to train by, levels of completeness, and topics to train and test on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from topicset_core.errors import InputError
from topicset_core.inputs import Inputs, given
from topicset_core.measures import Conventions, Measure, measure_named
from topicset_core.measures.conventions import Gains
from topicset_core.parameters import (
    MIN_D,
    RELEVANCE_LEVEL,
    SEED,
    ChoiceParameter,
    ListParameter,
    NameParameter,
    Parameter,
    SwitchParameter,
    numbers_of,
)

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

AssumedPool = Literal["auto", "never", "always"]

N_SAMPLES = Parameter(
    name="n_samples",
    command_name="samples",
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
    command_name="splits",
    label="Splits into halves",
    help="Number of random splits of the topics. The recommendation uses all splits, the tables of the paper use "
    "the first.",
    lower=1,
    upper=100,
    default=10,
    integer=True,
)


WORTHWHILE = Parameter(
    name="worthwhile",
    symbol="Δ",
    label="Least worthwhile gain",
    help="In units of the measure on the test topics. A measure that gains less is not recommended; if all "
    "confidence intervals lie within plus or minus this gain, the training measure makes no difference.",
    lower=0.0,
    upper=1.0,
    default=0.01,
    step=0.001,
)

MEASURES = ListParameter(
    name="trained_by",
    command_name="measure",
    label="Trained by",
    help="Measures to train by; repeatable.",
    placeholder="NAME",
    default=ALTERNATIVES,
)

REFERENCE_MEASURE = NameParameter(
    name="reference",
    label="Compared with training by",
    help="The measure that the others are compared with.",
    default=REFERENCE,
)


LEVELS = ListParameter(
    name="levels",
    label="Levels, % of the judgments",
    help="Percent of the judgments that stay.",
    placeholder="1,5,10",
    item=Parameter(name="levels", symbol="%", label="", help="", upper=COMPLETE, default=COMPLETE),
    read=numbers_of,
    default=PAPER_LEVELS,
)

KEEP_ONE = SwitchParameter(
    name="keep_one",
    label="Each topic keeps a relevant document",
    help="Makes low levels less incomplete.",
)

OPTIMISER = ChoiceParameter(
    name="optimiser",
    label="Training tries",
    help="Evaluate every setting, or use simulated annealing as the paper did.",
    options={"sweep": "every setting", "annealing": "simulated annealing"},
    default="sweep",
)

GAINS = ChoiceParameter(
    name="gains",
    label="Gains of nDCG and Q",
    help="Of grade x: x, or 2^x - 1.",
    options={one: one for one in get_args(Gains)},
    default="linear",
)

ASSUMED_POOL = ChoiceParameter(
    name="assumed_pool",
    label="Unlisted documents count as judged",
    help="Whether unlisted documents among the first 100 of some run count as judged; auto: if few documents are "
    "judged not relevant.",
    options={"auto": "if few are judged not relevant", "never": "never", "always": "always"},
    default="auto",
)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """What is asked of a sweep; `n_splits` and `assumed_pool` decide how `split` and `sweep_of` prepare it."""

    measures: tuple[str, ...] = given(MEASURES)
    reference: str = given(REFERENCE_MEASURE)
    levels: tuple[float, ...] = given(LEVELS)
    n_samples: int = given(N_SAMPLES)
    n_splits: int = given(N_SPLITS)
    worthwhile: float = given(WORTHWHILE, read_off=True)
    min_d: float = given(MIN_D, read_off=True)
    seed: int = given(SEED)
    optimiser: Optimiser = given(OPTIMISER)
    keep_one: bool = given(KEEP_ONE)
    assumed_pool: AssumedPool = given(ASSUMED_POOL)
    relevance_level: int = given(RELEVANCE_LEVEL)
    gains: Gains = given(GAINS)

    def check_together(self) -> None:
        """Check that levels and measures are given once each; levels are kept ascending."""
        if not self.levels or len(set(self.levels)) < len(self.levels):
            raise InputError("levels", self.levels, "must be at least one percentage, each once")
        object.__setattr__(self, "levels", tuple(sorted(self.levels)))
        if not self.measures:
            raise InputError(MEASURES.name, 0, f"must be at least 1 measure next to {self.reference}")
        names = [measure.name for measure in self.chosen]
        if len(set(names)) < len(names):
            raise InputError(MEASURES.name, names, "must be named once each, the reference too")

    @property
    def chosen(self) -> tuple[Measure, ...]:
        """The measures: the reference first, then the alternatives."""
        conventions = Conventions(relevance_level=self.relevance_level, gains=self.gains)
        return tuple(measure_named(name, conventions) for name in (self.reference, *self.measures))


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
    return (
        Task(name=names[0], training=tuple(second), test=tuple(first)),
        Task(name=names[1], training=tuple(first), test=tuple(second)),
    )


def split(topics: Sequence[str], seed: int, n_splits: int = 1) -> tuple[Task, ...]:
    """Return tasks from splits of the topics in halves, drawn at random; two per split."""
    SEED.check(seed)
    if len(topics) < 2:
        raise InputError("topics", len(topics), "must be at least 2, to train on some and test on others")
    N_SPLITS.check(n_splits)
    tasks: list[Task] = []
    for number in range(n_splits):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        drawn = set(rng.permutation(len(topics))[: len(topics) // 2].tolist())
        first = [topic for place, topic in enumerate(topics) if place in drawn]
        second = [topic for place, topic in enumerate(topics) if place not in drawn]
        ends = f" of split {number + 1}" if n_splits > 1 else ""
        tasks += exchanged(first, second, (f"first half{ends}", f"second half{ends}"))
    return tuple(tasks)
