"""How scores vary: by topic, by run, by both together, and by the documents that happen to be there.

A score is taken as mean + topic + run + interaction + collection noise. The noise is the mean variance
of a cell over simulated collections; the rest comes from the raw scores by two-way analysis of variance,
whose residual holds interaction and noise. What is negative counts as 0.

Runs are simulated independently of each other, while two runs on another real collection would meet the
same documents; the noise of a difference of two runs is that of independent runs, an upper bound where
runs rise and fall together.
"""

from dataclasses import asdict, dataclass

import numpy as np

from topicset_core.analyses.topic_variance.simulation import Simulation
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.paired_t import Requirements, required_topics
from topicset_core.variance.sums_of_squares import mean_squares


@dataclass(frozen=True, kw_only=True)
class Components:
    """Variances, in squared units of the measure.

    Parameters
    ----------
    topic, system, interaction, collection : float
        Components of the model.
    residual : float
        Of two-way analysis of variance: interaction and collection noise of one collection.
    """

    topic: float
    system: float
    interaction: float
    collection: float
    residual: float

    @property
    def total(self) -> float:
        """Sum of the four components."""
        return self.topic + self.system + self.interaction + self.collection

    def record(self) -> dict[str, float]:
        """Return the components as plain values for JSON."""
        return asdict(self)


def components(simulation: Simulation) -> Components:
    """Return the components of variance of the scores."""
    cells = simulation.cells
    table = mean_squares(
        ScoreMatrix(
            scores=simulation.raw,
            topics=cells.topics,
            systems=cells.systems,
            measure=simulation.settings.measure_name,
            name=cells.collection,
        )
    )
    residual = table.residual_mean_square
    noise = float(simulation.cell_variances.mean())
    return Components(
        topic=max(table.between_topic_mean_square - residual, 0.0) / cells.n_systems,
        system=max(table.between_system_mean_square - residual, 0.0) / cells.n_topics,
        interaction=max(residual - noise, 0.0),
        collection=noise,
        residual=residual,
    )


@dataclass(frozen=True, kw_only=True)
class TopicNoise:
    """A topic, the standard deviation of a score over collections there, and its share of all variance."""

    topic: str
    standard_deviation: float
    share: float


def unstable_topics(simulation: Simulation) -> tuple[TopicNoise, ...]:
    """Return all topics, the least stable first: root mean variance of the runs' scores there."""
    variances = simulation.cell_variances.mean(axis=1)
    total = float(variances.sum()) or 1.0
    return tuple(
        TopicNoise(
            topic=simulation.cells.topics[topic],
            standard_deviation=float(np.sqrt(variances[topic])),
            share=float(variances[topic]) / total,
        )
        for topic in np.argsort(-variances, kind="stable").tolist()
    )


@dataclass(frozen=True, kw_only=True)
class TopicsNeeded:
    """Topics that a paired t test needs for a difference.

    Parameters
    ----------
    min_d : float
        The difference to detect.
    with_noise : int
        With scores from one collection, as they are: their variance holds the collection's noise.
    without_noise : int or None
        If the collection were so large that its documents made no difference; None where noise alone
        explains all the residual variance.
    """

    min_d: float
    with_noise: int
    without_noise: int | None


def topics_needed(
    variances: Components, *, min_d: float, alpha: float = 0.05, beta: float = 0.20
) -> TopicsNeeded:
    """Return how many topics a paired t test needs, with the noise of the collection and without it.

    The variance of a difference of two runs is twice the residual variance.

    Raises
    ------
    InputError
        If a value is outside its range, or the residual variance is 0.
    NoSolution
        If more than ten million topics would be needed.
    """

    def topics(variance: float) -> int:
        asked = Requirements(alpha=alpha, beta=beta, min_d=min_d, difference_variance=2 * variance)
        return required_topics(asked).required_topics

    without = topics(variances.interaction) if variances.interaction > 0 else None
    return TopicsNeeded(min_d=min_d, with_noise=topics(variances.residual), without_noise=without)
