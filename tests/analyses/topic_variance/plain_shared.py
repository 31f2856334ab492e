"""Documents drawn once for all runs of a topic, the plain way: whole lists written out and read again.

Plain loops and its own random numbers; nothing of the product is used. A large collection is drawn from itself
with replacement, so copies are Poisson numbers, which come from products of uniform ones (Knuth, vol. 2, 3.4.1).
"""

import math
import random
import sys
from collections.abc import Mapping, Sequence

import numpy as np

from tests.analyses.topic_variance.plain_simulation import score_of
from tests.measures.plain_reader import collection, ranked

ROBUST_2003 = {"share": 0.239654, "reversed": 0.033554}
ROBUST_2003_ERRORS = {"share": 0.001312, "reversed": 0.000570}
ROBUST_2003_TRIALS = 600
"""Output of this module (seed 20261122, over two minutes), with standard errors over tenths."""

Topic = tuple[Mapping[str, Sequence[str]], frozenset[str]]
"""Documents that each run returned, best first, and all relevant ones."""


def score(ranking: Sequence[str], relevant: Sequence[str], measure: str, depth: int | None) -> float:
    """A measure of binary relevance; `relevant` has every copy."""
    target = set(relevant)
    labels = np.array([document in target for document in ranking], dtype=bool)
    return score_of(labels, len(relevant), measure, depth)


def poisson(chance: random.Random) -> int:
    """A Poisson number with mean 1."""
    number, product = 0, chance.random()
    while product > math.exp(-1):
        number, product = number + 1, product * chance.random()
    return number


def resampled(topic: Topic, chance: random.Random) -> dict[str, int]:
    """Copies of each document of the topic in a collection drawn with replacement; a relevant one is there."""
    lists, relevant = topic
    documents = sorted({one for ranking in lists.values() for one in ranking} | relevant)
    while True:
        copies = {one: poisson(chance) for one in documents}
        if any(copies[one] for one in relevant):
            return copies


def simulated(
    topics: Sequence[Topic],
    systems: Sequence[str],
    n_trials: int,
    *,
    seed: int,
    measure: str = "AP",
    depth: int | None = None,
) -> list[list[list[float]]]:
    """Scores by trial, topic and run."""
    chance = random.Random(seed)
    results = []
    for _ in range(n_trials):
        of_trial = []
        for topic in topics:
            lists, relevant = topic
            copies = resampled(topic, chance)
            judged = [one for one in relevant for _ in range(copies[one])]
            of_topic = []
            for system in systems:
                written = [one for one in lists.get(system, ()) for _ in range(copies[one])]
                of_topic.append(score(written, judged, measure, depth) if written else 0.0)
            of_trial.append(of_topic)
        results.append(of_trial)
    return results


def summary(raw: Sequence[Sequence[float]], trials: Sequence[Sequence[Sequence[float]]]) -> dict[str, float]:
    """What documents make of the noise in comparing two runs, and how often a pair of runs changes its order.

    Half the variance over trials of the difference of two runs on a topic, averaged over pairs and topics, over
    half the variance over topics of that difference of the raw scores, averaged over pairs.
    """
    first, second = np.tril_indices(len(raw[0]), -1)
    scores, drawn = np.asarray(raw), np.asarray(trials)
    noise = (drawn[..., first] - drawn[..., second]).var(axis=0, ddof=1).mean()
    residual = (scores[:, first] - scores[:, second]).var(axis=0, ddof=1).mean()
    original, means = scores.mean(axis=0), drawn.mean(axis=1)
    reversals = (means[:, first] - means[:, second]) * (original[first] - original[second]) < 0
    return {"share": float(noise / residual), "reversed": float(reversals.mean())}


def robust_2003(n_trials: int, seed: int) -> list[dict[str, float]]:
    """`summary` of Robust 2003, topics 601-650, 17 runs, for the whole and for each tenth of the trials."""
    scores, judged = collection("robust2003")
    lists = {name: ranked(of_run) for name, of_run in scores.items()}
    systems = sorted(lists)
    topics: list[Topic] = []
    for topic, grades in judged.items():
        relevant = frozenset(document for document, grade in grades.items() if grade > 0)
        result = {name: list(of_run.get(topic, ())) for name, of_run in lists.items()}
        for documents in result.values():
            while documents and documents[-1] not in relevant:
                documents.pop()  # documents below the last relevant one do not count in AP
        if int(topic) > 600 and relevant:
            topics.append((result, relevant))
    raw = [[score(of.get(name, ()), sorted(yes), "AP", None) for name in systems] for of, yes in topics]
    trials = simulated(topics, systems, n_trials, seed=seed)
    tenth = n_trials // 10
    parts = [trials[place * tenth : (place + 1) * tenth] for place in range(10)]
    return [summary(raw, trials), *(summary(raw, part) for part in parts)]


if __name__ == "__main__":
    whole, *parts = robust_2003(600, 20261122)
    for name, value in whole.items():
        spread = [part[name] for part in parts]
        error = np.std(spread, ddof=1) / math.sqrt(len(spread))
        sys.stdout.write(f"{name}: {value:.6f}, standard error {error:.6f}\n")
