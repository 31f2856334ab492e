"""What is asked: which measures to train by, how incomplete the judgments are, how often they are drawn."""

from dataclasses import dataclass
from typing import Literal, get_args

from topicset_core.errors import InputError
from topicset_core.execution.seed import SEED
from topicset_core.measures import TREC_EVAL, Conventions, Measure, measure_named
from topicset_core.parameter import Parameter

PAPER_LEVELS = (1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0)
"""Percent of the judgments that stay: the 16 of He, Macdonald and Ounis, section 5.1."""

LOW = 10.0
"""Up to this level judgments are "extremely incomplete" in the paper's tables 4 and 5."""

REFERENCE = "AP"
ALTERNATIVES = ("bpref", "infAP", "nDCG")
"""The paper's measures: MAP, and those that it calls M."""

COMPLETE = 100.0

Optimiser = Literal["sweep", "annealing"]
"""Look at every setting, or anneal over them as the paper did."""

N_SAMPLES = Parameter(
    name="n_samples",
    symbol="samples",
    label="Samples at each level",
    help="How often judgments are removed anew at each level of completeness; the paper drew 10.",
    lower=2,
    upper=1000,
    lower_included=True,
    default=10,
    step=1,
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
        What they are compared with; MAP in the paper.
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
            raise InputError("measures", 0, f"must be at least 1 measure beside {self.reference}")
        names = [measure.name for measure in self.chosen]
        if len(set(names)) < len(names):
            raise InputError("measures", names, "must be named once each, the reference too")

    @property
    def chosen(self) -> tuple[Measure, ...]:
        """The measures: the reference first, then the alternatives."""
        return tuple(measure_named(name, self.conventions) for name in (self.reference, *self.measures))


def levels_of(text: str) -> tuple[float, ...]:
    """Read "1,2,5,10".

    Raises
    ------
    InputError
        If it is no list of numbers.
    """
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InputError("levels", text, 'must be percentages like "1,5,10,50"') from None
