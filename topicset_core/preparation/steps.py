"""All that is to be done to a matrix, in one request, and all that was done, in one record.

The order is fixed: topics and runs are chosen; runs are dropped on raw scores of these topics, as zeros and
means are read off those; then scores are replaced by logarithms; then they are standardised, by the runs that
are left.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from topicset_core.collection import ScoreMatrix, Selected, select
from topicset_core.errors import InputError
from topicset_core.preparation.runs import DroppedRuns, drop_runs
from topicset_core.preparation.scales import LogTransformed, Standardised, log_transform, standardise

Standardisation = Literal["z", "std-AB"]
Record = Selected | DroppedRuns | LogTransformed | Standardised


@dataclass(frozen=True, kw_only=True)
class Steps:
    """The steps of the preparation of a matrix; by default none.

    Parameters
    ----------
    topics, systems : tuple of str, optional
        Topics and runs to take; see `topicset_core.collection.select`.
    max_zero_topics, worst_fraction, worst_count : int, float, int, optional
        Runs to drop; see `drop_runs`.
    log_floor : float, optional
        Replace scores by logarithms, with this floor; see `log_transform`.
    standardise : {"z", "std-AB"}, optional
        How to standardise; see `standardise`.
    reference : tuple of str, optional
        Runs to standardise by; all that are left where not given.

    Raises
    ------
    InputError
        If reference runs are named, but scores are not to be standardised.
    """

    topics: tuple[str, ...] | None = None
    systems: tuple[str, ...] | None = None
    max_zero_topics: int | None = None
    worst_fraction: float | None = None
    worst_count: int | None = None
    log_floor: float | None = None
    standardise: Standardisation | None = None
    reference: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.reference is not None and self.standardise is None:
            raise InputError(
                "reference", self.reference, "must be left out where scores are not standardised"
            )

    @property
    def selects(self) -> bool:
        """Whether only some topics or runs are taken."""
        return self.topics is not None or self.systems is not None

    @property
    def drops_runs(self) -> bool:
        """Whether runs may be dropped."""
        return any(
            given is not None for given in (self.max_zero_topics, self.worst_fraction, self.worst_count)
        )

    @property
    def changes_scale(self) -> bool:
        """Whether a difference means something else afterwards, so that minD has another unit."""
        return self.log_floor is not None or self.standardise is not None

    @property
    def does_nothing(self) -> bool:
        """Whether no step was requested."""
        return not (self.selects or self.drops_runs or self.changes_scale)

    @property
    def summary(self) -> str:
        """The steps in a few words, to be shown next to the name of the matrix."""
        words = []
        for which, noun in ((self.topics, "topics"), (self.systems, "runs")):
            if which is not None:
                more = f" and {len(which) - 3:,} more" if len(which) > 3 else ""
                words.append(f"only {noun} {', '.join(which[:3])}{more}")
        if self.max_zero_topics is not None:
            words.append(f"without runs with more than {self.max_zero_topics} zero topics")
        if self.worst_fraction is not None:
            words.append(f"without the worst {100 * self.worst_fraction:g} % of the runs")
        if self.worst_count is not None:
            words.append(f"without the worst {self.worst_count} runs")
        if self.log_floor is not None:
            words.append(f"logarithms, floor {self.log_floor:g}")
        if self.standardise is not None:
            by = "all runs" if self.reference is None else f"{len(self.reference)} runs"
            words.append(f"{self.standardise} by {by}")
        return ", ".join(words)

    def settings(self) -> dict[str, Any]:
        """Return the requested steps, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """A matrix after its preparation.

    Parameters
    ----------
    matrix : ScoreMatrix
        The result.
    steps : Steps
        The requested steps.
    records : mapping of str to Selected, DroppedRuns, LogTransformed or Standardised
        Record of each step, in order, by the name of its function.
    """

    matrix: ScoreMatrix
    steps: Steps
    records: Mapping[str, Record]

    @property
    def notes(self) -> tuple[str, ...]:
        """The preparation, in sentences."""
        return tuple(sentence for record in self.records.values() for sentence in record.notes)


def prepare(matrix: ScoreMatrix, steps: Steps) -> Prepared:
    """Do all requested steps, in the order that the module states.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores as they were read.
    steps : Steps
        What to do.

    Raises
    ------
    InputError
        Where a step refuses; see `select`, `drop_runs`, `log_transform` and `standardise`.
    """
    records: dict[str, Record] = {}
    prepared = matrix
    if steps.selects:
        prepared, records["select"] = select(prepared, steps.topics, steps.systems)
    if steps.drops_runs:
        prepared, records["drop_runs"] = drop_runs(
            prepared,
            max_zero_topics=steps.max_zero_topics,
            worst_fraction=steps.worst_fraction,
            worst_count=steps.worst_count,
        )
    if steps.log_floor is not None:
        prepared, records["log_transform"] = log_transform(prepared, steps.log_floor)
    if steps.standardise is not None:
        prepared, records["standardise"] = standardise(prepared, steps.standardise, steps.reference)
    return Prepared(matrix=prepared, steps=steps, records=records)


def fraction_of(worst_percent: float | None) -> float | None:
    """Return `worst_fraction` for a percentage; None for None."""
    if worst_percent is None:
        return None
    if not 0 <= worst_percent < 100:
        raise InputError("worst_percent", worst_percent, "must be from 0 to below 100")
    return worst_percent / 100
