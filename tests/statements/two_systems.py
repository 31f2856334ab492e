"""The t test of two systems that are equal."""

import numpy as np

from tests.statements.one_pair import of_matrices, pair_of
from tests.statements.shapes import Scores, matrix_of, sample
from tests.statements.statement import Statement
from topicset_core.analyses.two_systems import compare_two
from topicset_core.analyses.two_systems.comparison import TYPE_ONE, TYPE_ONE_NOTE
from topicset_core.parameters import ALPHA

SAMPLES = 50


def equal_pair(scores: Scores, rng: np.random.Generator) -> Scores:
    """Return two runs with equal means: differences that are not 0 are moved, equal scores stay equal."""
    pair = pair_of(scores, rng)
    differs = pair[:, 0] != pair[:, 1]
    shift = np.where(differs, (pair[:, 0] - pair[:, 1]).sum() / differs.sum(), 0.0)
    return np.column_stack([pair[:, 0] - shift, pair[:, 1]])


def _found_different(cell: tuple[Scores, int], rng: np.random.Generator) -> float:
    scores, n_topics = cell
    pair = equal_pair(scores, rng)
    found = 0
    for _ in range(SAMPLES):
        drawn = sample(pair, n_topics, rng)
        if np.ptp(drawn[:, 1] - drawn[:, 0]) < 1e-9:  # equal on every topic, or refused
            continue
        found += compare_two(matrix_of(drawn)).verdict in ("better", "worse")
    return found / SAMPLES


STATEMENTS = (
    Statement(
        key="two-systems-type-one",
        title="A t test of two equal systems",
        text=TYPE_ONE_NOTE,
        where=("topicset compare-two", "topicset.compare_two"),
        test=(
            "A trial draws two runs, moves their differences so that the means are equal, and counts how often "
            f"{SAMPLES} samples of topics give the verdict better or worse."
        ),
        quantity="Type I error",
        stated=TYPE_ONE,
        nominal=ALPHA.default,
        cells=of_matrices((10, 50), ("TREC-8, AP", 50)),
        trial=_found_different,
        trials=100,
        few=20,
    ),
)
