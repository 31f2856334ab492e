"""Gaussian kernel densities of scores: bandwidths, tables of the upper tail, and how they fit one run and topic.

The density of n scores has the bandwidth s n^(-1/5) (Scott) or s (3 n / 4)^(-1/5) (Silverman), s being
their standard deviation with divisor n - 1; relevant scores and the others of a cell have each their own.

References
----------
D. W. Scott, Multivariate Density Estimation, Wiley 1992. B. W. Silverman, Density Estimation for
Statistics and Data Analysis, Chapman and Hall 1986. Factors as in ``scipy.stats.gaussian_kde``.
"""

import math
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from topicset_core.analyses.topic_variance.cells import Cells, Floats
from topicset_core.analyses.topic_variance.request import Bandwidth
from topicset_core.collection.run import Run
from topicset_core.errors import InputError

_REACH = 26  # knots, 6.5 bandwidths: farther out a kernel has 4e-11 of its mass
_N_MOMENTS = 8  # the first left out is below (1/8)^8 / 8! x 40 = 6e-11


class Densities(NamedTuple):
    """Both densities of a cell, in bandwidths of the second from the first knot of its table.

    `relevant` has the relevant scores, `width` is the bandwidth of their density, and `table` as
    `kernels.density_table` makes it of the other scores.
    """

    relevant: Floats
    width: float
    table: Floats


def bandwidth(scores: Floats, rule: Bandwidth) -> float:
    """Return the bandwidth of a density of scores; 0 where they do not vary, or are fewer than 2."""
    if scores.size < 2:
        return 0.0
    number = scores.size if rule == "scott" else 0.75 * scores.size
    return float(scores.std(ddof=1)) * math.pow(number, -0.2)


def densities(relevant: Floats, others: Floats, rule: Bandwidth) -> Densities | None:
    """Return the densities of a cell, or None where the scores of either kind do not vary."""
    from topicset_core.analyses.topic_variance.kernels import KNOTS_PER_BANDWIDTH, density_table

    if relevant.size < 2 or others.size < 2:
        return None
    # Centre and scale first: squares of scores may be beyond the range of numbers.
    largest = max(float(np.abs(relevant).max()), float(np.abs(others).max())) or 1.0
    relevant, others = relevant / largest, others / largest
    middle = others.mean()
    relevant, others = relevant - middle, others - middle
    width, unit = bandwidth(relevant, rule), bandwidth(others, rule)
    if not (_varies(relevant, width) and _varies(others, unit)):
        return None
    margin = _REACH / KNOTS_PER_BANDWIDTH
    first = float(others.min()) / unit - margin
    n_knots = math.ceil((float(others.max()) / unit + margin - first) * KNOTS_PER_BANDWIDTH) + 2
    table = density_table(others / unit - first, n_knots, _taps())
    return Densities(relevant=relevant / unit - first, width=width / unit, table=table)


def _varies(scores: Floats, width: float) -> bool:
    """Whether scores of at most about 1 in size differ by more than their rounding."""
    return bool(scores.max() > scores.min()) and width > 1e-15


@cache
def _taps() -> Floats:
    """Return the contribution of each moment at a knot to the tail and its derivatives at each other knot.

    The tail above x of a kernel at y is Phi(y - x). With y at a knot plus e, Taylor gives
    Phi^(k)(knot - x) e^k / k!, and each derivative by x, which is one by y with its sign turned, takes
    the next order; Phi^(k) = (-1)^(k - 1) He_(k - 1) phi. Derivatives are by the number of the knot.
    """
    from scipy.special import eval_hermitenorm, ndtr

    from topicset_core.analyses.topic_variance.kernels import KNOTS_PER_BANDWIDTH

    away = np.arange(-_REACH, _REACH + 1) / KNOTS_PER_BANDWIDTH
    kernel = np.exp(-0.5 * away**2) / math.sqrt(2.0 * math.pi)
    orders = [ndtr(away)]
    orders += [(-1.0) ** k * eval_hermitenorm(k, away) * kernel for k in range(_N_MOMENTS + 2)]
    taps = np.empty((3, _N_MOMENTS, away.size))
    for derivative in range(3):
        scale = (-1.0 / KNOTS_PER_BANDWIDTH) ** derivative
        for k in range(_N_MOMENTS):
            taps[derivative, k] = scale * orders[k + derivative] / math.factorial(k)
    return taps


N_POINTS = 400
"""Points at which densities are drawn."""

_DRAWN_REACH = 3.5  # bandwidths drawn beyond the scores


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """Scores of relevant documents and of the others, and the densities that kde draws from."""

    # Whose scores
    system: str
    topic: str
    relevant: Floats = field(repr=False)
    others: Floats = field(repr=False)
    # Both densities, each with area 1
    at: Floats = field(repr=False)  # (N_POINTS,)
    relevant_density: Floats = field(repr=False)  # (N_POINTS,)
    others_density: Floats = field(repr=False)  # (N_POINTS,)
    # Share of pairs of a relevant document and another one in which the relevant one has the higher score
    above: float
    above_by_densities: float | None  # the same of scores drawn from the densities


def fit(cells: Cells, run: Run, topic: str, rule: Bandwidth) -> Fit:
    """Return the scores of a run on a topic with their densities."""
    from scipy.special import ndtr

    if run.scores is None:
        raise InputError("runs", run.tag, "must be given with its retrieval scores")
    cell = cells.topics.index(topic) * cells.n_systems + cells.systems.index(run.tag)
    ranks = cells.ranks[cells.starts[cell] : cells.starts[cell + 1]]
    depth = int(cells.depths.ravel()[cell])
    if not 0 < ranks.size < depth:
        what = "returns no relevant document" if not ranks.size else "returns relevant documents only"
        raise InputError("topic", topic, f"must have scores of both kinds: the run {run.tag} {what} there")
    place = run.topics.index(topic)
    scores = run.scores[run.starts[place] : run.starts[place + 1]]
    relevant, others = scores[ranks - 1], np.delete(scores, ranks - 1)
    away = np.subtract.outer(relevant, others)
    empty: Floats = np.empty(0)
    at, drawn, by_densities = empty, (empty, empty), None
    if densities(relevant, others, rule) is not None:
        # Scaled first: squares of scores may be beyond the range of numbers.
        unit = float(np.abs(scores).max()) or 1.0
        widths = bandwidth(relevant / unit, rule), bandwidth(others / unit, rule)
        reach = _DRAWN_REACH * max(widths)
        points = np.linspace(scores.min() / unit - reach, scores.max() / unit + reach, N_POINTS)
        drawn = (
            _density(points, relevant / unit, widths[0]) / unit,
            _density(points, others / unit, widths[1]) / unit,
        )
        at = points * unit
        by_densities = float(ndtr(away / unit / np.hypot(*widths)).mean())
    return Fit(
        system=run.tag,
        topic=topic,
        relevant=relevant,
        others=others,
        at=at,
        relevant_density=drawn[0],
        others_density=drawn[1],
        above=float((away > 0).mean() + 0.5 * (away == 0).mean()),
        above_by_densities=by_densities,
    )


def _density(points: Floats, scores: Floats, width: float) -> Floats:
    """Return a Gaussian kernel density at points."""
    away = np.subtract.outer(points, scores) / width
    result: Floats = np.exp(-0.5 * away**2).mean(axis=1) / (width * np.sqrt(2 * np.pi))
    return result
