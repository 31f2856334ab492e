"""The leaderboard: its familywise error rate, and the intervals of what more topics would resolve."""

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

from tests.statements.shapes import (
    SHAPES,
    Scores,
    centred,
    matrix_of,
    real,
    sample,
    simulated,
    spread_of,
    strongest,
)
from tests.statements.statement import Cell, Statement
from topicset_core.analyses.rank_resolution import Request, Resolution, resolve
from topicset_core.analyses.rank_resolution.outlook import (
    FORECAST_NOTE,
    LEVEL,
    MOST_EXPECTED_TOPICS,
    SHARE_COVERS,
    TARGET_SHARE,
    TOPICS_COVER,
    outlook,
)
from topicset_core.analyses.rank_resolution.resolution import FAMILYWISE_ACHIEVED, FAMILYWISE_NOTE

_REAL = (
    ("TREC-8, AP", "trec8_adhoc_ap", "AP"),
    ("TREC-8, RR", "trec8_adhoc_rr", "RR"),
    ("Robust 2004, AP", "robust2004_ap", "AP"),
    ("Web 2011, ERR@20", "web2011_err20", "ERR@20"),
    ("Web 2012, ERR@20", "web2012_err20", "ERR@20"),
    ("DL 2019, nDCG@10", "dl2019_passage_ndcg10", "nDCG@10"),
    ("DL 2019, AP", "dl2019_passage_ap", "AP"),
)


def _resolved(scores: Scores, n_trials: int = 400) -> Resolution:
    return resolve(matrix_of(scores), Request(n_trials=n_trials))


def _of_best(file: str, measure: str, n_systems: int, of: int) -> Scores:
    """Return systems drawn from the best ones."""
    best = strongest(real(file, measure), of)
    return best[:, np.random.default_rng(n_systems).permutation(best.shape[1])[:n_systems]]


class _Equal(NamedTuple):
    scores: Scores
    n_topics: int


def _equal(scores: Callable[[], Scores], n_topics: int) -> _Equal:
    return _Equal(centred(scores()), n_topics)


def _finds_a_difference(equal: _Equal, rng: np.random.Generator) -> float:
    return float(_resolved(sample(equal.scores, equal.n_topics, rng)).n_resolved > 0)


def _cells_of_equal_systems() -> Iterable[Cell]:
    for data, file, measure in _REAL:
        for m, n in ((10, 10), (10, 25), (10, 50), (20, 25), (20, 50)):
            scores = partial(_of_best, file, measure, m, 30)
            yield Cell(
                name=f"{data}, {m} of the best 30 runs, {n} topics", population=partial(_equal, scores, n)
            )
    for shape in SHAPES:
        for m, n in ((10, 10), (10, 25), (10, 50), (20, 25)):
            yield Cell(
                name=f"{shape}, {m} systems, {n} topics",
                population=partial(_equal, partial(simulated, shape, m), n),
                small=(shape, m, n) == ("30 % zeros", 10, 25),
            )


class _Future(NamedTuple):
    scores: Scores
    n_topics: int
    needed: float  # topics that resolve `TARGET_SHARE` of the pairs on average; infinite beyond 100,000


def _mean_share(scores: Scores, n_topics: int, rng: np.random.Generator) -> float:
    """Return the share of pairs that so many topics resolve, in 12 samples, or in 3 large ones."""
    samples = 12 if n_topics < 2000 else 3
    found = [_resolved(sample(scores, n_topics, rng), 200) for _ in range(samples)]
    return float(np.mean([one.n_resolved / one.n_pairs for one in found]))


def _future(scores: Callable[[], Scores], n_topics: int, truth: bool) -> _Future:
    """Return scores with the number of topics for `TARGET_SHARE`, to 5 %: an eighth of most intervals."""
    population, rng = scores(), np.random.default_rng(1)
    low, high = math.log(10), math.log(MOST_EXPECTED_TOPICS)
    if not truth or _mean_share(population, 50_000, rng) < TARGET_SHARE:
        return _Future(population, n_topics, math.inf)
    while high - low > 0.05:
        middle = (low + high) / 2
        if _mean_share(population, round(math.exp(middle)), rng) < TARGET_SHARE:
            low = middle
        else:
            high = middle
    return _Future(population, n_topics, math.exp((low + high) / 2))


def _holds_the_topics(future: _Future, rng: np.random.Generator) -> float:
    ahead = outlook(_resolved(sample(future.scores, future.n_topics, rng)))
    if not ahead.can_tell or ahead.resolved >= TARGET_SHARE:
        return math.nan
    low, high = ahead.interval
    return float(low <= future.needed and (high is None or future.needed <= high))


def _holds_the_share(future: _Future, rng: np.random.Generator) -> float:
    topics = sample(future.scores, 2 * future.n_topics, rng)
    ahead, whole = outlook(_resolved(topics[: future.n_topics])), _resolved(topics)
    if not ahead.can_tell:
        return math.nan
    low, high = ahead.share_interval(2 * future.n_topics)
    return float(low - 1e-9 <= whole.n_resolved / whole.n_pairs <= high + 1e-9)


def _clumped(n_systems: int) -> Scores:
    """Return many systems that are nearly equal, and two that are far below."""
    effects = np.append(spread_of(n_systems - 2, 0.02), [-0.2, -0.3])
    rng = np.random.default_rng(2)
    return rng.beta(2, 4, (20_000, 1)) + rng.normal(0, 0.12, (20_000, n_systems)) + effects


def _cells_of_the_future(truth: bool) -> Iterable[Cell]:
    def cell(name: str, scores: Callable[[], Scores], n: int, small: bool = False) -> Cell:
        return Cell(name=f"{name}, {n} topics", population=partial(_future, scores, n, truth), small=small)

    for data, file, measure in _REAL:
        for m, of, n in ((10, 20, 25), (10, 99, 10), (30, 99, 50)):
            which = f"{m} of the best {of} runs" if of < 99 else f"{m} runs"
            yield cell(f"{data}, {which}", partial(_of_best, file, measure, m, of), n)
    for shape in SHAPES:
        population = partial(simulated, shape, 10, 0.1)
        yield cell(f"{shape}, 10 systems within .1", population, 25, small=shape == "beta")
    yield cell("10 close systems and 2 far below", partial(_clumped, 12), 25)


_WHERE = ("Leaderboard", "topicset leaderboard")
STATEMENTS = (
    Statement(
        key="leaderboard-familywise-error",
        title="Familywise error rate of a leaderboard",
        text=FAMILYWISE_NOTE,
        where=_WHERE,
        test=(
            "Scores are shifted so that all systems have the same mean. A trial draws topics and counts whether "
            "any pair is resolved, by 400 sign flips at a familywise error rate of 5 %. After the shift, "
            "near-duplicates differ on the topics on which they agreed: this is harder than real systems with "
            "equal means."
        ),
        quantity="familywise Type I error",
        stated=FAMILYWISE_ACHIEVED,
        nominal=0.05,
        cells=tuple(_cells_of_equal_systems()),
        trial=_finds_a_difference,
        trials=400,
        few=80,
    ),
    Statement(
        key="leaderboard-topics-interval",
        title="Interval of the topics that resolve most pairs",
        text=FORECAST_NOTE,
        where=_WHERE,
        test=(
            "A trial draws topics and forecasts how many would resolve 80 % of the pairs. The true number is where "
            "the mean share of 3 or 12 samples reaches 80 %, by bisection; where 50,000 topics do not, an interval "
            "without an upper end holds it. Trials without an interval, or with 80 % already, are not counted."
        ),
        quantity="coverage",
        stated=TOPICS_COVER,
        nominal=LEVEL,
        cells=tuple(_cells_of_the_future(truth=True)),
        trial=_holds_the_topics,
        trials=60,
        few=30,
    ),
    Statement(
        key="leaderboard-share-interval",
        title="Interval of the share of pairs that twice the topics resolve",
        text=FORECAST_NOTE,
        where=_WHERE,
        test=(
            "A trial draws topics. Half of them forecast the share of pairs that all resolve. Trials without an "
            "interval are not counted."
        ),
        quantity="coverage",
        stated=SHARE_COVERS,
        nominal=LEVEL,
        cells=tuple(_cells_of_the_future(truth=False)),
        trial=_holds_the_share,
        trials=60,
        few=30,
    ),
)
