"""How good is a given small set of topics, for example of a "nano" benchmark?

The subset is placed between the worst, the average and the best of its size by each measure of goodness, ranks
all runs next to all topics, and ranks random halves of the runs, next to random subsets and the one that a search
chooses on the other half. A subset that was chosen by the scores of these runs has an advantage here that it will
not have on others; `AuditRequest.runs` names the runs that it was not chosen by.

Means are compared as whole numbers, so that ties are exact. A pair of runs that ties on the subset counts as half
an error; one that ties over all topics has no order to reverse and is left out.
"""

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from topicset_core.analyses.topic_subsets import enumeration
from topicset_core.analyses.topic_subsets.by_measure import criterion_for
from topicset_core.analyses.topic_subsets.criterion import UNDEFINED, Criterion, Floats, random_subsets
from topicset_core.analyses.topic_subsets.curve import Subset, subset_curve
from topicset_core.analyses.topic_subsets.exact_sums import whole_numbers
from topicset_core.analyses.topic_subsets.goodness import MEASURES, Agreement, GoodnessMeasure, agreement_of
from topicset_core.analyses.topic_subsets.held_out.splits import (
    INTERVALS,
    RANKING,
    BothScores,
    Materials,
    Spread,
    in_words,
    materials_of,
    select_runs,
    split_number,
    split_tables,
    spread_of,
    stream,
)
from topicset_core.analyses.topic_subsets.request import N_RANDOM, AuditRequest, Request
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.exports.records import attributes, fields_of
from topicset_core.exports.tables import Row
from topicset_core.progress import ReportProgress, part, silently
from topicset_core.wording import listed

_SAME = 1e-12  # goodness that differs by less is the same: sums over topics in another order are rounded otherwise
_EFFORT = 1.0  # CPU seconds for the search of the best and the worst by each measure


@dataclass(frozen=True, kw_only=True)
class Place:
    """A subset among random subsets of its size, in units of the measure."""

    value: float | None  # its goodness, None where it has no correlation
    # Per cent of random subsets that are less good, those as good counted by half: uniform for a random subset
    percentile: float | None
    percentile_standard_error: float  # as random subsets are finitely many
    average: float | None  # mean goodness of the random subsets, None if no subset has a correlation
    average_standard_error: float
    # Random subsets with a correlation and without
    n_compared: int
    n_undefined: int
    all_subsets: bool  # whether all subsets were evaluated, because there are few


@dataclass(frozen=True, kw_only=True)
class AuditedGoodness(Place):
    """The subset by one measure, on all runs and on halves of them."""

    measure: GoodnessMeasure  # how it is evaluated
    # The best and worst found of its size, with their status
    best: Subset | None
    worst: Subset | None
    held_out: Spread | None  # of the subset on a random half of the runs
    held_out_average: Spread | None  # of random subsets of its size there
    # Of the subset of its size there that a search finds best on the other half
    held_out_chosen: Spread | None
    # Of the halves, those on which the subset is better than random ones on average, and than the one chosen
    # on the other half
    share_above_average: float | None
    share_above_chosen: float | None

    def record(self) -> dict[str, Any]:
        """Return the place for a record; bounds are in the record of the curve."""
        ends = {"best": self.best, "worst": self.worst}
        without_bounds = {name: subset and fields_of(subset, "bound") for name, subset in ends.items()}
        return fields_of(self, "measure") | without_bounds


FIRST = 10
"""Runs at the top that are evaluated together."""

_N_DRAWN = 10
"""Random subsets per split; over a hundred splits they are a thousand."""


@dataclass(frozen=True, kw_only=True)
class Ranking(Agreement):
    """The ranking of all runs by a subset."""

    largest_reversal: Row | None  # the reversed pair with the largest difference over all topics
    # The best run over all topics, and on the subset
    top: tuple[str, ...]
    top_on_subset: tuple[str, ...]
    top_kept: bool  # whether a best run over all topics is best on the subset, too
    # How many runs are the first ten over all topics, and how many of them are on the subset
    n_first: int
    n_first_kept: int
    changes: tuple[Row, ...]  # all runs, the largest change first

    def record(self) -> dict[str, Any]:
        """Return the ranking for a record."""
        return fields_of(self, "kendall", "changes") | {"runs": self.changes}


@dataclass(frozen=True, kw_only=True)
class HalfRankings:
    """How halves of the runs are ranked, over splits."""

    share_reversed: Spread | None  # `Agreement.share_reversed`
    largest_change: Spread | None  # ranks that the run that changes most gains or loses
    top_kept: float  # share of the halves of which a best run stays best


@dataclass(frozen=True, kw_only=True)
class SubsetAudit:
    """All that is found about one subset."""

    matrix: ScoreMatrix
    topics: tuple[str, ...]  # the subset, in the order of the matrix
    request: AuditRequest
    n_units: int  # units of similar runs kept together
    half_sizes: tuple[int, int]  # fewest and most runs in the halves evaluated on
    goodness: tuple[AuditedGoodness, ...]  # by each measure
    ranking: Ranking  # of all runs
    halves: HalfRankings  # of random halves of the runs by the subset, and by random subsets of its size
    random_halves: HalfRankings

    @property
    def cardinality(self) -> int:
        """Topics in the subset."""
        return len(self.topics)

    @property
    def n_topics(self) -> int:
        """Topics in all."""
        return self.matrix.n_topics

    @property
    def n_systems(self) -> int:
        """Runs that evaluate."""
        return len(self.ranking.changes)

    @property
    def scores(self) -> str:
        """Measure and name of the scores."""
        return in_words(self.matrix)

    @property
    def left_out(self) -> list[str]:
        """Runs that do not evaluate."""
        used = set(self.request.runs or self.matrix.systems)
        return [run for run in self.matrix.systems if run not in used]

    @property
    def shown(self) -> AuditedGoodness:
        """The result by the measure of the headline."""
        return self.by(self.request.goodness)

    def by(self, key: str) -> AuditedGoodness:
        """Return the result by a measure, given its key."""
        return next(place for place in self.goodness if place.measure.key == key)

    def record(self) -> dict[str, Any]:
        """Return the audit for a record."""
        return {
            **attributes(self, "topics cardinality n_topics n_systems n_units scores"),
            "n_trials_of_a_split": int(N_RANDOM.default),
            "intervals": INTERVALS,
            "half_sizes": dict(zip(("fewest", "most"), self.half_sizes, strict=True)),
            "goodness": {place.measure.key: place for place in self.goodness},
            **attributes(self, "ranking halves random_halves"),
        }


def audit_subset(
    matrix: ScoreMatrix,
    request: AuditRequest,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> SubsetAudit:
    """Audit a subset of topics."""
    places = _places("topics", request.topics, matrix.topics)
    if len(places) == matrix.n_topics:
        rule = "must leave out at least one topic: all topics together agree perfectly with themselves"
        raise InputError("topics", len(places), rule)
    whole = matrix
    if request.runs is not None:
        columns = _places("runs", request.runs, matrix.systems)
        matrix = select_runs(matrix, [matrix.systems[column] for column in columns])
    materials = materials_of(BothScores(matrix), request.on_halves(MEASURES[0].key), given=places)
    results = []
    for number, measure in enumerate(MEASURES):
        progress = part(report_progress, number / len(MEASURES), 1 / len(MEASURES))
        results.append(_audited(matrix, places, measure, request, progress, executor))
    halves, random_halves = half_rankings(materials, places)
    sizes = [len(split_number(materials, number).evaluated_on) for number in range(request.n_splits)]
    return SubsetAudit(
        matrix=whole,
        topics=tuple(matrix.topics[place] for place in places),
        request=request,
        n_units=len(set(materials.units)),
        half_sizes=(min(sizes), max(sizes)),
        goodness=tuple(results),
        ranking=ranking_of(matrix, places),
        halves=halves,
        random_halves=random_halves,
    )


def _audited(
    matrix: ScoreMatrix,
    places: tuple[int, ...],
    measure: GoodnessMeasure,
    request: AuditRequest,
    report: ReportProgress,
    executor: Executor | None,
) -> AuditedGoodness:
    """Return the place of the subset by one measure, on all runs and on halves of them."""
    size, shared = (len(places),), attributes(request, "n_trials seed")
    searched = Request(goodness=measure.key, cardinalities=size, method="local", effort=_EFFORT, **shared)
    criterion = criterion_for(matrix, measure.key)
    place = placed(
        criterion,
        places,
        **shared,
        measure=measure,
        report_progress=part(report, 0.0, 0.1),
        executor=executor,
    )
    curve = subset_curve(matrix, searched, report_progress=part(report, 0.1, 0.2), executor=executor)
    point = curve.points[0]
    materials = materials_of(BothScores(matrix), request.on_halves(measure.key), given=places)
    table = split_tables(materials, size, part(report, 0.3, 0.7), executor)[:, 0]
    chosen, average, given = table[:, 0], table[:, 4], table[:, 6]
    return AuditedGoodness(
        measure=measure,
        **vars(place),
        best=point.best,
        worst=point.worst,
        held_out=spread_of(given, measure.sign),
        held_out_average=spread_of(average, measure.sign),
        held_out_chosen=spread_of(chosen, measure.sign),
        share_above_average=_share_above(given, average),
        share_above_chosen=_share_above(given, chosen),
    )


def _share_above(given: Floats, other: Floats) -> float | None:
    """Return how often the first is more, a tie by half, where both exist."""
    difference = given - other
    defined = difference[~np.isnan(difference)]
    if not defined.size:
        return None
    return float(np.mean(np.where(np.abs(defined) <= _SAME, 0.5, defined > 0)))


def _places(parameter: str, names: Sequence[str], known: Sequence[str]) -> tuple[int, ...]:
    """Return names as ascending places."""
    place_of = {name: place for place, name in enumerate(known)}
    unknown = tuple(name for name in names if name not in place_of)
    if unknown:
        rule = f"must be {parameter} of the scores; not so {listed(unknown)}"
        raise InputError(parameter, unknown[0], rule)
    repeated = next((name for name in names if list(names).count(name) > 1), None)
    if repeated is not None:
        raise InputError(parameter, repeated, "must be named once each; this one is repeated")
    return tuple(sorted(place_of[name] for name in names))


def placed(
    criterion: Criterion,
    topics: Sequence[int],
    n_trials: int,
    seed: int,
    measure: GoodnessMeasure,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> Place:
    """Return the place of a subset."""
    size = len(topics)
    everything = enumeration.are_few(criterion.n_topics, size, n_trials)
    tasks = enumeration.walk_tasks(criterion, (size,), n_trials)
    walk = partial(enumeration.walk, criterion, seed, n_trials)
    work = in_batches(walk, tasks, [1.0] * len(tasks), report_progress, executor)
    values = np.concatenate([values[:, 0] for _, values in work])
    summary = enumeration.summarised(values, exact=everything)
    value = criterion.value(topics)
    percentile, error = (
        (None, 0.0) if value is None else percentile_of(value, values[values > UNDEFINED], exact=everything)
    )
    return Place(
        value=measure.in_units(value),
        percentile=percentile,
        percentile_standard_error=error,
        average=measure.in_units(summary.mean),
        average_standard_error=summary.standard_error,
        n_compared=summary.n_averaged,
        n_undefined=summary.n_undefined,
        all_subsets=everything,
    )


def percentile_of(value: float, values: Floats, *, exact: bool) -> tuple[float | None, float]:
    """Return the percentile of a value among others, ties by half, and its standard error sqrt(p (1 - p) / n)."""
    n = values.size
    if n == 0:
        return None, 0.0
    below = int(np.count_nonzero(values < value - _SAME))
    above = int(np.count_nonzero(values > value + _SAME))
    share = (below + (n - below - above) / 2) / n
    if exact:
        return 100 * share, 0.0
    # One success and one failure more, so that it is not 0 at either end.
    towards = (share * n + 1) / (n + 2)
    return 100 * share, 100 * math.sqrt(towards * (1 - towards) / n)


def ranking_of(matrix: ScoreMatrix, topics: Sequence[int]) -> Ranking:
    """Return how a subset, given as places of topics, ranks the runs of a matrix."""
    places = list(topics)
    whole = whole_numbers(matrix.scores)
    everything, subset = whole.sum(axis=0), whole[places].sum(axis=0)
    means_all, means_subset = matrix.scores.mean(axis=0), matrix.scores[places].mean(axis=0)
    ranks_all, ranks_subset = ranks(everything), ranks(subset)  # from 1 for the best
    changes: list[Row] = [
        {
            "run": system,
            "mean_all": float(means_all[place]),
            "mean_subset": float(means_subset[place]),
            "rank_all": float(ranks_all[place]),
            "rank_subset": float(ranks_subset[place]),
            "change": float(ranks_subset[place] - ranks_all[place]),  # below 0 for a run that gains
        }
        for place, system in enumerate(matrix.systems)
    ]
    top, top_on_subset = (np.flatnonzero(sums == sums.max()).tolist() for sums in (everything, subset))
    # Ties at the edge of the first ten: as many as share its place.
    is_first, is_first_on_subset = (
        sums >= np.sort(sums)[::-1][min(FIRST, matrix.n_systems) - 1] for sums in (everything, subset)
    )
    return Ranking(
        **vars(agreement_of(everything, subset)),
        largest_reversal=_largest_reversal(matrix, everything, subset, means_all, means_subset),
        top=tuple(matrix.systems[place] for place in top),
        top_on_subset=tuple(matrix.systems[place] for place in top_on_subset),
        top_kept=bool(set(top) & set(top_on_subset)),
        n_first=int(np.count_nonzero(is_first)),
        n_first_kept=int(np.count_nonzero(is_first & is_first_on_subset)),
        changes=tuple(sorted(changes, key=lambda row: (-abs(row["change"]), row["rank_all"], row["run"]))),
    )


def ranks(sums: Floats) -> Floats:
    """Return ranks from 1 for the highest; tied values share their mean."""
    higher = (sums[None, :] > sums[:, None]).sum(axis=1)
    same = (sums[None, :] == sums[:, None]).sum(axis=1)
    return np.asarray(higher + (same + 1) / 2)


def _largest_reversal(
    matrix: ScoreMatrix, everything: Floats, subset: Floats, means: Floats, on_subset: Floats
) -> Row | None:
    """Return the reversed pair with the largest difference of whole scores over all topics."""
    right, seen = (np.subtract.outer(sums, sums) for sums in (everything, subset))
    weights = np.triu(np.where(right * seen < 0, np.abs(right), 0.0))
    better, worse = divmod(int(weights.argmax()), matrix.n_systems)
    if weights[better, worse] == 0:
        return None
    if right[better, worse] < 0:
        better, worse = worse, better
    return {
        "better": matrix.systems[better],  # over all topics
        "worse": matrix.systems[worse],
        "difference": float(means[better] - means[worse]),  # above 0
        "difference_on_subset": float(on_subset[better] - on_subset[worse]),  # below 0
    }


def half_rankings(materials: Materials, topics: Sequence[int]) -> tuple[HalfRankings, HalfRankings]:
    """Return how the halves that are held out are ranked by a subset, and by random ones."""
    request, whole = materials.request, whole_numbers(materials.evaluating)
    n_topics, size = len(whole), len(topics)
    given, drawn = np.zeros((request.n_splits, 3)), np.zeros((request.n_splits, 3))
    for number in range(request.n_splits):
        scores = whole[:, split_number(materials, number).evaluated_on]
        given[number] = _errors(scores, scores[list(topics)].sum(axis=0))
        rng = stream(request.seed, request.hold_out, number, RANKING)
        orders = random_subsets(rng, n_topics, size, _N_DRAWN)
        drawn[number] = np.mean([_errors(scores, scores[order].sum(axis=0)) for order in orders], axis=0)
    return _summary(given), _summary(drawn)


def _errors(scores: Floats, subset: Floats) -> tuple[float, float, float]:
    """Return the share of pairs reversed, the largest change of rank, and whether a best run stays best."""
    everything = scores.sum(axis=0)
    change = np.abs(ranks(subset) - ranks(everything)).max()
    kept = np.any((subset == subset.max()) & (everything == everything.max()))
    return agreement_of(everything, subset).share_reversed, float(change), float(kept)


def _summary(errors: Floats) -> HalfRankings:
    return HalfRankings(
        share_reversed=spread_of(errors[:, 0]),
        largest_change=spread_of(errors[:, 1]),
        top_kept=float(errors[:, 2].mean()),
    )
