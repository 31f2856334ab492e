"""Ties count as half an error, so that random subsets are the better the more topics they have."""

from collections.abc import Callable
from functools import partial

import numpy as np

from tests.statements.shapes import Scores, real, sample, simulated
from tests.statements.statement import Cell, Statement
from topicset_core.analyses.topic_subsets.by_measure import criterion_of
from topicset_core.analyses.topic_subsets.criterion import random_orders
from topicset_core.wording import TIES

N_ORDERS = 500
N_SYSTEMS = 20


def falls(scores: Callable[[int, np.random.Generator], Scores], rng: np.random.Generator) -> float:
    """Return the share of sizes from 2 to 10 at which random subsets err less on average than one topic before."""
    drawn = scores(50, rng)
    criterion = criterion_of(drawn, "error-rate")
    sizes = np.arange(1, 11)
    rates = -criterion.walk(random_orders(rng, len(drawn), N_ORDERS), sizes).mean(axis=0)
    return float(np.mean(np.diff(rates) < 0))


def _of_real(file: str, measure: str, n_topics: int, rng: np.random.Generator) -> Scores:
    scores = real(file, measure)
    return sample(scores[:, rng.permutation(scores.shape[1])[:N_SYSTEMS]], n_topics, rng)


def _of_shape(shape: str, spread: float, n_topics: int, rng: np.random.Generator) -> Scores:
    return sample(simulated(shape, N_SYSTEMS, spread), n_topics, rng)


def cells_of(spread: float) -> tuple[Cell, ...]:
    """Return data with many ties, simulated ones with true means so far apart."""
    tied = ("0/1", "tied (tenths)", "30 % zeros")
    files = (
        ("Web 2011, P@10", "web2011_p10", "P@10"),
        ("Robust 2004, P@10", "robust2004_p10", "P@10"),
        ("DL 2019, P@10", "dl2019_passage_p10", "P@10"),
        ("TREC-8, RR", "trec8_adhoc_rr", "RR"),
        ("TREC-8, AP", "trec8_adhoc_ap", "AP"),
    )
    return (
        *(
            Cell(
                name=f"{shape}, {N_SYSTEMS} systems within {f'{spread:.1f}'.lstrip('0')}, 50 topics",
                population=partial(partial, _of_shape, shape, spread),
                small=shape == "0/1",
            )
            for shape in tied
        ),
        *(
            Cell(
                name=f"{name}, {N_SYSTEMS} runs, 50 topics",
                population=partial(partial, _of_real, file, measure),
            )
            for name, file, measure in files
        ),
    )


STATEMENTS = (
    Statement(
        key="ties-in-subsets",
        title="Ties in subsets of topics",
        text=TIES,
        where=("Topic subsets", "topicset subsets"),
        test=(
            f"A trial draws topics and, of public runs, systems. It compares the average error rates of {N_ORDERS} "
            "random subsets of 1 to 10 topics, each with one topic more than the one before. If a tie counted as "
            "no error, few topics with many ties would seem better than more."
        ),
        quantity="share of sizes at which one topic more lowers the average",
        stated=(1.0, 1.0),  # a topic more is more evidence
        cells=cells_of(0.1),
        trial=falls,
        trials=100,
        few=4,
    ),
)
