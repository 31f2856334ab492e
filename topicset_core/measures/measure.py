"""Common parts of all measures: a name, a definition, and scores of all topics and runs together."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, Self

from topicset_core.collection.judged_runs import Grades, JudgedRuns
from topicset_core.errors import InputError
from topicset_core.measures.conventions import (
    DENOMINATOR_IN_WORDS,
    GAIN_IN_WORDS,
    Conventions,
    check_depth,
    check_largest_grade,
)
from topicset_core.measures.graded_runs import ByIntent, Floats, GradedRuns
from topicset_core.parameters import RELEVANCE_LEVEL

DEEPEST_BY_INTENT = 10_000
"""Largest depth of measures of diversity, whose ideal lists are found document by document."""


_CHECKS: Mapping[str, Callable[[Any], object]] = {
    "depth": check_depth,
    "relevance_level": RELEVANCE_LEVEL.check,
    "largest_grade": check_largest_grade,
}
"""How fields are checked that several measures have."""

Depth = Literal["required", "optional", "none"]
"""Whether a name has a cutoff."""


@dataclass(frozen=True, kw_only=True)
class Name:
    """A name that a measure goes by, and how others spell it."""

    base_name: str  # as in papers, without a cutoff
    # As file names, corners of tables and trec_eval's output have it: a regular expression over text in lower
    # case
    spellings: str
    depth: Depth  # whether the name has a cutoff, which is the measurement depth
    # Name of this form of the measure among its others, as normalised or not
    fields: Mapping[str, Any] = field(default_factory=dict)
    # Whether files name the measure only with a cutoff: a bare "p" is ambiguous
    only_with_cutoff: bool = False
    # A spelling that means the measure where a measure is expected, and is ambiguous in a file
    in_requests: str = ""
    is_listed: bool = True
    # Whether files name it, and the name is not enough to compute the measure, as RBP without its parameter
    in_files_only: bool = False


class Offered(NamedTuple):
    """A name with its cutoff that forms offer, its place among them, and whether they start from it."""

    name: str
    place: int
    at_first: bool = False


@dataclass(frozen=True, kw_only=True)
class Measure(ABC):
    """A measure with its conventions; equal when these are.

    Its class lists its names, which of them forms offer, and which of the
    `Conventions` concern it.
    """

    NAMES: ClassVar[tuple[Name, ...]] = ()
    FORM: ClassVar[str] = ""
    """An example of a name with another parameter than a cutoff, which `of_form` reads."""
    OFFERED: ClassVar[tuple[Offered, ...]] = ()
    CONVENTIONS: ClassVar[tuple[str, ...]] = ()
    DEFINITION: ClassVar[str] = ""
    """The definition and its source, with 0 for the measure, and ranks, relevant, gain and divisor in words."""

    def __post_init__(self) -> None:
        for name, check in _CHECKS.items():
            if hasattr(self, name):
                check(getattr(self, name))

    @classmethod
    def by_conventions(cls, chosen: Conventions, **fields: Any) -> Self:
        """Return the measure with the conventions that concern it."""
        return cls(**{name: getattr(chosen, name) for name in cls.CONVENTIONS}, **fields)

    @classmethod
    def of_form(cls, text: str, chosen: Conventions) -> Self | None:  # noqa: ARG003 - for some measures
        """Return the measure where the text is a name of its own form; None otherwise."""
        return None

    @property
    def base_name(self) -> str:
        """Name without cutoff, for example "nDCG"."""
        return next(
            name.base_name
            for name in self.NAMES
            if all(getattr(self, key) == value for key, value in name.fields.items())
        )

    @property
    def name(self) -> str:
        """Name as in papers, for example "nDCG@10"."""
        return named(self.base_name, getattr(self, "depth", None))

    @property
    def definition(self) -> str:
        """Definition of the measure, with the conventions chosen and the paper it comes from."""
        return self.DEFINITION.format(
            self,
            ranks=down_to(getattr(self, "depth", None)),
            relevant=relevant_from(getattr(self, "relevance_level", 1)),
            gain=GAIN_IN_WORDS[getattr(self, "gains", "linear")],
            divisor=DENOMINATOR_IN_WORDS[getattr(self, "denominator", "R")],
        )

    @abstractmethod
    def scores_of(self, graded: GradedRuns) -> Floats:
        """Return the scores of runs whose grades are determined; several measures may share these."""

    def scores(self, judged_runs: JudgedRuns, grades: Grades | None = None) -> Floats:
        """Return the score of each topic and run."""
        return self.scores_of(GradedRuns(judged_runs, grades))

    def with_largest_grade(self, largest_grade: int) -> "Measure":  # noqa: ARG002 - for some measures
        """Return the measure with its xmax determined, if it has one and left it to the qrels."""
        return self


@dataclass(frozen=True, kw_only=True)
class BinaryMeasure(Measure):
    """A measure that asks whether a document is relevant."""

    CONVENTIONS: ClassVar[tuple[str, ...]] = ("relevance_level",)

    relevance_level: int = 1  # lowest grade that counts as relevant


@dataclass(frozen=True, kw_only=True)
class IntentMeasure(Measure):
    """A measure of how a run serves the intents of a topic; the judgments must be by intent."""

    depth: int  # ranks evaluated, in the run and in the ideal list

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST_BY_INTENT:
            rule = f"must be from 1 to {DEEPEST_BY_INTENT:,} for measures of diversity"
            raise InputError("measurement_depth", self.depth, rule)
        super().__post_init__()

    def by_intent(self, graded: GradedRuns) -> ByIntent:
        """Return the judgments intent by intent."""
        if graded.by_intent is None:
            raise InputError(
                "measure",
                self.name,
                f"must have judgments by intent, and {graded.judged_runs.qrels.name!r} are not: no document has "
                "lines that differ in the second column, the number of the intent; if each document has one, "
                "give a file of their probabilities, too (on the command line --intent-probabilities)",
            )
        return graded.by_intent


def named(name: str, depth: int | None) -> str:
    """Return the name with its cutoff, if it has one."""
    return name if depth is None else f"{name}@{depth}"


def down_to(depth: int | None) -> str:
    """Return words for a depth, as part of a definition."""
    return "the whole run" if depth is None else f"the first {depth:,} documents"


def relevant_from(relevance_level: int) -> str:
    """Return words for the relevance level, as part of a definition."""
    return f"relevant from grade {relevance_level}"
