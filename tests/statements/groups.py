"""Topics in groups: intervals of the correlation and of variances, and the certainty of a plan."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.statements.shapes import Scores, real
from tests.statements.statement import Cell, Statement
from topicset_core.collection import ScoreMatrix
from topicset_core.parameters import CERTAINTY
from topicset_core.variance import MEAN_PAIR_DIFFERENCE, pooled, pooled_interval
from topicset_core.variance.group_components import COVERS, group_components
from topicset_core.variance.intervals import COVERS_IN_GROUPS, DEFAULT_LEVEL, HOLDS_IN_GROUPS, inflation

N_SYSTEMS = 8


class _Universe(NamedTuple):
    """Effects of topics on systems, with means of 0 over topics and systems; groups and topics draw from them."""

    effects: Scores  # (many, n_systems)
    sizes: Callable[[np.random.Generator], NDArray[np.int64]]
    rho: float

    @property
    def variance(self) -> float:
        """Mean over pairs of the variance of a topic's difference."""
        return 2 * float(np.sum(self.effects**2)) / len(self.effects) / (self.effects.shape[1] - 1)

    def drawn(self, rng: np.random.Generator) -> ScoreMatrix:
        """Return topics in groups whose effects correlate by rho."""
        sizes = self.sizes(rng)
        n = int(sizes.sum())
        group, own = (self.effects[rng.integers(0, len(self.effects), size)] for size in (len(sizes), n))
        scores = np.sqrt(self.rho) * np.repeat(group, sizes, axis=0) + np.sqrt(1 - self.rho) * own
        names = np.repeat(np.arange(len(sizes)), sizes)
        return ScoreMatrix(
            scores=scores + rng.normal(0, 0.2, (n, 1)),
            topics=tuple(f"t{at}" for at in range(n)),
            systems=tuple(f"s{at}" for at in range(scores.shape[1])),
            measure="AP",
            name="groups",
            groups=tuple(f"g{at}" for at in names),
        )


def _universe(effects: Callable[[], Scores], n_groups: int, is_equal: bool, rho: float) -> _Universe:
    def sizes(rng: np.random.Generator) -> NDArray[np.int64]:
        return np.full(n_groups, 4, np.int64) if is_equal else rng.integers(1, 31, n_groups)

    drawn = effects()
    centred = drawn - drawn.mean(axis=1, keepdims=True)
    return _Universe(centred - centred.mean(axis=0), sizes, rho)


def _of_shape(name: str) -> Scores:
    rng = np.random.default_rng(8)
    shape = 20_000, N_SYSTEMS
    if name == "normal":
        return rng.normal(0, 0.1, shape)
    if name == "skewed":
        return rng.exponential(0.1, shape)
    return np.where(rng.random(shape) < 0.3, 0.0, rng.beta(2, 2, shape))


def _of_runs(file: str, measure: str) -> Scores:
    scores = real(file, measure)
    return scores[:, np.random.default_rng(0).permutation(scores.shape[1])[:N_SYSTEMS]]


_DATA: tuple[tuple[str, Callable[[], Scores]], ...] = (
    *((name, partial(_of_shape, name)) for name in ("normal", "skewed", "30 % zeros")),
    ("Web 2011, nDCG@20", partial(_of_runs, "web2011_ndcg20", "nDCG@20")),
    ("DL 2019, AP", partial(_of_runs, "dl2019_passage_ap", "AP")),
)

_CELLS = tuple(
    Cell(
        name=f"{name}: {n} groups of {'4 topics' if is_equal else '1 to 30 topics'}, ρ = {rho:g}",
        population=partial(_universe, effects, n, is_equal, rho),
        small=(name, n, is_equal, rho) == ("skewed", 10, True, 0.3),
    )
    for name, effects in _DATA
    for n in (5, 10, 20)
    for is_equal in (True, False)
    for rho in (0.05, 0.3)
)


def _covers_correlation(universe: _Universe, rng: np.random.Generator) -> float:
    found = group_components(universe.drawn(rng)).intraclass_correlation_interval
    return float(found.low <= universe.rho <= found.high)


def _covers_variance(universe: _Universe, rng: np.random.Generator) -> float:
    found = pooled_interval([universe.drawn(rng)], MEAN_PAIR_DIFFERENCE)
    return float(found.low <= universe.variance <= found.high)


def _is_enough(universe: _Universe, rng: np.random.Generator) -> float:
    matrix = universe.drawn(rng)
    df = pooled_interval([matrix], MEAN_PAIR_DIFFERENCE).effective_df
    limit = pooled([matrix], MEAN_PAIR_DIFFERENCE) * float(inflation(df, CERTAINTY.default))
    return float(limit >= universe.variance)


def _shares(per_cent: tuple[int, int]) -> tuple[float, float]:
    return per_cent[0] / 100, per_cent[1] / 100


_WHERE = "all designs in groups", "topicset size", "topicset variance"
_TEST = "A trial draws effects of groups and of topics from all topics of the data; they correlate by ρ."

STATEMENTS = (
    Statement(
        key="groups-correlation",
        title="Groups: interval of the intraclass correlation",
        text=f"90 % confidence intervals cover {COVERS[0]} to {COVERS[1]} % in simulation.",
        where=("Score matrices", "topicset variance"),
        test=_TEST,
        quantity="coverage",
        stated=_shares(COVERS),
        nominal=DEFAULT_LEVEL,
        cells=_CELLS,
        trial=_covers_correlation,
        trials=400,
        few=60,
    ),
    Statement(
        key="groups-variance",
        title="Groups: interval of the variance of a topic",
        text="90 % confidence interval: ..., covers {} to {} % in simulation".format(
            *COVERS_IN_GROUPS["sum of squares"]
        ),
        where=_WHERE,
        test=f"{_TEST} The variance is the mean over pairs of systems.",
        quantity="coverage",
        stated=_shares(COVERS_IN_GROUPS["sum of squares"]),
        nominal=DEFAULT_LEVEL,
        cells=_CELLS,
        trial=_covers_variance,
        trials=400,
        few=60,
    ),
    Statement(
        key="groups-certainty",
        title="Groups: 80 % certainty of a plan",
        text="with 80 % certainty ({} to {} % in simulation)".format(*HOLDS_IN_GROUPS["sum of squares"]),
        where=_WHERE,
        test=f"{_TEST} A plan is safe if the variance that it is computed with is at least the true one.",
        quantity="certainty",
        stated=_shares(HOLDS_IN_GROUPS["sum of squares"]),
        nominal=CERTAINTY.default,
        cells=_CELLS,
        trial=_is_enough,
        trials=400,
        few=60,
    ),
)
