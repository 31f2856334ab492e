"""All answers of a simulation, without the trials: small enough to keep one for every question asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from topicset_core.analyses.topic_variance.cells import Floats
from topicset_core.analyses.topic_variance.components import Components, TopicNoise
from topicset_core.analyses.topic_variance.estimate import Estimate
from topicset_core.analyses.topic_variance.rankings import BIN_WIDTH, RankInterval, TurningPair
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.analyses.topic_variance.simulation import Simulation
from topicset_core.analyses.topic_variance.study import record

MISFIT = 4.0
"""A run whose simulated mean is this many standard deviations off its raw one is not simulated well."""

TOLERATED = 0.05
"""A pair that turns in less than this share of trials keeps its order, as pages and texts say it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Findings:
    """What a study found.

    Parameters
    ----------
    settings : Settings
        How it was made.
    topics, systems : tuple of str
        Rows and columns of the tables.
    collection : str
        Name of the qrels.
    plain : mapping
        Choices and results as `study.record` writes them.
    raw, simulated, deviations : ndarray, shape (n_topics, n_systems)
        Scores as they are; their means and standard deviations over simulated collections.
    raw_means : ndarray, shape (n_systems,)
        Means of the scores as they are.
    """

    settings: Settings
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    collection: str
    plain: Mapping[str, Any] = field(repr=False)
    raw: Floats = field(repr=False)
    simulated: Floats = field(repr=False)
    deviations: Floats = field(repr=False)
    raw_means: Floats = field(repr=False)

    def record(self) -> dict[str, Any]:
        """Return choices and results as plain values for JSON."""
        return dict(self.plain)

    def estimate(self, name: str) -> Estimate:
        """Return one of the numbers by its name in the record."""
        return Estimate(**self.plain[name])

    @property
    def n_pairs(self) -> int:
        """Pairs of runs."""
        return int(self.plain["n_pairs"])

    @property
    def error_rates(self) -> tuple[Estimate, ...]:
        """How often pairs turn, by the size of the simulated difference: 21 bins."""
        return tuple(Estimate(**found) for found in self.plain["error_rates"])

    @property
    def rank_intervals(self) -> tuple[RankInterval, ...]:
        """Rank of each run and where 95 % of the trials have it, in the order of the runs."""
        return tuple(RankInterval(**found) for found in self.plain["rank_intervals"])

    @property
    def turning_pairs(self) -> tuple[TurningPair, ...]:
        """Pairs that do not keep their order, those that turn most often first."""
        return tuple(
            TurningPair(**{**found, "share": Estimate(**found["share"])})
            for found in self.plain["turning_pairs"]
        )

    @property
    def unstable_topics(self) -> tuple[TopicNoise, ...]:
        """All topics, the least stable first."""
        return tuple(TopicNoise(**found) for found in self.plain["unstable_topics"])

    @property
    def components(self) -> Components:
        """How the variance of scores splits."""
        return Components(**self.plain["components"])

    @property
    def best_system(self) -> str:
        """The run with the highest raw mean."""
        return self.systems[int(self.raw_means.argmax())]

    def least_stable_topic(self, system: str) -> str:
        """Return the topic on which the scores of a run vary most between collections."""
        return self.topics[int(self.deviations[:, self.systems.index(system)].argmax())]

    @property
    def misfits(self) -> tuple[tuple[str, float], ...]:
        """Runs whose simulated means are far off their raw ones, and by how much; the farthest first.

        Far is beyond `MISFIT` standard deviations of the mean in a simulated collection: then hardly any
        of these looks like the original.
        """
        spread = np.sqrt((self.deviations**2).sum(axis=0)) / len(self.topics)
        off = self.simulated.mean(axis=0) - self.raw_means
        far = [
            place for place in np.argsort(-np.abs(off)).tolist() if abs(off[place]) > MISFIT * spread[place]
        ]
        return tuple((self.systems[place], float(off[place])) for place in far)

    @property
    def largest_difference(self) -> float:
        """Between the raw means of any two runs."""
        return float(np.ptp(self.raw_means))

    @property
    def safe_difference(self) -> float | None:
        """The least difference from which on fewer than 5 % of the pairs of every bin turn; None if there is none.

        A lower edge of a bin; bins that no pair was in say nothing.
        """
        rates = [rate.value for rate in self.error_rates]
        unsafe = [place for place, rate in enumerate(rates) if rate is not None and rate >= TOLERATED]
        first = unsafe[-1] + 1 if unsafe else 0
        known = any(rate is not None for rate in rates[first:])
        return round(first * BIN_WIDTH, 2) if known else None


def findings(simulation: Simulation) -> Findings:
    """Return all answers of a simulation."""
    cells = simulation.cells
    return Findings(
        settings=simulation.settings,
        topics=cells.topics,
        systems=cells.systems,
        collection=cells.collection,
        plain=record(simulation),
        raw=simulation.raw,
        simulated=simulation.cell_means,
        deviations=np.sqrt(simulation.cell_variances),
        raw_means=simulation.raw_means,
    )
