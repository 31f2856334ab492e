"""Would another document collection change the conclusions? All answers at once.

Yang, Zhang and Song (2018) take the documents of a collection as a sample. For each run and topic, the
scores that the run gave the r relevant documents it returned, and those it gave the others, are samples
from two distributions. A simulated collection draws r_s from a Poisson distribution with mean r, then r_s
scores from the first and depth - r_s from the second, sorts them, and computes the measure. The scores
are resampled as they are ("bst") or drawn from Gaussian kernel densities ("kde").

Decided here, where the paper is silent: r_s is at most the depth of the run on the topic; relevant
documents of the topic are R - r + r_s in that trial, unless "fixed" is asked for; documents that are not
judged count as not relevant; tied scores stand in the order of the run, which only matters to "bst".

References
----------
.. [1] M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. SIGIR 2018,
   1181-1184. https://doi.org/10.1145/3209978.3210122
.. [2] S. E. Robertson, E. Kanoulas. On per-topic variance in IR evaluation. SIGIR 2012, 891-900.
   https://doi.org/10.1145/2348283.2348402
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from typing import Any

from topicset_core.analyses.topic_variance import (
    closeness,
    components,
    estimated_difference,
    rankings,
    significance,
)
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.analyses.topic_variance.simulation import Simulation
from topicset_core.analyses.topic_variance.trials import Show, simulate_trials
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.collection.run import Run
from topicset_core.progress import Report, silently


def topic_variance(
    judged_runs: JudgedRuns,
    settings: Settings,
    runs: Sequence[Run] = (),
    *,
    report: Report = silently,
    executor: Executor | None = None,
    show: Show | None = None,
) -> Simulation:
    """Simulate collections; what follows from them is computed by the other modules, or by `record`.

    Parameters
    ----------
    judged_runs : JudgedRuns
        At least 2 runs on at least 2 topics.
    settings : Settings
        All choices.
    runs : sequence of Run
        The same runs with their scores, which only the model "kde" needs.
    report : callable
        Takes the fraction done, between batches of a fifth of a second; raises to stop the work.
    executor : Executor, optional
        Where batches run; the result is the same bit for bit.
    show : callable, optional
        Takes what the first trials come to, after each of 50 groups of them but the last.

    Raises
    ------
    InputError
        If there are fewer than 2 runs, or than 2 topics that some run has, no grade reaches the relevance
        level, a run has no relevant document on any topic, or scores are needed and absent.
    """
    cells = cells_of(judged_runs, settings.relevance_level)
    return simulate_trials(cells, settings, runs, report=report, executor=executor, show=show)


def record(simulation: Simulation) -> dict[str, Any]:
    """Return choices and all results as plain values for JSON; no times or dates."""
    cells, named = simulation.cells, simulation.prepared.named(simulation.cells)
    variances = components.components(simulation)
    return {
        "analysis": "topic variance",
        "collection": cells.collection,
        "settings": simulation.settings.record(),
        "n_topics": cells.n_topics,
        "left_out_topics": list(cells.left_out),
        "topics_without_relevant": [
            topic for topic, n in zip(cells.topics, cells.n_relevant.tolist(), strict=True) if not n
        ],
        "n_systems": cells.n_systems,
        "n_pairs": int(simulation.reversed_pairs.size),
        "n_trials_kept": simulation.n_kept,
        "n_unjudged": cells.n_unjudged,
        "n_tied": dict(zip(cells.systems, cells.n_tied, strict=True)),
        "cells_with_remarks": {remark: [list(cell) for cell in where] for remark, where in named.items()},
        "raw_means": dict(zip(cells.systems, simulation.raw_means.tolist(), strict=True)),
        "simulated_means": dict(zip(cells.systems, simulation.means.mean(axis=0).tolist(), strict=True)),
        "mean_absolute_shift": closeness.mean_absolute_shift(simulation).record(),
        "run_shifts": [asdict(shift) for shift in closeness.run_shifts(simulation)],
        "error_rates": [rate.record() for rate in rankings.error_rates(simulation)],
        "pairs_by_bin": rankings.pairs_by_bin(simulation).tolist(),
        "overall_error_rate": rankings.overall_error_rate(simulation).record(),
        "krcc": rankings.rank_correlation(simulation).record(),
        "rank_intervals": [asdict(interval) for interval in rankings.rank_intervals(simulation)],
        "turning_pairs": [asdict(pair) for pair in rankings.turning_pairs(simulation)],
        "raw_significant_share": significance.raw_significant_share(simulation).record(),
        "mean_rejection_rate": significance.mean_rejection_rate(simulation).record(),
        "almost_never_significant_share": significance.almost_never_significant_share(simulation).record(),
        "half_significant_share": significance.often_significant_share(simulation).record(),
        "almost_always_significant_share": significance.often_significant_share(
            simulation, significance.ALMOST_ALWAYS
        ).record(),
        "significant_share_topics": significance.significant_share_topics(simulation).record(),
        "significant_share_both": significance.significant_share_both(simulation).record(),
        "estimated_difference": estimated_difference.estimated_difference(simulation).record(),
        "estimated_difference_topics": estimated_difference.estimated_difference_topics(simulation).record(),
        "estimated_difference_shifted": estimated_difference.estimated_difference_shifted(
            simulation
        ).record(),
        "components": variances.record(),
        "unstable_topics": [asdict(topic) for topic in components.unstable_topics(simulation)],
    }
