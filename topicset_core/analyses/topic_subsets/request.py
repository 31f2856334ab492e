"""The requests: subsets against their size, on held-out runs or topics, a subset of one's own, and chance.

Each number is declared here once: page and command line make their fields and options of it, links and refusals
its name.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from topicset_core.analyses.topic_subsets.goodness import MEASURES, Goodness, measure_of
from topicset_core.errors import InputError
from topicset_core.execution.sizes import default_sizes, log_spaced
from topicset_core.exports.records import attributes
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import MOST_TOPICS, SEED, ChoiceParameter, ListParameter, Parameter

Method = Literal["auto", "exact", "exhaustive", "local", "guiver"]
HoldOut = Literal["runs", "topics"]

AGREEMENT = ChoiceParameter(
    name="goodness",
    command_name="agreement",
    former_names=("goodness",),
    label="Measure of agreement",
    help="Measure of agreement of subsets with all topics.",
    options={measure.key: measure.label for measure in MEASURES},
    default=MEASURES[0].key,
)

TARGET = Parameter(
    name="target",
    label="Target agreement",
    help="Agreement that subsets should reach; r = 0.95 in Guiver et al.",
    lower=-1.0,
    upper=1.0,
    lower_included=True,
    default=0.95,
    step=0.01,
)

CARDINALITY = Parameter(
    name="cardinality",
    symbol="c",
    label="c, topics in a subset",
    help="Subset size for the 10 best and 10 worst subsets; 12 in Guiver et al.",
    lower=1,
    upper=MOST_TOPICS,
    default=12,
    integer=True,
)

METHOD = ChoiceParameter(
    name="method",
    label="Method",
    help="exhaustive: all subsets; local: exchanges of topics from many starts; guiver: the paper's heuristic; "
    "auto: exhaustive if that is quick, else local; exact: auto, with results of local search proved by branch and "
    "bound (pearson).",
    options={
        "auto": "All subsets if fast, else local search",
        "exact": "Local search and proof",
        "exhaustive": "All subsets",
        "local": "Local search",
        "guiver": "The paper's heuristic",
    },
    default="auto",
)

N_TRIALS = Parameter(
    name="n_trials",
    command_name="trials",
    label="Random subsets of each size",
    help="Used for the bands, and for averages that are not exact.",
    lower=2,
    upper=1_000_000,
    default=10_000,
    step=1000,
    integer=True,
)

NODES = Parameter(
    name="nodes",
    label="Most nodes per proof",
    help="A proof that needs more nodes gives a bound only. Scores with 50 topics have needed up to 19 million.",
    lower=1,
    upper=10**12,
    default=50_000_000,
    step=10_000_000,
    integer=True,
)

N_SPLITS = Parameter(
    name="n_splits",
    command_name="splits",
    label="Random splits",
    help="Subsets are chosen and evaluated again on each split.",
    lower=2,
    upper=10_000,
    default=100,
    step=10,
    integer=True,
)

N_NULL_SPLITS = replace(N_SPLITS, default=20)

N_STARTS = Parameter(
    name="n_starts",
    command_name="starts",
    label="Random starts of each search",
    help="More starts sometimes find better subsets, and take longer.",
    lower=0,
    upper=2000,
    default=20,
    step=10,
    integer=True,
)

N_RANDOM = Parameter(
    name="n_trials_of_a_split",
    command_name="trials",
    label="Random subsets of each size and split",
    help="Used for the average of each split, and as pairs of subsets for its error rates.",
    lower=2,
    upper=100_000,
    default=100,
    step=100,
    integer=True,
)

N_REPLICATES = Parameter(
    name="n_replicates",
    command_name="replicates",
    label="Matrices of exchangeable topics",
    help="Scores shuffled over topics, on each of which everything is searched again.",
    lower=19,
    upper=10_000,
    lower_included=True,
    default=99,
    step=20,
    integer=True,
)

HOLD_OUT = ChoiceParameter(
    name="hold_out",
    command_name="holdout",
    label="Hold out",
    help="Choose topics on one random half of the runs or of the topics, evaluate them on the other. Similar runs "
    "and runs of a team, recognised by their names, stay together in all halves.",
    options={"runs": "Half of the runs", "topics": "Half of the topics"},
    default="runs",
)

CHOOSE_BY = replace(
    AGREEMENT,
    name="choose_by",
    command_name="",
    former_names=(),
    label="Choose by",
    help="The measure of agreement by which best and worst subsets are chosen.",
)


def sizes_of(text: str) -> tuple[int, ...]:
    """Read "1-50", "5,10,20" or both mixed."""
    result: set[int] = set()
    for part in text.split(","):
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InputError(CARDINALITIES.name, text, 'must be numbers and ranges like "1-10,20,30"')
        low, high = int(first), int(last) if dash else int(first)
        if not 1 <= low <= high <= 1_000_000:
            raise InputError(CARDINALITIES.name, text, "must be ascending ranges of whole numbers from 1")
        result.update(range(low, high + 1))
    return tuple(sorted(result))


CARDINALITIES = ListParameter(
    name="cardinalities",
    command_name="cardinality",
    label="Topics in a subset",
    help='Sizes of the subsets, like "1-10,20,30".',
    placeholder="C",
    item=CARDINALITY,
    read=sizes_of,
)

CHOSEN_ON = ListParameter(
    name="chosen_on",
    command_name="choose-on",
    label="Half that subsets are chosen on",
    help="Runs (topics) of the half that topics are chosen on, written as for --only-systems (--only-topics); "
    "subsets are evaluated on the others. One given split in place of random ones.",
    placeholder="WHICH",
)

SUBSET = ListParameter(
    name="topics",
    command_name="audit",
    label="A subset of the topics",
    help="Evaluate a list of topics, one per line, such as the topics of a small benchmark.",
    placeholder="FILE",
    read=lambda file: (file,),
)

RUNS = ListParameter(
    name="runs",
    command_name="unseen",
    label="Runs that evaluate the subset",
    help="Runs to evaluate on, if the topics were chosen by the scores of the others.",
    placeholder="RUN",
)

MOST_PROVED = 128
"""Topics of which subsets are proved; a set-up grows with their fourth power."""

PREVIEW_SECONDS = 0.4
"""That somebody waits without a thought."""


@dataclass(frozen=True, kw_only=True)
class _ReadAcross(Inputs):
    """What a curve is read at."""

    goodness: Goodness = given(AGREEMENT)
    target: float | None = given(TARGET, unless="0.95, 0.9 for kendall, 0.02 for error-rate", read_off=True)
    cardinality: int = given(CARDINALITY, read_off=True)
    cardinalities: tuple[int, ...] | None = given(
        CARDINALITIES, unless="all, of more than 100 topics log-spaced sizes"
    )

    def check_together(self) -> None:
        """Put the sizes in their order."""
        if self.cardinalities is not None:
            object.__setattr__(self, "cardinalities", tuple(sorted(set(self.cardinalities))))

    @property
    def target_value(self) -> float:
        """The agreement to reach."""
        return measure_of(self.goodness).target if self.target is None else self.target


@dataclass(frozen=True, kw_only=True)
class Request(_ReadAcross):
    """A question about the best, average and worst subsets of a matrix; `Method` is as `METHOD` describes.

    ``exact`` is for Pearson's correlation on up to 128 topics; no bound is known for pairs of runs, where it is
    ``exhaustive``. Sets of fifty topics took up to 19 million nodes on 14 real matrices, at some million a second;
    the best sets of a hundred topics mostly end as a gap.

    Parameters
    ----------
    effort : float
        CPU seconds of local search over all sizes, about; more means more random starts.
    """

    method: Method = given(METHOD)
    n_trials: int = given(N_TRIALS)
    seed: int = given(SEED)
    nodes: int = given(NODES)
    effort: float = 15.0

    def check_together(self) -> None:
        """Check the effort."""
        super().check_together()
        if not 0 <= self.effort <= 1e6:
            raise InputError("effort", self.effort, "must be from 0 to 1,000,000 seconds")

    def sizes(self, n_topics: int) -> tuple[int, ...]:
        """Return the cardinalities to evaluate, ascending."""
        if self.method == "exact" and self.goodness == "pearson" and n_topics > MOST_PROVED:
            rule = f"is for up to {MOST_PROVED} topics, not {n_topics:,}; choose auto"
            raise InputError(METHOD.name, self.method, rule)
        if self.cardinalities is None:
            always = (size_below(n_topics, self.cardinality),)
            return default_sizes(n_topics, n_topics, always=always)
        replace(CARDINALITY, name=CARDINALITIES.name, upper=n_topics).check(self.cardinalities[-1])
        return self.cardinalities


@dataclass(frozen=True, kw_only=True)
class _OnHalves(Inputs):
    """What is searched on random halves of the runs or topics.

    Parameters
    ----------
    units : tuple of int, optional
        The unit of each run; the runs of a unit stay in one half. By default those of `collection.units_of`.
    """

    goodness: Goodness = given(AGREEMENT)
    n_splits: int = given(N_SPLITS)
    n_starts: int = given(N_STARTS)
    seed: int = given(SEED)
    units: tuple[int, ...] | None = None

    def check_together(self) -> None:
        """Take the units of the runs as a tuple."""
        super().check_together()
        if self.units is not None:
            object.__setattr__(self, "units", tuple(self.units))


@dataclass(frozen=True, kw_only=True)
class HeldOutRequest(_OnHalves, _ReadAcross):
    """A question about subsets that are chosen on one half and evaluated on the other."""

    # A given split, `chosen_on`, is as between T1 and T2 in section 4.5.2 of Guiver et al. (2009): n_splits
    # is 1.

    hold_out: HoldOut = given(HOLD_OUT)
    choose_by: Goodness | None = given(CHOOSE_BY, unless="the same as --agreement")
    chosen_on: tuple[str, ...] | None = given(CHOSEN_ON, unless="random halves")
    n_trials: int = given(N_RANDOM)

    def __post_init__(self) -> None:
        if self.chosen_on is not None:
            object.__setattr__(self, "n_splits", int(N_SPLITS.default))
        super().__post_init__()

    def check_together(self) -> None:
        """Check units and a given split against the halves."""
        super().check_together()
        if self.units is not None and (self.hold_out == "topics" or self.chosen_on is not None):
            why = "if topics are held out" if self.hold_out == "topics" else "with a split that is given"
            raise InputError("units", len(self.units), f"must not be given {why}")
        if self.chosen_on is not None:
            if len(set(self.chosen_on)) < len(self.chosen_on):
                rule = f"must name each of the {self.hold_out} once"
                raise InputError(CHOSEN_ON.name, len(self.chosen_on), rule)
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

    def largest(self, n_topics: int) -> int:
        """Return the topics that subsets are chosen from."""
        if self.hold_out == "runs":
            return n_topics
        return n_topics // 2 if self.chosen_on is None else len(self.chosen_on)

    def shown_size(self, n_topics: int) -> int:
        """Return the size that the answer is about."""
        # A whole half of topics is a subset, too: it differs from the reference.
        most = n_topics if self.hold_out == "runs" else n_topics // 2 + 1
        return size_below(most, self.cardinality) if most > 1 else 1

    def sizes(self, n_topics: int) -> tuple[int, ...]:
        """Return the cardinalities to evaluate, ascending."""
        most = max(self.largest(n_topics), 1)
        if self.cardinalities is None:
            return default_sizes(most, n_topics)
        if self.cardinalities[-1] > most:
            rule = f"must be a whole number from 1 to {most:,}, the topics that subsets are chosen from"
            raise InputError(CARDINALITIES.name, self.cardinalities[-1], rule)
        return self.cardinalities


@dataclass(frozen=True, kw_only=True)
class AuditRequest(_OnHalves):
    """A question about a given subset: not all topics, in any order."""

    goodness: Goodness = given(AGREEMENT, read_off=True)  # of the headline; all are evaluated
    topics: Sequence[str] = given(SUBSET)
    runs: Sequence[str] | None = given(RUNS, unless="all")
    n_trials: int = given(N_TRIALS)

    def on_halves(self, goodness: Goodness) -> HeldOutRequest:
        """Return the request for the held-out part by one measure of goodness."""
        shared = attributes(self, "units n_splits n_starts seed")
        return HeldOutRequest(goodness=goodness, cardinalities=(len(self.topics),), **shared)


@dataclass(frozen=True, kw_only=True)
class NullRequest(_OnHalves):
    """A comparison of topics with exchangeable ones; lists are made from the ten best and worst sets of a size."""

    n_splits: int = given(N_NULL_SPLITS)
    cardinality: int = given(CARDINALITY)
    n_replicates: int = given(N_REPLICATES)


def size_below(limit: int, requested: int) -> int:
    """Return the size asked for, or half of the limit where it is not below: of all there is but one set."""
    return requested if requested < limit else max(1, limit // 2)


_LONGEST_PREVIEW = 4 * PREVIEW_SECONDS  # for a coarse grid, where a finer one takes longer still
_FINE, _COARSE = 1.2, 1.5


def preview_cardinalities(
    seconds_of: Callable[[int], float], n_topics: int, cardinality: int
) -> tuple[int, ...] | None:
    """Return the sizes of a preview, evenly over the whole range; None where even few of them take too long."""
    for sizes, seconds in (
        (default_sizes(n_topics, n_topics), PREVIEW_SECONDS),
        (log_spaced(n_topics, _FINE), PREVIEW_SECONDS),
        (log_spaced(n_topics, _COARSE), _LONGEST_PREVIEW),
    ):
        cardinalities = tuple(sorted({*sizes, cardinality}))
        if sum(map(seconds_of, cardinalities)) <= seconds:
            return cardinalities
    return None
