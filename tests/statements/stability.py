"""Intervals of E rho^2 and Phi if other systems and other topics had been drawn."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from tests.statements.shapes import Scores, matrix_of, real
from tests.statements.statement import Cell, Statement
from topicset_core.analyses.stability.result import ACHIEVED, COVERS, LEVEL, for_other_systems
from topicset_core.variance.sums_of_squares import mean_squares


class _Universe(NamedTuple):
    """Scores from which systems and topics are drawn with replacement, and the signal over noise of both."""

    scores: Scores
    n_systems: int
    n_topics: int
    truth: tuple[float, float]  # s / e and s / (q + e), with variances over all systems and topics


def _universe(scores: Callable[[], Scores], n_systems: int, n_topics: int) -> _Universe:
    every = scores()
    systems, topics = every.mean(axis=0), every.mean(axis=1)
    residual = every - systems - topics[:, np.newaxis] + every.mean()
    s, q, e = systems.var(), topics.var(), float(np.mean(residual**2))
    return _Universe(every, n_systems, n_topics, (s / e, s / (q + e)))


def _long_lower_tail() -> Scores:
    """Return 400 systems on 2,000 topics: a few systems are far below all others."""
    rng = np.random.default_rng(5)
    systems = -rng.exponential(0.06, 400)
    return 0.5 + systems + rng.beta(2, 4, (2000, 1)) + rng.normal(0, 0.15, (2000, 400))


def _covers(of: int, universe: _Universe, rng: np.random.Generator) -> float:
    rows, columns = (
        rng.integers(0, size, n)
        for size, n in zip(universe.scores.shape, (universe.n_topics, universe.n_systems), strict=True)
    )
    matrix = matrix_of(universe.scores[np.ix_(rows, columns)])
    found = for_other_systems(matrix, mean_squares(matrix), LEVEL.default)[of]
    return float(found.low <= universe.truth[of] <= found.high)


_DATA = (
    ("long lower tail", _long_lower_tail),
    ("Web 2012, ERR@20", partial(real, "web2012_err20", "ERR@20")),
    ("DL 2019, P@10", partial(real, "dl2019_passage_p10", "P@10")),
    ("TREC-8, RR", partial(real, "trec8_adhoc_rr", "RR")),
    ("Robust 2004, nDCG", partial(real, "robust2004_new_ndcg", "nDCG")),
)

STATEMENTS = tuple(
    Statement(
        key=f"stability-{key}",
        title=f"Stability: interval of {title} for other systems",
        text=ACHIEVED,
        where=("Score matrices", "topicset stability"),
        test=(
            "Systems and topics are drawn with replacement from all of a matrix, whose components over all systems "
            "and topics are the true ones."
        ),
        quantity="coverage",
        stated=COVERS,
        nominal=LEVEL.default,
        cells=tuple(
            Cell(
                name=f"{name}: {m} systems, {n} topics",
                population=partial(_universe, scores, m, n),
                small=(name, m, n) == ("long lower tail", 10, 25),
            )
            for name, scores in _DATA
            for m in (10, 30)
            for n in (10, 25, 50)
        ),
        trial=partial(_covers, of),
        trials=400,
        few=60,
    )
    for of, (key, title) in enumerate((("relative", "Eρ²"), ("absolute", "Φ")))
)
