"""The interval of a variance and the topics for a certainty, where scores are of one pair of runs."""

from collections.abc import Callable
from functools import partial

import numpy as np

from tests.statements.shapes import SHAPES, Scores, matrix_of, real, sample, simulated
from tests.statements.statement import Cell, Statement
from topicset_core.parameters import CERTAINTY
from topicset_core.variance import MEAN_PAIR_DIFFERENCE, pooled_interval
from topicset_core.variance.intervals import (
    COVERS_ONE,
    HOLDS_ONE,
    MOST_WITH_LESS,
    SimulatedPairs,
    inflation,
)

PILOTS = 150


def pair_of(scores: Scores, rng: np.random.Generator) -> Scores:
    """Return two different runs."""
    while True:
        pair = scores[:, rng.choice(scores.shape[1], 2, replace=False)]
        if np.ptp(pair[:, 0] - pair[:, 1]) > 0:
            return pair


def _shares(pair: Scores, n_topics: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return how often interval and upper limit hold the variance of a pair, over pilots."""
    reference = float(np.var(pair[:, 0] - pair[:, 1]))
    held = high_enough = 0
    for _ in range(PILOTS):
        pilot = matrix_of(sample(pair, n_topics, rng))
        interval = pooled_interval([pilot], MEAN_PAIR_DIFFERENCE)
        held += interval.low <= reference <= interval.high
        limit = MEAN_PAIR_DIFFERENCE(pilot) * float(inflation(interval.effective_df, CERTAINTY.default))
        high_enough += limit >= reference
    return held / PILOTS, high_enough / PILOTS


def _has_the_stated(
    place: int, stated: SimulatedPairs, cell: tuple[Scores, int], rng: np.random.Generator
) -> float:
    scores, n_topics = cell
    return float(_shares(pair_of(scores, rng), n_topics, rng)[place] >= stated.low / 100)


def of_matrices(sizes: tuple[int, ...], small: tuple[str, int], n_systems: int = 6) -> tuple[Cell, ...]:
    """Return a cell per matrix and size, and one per shape of 25 topics; populations with their size."""
    data: dict[str, Callable[[], Scores]] = {
        "Web 2012, AP": partial(real, "web2012_ap", "AP"),
        "Web 2012, ERR@20": partial(real, "web2012_err20", "ERR@20"),
        "Web 2011, AP": partial(real, "web2011_ap", "AP"),
        "Web 2011, nDCG@20": partial(real, "web2011_ndcg20", "nDCG@20"),
        "DL 2019, AP": partial(real, "dl2019_passage_ap", "AP"),
        "DL 2019, P@10": partial(real, "dl2019_passage_p10", "P@10"),
        "TREC-8, AP": partial(real, "trec8_adhoc_ap", "AP"),
        "TREC-8, RR": partial(real, "trec8_adhoc_rr", "RR"),
        "Robust 2004, AP": partial(real, "robust2004_ap", "AP"),
    }
    shapes = {shape: partial(simulated, shape, n_systems) for shape in SHAPES}
    cells = [(name, n, of) for n in sizes for name, of in data.items()]
    cells += [(shape, 25, of) for shape, of in shapes.items()]
    return tuple(
        Cell(name=f"{name}, {n} topics", population=partial(_with_size, of, n), small=(name, n) == small)
        for name, n, of in cells
    )


def _with_size(of: Callable[[], Scores], n_topics: int) -> tuple[Scores, int]:
    return of(), n_topics


_TEST = (
    f"A trial draws two runs, then {PILOTS} pilots of them, and counts the pilots whose {{}} at least "
    "as often as stated. Topics are drawn with replacement from those of a matrix, which are the population."
)

STATEMENTS = (
    Statement(
        key="one-pair-interval",
        title="Interval of the variance, one pair of runs",
        text=f"90 % confidence interval: ..., covers {COVERS_ONE.in_words}",
        where=("design pages", "Score matrices", "topicset size", "topicset variance"),
        test=_TEST.format("90 % interval holds the variance. A pair counts if this is so"),
        quantity="share of pairs",
        stated=(1 - MOST_WITH_LESS, 1.0),
        cells=of_matrices((10, 50), ("Robust 2004, AP", 50)),
        trial=partial(_has_the_stated, 0, COVERS_ONE),
        trials=40,
        few=10,
    ),
    Statement(
        key="one-pair-certainty",
        title="Topics with 80 % certainty, one pair of runs",
        text=f"80 % power with 80 % certainty ({HOLDS_ONE.in_words})",
        where=("design pages", "topicset size"),
        test=_TEST.format("upper limit is high enough. A pair counts if this is so"),
        quantity="share of pairs",
        stated=(1 - MOST_WITH_LESS, 1.0),
        cells=of_matrices((10, 50), ("Robust 2004, AP", 50)),
        trial=partial(_has_the_stated, 1, HOLDS_ONE),
        trials=40,
        few=10,
    ),
)
