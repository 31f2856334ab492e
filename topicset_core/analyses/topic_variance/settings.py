"""The request: all choices that change a number."""

from dataclasses import dataclass
from typing import Literal, get_args

from topicset_core.errors import InputError
from topicset_core.measures.conventions import check_depth, check_level
from topicset_core.parameters import ALPHA, SEED, Parameter

Model = Literal["shared", "bst", "kde"]
"""Documents resampled once for all runs of a topic; or scores drawn for each run apart, unchanged or from
Gaussian kernel densities."""

INDEPENDENT = ("bst", "kde")
"""Models that draw documents for each run apart, so that their noise of the documents is an upper bound."""

Bandwidth = Literal["scott", "silverman"]
"""Standard deviation times n^(-1/5), or times (3 n / 4)^(-1/5), as SciPy's gaussian_kde has them."""

Denominator = Literal["drawn", "fixed"]
"""Relevant documents of a topic in a trial: R - r + r_s, as if the rest of R stayed out of reach, or R."""

MeasureName = Literal["AP", "P", "recall", "RR", "nDCG"]
"""Measures of binary relevance that the ranks of relevant documents determine."""

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


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All choices that change a number.

    Parameters
    ----------
    model : {"shared", "bst", "kde"}
        How documents are drawn.
    measure : {"AP", "P", "recall", "RR", "nDCG"}
        The measure of each list; nDCG with gain 1 for every relevant document.
    depth : int, optional
        Ranks the measure evaluates; all of the list by default. P needs it.
    relevance_level : int
        Lowest grade that counts as relevant. Documents that are not judged count as not relevant.
    denominator : {"drawn", "fixed"}
        With "drawn" AP, recall and nDCG stay at most 1; with "fixed" they do not where more relevant
        documents are drawn than the topic has.
    bandwidth : {"scott", "silverman"}
        Of both densities of a cell, each from its own scores.
    n_trials : int
        Simulated collections.
    alpha : float
        Significance level of the paired t test, two-sided.
    seed : int
        The same seed gives the same numbers.

    Raises
    ------
    InputError
        If a value is outside its range or unknown.
    """

    model: Model = "shared"
    measure: MeasureName = "AP"
    depth: int | None = None
    relevance_level: int = 1
    denominator: Denominator = "drawn"
    bandwidth: Bandwidth = "scott"
    n_trials: int = int(N_TRIALS.default)
    alpha: float = ALPHA.default
    seed: int = 0

    def __post_init__(self) -> None:
        for parameter, values in (
            ("model", get_args(Model)),
            ("measure", get_args(MeasureName)),
            ("denominator", get_args(Denominator)),
            ("bandwidth", get_args(Bandwidth)),
        ):
            if getattr(self, parameter) not in values:
                raise InputError(parameter, getattr(self, parameter), f"must be one of {', '.join(values)}")
        check_depth(self.depth)
        if self.measure == "P" and self.depth is None:
            raise InputError("depth", None, "must be given for P: the ranks that count")
        check_level(self.relevance_level)
        N_TRIALS.check(self.n_trials)
        ALPHA.check(self.alpha)
        SEED.check(self.seed)

    @property
    def is_upper_bound(self) -> bool:
        """Whether documents are drawn for each run separately, so that reversals and noise are upper bounds."""
        return self.model in INDEPENDENT

    @property
    def measure_name(self) -> str:
        """The measure with its cutoff: AP, P@10."""
        return self.measure if self.depth is None else f"{self.measure}@{self.depth}"
