"""What a similar task tells about some systems of a new collection, and the caution on unusual variances."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple
from unittest import mock

import numpy as np

from tests.reference_data import reference_matrix
from tests.statements.shapes import Scores, matrix_of, sample
from tests.statements.statement import Cell, Statement
from tests.variance.atlas_scores import atlas_scores, rows_with_scores
from topicset_core.analyses.planning import Planned, PlanRequest, Similar, planned
from topicset_core.analyses.score_variance.uncertainty import rankings
from topicset_core.designs import blocked_anova, one_way_anova
from topicset_core.parameters import CERTAINTY, RESIDUAL_VARIANCE
from topicset_core.variance import atlas as module
from topicset_core.variance.atlas import (
    CAUTION_NOTE,
    CAUTION_SHARES,
    WITHIN,
    WITHIN_HOLDS,
    Runs,
    TaskVariance,
    atlas,
    is_shallow,
    similar_task,
)
from topicset_core.variance.intervals import (
    COVERS_SIMILAR,
    DEFAULT_LEVEL,
    HOLDS_SIMILAR,
    chi_square_interval,
    coverage_of_similar,
)

DESIGNS = {"one_way": one_way_anova.DESIGN, "two_way": blocked_anova.DESIGN}
_TOP_HALF = "_top_half"
_OLDER_TOPICS = {
    "TREC-6 ad hoc": range(301, 351),
    "TREC-7 ad hoc": range(351, 401),
    "TREC-8 ad hoc": range(401, 451),
}


@contextmanager
def _left_out(row: TaskVariance) -> Iterator[None]:
    """Leave a collection out of the atlas."""
    others = tuple(one for one in atlas() if one.task != row.task)
    with mock.patch.object(module, "atlas", return_value=others):
        yield


def _stronger(scores: Scores) -> Scores:
    """Return the runs from the median mean upwards."""
    means = scores.mean(axis=0)
    return scores[:, means >= np.median(means)]


def _variances_of_systems(scores: Scores, kind: str) -> Scores:
    """Return a square array whose mean over any m systems is their variance: over all, or over their pairs."""
    covariance = np.cov(scores.T)
    within = np.diag(covariance)
    if kind == "one_way":
        return np.diag(within)
    half: Scores = (within[:, None] + within[None]) / 2 - covariance
    return half


class _Case(NamedTuple):
    """A collection that was left out: what is planned by the others, and the variances of its systems."""

    plan: Planned
    parts: tuple[Scores, ...]  # as `_variances_of_systems`, of its scores or of those of its sisters


def _plan(row: TaskVariance, kind: str, runs: Runs, m: int) -> Planned:
    design = DESIGNS[kind]
    values = {one.name: one.default for one in design.parameters} | {"n_systems": m, "min_d": 0.1}
    source = Similar(name=f"{row.family}:{row.measure}", runs=runs)
    with _left_out(row):
        return planned(PlanRequest(design=design, values=values), source)


def _mean(part: Scores, kind: str) -> float:
    m = len(part)
    return float(part.sum() / (m if kind == "one_way" else m * (m - 1)))


def _part(scores: Scores, kind: str, runs: Runs) -> Scores:
    scores = np.unique(scores, axis=1)  # no run twice
    return _variances_of_systems(_stronger(scores) if runs == "stronger-half" else scores, kind)


def _cases(families: Sequence[str], depth: str, kind: str, runs: Runs, m: int) -> list[_Case]:
    """Return a case per collection; without scores of its own it has those of its family, of its own variance."""
    scored = [one for one in rows_with_scores() if one.family in families]
    sisters: dict[tuple[str, str], int] = {}
    for row in atlas():
        sisters[row.family, row.measure] = sisters.get((row.family, row.measure), 0) + 1
    result = []
    for row in atlas():
        if row.family not in families or is_shallow(row.measure) != (depth == "shallow"):
            continue
        if sisters[row.family, row.measure] < 3:
            continue
        own = [one for one in scored if (one.task, one.measure) == (row.task, row.measure)]
        alike = [one for one in scored if one.family == row.family]
        of_measure = [one for one in alike if one.measure == row.measure]
        of_class = [one for one in alike if is_shallow(one.measure) == is_shallow(row.measure)]
        parts = [_part(atlas_scores(one), kind, runs) for one in own or of_measure or of_class]
        value = getattr(row, kind + _TOP_HALF * (runs == "stronger-half"))
        parts = [part * (value / _mean(part, kind)) for part in parts]
        result.append(_Case(_plan(row, kind, runs, m), tuple(parts)))
    return result


def _older_topics(kind: str, runs: Runs, m: int) -> list[_Case]:
    """Return P@10 of the runs of Robust 2004 on topics of earlier years, which the atlas has with other runs."""
    matrix = reference_matrix("robust2004_p10")
    place = {topic: at for at, topic in enumerate(matrix.topics)}
    result = []
    for task, topics in _OLDER_TOPICS.items():
        (row,) = [one for one in atlas() if (one.task, one.measure) == (task, "P@10")]
        scores = matrix.scores[[place[str(topic)] for topic in topics]]
        result.append(_Case(_plan(row, kind, runs, m), (_part(scores, kind, runs),)))
    return result


def _drawn(cases: Sequence[_Case], kind: str, m: int, rng: np.random.Generator) -> tuple[Planned, float]:
    """Return the plan for a collection drawn at random, and the variance of m of its runs."""
    case = cases[int(rng.integers(len(cases)))]
    part = case.parts[int(rng.integers(len(case.parts)))]
    chosen = rng.choice(len(part), min(m, len(part)), replace=False)
    return case.plan, _mean(part[np.ix_(chosen, chosen)], kind)


class _Setting(NamedTuple):
    cases: list[_Case]
    kind: str
    m: int


def _setting(families: Sequence[str], depth: str, kind: str, runs: Runs, m: int) -> _Setting:
    if depth == "older topics":
        return _Setting(_older_topics(kind, runs, m), kind, m)
    return _Setting(_cases(families, depth, kind, runs, m), kind, m)


def _is_within(setting: _Setting, rng: np.random.Generator) -> float:
    plan, variance = _drawn(*setting, rng)
    similar = plan.variance.similar if plan.variance is not None else None
    if similar is None:
        return math.nan
    return float(1 / similar.factor <= variance / similar.median <= similar.factor)


def _is_covered(setting: _Setting, rng: np.random.Generator) -> float:
    """Return whether the topics that the true variance asks for are in the interval of the plan."""
    plan, variance = _drawn(*setting, rng)
    if plan.uncertain is None:
        return math.nan
    low, high = plan.uncertain.topics_interval
    needed = plan.plan.topics_of(variance)
    if low is None or high is None or needed is None:
        return math.nan
    return float(low <= needed <= high)


def _is_certain(setting: _Setting, rng: np.random.Generator) -> float:
    plan, variance = _drawn(*setting, rng)
    needed = plan.plan.topics_of(variance)
    enough = None if plan.assured is None else plan.assured.topics_for_certainty
    return math.nan if needed is None or enough is None else float(needed <= enough)


_FAMILIES = {"dl-passage": "TREC Deep Learning", "web": "TREC Web", "news": "newswire"}
_DEPTHS = {"shallow": "first 20 ranks", "deep": "deeper measures"}
_RUNS: dict[Runs, str] = {"all": "random runs", "stronger-half": "of the stronger half"}


def _settings() -> list[Cell]:
    cells = []

    def add(what: str, families: Sequence[str], depth: str, kind: str, runs: Runs, m: int) -> None:
        name = f"{kind.replace('_', '-')}, {what}, {m} {_RUNS[runs]}"
        is_small = (what, kind, runs, m) == ("newswire, first 20 ranks", "two_way", "all", 10)
        population = partial(_setting, families, depth, kind, runs, m)
        cells.append(Cell(name=name, population=population, small=is_small))

    for runs in _RUNS:
        for depth, measures in _DEPTHS.items():
            for family, words in _FAMILIES.items():
                add(f"{words}, {measures}", [family], depth, "two_way", runs, 10)
            for m in (2, 3, 5, 20):
                add(measures, list(_FAMILIES), depth, "two_way", runs, m)
            for m in (2, 3, 10):
                add(measures, list(_FAMILIES), depth, "one_way", runs, m)
        for m in (3, 10):
            add("P@10, Robust 2004 on older topics", [], "older topics", "two_way", runs, m)
    return cells


_LEFT_OUT = (
    "A trial takes a collection of the atlas at random, leaves it out, and draws m of its runs without "
    "replacement. Where its scores are not at hand, the runs are those of collections of the same family, with all "
    "variances in proportion. The worth of similar tasks was measured on the same rows and matrices, with all "
    "collections; Robust 2004 on older topics is not in the atlas. Cells have 3 to 54 collections, which share "
    "years and runs: their choice is a larger error than the standard error of the trials. "
)


# The caution


class _Pilots(NamedTuple):
    row: TaskVariance
    scores: Scores
    n_topics: int


def _pilots(row: TaskVariance, n_topics: int, *, strong: bool) -> _Pilots:
    scores = np.unique(atlas_scores(row), axis=1)
    return _Pilots(row, _stronger(scores) if strong else scores, n_topics)


def _is_cautioned(pilots: _Pilots, rng: np.random.Generator) -> float:
    runs = rng.choice(pilots.scores.shape[1], 10, replace=False)
    scores = sample(pilots.scores[:, runs], pilots.n_topics, rng)
    with _left_out(pilots.row):
        (ranking,) = rankings([matrix_of(scores, pilots.row.measure)])
    return float(bool(ranking.caution))


def _ordinary() -> list[Cell]:
    cells = []
    for row in rows_with_scores():
        if row.family in ("dl-passage-grade2", "million-query"):
            continue  # of one collection: nothing is left to compare with
        for strong, words in ((False, "10 random runs"), (True, "10 runs of the stronger half")):
            if row.task == "DL 2019 passages" and row.measure == "RR" and strong:
                continue  # these are near their ceiling: their mean is .958
            for n in (10, 25, 50):
                name = f"{row.task}, {row.measure}, {words}, {n} topics"
                is_small = (row.task, row.measure, n) == ("DL 2019 passages", "nDCG@10", 25)
                cells.append(
                    Cell(name=name, population=partial(_pilots, row, n, strong=strong), small=is_small)
                )
    return cells


_TASK = similar_task("dl-passage:nDCG@10", RESIDUAL_VARIANCE, n_systems=10)
_INTERVAL = coverage_of_similar(chi_square_interval(_TASK.median, _TASK.effective_df))
_CERTAIN = "with 80 % certainty ({} to {} % in simulation)".format(*HOLDS_SIMILAR)
_WHERE = ("design pages", "topicset size --similar-to", "topicset.size")

STATEMENTS = (
    Statement(
        key="similar-task-factor",
        title="Variance of systems of a collection like known ones",
        text=_TASK.within,
        where=_WHERE,
        test=f"{_LEFT_OUT}It counts variances within the stated factor of the median of the other collections.",
        quantity="share",
        stated=(WITHIN_HOLDS[0] / 100, WITHIN_HOLDS[1] / 100),
        nominal=WITHIN,
        cells=tuple(_settings()),
        trial=_is_within,
        trials=1000,
        few=100,
    ),
    Statement(
        key="similar-task-interval",
        title="Interval of the topics from a similar task",
        text=_INTERVAL.sentence,
        where=_WHERE,
        test=f"{_LEFT_OUT}It counts intervals that hold the topics which the variance of the m runs asks for.",
        quantity="coverage",
        stated=(COVERS_SIMILAR[0] / 100, COVERS_SIMILAR[1] / 100),
        nominal=DEFAULT_LEVEL,
        cells=tuple(_settings()),
        trial=_is_covered,
        trials=1000,
        few=100,
    ),
    Statement(
        key="similar-task-certainty",
        title="Topics for a certainty from a similar task",
        text=_CERTAIN,
        where=_WHERE,
        test=f"{_LEFT_OUT}It counts plans for 80 % certainty that are enough for the variance of the m runs.",
        quantity="share",
        stated=(HOLDS_SIMILAR[0] / 100, HOLDS_SIMILAR[1] / 100),
        nominal=CERTAINTY.default,
        cells=tuple(_settings()),
        trial=_is_certain,
        trials=1000,
        few=100,
    ),
    Statement(
        key="variance-caution",
        title="Caution on a variance unlike that of public collections",
        text=CAUTION_NOTE,
        where=("design pages", "topicset judge"),
        test=(
            "A trial draws 10 runs without replacement and topics with replacement from a collection of the atlas, "
            "and compares the pilot with the other collections. It counts pilots that get the caution. "
            "Left out are RR of the stronger half of DL 2019, which is near its ceiling (mean .958) and gets the "
            "caution in 7, 49 and 98 % of pilots of 10, 25 and 50 topics, and Million Query, which has no sister."
        ),
        quantity="share with the caution",
        stated=(CAUTION_SHARES[0] / 100, CAUTION_SHARES[1] / 100),
        cells=tuple(_ordinary()),
        trial=_is_cautioned,
        trials=300,
        few=60,
    ),
)
