"""The interval of a variance of many runs: one-way and two-way, and the 95th percentile over pairs."""

from functools import partial

import numpy as np

from tests.statements.one_pair import of_matrices
from tests.statements.shapes import Scores, matrix_of, sample
from tests.statements.statement import Statement
from topicset_core.parameters import CERTAINTY
from topicset_core.variance import ONE_WAY, PAIR_PERCENTILE, TWO_WAY, Estimate, pooled_interval
from topicset_core.variance.intervals import COVERS, DEFAULT_LEVEL, HOLDS, inflation

SYSTEMS = 12


_PAIRS_ALIKE = ("beta", "30 % zeros", "tied (tenths)", "skewed")  # the printed sentence leaves them out


def _covers(estimate: Estimate, cell: tuple[Scores, int], rng: np.random.Generator) -> float:
    scores, n_topics = cell
    # Always the same runs of a matrix, so that their variance is one number.
    runs = np.random.default_rng(0).permutation(scores.shape[1])[:SYSTEMS]
    population = scores[:, runs]
    n = len(population)
    reference = estimate(matrix_of(population)) * (n - 1) / n
    interval = pooled_interval([matrix_of(sample(population, n_topics, rng))], estimate)
    return float(interval.low <= reference <= interval.high)


def _statement(key: str, title: str, estimate: Estimate, kind: str) -> Statement:
    return Statement(
        key=key,
        title=title,
        text=f"90 % confidence interval: ..., covers {COVERS[kind].in_words}",
        where=("Score matrices", "design pages", "topicset variance", "topicset size"),
        test=(
            f"A trial draws topics with replacement from those of {SYSTEMS} runs, which are the population, and "
            "asks whether the 90 % interval holds its variance."
        ),
        quantity="coverage",
        stated=(COVERS[kind].low / 100, COVERS[kind].high / 100),
        nominal=DEFAULT_LEVEL,
        cells=tuple(
            cell
            for cell in of_matrices((10, 50), ("Robust 2004, AP", 50), SYSTEMS)
            if estimate is not PAIR_PERCENTILE or not cell.name.startswith(_PAIRS_ALIKE)
        ),
        trial=partial(_covers, estimate),
        trials=200,
        few=60,
    )


def _is_high_enough(cell: tuple[Scores, int], rng: np.random.Generator) -> float:
    scores, n_topics = cell
    population = scores[:, np.random.default_rng(0).permutation(scores.shape[1])[:SYSTEMS]]
    n, pilot = len(population), matrix_of(sample(population, n_topics, rng))
    df = pooled_interval([pilot], PAIR_PERCENTILE).effective_df
    limit = PAIR_PERCENTILE(pilot) * float(inflation(df, CERTAINTY.default))
    return float(limit >= PAIR_PERCENTILE(matrix_of(population)) * (n - 1) / n)


STATEMENTS = (
    _statement("variance-one-way", "Interval of the one-way variance", ONE_WAY, "sum of squares"),
    _statement("variance-two-way", "Interval of the two-way variance", TWO_WAY, "sum of squares"),
    _statement(
        "variance-percentile", "Interval of the 95th percentile of pairs", PAIR_PERCENTILE, "percentile"
    ),
    Statement(
        key="variance-percentile-certainty",
        title="Topics with 80 % certainty, 95th percentile of pairs",
        text=f"80 % power with 80 % certainty ({HOLDS['percentile'].in_words})",
        where=("design pages", "topicset size"),
        test="As above; a trial asks whether the upper limit is high enough, also where all pairs vary alike.",
        quantity="certainty",
        stated=(HOLDS["percentile"].low / 100, HOLDS["percentile"].high / 100),
        nominal=CERTAINTY.default,
        cells=of_matrices((10, 50), ("Robust 2004, AP", 50), SYSTEMS),
        trial=_is_high_enough,
        trials=200,
        few=60,
    ),
)
