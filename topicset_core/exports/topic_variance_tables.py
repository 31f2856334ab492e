"""Topic variance as tables: the comparisons, error rates, ranks, pairs, topics, scores, cells with remarks."""

from collections.abc import Sequence

from topicset_core.analyses.topic_variance.comparisons import comparisons
from topicset_core.analyses.topic_variance.findings import Findings
from topicset_core.analyses.topic_variance.rankings import BIN_WIDTH, N_BINS
from topicset_core.exports.csv_table import Table


def comparisons_table(found: Sequence[Findings]) -> Table:
    """Return table 1 of Yang et al.: a row a comparison, two columns a model, raw counterparts.

    Parameters
    ----------
    found : sequence of Findings
        One a model, of the same question.
    """
    first, *_ = by_model = [comparisons(one) for one in found]
    table: dict[str, list[object]] = {
        "question": [row.question for row in first],
        "comparison": [row.what for row in first],
        "reading": [row.reading for row in first],
    }
    for one, rows in zip(found, by_model, strict=True):
        name = one.settings.model.upper()
        table[name] = [row.value.value for row in rows]
        table[f"{name} standard error"] = [row.value.standard_error for row in rows]
    table["raw data"] = [None if row.raw is None else row.raw.value for row in first]
    table["raw data are"] = [row.raw_is for row in first]
    return table


def error_rate_table(found: Sequence[Findings]) -> Table:
    """Return a row a bin of the simulated difference."""
    table: dict[str, list[object]] = {
        "from": [round(BIN_WIDTH * place, 2) for place in range(N_BINS)],
        "below": [round(BIN_WIDTH * (place + 1), 2) if place < N_BINS - 1 else None for place in range(N_BINS)],
    }
    for one in found:
        name = one.settings.model.upper()
        table[f"{name} pairs"] = list(one.plain["pairs_by_bin"])
        table[f"{name} error rate"] = [rate.value for rate in one.error_rates]
        table[f"{name} standard error"] = [rate.standard_error for rate in one.error_rates]
    return table


def ranks_table(found: Findings) -> Table:
    """Return a row a run, best first."""
    order = sorted(
        zip(found.rank_intervals, found.raw_means.tolist(), strict=True), key=lambda one: one[0].raw_rank
    )
    simulated = found.plain["simulated_means"]
    return {
        "run": [one.system for one, _ in order],
        "rank": [one.raw_rank for one, _ in order],
        "from rank": [one.low for one, _ in order],
        "to rank": [one.high for one, _ in order],
        f"mean {found.settings.measure_name}": [mean for _, mean in order],
        "simulated mean": [simulated[one.system] for one, _ in order],
    }


def pairs_table(found: Findings) -> Table:
    """Return a row a pair of runs that does not keep its order, those that turn most often first."""
    pairs = found.turning_pairs
    return {
        "better run": [pair.better for pair in pairs],
        "worse run": [pair.worse for pair in pairs],
        f"difference of mean {found.settings.measure_name}": [pair.raw_difference for pair in pairs],
        "share in the other order": [pair.share.value for pair in pairs],
        "standard error": [pair.share.standard_error for pair in pairs],
    }


def topics_table(found: Findings) -> Table:
    """Return a row a topic, the least stable first."""
    topics = found.unstable_topics
    means = dict(zip(found.topics, found.raw.mean(axis=1).tolist(), strict=True))
    return {
        "topic": [one.topic for one in topics],
        "standard deviation of a score": [one.standard_deviation for one in topics],
        "share of all noise": [one.share for one in topics],
        f"mean {found.settings.measure_name}": [means[one.topic] for one in topics],
    }


def variances_table(found: Findings) -> Table:
    """Return a row a source of variance."""
    split = found.components
    parts = {
        "topic": split.topic,
        "system": split.system,
        "topic by system": split.interaction,
        "documents": split.collection,
    }
    total = split.total or 1.0
    return {
        "source": list(parts),
        "variance": list(parts.values()),
        "share": [value / total for value in parts.values()],
    }


def scores_table(found: Findings) -> Table:
    """Return a row a run and topic: the score as it is, its mean and deviation in simulated collections."""
    n_topics, n_systems = found.raw.shape
    return {
        "run": [system for system in found.systems for _ in range(n_topics)],
        "topic": list(found.topics) * n_systems,
        found.settings.measure_name: found.raw.T.ravel().tolist(),
        "simulated mean": found.simulated.T.ravel().tolist(),
        "standard deviation": found.deviations.T.ravel().tolist(),
    }


def remarks_table(found: Findings) -> Table:
    """Return a row a run and topic that could not be drawn as asked."""
    rows = [(*cell, remark) for remark, cells in found.plain["cells_with_remarks"].items() for cell in cells]
    return {
        "run": [row[0] for row in rows],
        "topic": [row[1] for row in rows],
        "what was done": [row[2] for row in rows],
    }
