"""Simulated collections as tables: comparisons, error rates, ranks, pairs, topics, variances, cells, remarks."""

from collections.abc import Sequence

from topicset_core.analyses.topic_variance.comparisons import comparisons
from topicset_core.analyses.topic_variance.findings import Findings
from topicset_core.analyses.topic_variance.prepared import REMARKS
from topicset_core.analyses.topic_variance.rankings import BIN_WIDTH, N_BINS
from topicset_core.analyses.topic_variance.sentence import needed
from topicset_core.exports.csv_table import Table


def comparisons_table(found: Sequence[Findings]) -> Table:
    """Return table 1 of Yang et al. (2018): a row a comparison, two columns a model, raw counterparts.

    Parameters
    ----------
    found : sequence of Findings
        One a model, of the same question.
    """
    by_model = {one.settings.model: comparisons(one) for one in found}
    first = next(iter(by_model.values()))
    values = {}
    for model, rows in by_model.items():
        values[str(model)] = [row.value.value for row in rows]
        values[f"{model}_standard_error"] = [row.value.standard_error for row in rows]
    return {
        "question": [row.question for row in first],
        "what": [row.what for row in first],
        "reading": [row.reading for row in first],
        **values,
        "raw": [None if row.raw is None else row.raw.value for row in first],
        "raw_is": [row.raw_is for row in first],
    }


def error_rates_table(found: Sequence[Findings]) -> Table:
    """Return a row a bin of the simulated difference, three columns a model."""
    values: dict[str, Sequence[object]] = {}
    for one in found:
        model = one.settings.model
        values[f"{model}_pairs"] = list(one.plain["pairs_by_bin"])
        values[f"{model}_error_rate"] = [rate.value for rate in one.error_rates]
        values[f"{model}_standard_error"] = [rate.standard_error for rate in one.error_rates]
    edges = [round(BIN_WIDTH * place, 2) for place in range(N_BINS)]
    return {"difference_from": edges, "difference_below": [*edges[1:], None], **values}


def ranks_table(found: Findings) -> Table:
    """Return a row a run, best first."""
    means = dict(zip(found.systems, found.raw_means.tolist(), strict=True))
    simulated = found.plain["simulated_means"]
    order = sorted(found.rank_intervals, key=lambda one: one.raw_rank)
    return {
        "run": [one.system for one in order],
        "raw_rank": [one.raw_rank for one in order],
        "rank_low": [one.low for one in order],
        "rank_high": [one.high for one in order],
        "raw_mean": [means[one.system] for one in order],
        "simulated_mean": [simulated[one.system] for one in order],
    }


def pairs_table(found: Findings) -> Table:
    """Return a row a pair of runs that does not keep its order, those that turn most often first."""
    pairs = found.turning_pairs
    return {
        "better": [pair.better for pair in pairs],
        "worse": [pair.worse for pair in pairs],
        "raw_difference": [pair.raw_difference for pair in pairs],
        "turned": [pair.share.value for pair in pairs],
        "standard_error": [pair.share.standard_error for pair in pairs],
    }


def unstable_topics_table(found: Findings) -> Table:
    """Return a row a topic, the least stable first."""
    topics = found.unstable_topics
    means = dict(zip(found.topics, found.raw.mean(axis=1).tolist(), strict=True))
    return {
        "topic": [one.topic for one in topics],
        "standard_deviation": [one.standard_deviation for one in topics],
        "share": [one.share for one in topics],
        "raw_mean": [means[one.topic] for one in topics],
    }


def components_table(found: Findings) -> Table:
    """Return a row a source of the variance of scores."""
    split = found.components
    parts = {
        "topic": split.topic,
        "system": split.system,
        "topic by system": split.interaction,
        "documents": split.collection,
    }
    total = split.total or 1.0
    return {
        "component": list(parts),
        "variance": list(parts.values()),
        "share": [value / total for value in parts.values()],
    }


def topics_needed_table(found: Findings, min_d: float) -> Table:
    """Return how many topics a paired t test needs for a difference, with the noise of documents and without.

    Empty where the scores do not vary so that it can be said.
    """
    topics = needed(found, min_d)
    known = [] if topics is None else [topics]
    return {
        "min_d": [one.min_d for one in known],
        "topics_with_noise": [one.with_noise for one in known],
        "topics_without_noise": [one.without_noise for one in known],
    }


def cells_table(found: Findings) -> Table:
    """Return a row a topic and run: its score, and mean and deviation of the simulated ones."""
    n_topics, n_systems = found.raw.shape
    return {
        "topic": [topic for topic in found.topics for _ in range(n_systems)],
        "run": list(found.systems) * n_topics,
        "raw": found.raw.ravel().tolist(),
        "simulated": found.simulated.ravel().tolist(),
        "standard_deviation": found.deviations.ravel().tolist(),
    }


def remarks_table(found: Findings) -> Table:
    """Return a row a run and topic that could not be drawn as asked."""
    rows = [(*cell, remark) for remark, cells in found.plain["cells_with_remarks"].items() for cell in cells]
    return {
        "run": [run for run, _, _ in rows],
        "topic": [topic for _, topic, _ in rows],
        "remark": [REMARKS[remark] for _, _, remark in rows],
    }
