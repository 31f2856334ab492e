"""Held-out experiments and audits as plain values for JSON and as tables for CSV."""

from collections.abc import Callable
from typing import Any

from topicset_core.analyses.error_rate.units import UPPER_EDGES
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, HeldOutPoint
from topicset_core.analyses.topic_subsets.held_out.error_rates import HeldOutErrorRates
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.spreads import (
    HIGH,
    LOW,
    MEANING,
    BestAverageWorst,
    Gain,
    Spread,
)
from topicset_core.exports.csv_table import Table

SIDES = ("best", "average", "worst")


def held_out_record(curve: HeldOutCurve) -> dict[str, Any]:
    """Return a held-out curve as plain values."""
    return {
        **asked(curve.request),
        "judged_scores": curve.judged_scores,
        "chosen_scores": curve.chosen_scores,
        "matched": curve.matched,
        "n_topics": curve.n_topics,
        "n_systems": curve.n_systems,
        "n_teams": curve.n_teams,
        "half_sizes": dict(
            zip(
                ("fewest_chosen_on", "most_chosen_on", "fewest_judged_on", "most_judged_on"),
                curve.half_sizes,
                strict=True,
            )
        ),
        "status": curve.status,
        "cardinalities": [
            {
                "cardinality": point.cardinality,
                "chosen": levels(point.chosen),
                "own": levels(point.own),
                "gain": gain(point.gain),
                "gain_over_own": gain(point.gain_over_own),
            }
            for point in curve.points
        ],
    }


def error_rates_record(found: HeldOutErrorRates) -> dict[str, Any]:
    """Return held-out error rates as plain values."""
    return {
        **asked(found.request),
        "judged_scores": found.judged_scores,
        "chosen_scores": found.chosen_scores,
        "matched": found.matched,
        "n_topics": found.n_topics,
        "n_systems": found.n_systems,
        "decimals": found.decimals,
        "scores_are_exact": found.scores_are_exact,
        "status": "heuristic",
        "cardinalities": [
            {
                "cardinality": point.cardinality,
                "all_pairs": levels(point.all_pairs),
                "average_of_bins": levels(point.average_of_bins),
                "gain": gain(point.gain),
                "bins": [
                    {"up_to": edge, "n_pairs": pairs, **levels(one)}
                    for edge, pairs, one in zip(UPPER_EDGES, point.n_pairs, point.bins, strict=True)
                ],
            }
            for point in found.points
        ],
    }


def held_out_table(curve: HeldOutCurve) -> Table:
    """Return a held-out curve column by column: each number with its error and interval over splits."""
    readers: tuple[tuple[str, Callable[[HeldOutPoint], BestAverageWorst]], ...] = (
        ("chosen", lambda point: point.chosen),
        ("own", lambda point: point.own),
    )
    columns: dict[str, list[object]] = {"topics": [point.cardinality for point in curve.points]}
    for name, read in readers:
        for side in SIDES:
            columns |= _columns(f"{name} {side}", [getattr(read(point), side) for point in curve.points])
    columns |= _columns(
        "gain", [None if point.gain is None else point.gain.difference for point in curve.points]
    )
    columns["share better"] = [
        None if point.gain is None else point.gain.share_better for point in curve.points
    ]
    return columns


def error_rates_table(found: HeldOutErrorRates) -> Table:
    """Return held-out error rates, a row for each cardinality and bin, then all pairs and the mean of bins."""
    names = [
        *(f"up to {edge:g}" if edge is not None else "above 0.2" for edge in UPPER_EDGES),
        "all pairs",
        "mean of bins to 0.2",
    ]
    rows = [
        (point.cardinality, name, pairs, one)
        for point in found.points
        for name, pairs, one in zip(
            names,
            (*point.n_pairs, sum(point.n_pairs), sum(point.n_pairs[:-1])),
            (*point.bins, point.all_pairs, point.average_of_bins),
            strict=True,
        )
    ]
    columns: dict[str, list[object]] = {
        "topics": [row[0] for row in rows],
        "difference": [row[1] for row in rows],
        "pairs": [row[2] for row in rows],
    }
    for side in SIDES:
        columns |= _columns(side, [getattr(row[3], side) for row in rows])
    return columns


def asked(request: HeldOutRequest) -> dict[str, Any]:
    """Return what was asked, and what the intervals mean."""
    return {
        "hold_out": request.hold_out,
        "goodness": request.goodness,
        "choose_by": request.chosen_by,
        "n_splits": request.n_splits,
        "n_starts": request.n_starts,
        "n_trials": request.n_trials,
        "seed": request.seed,
        "intervals": {"low": LOW, "high": HIGH, "meaning": MEANING},
    }


def spread(one: Spread | None) -> dict[str, Any] | None:
    """Return a number over splits as plain values."""
    if one is None:
        return None
    return {
        "mean": one.mean,
        "standard_error": one.standard_error,
        "low": one.low,
        "high": one.high,
        "n_splits": one.n_splits,
    }


def levels(one: BestAverageWorst) -> dict[str, Any]:
    """Return best, average and worst as plain values."""
    return {side: spread(getattr(one, side)) for side in SIDES}


def gain(one: Gain | None) -> dict[str, Any] | None:
    """Return a gain as plain values."""
    return None if one is None else {"difference": spread(one.difference), "share_better": one.share_better}


def _columns(name: str, values: list[Spread | None]) -> dict[str, list[object]]:
    return {
        name: [None if one is None else one.mean for one in values],
        f"{name} standard error": [None if one is None else one.standard_error for one in values],
        f"{name} {LOW}th percentile": [None if one is None else one.low for one in values],
        f"{name} {HIGH}th percentile": [None if one is None else one.high for one in values],
    }
