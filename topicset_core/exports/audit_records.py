"""An audit of a subset of topics as plain values for JSON and as tables for CSV."""

from typing import Any

from topicset_core.analyses.topic_subsets.curve import Subset
from topicset_core.analyses.topic_subsets.held_out.audit import SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.ranking import HalfRankings
from topicset_core.analyses.topic_subsets.held_out.spreads import Spread
from topicset_core.exports.csv_table import Table
from topicset_core.exports.held_out_records import asked, spread


def audit_record(audit: SubsetAudit) -> dict[str, Any]:
    """Return an audit as plain values."""
    ranking, reversal = audit.ranking, audit.ranking.largest_reversal
    request = asked(audit.request.on_halves("pearson"))
    return {
        "topics": list(audit.topics),
        "cardinality": audit.cardinality,
        "n_topics": audit.n_topics,
        "n_systems": audit.n_systems,
        "scores": audit.scores,
        "n_trials": audit.request.n_trials,
        "n_splits": audit.request.n_splits,
        "n_starts": audit.request.n_starts,
        "n_trials_of_a_split": audit.request.on_halves("pearson").n_trials,
        "seed": audit.request.seed,
        "intervals": request["intervals"],
        "half_sizes": {"fewest": audit.half_sizes[0], "most": audit.half_sizes[1]},
        "goodness": {
            one.measure.key: {
                "value": one.value,
                "percentile": one.percentile,
                "percentile_standard_error": one.percentile_standard_error,
                "average": one.average,
                "average_standard_error": one.average_standard_error,
                "n_compared": one.n_compared,
                "n_undefined": one.n_undefined,
                "all_subsets": one.all_subsets,
                "best": _subset(one.best),
                "worst": _subset(one.worst),
                "held_out": spread(one.held_out),
                "held_out_average": spread(one.held_out_average),
                "held_out_chosen": spread(one.held_out_chosen),
                "share_above_average": one.share_above_average,
                "share_above_chosen": one.share_above_chosen,
            }
            for one in audit.goodness
        },
        "ranking": {
            "n_pairs": ranking.n_pairs,
            "n_reversed": ranking.n_reversed,
            "n_tied": ranking.n_tied,
            "largest_reversal": None
            if reversal is None
            else {
                "better": reversal.better,
                "worse": reversal.worse,
                "difference": reversal.difference,
                "difference_on_subset": reversal.difference_on_subset,
            },
            "top": list(ranking.top),
            "top_on_subset": list(ranking.top_on_subset),
            "top_kept": ranking.top_kept,
            "n_first": ranking.n_first,
            "n_first_kept": ranking.n_first_kept,
            "runs": [
                {
                    "run": one.system,
                    "mean_all": one.mean_all,
                    "mean_subset": one.mean_subset,
                    "rank_all": one.rank_all,
                    "rank_subset": one.rank_subset,
                    "change": one.change,
                }
                for one in ranking.changes
            ],
        },
        "halves": _halves(audit.halves),
        "random_halves": _halves(audit.random_halves),
    }


def audit_table(audit: SubsetAudit) -> Table:
    """Return the place of the subset, a row for each measure of goodness."""
    found = audit.goodness

    def mean(one: Spread | None) -> float | None:
        return None if one is None else one.mean

    return {
        "goodness": [one.measure.key for one in found],
        "value": [one.value for one in found],
        "percentile": [one.percentile for one in found],
        "percentile standard error": [one.percentile_standard_error for one in found],
        "worst": [None if one.worst is None else one.worst.value for one in found],
        "average": [one.average for one in found],
        "best": [None if one.best is None else one.best.value for one in found],
        "worst is": ["" if one.worst is None else one.worst.status for one in found],
        "best is": ["" if one.best is None else one.best.status for one in found],
        "compared with": [one.n_compared for one in found],
        "on halves of the runs": [mean(one.held_out) for one in found],
        "on halves, low": [None if one.held_out is None else one.held_out.low for one in found],
        "on halves, high": [None if one.held_out is None else one.held_out.high for one in found],
        "random sets on halves": [mean(one.held_out_average) for one in found],
        "sets chosen on the other half": [mean(one.held_out_chosen) for one in found],
        "share above average": [one.share_above_average for one in found],
        "share above chosen": [one.share_above_chosen for one in found],
    }


def rank_changes_table(audit: SubsetAudit) -> Table:
    """Return all runs with their ranks, the largest change first."""
    changes = audit.ranking.changes
    return {
        "run": [one.system for one in changes],
        "mean on all topics": [one.mean_all for one in changes],
        "mean on the subset": [one.mean_subset for one in changes],
        "rank on all topics": [one.rank_all for one in changes],
        "rank on the subset": [one.rank_subset for one in changes],
        "ranks lost": [one.change for one in changes],
    }


def _subset(subset: Subset | None) -> dict[str, Any] | None:
    if subset is None:
        return None
    return {"value": subset.value, "topics": list(subset.topics), "status": subset.status}


def _halves(halves: HalfRankings) -> dict[str, Any]:
    return {
        "share_reversed": spread(halves.share_reversed),
        "largest_change": spread(halves.largest_change),
        "top_kept": halves.top_kept,
    }
