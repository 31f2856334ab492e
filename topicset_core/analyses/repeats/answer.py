"""From scores with repeats to variance components, tests of all pairs, and the cheapest design."""

import math
from dataclasses import dataclass, field
from itertools import combinations

from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.designs.replicated import COST_CELL, COST_SEED, COST_TOPIC, Optimum, Requirements, optimum
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.records import attributes
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import ALPHA, BETA, MIN_D, ChoiceParameter
from topicset_core.variance.replicates import (
    Kind,
    ReplicateComponents,
    ReplicatedTest,
    compare,
    components,
    naive_error,
)

MOST_TESTED = 50
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
    request : Request
        The request.
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
        Tests of the first `MOST_TESTED` pairs, but for those in `without_test`.
    without_test : tuple of (str, str)
        Pairs of systems whose difference is the same on every topic.
    """

    request: "Request"
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


KIND = ChoiceParameter(
    name="kind",
    label="Repeats are",
    help="Seeds of a system (or folds) over all topics, answers within a topic, or formulations of a topic for all "
    "systems.",
    options={
        "seeds": "seeds of a system, each over all topics",
        "repeats": "answers or judge calls within a topic",
        "query-variations": "formulations of a topic, for all systems",
    },
)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """What varies, and what the next comparison must detect at which costs; seeds alone have a cost of a seed."""

    kind: Kind = given(KIND)
    alpha: float = given(ALPHA)
    beta: float = given(BETA)
    min_d: float = given(MIN_D)
    cost_topic: float = given(COST_TOPIC)
    cost_seed: float = given(COST_SEED)
    cost_cell: float = given(COST_CELL)


def answer(scores: ReplicatedScores, request: Request) -> Answer:
    """Estimate, test and plan.

    Parameters
    ----------
    scores : ReplicatedScores
        At least 2 topics, 2 systems and 2 repeats.
    request : Request
        The request.

    Raises
    ------
    InputError
        If the scores do not vary.
    """
    kind, alpha = request.kind, request.alpha
    result = components(scores, kind)
    if result.interaction + result.within <= 0:
        raise InputError("scores", 0.0, "must vary: without variance no design can be computed")
    parts = attributes(result, "interaction within seed")
    requirements = Requirements(
        **attributes(request, "kind alpha beta min_d cost_topic cost_cell"),
        **parts,
        n_systems=scores.n_systems,
        cost_seed=request.cost_seed if kind == "seeds" else 0.0,
    )
    try:
        cheapest: Optimum | None = optimum(requirements)
    except NoSolution:
        cheapest = None
    pairs, without_test = [], []
    for first, second in list(combinations(scores.systems, 2))[:MOST_TESTED]:
        try:
            test = compare(scores.pair(first, second), kind, alpha)
        except InputError:
            without_test.append((first, second))
            continue
        pairs.append(PairResult(first=first, second=second, test=test))
    return Answer(
        request=request,
        scores=scores,
        components=result,
        requirements=requirements,
        optimum=cheapest,
        naive_alpha=naive_error(scores.n_topics, scores.n_repeats, **parts, alpha=alpha),
        pairs=tuple(pairs),
        without_test=tuple(without_test),
    )
