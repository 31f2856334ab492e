"""Which runs are variants of one system: the units of an analysis that asks about other runs.

Halves of the runs confirm each other if they share variants of one system, so the runs of a unit stay in one half
and are shuffled together. Units are groups of runs, joined by average linkage (Sokal and Michener 1958) while the
mean correlation of their residuals exceeds `CUT`. A residual is a score less the means of its topic and its run.
Linkage starts from teams, known by the names of their runs, and from runs that only differ by a constant.

On simulated exchangeable topics, lists of reliably good topics keep their error rate with this cut where runs of
a team correlate by .5 or more; with a cut of .5 they keep it from .65. Independent runs stay apart unless some 80 %
of the runs are variants of one system: topic means contain the share p of its residual, so that residuals of other
runs correlate by p^2 / (1 + p^2). With few topics some correlate by chance.

References
----------
R. R. Sokal, C. D. Michener. A statistical method for evaluating systematic relationships. University of Kansas
Science Bulletin 38 (1958), 1409-1438.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.score_matrix import ScoreMatrix

CUT = 0.4
"""Mean correlation of residuals above which two groups of runs are one unit."""

_DUPLICATES = 1 - 1e-9  # correlation of runs that differ by a constant: together whatever their names
_ROUNDING = 1e-12  # length of a residual next to its scores that is none

_FEWEST_TEAMS = 4  # in names: all runs of a track may begin alike
_SEPARATOR = re.compile(r"[-_.:/ ]")
_LETTERS_IN_COMMON = 3  # that make two runs one team's without a separator


def units_of(matrix: ScoreMatrix) -> tuple[int, ...]:
    """Return the unit of each run: variants of one system have the same number."""
    if matrix.n_systems == 1:
        return (0,)
    from scipy.cluster.hierarchy import average, fcluster
    from scipy.sparse.csgraph import connected_components

    correlations = _residual_correlations(matrix.scores)
    together = correlations > _DUPLICATES
    teams = teams_in_names(matrix.systems)
    if teams is not None:
        together |= np.equal.outer(teams, teams)
    _, groups = connected_components(together)
    distances = np.where(np.equal.outer(groups, groups), 0.0, np.clip(1 - correlations, 0, 2))
    links = average(distances[np.triu_indices(matrix.n_systems, k=1)])
    units = fcluster(links, 1 - CUT, criterion="distance").tolist()
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units))}
    return tuple(numbers[unit] for unit in units)


def _residual_correlations(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the correlations of residuals, (n_systems, n_systems); runs without residuals are equal."""
    rows, columns = scores.mean(axis=1, keepdims=True), scores.mean(axis=0, keepdims=True)
    residuals = scores - rows - columns + scores.mean()
    lengths = np.linalg.norm(residuals, axis=0)
    none = lengths <= _ROUNDING * np.linalg.norm(scores)
    units = np.where(none, 0.0, residuals / np.where(none, 1.0, lengths))
    return np.where(np.logical_and.outer(none, none), 1.0, units.T @ units)


def teams_in_names(systems: Sequence[str]) -> tuple[str, ...] | None:
    """Return the team of each run as guessed from names; None if there are too few, or one has most runs."""
    teams = guessed_teams(systems)
    counts = Counter(teams)
    is_reliable = _FEWEST_TEAMS <= len(counts) < len(teams) and 2 * max(counts.values()) <= len(teams)
    return teams if is_reliable else None


def guessed_teams(systems: Sequence[str]) -> tuple[str, ...]:
    """Guess teams by names before a separator, or by their first three letters, where two runs share these."""
    heads = [_SEPARATOR.split(system, maxsplit=1)[0] for system in systems]
    starts = [head[:_LETTERS_IN_COMMON].lower() for head in heads]
    teams = []
    for head, start, system in zip(heads, starts, systems, strict=True):
        if head != system and heads.count(head) > 1:
            teams.append(head)
        elif starts.count(start) > 1:
            alike = [h for h, s in zip(heads, starts, strict=True) if s == start]
            letters = zip(*(name.lower() for name in alike), strict=False)
            n_common = sum(1 for _ in takewhile(lambda each: len(set(each)) == 1, letters))
            teams.append(alike[0][:n_common])
        else:
            teams.append(system)
    return tuple(teams)


def kept_together(n_units: int, n_systems: int, within: str = " ({})") -> str:
    """Return " (25 units of similar runs kept together)"; "" where each run is a unit."""
    if n_units in (0, n_systems):
        return ""
    return within.format(f"{n_units:,} units of similar runs kept together")
