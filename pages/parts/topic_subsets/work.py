"""The long work of the topic subsets page, its preview, and what is kept of both."""

from dataclasses import replace
from typing import Any

from pages.parts.computation import Computation, kept, threads
from pages.parts.topic_subsets.form import PAGE, Settings
from topicset_core.analyses.topic_subsets import sampling
from topicset_core.analyses.topic_subsets.comparisons import (
    AcrossMeasures,
    across_measures,
)
from topicset_core.analyses.topic_subsets.curve import (
    SubsetCurve,
    criterion_for,
    seconds_of,
    subset_curve,
)
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve
from topicset_core.analyses.topic_subsets.request import (
    PARAMETERS,
    PREVIEW_SECONDS,
    Method,
    Request,
    default_cardinalities,
    preview_cardinalities,
)
from topicset_core.analyses.topic_subsets.stepwise import MOST_SWAPPED
from topicset_core.analyses.topic_subsets.topic_counts import (
    TopicTable,
    topic_table,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.execution.sizes import log_spaced
from topicset_core.parameters import SEED

_QUICK_TRIALS = 300
_MOST_PREVIEWED = 1_000_000  # scores
_STARTS = 6  # of a size in a preview, about: from either end, and random ones, for the best and the worst

Key = tuple[str, Request]
SEARCH: Computation[SubsetCurve] = Computation(PAGE)
HEADLINE: Computation[HeldOutCurve | None] = Computation(f"{PAGE}-headline")
COMPARED: Computation[AcrossMeasures] = Computation(f"{PAGE}-compared")
GUIVER: Computation[SubsetCurve] = Computation(f"{PAGE}-guiver")


def request_of(settings: Settings, method: Method | None = None) -> Request:
    """Return the whole question."""
    numbers: dict[str, Any] = {parameter.name: settings.values[parameter.name] for parameter in PARAMETERS}
    return Request(
        goodness=settings.measure.key,
        cardinalities=default_cardinalities(settings.matrix.n_topics, always=(settings.cardinality,)),
        method=method or settings.method,
        **numbers,
    )


def preview(settings: Settings) -> SubsetCurve | None:
    """Return a preview that takes a few tenths of a second; None if even that takes too long."""
    sizes = _preview_sizes(key_of(settings), settings.cardinality, _matrix=settings.matrix)
    if sizes is None and _is_large_but_quick(settings):
        sizes = tuple(sorted({*log_spaced(settings.matrix.n_topics, 2.0), settings.cardinality}))
    if sizes is None:
        return None
    request = Request(
        goodness=settings.measure.key,
        cardinalities=sizes,
        method="local",
        n_trials=_QUICK_TRIALS,
        seed=int(settings.values[SEED.name]),
        effort=PREVIEW_SECONDS / 4,
    )
    return _quick((settings.matrix.digest, request), settings.matrix.name, _matrix=settings.matrix)


@kept(20)
def _preview_sizes(key: Key, cardinality: int, *, _matrix: ScoreMatrix) -> tuple[int, ...] | None:
    criterion = criterion_for(_matrix, key[1].goodness)
    return preview_cardinalities(
        lambda size: _STARTS * criterion.seconds_per_start(size), _matrix.n_topics, cardinality
    )


def seconds_of_search(settings: Settings) -> float:
    """Return about how many CPU seconds the whole search takes."""
    return _seconds_of(key_of(settings), _matrix=settings.matrix)


@kept(20)
def _seconds_of(key: Key, *, _matrix: ScoreMatrix) -> float:
    return seconds_of(_matrix, key[1])


def _is_large_but_quick(settings: Settings) -> bool:
    """Return whether sizes share the steps of a search, as with many topics: 7,000 x 100 take 2 CPU seconds."""
    n_scores = settings.matrix.n_topics * settings.matrix.n_systems
    is_stepwise = settings.matrix.n_topics > MOST_SWAPPED and settings.measure.key == "pearson"
    return is_stepwise and n_scores <= _MOST_PREVIEWED


def start(settings: Settings) -> None:
    """Begin the whole analysis; called by its button."""
    matrix, key = settings.matrix, key_of(settings)
    SEARCH.start(
        key,
        f"Subsets of {len(key[1].cardinalities):,} sizes",
        lambda run: subset_curve(
            matrix,
            key[1],
            report_progress=run.report_progress,
            executor=run.executor,
            show_partial=run.show_partial,
        ),
    )


def key_of(settings: Settings, method: Method | None = None) -> Key:
    """Return the key of a question."""
    return settings.matrix.digest, request_of(settings, method)


def complete_preview(settings: Settings, first: SubsetCurve | None) -> SubsetCurve | None:
    """Return the preview as the full result if nothing in it was searched for or drawn at random."""
    if first is None or settings.method not in ("auto", "exact", "exhaustive"):
        return None
    request, n = request_of(settings), settings.matrix.n_topics
    certain = request.cardinalities == first.cardinalities and all(
        sampling.are_few(n, point.cardinality, _QUICK_TRIALS)
        and all(one is None or one.status == "exhaustive" for one in (point.best, point.worst))
        for point in first.points
    )
    return replace(first, n_trials=request.n_trials) if certain else None


def table_of(settings: Settings, curve: SubsetCurve) -> TopicTable:
    """Return how often topics are in good and bad subsets of the nearest size that was evaluated."""
    size = curve.nearest(settings.cardinality).cardinality
    # A preview and a full search of the same sizes differ in their sets.
    sets = hash(tuple(one.topics for point in curve.points for one in (*point.ten_best, *point.ten_worst)))
    name = settings.matrix.name
    return _table(key_of(settings), sets, size, name, _matrix=settings.matrix, _curve=curve)


@kept(20)
def _table(
    key: Key,  # noqa: ARG001 - the key
    sets: int,  # noqa: ARG001
    size: int,
    name: str,  # noqa: ARG001 - in the key, as digests leave names out
    *,
    _matrix: ScoreMatrix,
    _curve: SubsetCurve,
) -> TopicTable:
    return topic_table(_matrix, _curve, size)


def start_comparison(settings: Settings) -> None:
    """Begin the comparison of measures of goodness; called by its button."""
    matrix, size, seed = settings.matrix, settings.cardinality, int(settings.values[SEED.name])
    COMPARED.start(
        comparison_key(settings),
        f"Subsets of {size} topics by three measures",
        lambda run: across_measures(
            matrix, size, seed=seed, report_progress=run.report_progress, executor=run.executor
        ),
    )


def comparison_key(settings: Settings) -> tuple[str, int, int]:
    """Return the key of a comparison."""
    return settings.matrix.digest, settings.cardinality, int(settings.values[SEED.name])


def start_heuristic(settings: Settings) -> None:
    """Begin the paper's heuristic; called by its button."""
    matrix, key = settings.matrix, key_of(settings, "guiver")
    GUIVER.start(
        key,
        "The paper's heuristic",
        lambda run: subset_curve(matrix, key[1], report_progress=run.report_progress, executor=run.executor),
    )


@kept(20, spinner="Searching subsets (the first time: compiling)")
def _quick(key: Key, name: str, *, _matrix: ScoreMatrix) -> SubsetCurve:  # noqa: ARG001 - the key
    with threads() as executor:
        return subset_curve(_matrix, key[1], executor=executor)
