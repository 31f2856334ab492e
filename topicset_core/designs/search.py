"""The smallest topic set size that meets a requirement, for one design or a whole grid of them."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topicset_core.errors import NoSolution
from topicset_core.parameters import MOST_TOPICS

FEWEST_TOPICS = 2
"""One topic has no variance, so every design starts at two."""

SMALLEST_EFFECT = 1e-100
"""Noncentrality per topic below which effects are searched as this one: hopeless, but no overflow."""

NONE_IS_ENOUGH = f"not even {MOST_TOPICS:,} topics meet these requirements"
MARGIN_REACHED = "no number of topics is enough, because the true difference reaches the margin"

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


def equal_groups(n_groups: ArrayLike, size_cv: float) -> Floats:
    """Return G / (1 + CV^2): as how many groups of equal size G groups of unequal size count; see `grouped`."""
    return np.asarray(np.asarray(n_groups, dtype=np.float64) / (1 + size_cv**2))


def fewest_topics(size_cv: float = 0.0) -> int:
    """Return the least n of a design; of groups of unequal size the least that count as two of equal size."""
    return math.ceil(FEWEST_TOPICS * (1 + size_cv**2))


def fewest_groups(
    meets: Callable[[Integers, Integers], Booleans], equal: ArrayLike, size_cv: float
) -> Integers:
    """Return the smallest number of groups of unequal size for each cell, sought from that of equal ones."""
    least = fewest_topics(size_cv)

    def enough(n: Integers, cells: Integers) -> Booleans:
        return np.asarray((n >= least) & meets(np.maximum(n, least), cells))

    # Groups of equal size are whole: their real number is half of one lower on average.
    real = np.ravel(np.asarray(equal, dtype=np.float64)) - 0.5
    return smallest_integers(enough, real * (1 + size_cv**2)).reshape(np.shape(equal))


def smallest_integers(
    meets: Callable[[Integers, Integers], Booleans],
    start: Floats,
) -> Integers:
    """Return, for each cell, the smallest n up to ten million that meets its requirement, sought from `start`."""
    inside = np.nan_to_num(start, nan=MOST_TOPICS, posinf=MOST_TOPICS, neginf=FEWEST_TOPICS)
    guess = np.clip(np.ceil(inside), FEWEST_TOPICS, MOST_TOPICS).astype(np.int64)
    fails, enough = _bracket(meets, guess)
    while True:
        open_cells = np.flatnonzero(enough - fails > 1)
        if not open_cells.size:
            return enough
        middle = (fails[open_cells] + enough[open_cells]) // 2
        met = meets(middle, open_cells)
        enough[open_cells[met]] = middle[met]
        fails[open_cells[~met]] = middle[~met]


def _bracket(meets: Callable[[Integers, Integers], Booleans], guess: Integers) -> tuple[Integers, Integers]:
    """Return `fails` < `enough` for each cell; `fails` is 1 where even two topics are enough."""
    all_cells = np.arange(guess.size, dtype=np.int64)
    met = meets(guess, all_cells)
    fails = np.where(met, FEWEST_TOPICS - 1, guess)
    enough = np.where(met, guess, MOST_TOPICS + 1)
    for cells, sign in ((all_cells[met], -1), (all_cells[~met], 1)):
        looking, step = cells, 1
        while looking.size:
            n = np.clip(guess[looking] + sign * step, FEWEST_TOPICS, MOST_TOPICS)
            met_now = meets(n, looking)
            enough[looking[met_now]] = n[met_now]
            fails[looking[~met_now]] = n[~met_now]
            if sign < 0:  # going down: done where n fails, or where even the fewest are enough
                looking = looking[met_now & (n > FEWEST_TOPICS)]
            else:
                if np.any(~met_now & (n == MOST_TOPICS)):
                    raise NoSolution(NONE_IS_ENOUGH)
                looking = looking[~met_now]
            step *= 2
    return fails, enough


def least_roots(
    excess: Callable[[Floats, Integers], Floats], start: Floats, limit: Floats, relative: float = 1e-14
) -> Floats:
    """Return where a rising function reaches 0, from 0 on, for each cell; infinite where `limit` is too low."""
    cells, low, high = np.arange(limit.size), np.zeros(limit.size), np.minimum(start, limit)
    while True:  # doubling, as functions of values far beyond the answer lose digits
        reached = excess(high, cells) >= 0
        short = ~reached & (high < limit)
        if not short.any():
            break
        high[short] = np.minimum(2 * high[short], limit[short])
    result = np.where(excess(low, cells) >= 0, 0.0, np.inf)
    crossed = np.flatnonzero(reached & (result > 0))
    result[crossed] = roots(
        lambda values, of: excess(values, crossed[of]), low[crossed], high[crossed], relative
    )
    return result


def roots(
    function: Callable[[Floats, Integers], Floats],
    low: Floats,
    high: Floats,
    relative: float,
    absolute: float = 0.0,
) -> Floats:
    """Return where a function changes its sign from `low` to `high`, for each cell."""
    # By the method of Chandrupatla (1997, doi:10.1016/S0965-9978(96)00051-8): an inverse parabola through the last
    # three points where they are close to one, else halving. SciPy's costs more to import than a design to answer.
    cells, result, share = np.arange(low.size), np.empty(low.size), np.full(low.size, 0.5)
    points = np.stack([low, high, high])  # the newest, the one across the root, and one before
    values = np.stack([function(low, cells), *[function(high, cells)] * 2])
    while cells.size:
        point = points[0] + share * (points[1] - points[0])
        value = function(point, cells)
        stays = np.sign(value) == np.sign(values[0])  # the point across the root is still across it
        points, values = (
            np.stack([new, np.where(stays, old[1], old[0]), np.where(stays, old[0], old[1])])
            for new, old in ((point, points), (value, values))
        )
        best = np.where(np.abs(values[0]) < np.abs(values[1]), points[0], points[1])
        width, tolerance = np.abs(points[1] - points[0]), relative * np.abs(best) + absolute
        is_open = (width >= tolerance) & (values[0] != 0) & (values[1] != 0)
        result[cells[~is_open]] = best[~is_open]
        cells, points, values = cells[is_open], points[:, is_open], values[:, is_open]
        (x, y, z), (f, g, h) = points, values
        with np.errstate(divide="ignore", invalid="ignore"):
            place, height = (x - y) / (z - y), (f - g) / (h - g)
            is_close = (1 - np.sqrt(1 - place) < height) & (height < np.sqrt(place))
            step = f / (f - g) * h / (h - g) - (z - x) / (y - x) * f / (h - f) * g / (g - h)
        margin = 0.5 * tolerance[is_open] / width[is_open]
        share = np.clip(np.where(is_close, step, 0.5), margin, 1 - margin)
    return result


def root_below(
    function: Callable[[float], float], target: float, *, low: float, high: float, absolute: float = 1e-13
) -> float:
    """Return where a falling function takes the target value: `roots` of one cell, and to the same bit."""

    # In plain numbers: arrays of one value take ten times as long, which is most of a plan with looks.
    def missing(at: float) -> float:
        return float(function(at) - target)

    share, x, y = 0.5, float(low), float(high)
    f, g = missing(x), missing(y)
    while True:
        point = x + share * (y - x)
        value = missing(point)
        if (value > 0) - (value < 0) == (f > 0) - (f < 0):
            x, y, z, f, g, h = point, y, x, value, g, f
        else:
            x, y, z, f, g, h = point, x, y, value, f, g
        best = x if abs(f) < abs(g) else y
        width, tolerance = abs(y - x), 1e-14 * abs(best) + absolute
        if width < tolerance or f == 0 or g == 0:
            return best
        try:
            place, height = (x - y) / (z - y), (f - g) / (h - g)
            is_close = 1 - math.sqrt(1 - place) < height < math.sqrt(place)
            step = (
                f / (f - g) * h / (h - g) - (z - x) / (y - x) * f / (h - f) * g / (g - h) if is_close else 0.5
            )
        except (ZeroDivisionError, ValueError):  # two points or two values are the same
            step = 0.5
        margin = 0.5 * tolerance / width
        share = min(max(step, margin), 1 - margin)
