"""How well does a model fit? Simulated scores against those as they are, and the densities of one run and topic.

A model that fits gives about the scores that are there on average; what it is off by is no noise of the
collection and does not go away with more trials.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from topicset_core.analyses.topic_variance.cells import Cells, Floats
from topicset_core.analyses.topic_variance.densities import bandwidth, densities
from topicset_core.analyses.topic_variance.estimate import Estimate
from topicset_core.analyses.topic_variance.settings import Bandwidth
from topicset_core.analyses.topic_variance.simulation import Simulation
from topicset_core.collection.run import Run
from topicset_core.errors import InputError

N_POINTS = 400
"""Points at which densities are drawn."""

_REACH = 3.5  # bandwidths drawn beyond the scores


def mean_absolute_shift(simulation: Simulation) -> Estimate:
    """Return the mean over topics and runs of |mean simulated score - score as it is|.

    Its standard error takes the signs of the differences for settled.
    """
    shifts = np.abs(simulation.cell_means - simulation.raw)
    n_trials = simulation.settings.n_trials
    error = None
    if n_trials > 1:
        error = math.sqrt(float(simulation.cell_variances.sum()) / n_trials) / shifts.size
    return Estimate(value=float(shifts.mean()), standard_error=error)


@dataclass(frozen=True, kw_only=True)
class RunShift:
    """A run, and its mean over trials less its mean as it is."""

    system: str
    shift: Estimate


def run_shifts(simulation: Simulation) -> tuple[RunShift, ...]:
    """Return all runs, the one that the model moves most first."""
    n_trials = simulation.settings.n_trials
    shifts = simulation.means.mean(axis=0) - simulation.raw_means
    errors: list[float | None] = [None] * shifts.size
    if n_trials > 1:
        errors = (simulation.means.std(axis=0, ddof=1) / math.sqrt(n_trials)).tolist()
    return tuple(
        RunShift(
            system=simulation.cells.systems[run],
            shift=Estimate(value=float(shifts[run]), standard_error=errors[run]),
        )
        for run in np.argsort(-np.abs(shifts), kind="stable").tolist()
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """Scores of relevant documents and of the others, and the densities that kde draws from.

    Parameters
    ----------
    system, topic : str
        Whose scores.
    relevant, others : ndarray
        The scores.
    at, relevant_density, others_density : ndarray, shape (N_POINTS,)
        Both densities, each with area 1; empty where there are none.
    above : float
        Share of pairs of a relevant document and another one in which the relevant one has the higher
        score; ties count half.
    above_by_densities : float or None
        The same of scores drawn from the densities; None where there are none.
    """

    system: str
    topic: str
    relevant: Floats = field(repr=False)
    others: Floats = field(repr=False)
    at: Floats = field(repr=False)
    relevant_density: Floats = field(repr=False)
    others_density: Floats = field(repr=False)
    above: float
    above_by_densities: float | None


def fit(cells: Cells, run: Run, topic: str, rule: Bandwidth) -> Fit:
    """Return the scores of a run on a topic with their densities.

    Parameters
    ----------
    cells : Cells
        Relevant documents.
    run : Run
        One of the runs, with its scores.
    topic : str
        One of the topics.
    rule : {"scott", "silverman"}
        The bandwidth.

    Raises
    ------
    InputError
        If the run has no scores, or on this topic no relevant document, or nothing else.
    """
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
        reach = _REACH * max(widths)
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
    found: Floats = np.exp(-0.5 * away**2).mean(axis=1) / (width * np.sqrt(2 * np.pi))
    return found
