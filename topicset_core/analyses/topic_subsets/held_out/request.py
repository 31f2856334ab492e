"""The request for held-out runs or topics, checked before any work begins."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from topicset_core.analyses.topic_subsets.goodness import Goodness, measure_of
from topicset_core.errors import InputError
from topicset_core.execution.sizes import default_sizes
from topicset_core.exports.records import attributes
from topicset_core.parameters import SEED, Parameter

HoldOut = Literal["runs", "topics"]

N_SPLITS = Parameter(
    name="n_splits",
    symbol="splits",
    label="Random splits",
    help="Subsets are chosen and evaluated again on each split.",
    lower=2,
    upper=10_000,
    default=100,
    step=10,
    integer=True,
)

N_STARTS = Parameter(
    name="n_starts",
    symbol="starts",
    label="Random starts of each search",
    help="More starts sometimes find better subsets, and take longer.",
    lower=0,
    upper=2000,
    default=20,
    step=10,
    integer=True,
)

N_RANDOM = Parameter(
    name="n_trials",
    symbol="trials",
    label="Random subsets of each size and split",
    help="Used for the average of each split, and as pairs of subsets for its error rates.",
    lower=2,
    upper=100_000,
    default=100,
    step=100,
    integer=True,
)


@dataclass(frozen=True, kw_only=True)
class HeldOutRequest:
    """One question about subsets that are chosen on one half and evaluated on the other.

    Parameters
    ----------
    hold_out : {"runs", "topics"}
        The unit that is split in halves.
    goodness : {"pearson", "kendall", "error-rate"}
        How subsets are evaluating.
    choose_by : {"pearson", "kendall", "error-rate"}, optional
        How they are chosen; by default as they are evaluated.
    cardinalities : tuple of int, optional
        Sizes of the subsets; by default all: up to the number of topics, or to half of it where topics
        are held out.
    units : tuple of int, optional
        The unit of each run: runs of a unit stay in one half. By default those of `collection.units_of`. Only where
        runs are held out.
    chosen_on : tuple of str, optional
        Ids of the runs (topics) of the half that subsets are chosen on; the others evaluate. One given split, as
        between T1 and T2 in section 4.5.2 of Guiver et al. (2009), in place of random ones: n_splits is 1 then.
    n_splits : int
        Random splits.
    n_starts : int
        Random starts of each search for a best or worst subset.
    n_trials : int
        Random subsets of each size behind the average of a split.
    seed : int
        Of everything random.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """

    hold_out: HoldOut
    goodness: Goodness
    choose_by: Goodness | None = None
    cardinalities: tuple[int, ...] | None = None
    units: tuple[int, ...] | None = None
    chosen_on: tuple[str, ...] | None = None
    n_splits: int = int(N_SPLITS.default)
    n_starts: int = int(N_STARTS.default)
    n_trials: int = int(N_RANDOM.default)
    seed: int = int(SEED.default)

    def __post_init__(self) -> None:
        if self.hold_out not in get_args(HoldOut):
            raise InputError("hold_out", self.hold_out, f"must be one of {', '.join(get_args(HoldOut))}")
        measure_of(self.goodness)
        if self.choose_by is not None:
            measure_of(self.choose_by)
        if self.units is not None:
            if self.hold_out == "topics":
                raise InputError("units", len(self.units), "must not be given if topics are held out")
            object.__setattr__(self, "units", tuple(self.units))
        if self.chosen_on is None:
            N_SPLITS.check(self.n_splits)
        else:
            self._check_given_split(self.chosen_on)
        N_STARTS.check(self.n_starts)
        N_RANDOM.check(self.n_trials)
        SEED.check(self.seed)
        if self.cardinalities is not None:
            object.__setattr__(self, "cardinalities", checked_sizes(self.cardinalities, None))

    def _check_given_split(self, chosen_on: tuple[str, ...]) -> None:
        if self.units is not None:
            raise InputError("units", len(self.units), "must not be given with a split that is given")
        if len(set(chosen_on)) < len(chosen_on):
            raise InputError("chosen_on", len(chosen_on), f"must name each of the {self.hold_out} once")
        object.__setattr__(self, "chosen_on", tuple(chosen_on))
        object.__setattr__(self, "n_splits", 1)

    @property
    def over_splits(self) -> str:
        """What numbers are means over, in words."""
        if self.chosen_on is not None:
            return "on the given split"
        return f"on average over {self.n_splits:,} random splits"

    @property
    def chosen_by(self) -> Goodness:
        """How subsets are chosen."""
        return self.goodness if self.choose_by is None else self.choose_by

    def record(self) -> dict[str, Any]:
        """Return the request for a record."""
        return {
            "hold_out": self.hold_out,
            **({} if self.chosen_on is None else {"chosen_on": self.chosen_on}),
            "goodness": self.goodness,
            "choose_by": self.chosen_by,
            **attributes(self, "n_splits n_starts n_trials seed"),
        }

    def largest(self, n_topics: int) -> int:
        """Return the topics that subsets are chosen from."""
        if self.hold_out == "runs":
            return n_topics
        return n_topics // 2 if self.chosen_on is None else len(self.chosen_on)

    def sizes(self, n_topics: int) -> tuple[int, ...]:
        """Return the cardinalities to evaluate, ascending."""
        most = self.largest(n_topics)
        if self.cardinalities is None:
            return default_sizes(most, n_topics)
        return checked_sizes(self.cardinalities, most)


def checked_sizes(sizes: tuple[int, ...], most: int | None) -> tuple[int, ...]:
    """Return sizes of subsets, ascending and each once."""
    if not sizes:
        raise InputError("cardinality", sizes, "must be at least one number of topics")
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int) or size < 1 or (most and size > most):
            up_to = f" to {most:,}, the topics that subsets are chosen from" if most else ""
            raise InputError("cardinality", size, f"must be a whole number from 1{up_to}")
    return tuple(sorted(set(sizes)))
