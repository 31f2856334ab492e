"""The request: all choices that change a number."""

from dataclasses import dataclass
from typing import Literal, get_args

from topicset_core.errors import InputError
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import (
    ALPHA,
    MIN_D,
    RELEVANCE_LEVEL,
    SEED,
    ChoiceParameter,
    NameParameter,
    Parameter,
)

Model = Literal["shared", "bst", "kde"]
"""Documents resampled once for all runs of a topic; or scores drawn for each run apart, unchanged or from
Gaussian kernel densities."""

Bandwidth = Literal["scott", "silverman"]
"""Standard deviation times n^(-1/5), or times (3 n / 4)^(-1/5), as SciPy's gaussian_kde has them."""

Denominator = Literal["drawn", "fixed"]
"""Relevant documents of a topic in a trial: R - r + r_s, as if the rest of R stayed out of reach, or R."""

MeasureName = Literal["AP", "P", "recall", "RR", "nDCG"]
"""Measures of binary relevance that the ranks of relevant documents determine."""


class MeasureParameter(NameParameter):
    """A measure of binary relevance, with the ranks that count."""

    def check(self, value: object) -> str:
        """Return the name, or raise with the rule it breaks."""
        kind, at, depth = str(value).partition("@")
        if kind not in get_args(MeasureName):
            raise InputError(self.name, value, f"must be one of {', '.join(get_args(MeasureName))}")
        if at and not depth.isdecimal():
            raise InputError(self.name, value, "must have a whole number behind @")
        if at and int(depth) < 1:
            raise InputError(self.name, value, "must have at least 1 behind @")
        if kind == "P" and not at:
            raise InputError(self.name, value, "must have the ranks that count: P@10")
        return str(value)


MODEL = ChoiceParameter(
    name="model",
    label="Resampled documents",
    help="With shared, documents are resampled, the same for all runs; bst resamples the scores of each run "
    "separately, kde draws them from Gaussian kernel densities, and both give upper bounds.",
    options={
        "shared": "Documents, shared by all runs",
        "bst": "Scores of each run separately (BST)",
        "kde": "Score densities of each run separately (KDE)",
    },
    default="shared",
)

MEASURE = MeasureParameter(
    name="measure",
    label="Measure",
    help=f"{', '.join(get_args(MeasureName))}, with a depth as in P@10; of binary relevance.",
    default="AP",
)

N_TRIALS = Parameter(
    name="n_trials",
    symbol="B",
    label="B, simulated collections",
    help="Number of resampled collections; 1,000 and 10,000 in the paper.",
    lower=1,
    upper=1_000_000,
    default=1_000,
    step=1_000,
    integer=True,
    command_name="trials",
)

DENOMINATOR = ChoiceParameter(
    name="denominator",
    label="Relevant documents of a simulated topic",
    help="R less those returned plus those drawn, so that no score exceeds 1, or R.",
    options={"drawn": "R − r + drawn, so that AP ≤ 1", "fixed": "R, as judged"},
    default="drawn",
)

BANDWIDTH = ChoiceParameter(
    name="bandwidth",
    label="Bandwidth of densities",
    help="Of both densities of a list, each from its own scores.",
    options={"scott": "s n^(−1/5), Scott", "silverman": "s (3n/4)^(−1/5), Silverman"},
    default="scott",
)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """What is asked of runs and judgments. Documents that are not judged count as not relevant."""

    model: Model = given(MODEL)
    measure: str = given(MEASURE)
    relevance_level: int = given(RELEVANCE_LEVEL)
    denominator: Denominator = given(DENOMINATOR)
    bandwidth: Bandwidth = given(BANDWIDTH)
    n_trials: int = given(N_TRIALS)
    min_d: float = given(MIN_D, read_off=True)
    alpha: float = given(ALPHA)
    seed: int = given(SEED)

    @property
    def kind(self) -> MeasureName:
        """The measure without its cutoff."""
        return self.measure.partition("@")[0]  # type: ignore[return-value]

    @property
    def depth(self) -> int | None:
        """Ranks that the measure evaluates; None for all of a list."""
        depth = self.measure.partition("@")[2]
        return int(depth) if depth else None

    @property
    def is_upper_bound(self) -> bool:
        """Whether documents are drawn for each run separately, so that reversals and noise are upper bounds."""
        return self.model != "shared"
