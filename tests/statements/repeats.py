"""Intervals of passing in all of k tries, also where passes are rare."""

from functools import partial
from math import exp
from typing import NamedTuple

import numpy as np
from scipy import special

from tests.statements.statement import Cell, Statement
from topicset_core.analyses.repeats.tries import TRIES_COVER, TRIES_NOTE, all_of_tries
from topicset_core.collection.replicated_scores import ReplicatedScores


class _Tries(NamedTuple):
    """How often a topic passes: Beta(a, b), and never for a share of the topics."""

    a: float
    b: float
    never: float
    k: int
    of: int
    n_topics: int

    @property
    def true(self) -> float:
        """Mean over topics of p^k."""
        return (1 - self.never) * exp(
            special.betaln(self.a + self.k, self.b) - special.betaln(self.a, self.b)
        )


def _covers(tries: _Tries, rng: np.random.Generator) -> float:
    shares = rng.beta(tries.a, tries.b, tries.n_topics) * (rng.random(tries.n_topics) >= tries.never)
    answers = (rng.random((tries.n_topics, 1, tries.of)) < shares[:, np.newaxis, np.newaxis]).astype(float)
    names = [tuple(f"{kind}{at}" for at in range(n)) for kind, n in zip("tsr", answers.shape, strict=True)]
    topics, systems, repeats = names
    scores = ReplicatedScores(
        scores=answers, topics=topics, systems=systems, repeats=repeats, measure="pass", name="tries"
    )
    found = all_of_tries(scores, 0.05)[tries.k - 1]
    return float(found.low <= tries.true <= found.high)


_SHARES = {
    "Beta(.2, 2)": (0.2, 2.0, 0.0),
    "Beta(.5, 2)": (0.5, 2.0, 0.0),
    "Beta(1, 3)": (1.0, 3.0, 0.0),
    "Beta(1.4, .93)": (1.4, 0.93, 0.0),
    "Beta(2, .5)": (2.0, 0.5, 0.0),
    "nine of ten topics never pass, else Beta(8, 2)": (8.0, 2.0, 0.9),
}

STATEMENTS = (
    Statement(
        key="all-of-k-tries",
        title="Interval of passing in all of k tries",
        text=TRIES_NOTE,
        where=("Judges and repeats", "topicset repeats"),
        test=(
            "A trial draws how often each topic passes from the population, and its tries, and counts whether the "
            "interval contains the mean over topics of p^k."
        ),
        quantity="coverage",
        stated=TRIES_COVER,
        nominal=0.95,
        cells=tuple(
            Cell(
                name=f"{name}, {k} of {of} tries, {n} topics",
                population=partial(_Tries, *shares, k, of, n),
                small=(name, k, of) == ("Beta(.2, 2)", 3, 8) and n == 50,
            )
            for name, shares in _SHARES.items()
            for k, of in ((3, 8), (2, 4), (8, 8), (3, 3), (1, 5))
            for n in (20, 50, 100)
        ),
        trial=_covers,
        trials=1000,
        few=400,
    ),
)
