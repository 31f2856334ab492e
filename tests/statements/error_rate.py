"""Intervals of the error rate of systems, from close ones to spread-out ones."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from tests.statements.shapes import Scores, matrix_of, real, sample, simulated, strongest
from tests.statements.statement import Cell, Statement
from tests.statements.topic_subsets import cells_of
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.prediction import INTERVAL_COVERS, INTERVAL_NOTE, LEVEL, Predictor
from topicset_core.wording import TIES

DIFFERENCE = 0.05


class _Truth(NamedTuple):
    scores: Scores
    n_topics: int
    rate: float  # share of pairs found .04 to .06 apart that as many other topics reverse


def _with_truth(scores: Callable[[], Scores], n_topics: int) -> _Truth:
    """Return scores with the true rate by 3,000 pairs of sets; a tie is half an error."""
    population, rng = scores(), np.random.default_rng(1)
    first, second = np.triu_indices(population.shape[1], k=1)
    wrong = seen = 0.0
    for _ in range(3000):
        one, other = (sample(population, n_topics, rng).mean(axis=0) for _ in range(2))
        found, again = one[first] - one[second], other[first] - other[second]
        near = np.abs(np.abs(found) - DIFFERENCE) < 0.0101  # .04 and .06 are near, also of 0/1 scores
        wrong += float(np.sum(np.where(again == 0, 0.5, found * again < 0)[near]))
        seen += int(near.sum())
    return _Truth(population, n_topics, min(wrong / seen, 0.5))  # by simulation slightly above, too


def _covers(truth: _Truth, rng: np.random.Generator) -> float:
    matrix = matrix_of(sample(truth.scores, truth.n_topics, rng))
    interval = Predictor(matrix).error_interval(DIFFERENCE, truth.n_topics)
    return float("nan") if interval is None else float(interval.low <= truth.rate <= interval.high + 1e-9)


def _close(shape: str, n_topics: int, small: bool = False) -> Cell:
    name = f"{shape}, 6 systems within .04, {n_topics} topics"
    return Cell(
        name=name, population=partial(_with_truth, partial(simulated, shape, 6, 0.04), n_topics), small=small
    )


def _best(data: str, file: str, measure: str, n_topics: int) -> Cell:
    def six_of_the_best() -> Scores:
        return strongest(real(file, measure), 20)[:, np.random.default_rng(0).permutation(20)[:6]]

    name = f"{data}, 6 of the best 20 runs, {n_topics} topics"
    return Cell(name=name, population=partial(_with_truth, six_of_the_best, n_topics))


_SIZES = (1, 2, 3, 5, 10)


def _falls(scores: Callable[[int, np.random.Generator], Scores], rng: np.random.Generator) -> float:
    """Return the share of steps to more topics at which the experiment has fewer errors over all bins."""
    matrix = matrix_of(scores(50, rng))
    counted = error_rates(matrix, cardinalities=_SIZES, n_trials=1000, seed=int(rng.integers(2**31)))
    return float(np.mean(np.diff(counted.overall) < 0))


STATEMENTS = (
    Statement(
        key="ties-in-the-experiment",
        title="Ties in the experiment of Voorhees and Buckley",
        text=TIES,
        where=("Error rate", "topicset error-rate"),
        test=(
            "A trial draws topics and, of public runs, systems. It compares the error rates over all bins of pairs "
            f"of sets of {', '.join(map(str, _SIZES))} topics. The means of simulated systems are far apart: of "
            "close systems, two halves of the same topics contradict each other whatever their size."
        ),
        quantity="share of steps to more topics that lower the rate",
        stated=(1.0, 1.0),  # more topics are more evidence
        cells=cells_of(0.4),
        trial=_falls,
        trials=100,
        few=4,
    ),
    Statement(
        key="error-rate-interval",
        title="Interval of the error rate",
        text=INTERVAL_NOTE,
        where=("Error rate", "topicset error-rate"),
        test=(
            "A trial draws topics from the population and predicts the error rate of two systems .05 apart. The "
            "true rate is that of pairs of systems found .04 to .06 apart, from 3,000 pairs of topic sets."
        ),
        quantity="coverage",
        stated=INTERVAL_COVERS,
        nominal=LEVEL,
        cells=(
            *(
                _close(shape, n, small=(shape, n) == ("30 % zeros", 25))
                for shape in ("beta", "30 % zeros", "skewed")
                for n in (10, 25, 50)
            ),
            *(
                _close(shape, 25)
                for shape in ("heterogeneous", "near-duplicate triples", "tied (tenths)", "0/1")
            ),
            *(
                _best(*data, n)
                for data in (
                    ("Web 2012, ERR@20", "web2012_err20", "ERR@20"),
                    ("DL 2019, nDCG@10", "dl2019_passage_ndcg10", "nDCG@10"),
                    ("TREC-8, AP", "trec8_adhoc_ap", "AP"),
                    ("TREC-8, RR", "trec8_adhoc_rr", "RR"),
                )
                for n in (10, 25, 50)
            ),
        ),
        trial=_covers,
        trials=300,
        few=60,
    ),
)
