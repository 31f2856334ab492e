"""What a user wants to know, in a sentence: how often is a difference reversed, and what would it take."""

from dataclasses import dataclass
from typing import Any

from topicset_core.analyses.error_rate.intervals import LEVEL, Interval
from topicset_core.analyses.error_rate.prediction import Predictor
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.error_rate import SET_SIZE
from topicset_core.errors import NoSolution
from topicset_core.parameters import MAX_ERROR, MIN_D


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The error rate at one difference and number of topics, and the way to a tolerated one.

    Parameters
    ----------
    measure, name : str
        Of the scores.
    n_topics : int
        Topics on which a difference was found.
    difference : float
        The difference found, in units of the measure.
    max_error : float
        Error rate that is tolerated.
    error : float
        How often as many other topics put the two the other way round, 0 to .5.
    interval : Interval or None
        Of `error`, from leaving out topics; None with fewer than 4 topics.
    required_topics : int or None
        Topics for the tolerated rate at this difference; None where ten million are not enough.
    settled_difference : float or None
        Difference for the tolerated rate at these topics; None where there is none.
    topics_of_matrix : int
        Topics that the scores have.
    """

    measure: str
    name: str
    n_topics: int
    difference: float
    max_error: float
    error: float
    interval: Interval | None
    required_topics: int | None
    settled_difference: float | None
    topics_of_matrix: int

    @property
    def is_beyond(self) -> bool:
        """Whether two disjoint sets of so many topics cannot be drawn from the matrix."""
        return 2 * self.n_topics > self.topics_of_matrix

    @property
    def sentence(self) -> str:
        """The answer in words."""
        topics = "a single topic" if self.n_topics == 1 else f"{self.n_topics:,} topics"
        return (
            f"With {topics}, a difference of {self.difference:g} in {self.measure} is reversed "
            f"{percent(self.error)} of the time; for {100 * self.max_error:g} % you need {self.way}."
        )

    @property
    def way(self) -> str:
        """What it takes for the tolerated rate, in words."""
        needed, settled = self.required_topics, self.settled_difference
        more = None if needed is None else "a single topic" if needed == 1 else f"{needed:,} topics"
        farther = None if settled is None else f"a difference of {settled:.3g}"
        ways = [way for way in (more, farther) if way is not None]
        return ", or ".join(ways) if ways else "other runs: these are not told apart by any number of topics"

    def record(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON."""
        interval = self.interval
        return {
            "analysis": "error rate",
            "measure": self.measure,
            "n_topics": self.n_topics,
            "difference": self.difference,
            "max_error": self.max_error,
            "error": self.error,
            "error_interval": None if interval is None else [interval.low, interval.high],
            "interval_level": LEVEL,
            "required_topics": self.required_topics,
            "settled_difference": self.settled_difference,
            "sentence": self.sentence,
        }


def percent(rate: float) -> str:
    """Return a rate in per cent with two digits that count."""
    value = 100 * rate
    if value < 0.01:
        return "less than 0.01 %"
    return f"{value:.1f} %" if value >= 1 else f"{value:.2g} %"


def read(scores: ScoreMatrix | Predictor, *, n_topics: int, difference: float, max_error: float) -> Reading:
    """Return the reading for a matrix.

    Parameters
    ----------
    scores : ScoreMatrix or Predictor
        At least 2 runs that are not alike; a predictor of them answers further questions sooner.
    n_topics : int
        From 1; it may exceed the topics of the matrix.
    difference : float
        Above 0.
    max_error : float
        Above 0 and below .5.

    Raises
    ------
    InputError
        If a value breaks its rule, there are fewer than 2 runs, or all of them are alike.
    """
    size = int(SET_SIZE.check(n_topics))
    MIN_D.check(difference)
    MAX_ERROR.check(max_error)
    predictor = scores if isinstance(scores, Predictor) else Predictor(scores)
    matrix = predictor.matrix
    try:
        needed: int | None = predictor.required_topics(difference, max_error)
    except NoSolution:
        needed = None
    try:
        settled: float | None = predictor.settled_difference(size, max_error)
    except NoSolution:
        settled = None
    return Reading(
        measure=matrix.measure,
        name=matrix.name,
        n_topics=size,
        difference=float(difference),
        max_error=float(max_error),
        error=predictor.error(difference, size),
        interval=predictor.error_interval(difference, size),
        required_topics=needed,
        settled_difference=settled,
        topics_of_matrix=matrix.n_topics,
    )
