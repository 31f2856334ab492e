"""From scores with repeats to variance components, tests of all pairs, and the cheapest design."""

import math
from dataclasses import dataclass, field
from itertools import combinations

from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.designs.replicated import Optimum, Requirements, optimum
from topicset_core.errors import InputError, NoSolution
from topicset_core.variance.replicates import (
    Kind,
    ReplicateComponents,
    ReplicatedTest,
    compare,
    components,
    naive_error,
)

MOST_PAIRS = 50
"""Pairs that are tested; beyond, the first in the order of systems."""


@dataclass(frozen=True, kw_only=True)
class PairResult:
    """A pair of systems and its test."""

    first: str
    second: str
    test: ReplicatedTest  # with the variances of these two alone


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Results of scores with repeats.

    Attributes
    ----------
    scores : ReplicatedScores
        The scores.
    components : ReplicateComponents
        Of all systems together.
    requirements : Requirements
        What the next comparison must detect, at which costs.
    optimum : Optimum or None
        The cheapest design; None where no number of topics and repeats does.
    naive_alpha : float
        Type I error probability of a paired t test on means over repeats, with these topics and repeats.
    pairs : tuple of PairResult
        Tests of the first `MOST_PAIRS` pairs, but for those in `without_test`.
    without_test : tuple of (str, str)
        Pairs of systems whose difference is the same on every topic.
    """

    scores: ReplicatedScores = field(repr=False)
    components: ReplicateComponents
    requirements: Requirements
    optimum: Optimum | None
    naive_alpha: float
    pairs: tuple[PairResult, ...]
    without_test: tuple[tuple[str, str], ...]

    @property
    def n_pairs(self) -> int:
        """Pairs of systems, tested or not."""
        return math.comb(self.scores.n_systems, 2)


def answer(
    scores: ReplicatedScores,
    kind: Kind,
    *,
    alpha: float = 0.05,
    beta: float = 0.20,
    min_d: float = 0.05,
    cost_topic: float = 1.0,
    cost_seed: float = 0.0,
    cost_cell: float = 0.0,
) -> Answer:
    """Estimate, test and plan.

    Parameters
    ----------
    scores : ReplicatedScores
        At least 2 topics, 2 systems and 2 repeats.
    kind : {"repeats", "query-variations", "seeds"}
        Kind of repeats.
    alpha, beta : float
        Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha.
    min_d : float
        Smallest difference that the next comparison must detect, in units of the measure.
    cost_topic, cost_seed, cost_cell : float
        Costs of a topic, of a seed of a system, and of one system's score on one topic, from 0. Repeats and
        query variations have no cost of a seed: it counts as 0.

    Raises
    ------
    InputError
        If a value breaks its rule, or the scores do not vary.
    """
    result = components(scores, kind)
    if result.interaction + result.within <= 0:
        raise InputError("scores", 0.0, "must vary: without variance no design can be computed")
    requirements = Requirements(
        alpha=alpha,
        beta=beta,
        min_d=min_d,
        interaction=result.interaction,
        within=result.within,
        seed=result.seed,
        n_systems=scores.n_systems,
        cost_topic=cost_topic,
        cost_seed=cost_seed if kind == "seeds" else 0.0,
        cost_cell=cost_cell,
        kind=kind,
    )
    try:
        cheapest: Optimum | None = optimum(requirements)
    except NoSolution:
        cheapest = None
    pairs, without_test = [], []
    for first, second in list(combinations(scores.systems, 2))[:MOST_PAIRS]:
        try:
            test = compare(scores.pair(first, second), kind, alpha)
        except InputError:
            without_test.append((first, second))
            continue
        pairs.append(PairResult(first=first, second=second, test=test))
    return Answer(
        scores=scores,
        components=result,
        requirements=requirements,
        optimum=cheapest,
        naive_alpha=naive_error(
            scores.n_topics,
            scores.n_repeats,
            interaction=result.interaction,
            within=result.within,
            seed=result.seed,
            alpha=alpha,
        ),
        pairs=tuple(pairs),
        without_test=tuple(without_test),
    )
