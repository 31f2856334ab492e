"""All answers of a simulation, without the trials: small enough to keep one for every question asked."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from topicset_core.analyses.topic_variance import conclusions, significance
from topicset_core.analyses.topic_variance.cells import Floats, Ints
from topicset_core.analyses.topic_variance.conclusions import (
    BIN_WIDTH,
    TOLERATED,
    Components,
    Estimate,
    RankInterval,
    ReversedPair,
    RunShift,
    TopicNoise,
)
from topicset_core.analyses.topic_variance.settings import Model, Settings
from topicset_core.analyses.topic_variance.simulation import Simulation, simulate_collections
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.run import Run
from topicset_core.progress import Report, silently
from topicset_core.samples import simulated_track

MISFIT = 4.0
"""A run whose simulated mean is this many standard deviations off its raw one is not simulated well."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Findings:
    """The results from simulated collections.

    Parameters
    ----------
    settings : Settings
        How they were simulated.
    topics, systems : tuple of str
        Rows and columns of the tables.
    collection : str
        Name of the qrels.
    left_out_topics, topics_without_relevant : tuple of str
        Judged topics that no run has, and topics that score 0 for want of relevant documents.
    n_relevant : ndarray of int64, shape (n_topics,)
        Relevant documents of each topic, R.
    n_pairs, n_equal_pairs, n_trials_kept : int
        Pairs of runs; those with equal raw means, which have no order to keep; trials whose pairs are kept one by
        one.
    n_unjudged : int
        Documents of all lists that are not judged.
    n_tied : tuple of int
        For each run, documents with the score of another one of the same topic.
    cells_with_remarks : mapping of str to sequence of (str, str)
        Run and topic of the cells that could not be drawn as asked, by the key of `prepared.REMARKS`.
    raw, simulated, deviations : ndarray, shape (n_topics, n_systems)
        Original scores; their means and standard deviations over simulated collections.
    raw_means, simulated_means : ndarray, shape (n_systems,)
        Means of the original scores, and of the simulated ones.
    mean_absolute_shift : Estimate
        Mean difference of simulated and original scores of a cell.
    run_shifts : tuple of RunShift
        The same of the means of runs, with its sign; the largest first.
    error_rates : tuple of Estimate, 21
        How often pairs reverse, by the size of the simulated difference.
    tied_share : float
        How often a pair that has an order has equal means in a simulated collection.
    pairs_by_bin : tuple of int, 21
        Pairs of all trials in each of these bins.
    overall_error_rate, between_collections, rank_correlation : Estimate
        How often a pair that has an order is reversed in a simulated collection, and how often two
        simulated collections have opposite ones, from 0 to 1; mean Kendall's tau-b of simulated and raw ranking
        ("KRCC").
    rank_intervals : tuple of RankInterval
        Rank of each run and where 95 % of the trials have it, in the order of the runs.
    reversed_pairs : tuple of ReversedPair
        Pairs that lose their order in 5 % of the trials or more, the most frequent reversals first.
    raw_significant_share : Estimate
        Share of pairs with a significant t test on the original scores.
    mean_rejection_rate : Estimate
        Share of pairs with a significant t test in a trial, on average.
    almost_never_significant_share, half_significant_share, almost_always_significant_share : Estimate
        Share of pairs that are significant in fewer than 5 %, in at least 50 % and 95 % of the trials.
    significant_share_topics, significant_share_both : Estimate
        Share of pairs with an achieved level below alpha: topics resampled, or topics and collection.
    estimated_difference, estimated_difference_topics, estimated_difference_shifted : Estimate
        Difference that is just significant: as printed; shifted to mean 0 with topics resampled, or topics
        and collection.
    components : Components
        How the variance of scores splits.
    unstable_topics : tuple of TopicNoise
        All topics, the least stable first.
    """

    settings: Settings
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    collection: str
    left_out_topics: tuple[str, ...]
    topics_without_relevant: tuple[str, ...]
    n_relevant: Ints = field(repr=False)
    n_pairs: int
    n_equal_pairs: int
    n_trials_kept: int
    n_unjudged: int
    n_tied: tuple[int, ...]
    cells_with_remarks: Mapping[str, Sequence[tuple[str, str]]] = field(repr=False)
    raw: Floats = field(repr=False)
    simulated: Floats = field(repr=False)
    deviations: Floats = field(repr=False)
    raw_means: Floats = field(repr=False)
    simulated_means: Floats = field(repr=False)
    mean_absolute_shift: Estimate
    run_shifts: tuple[RunShift, ...] = field(repr=False)
    error_rates: tuple[Estimate, ...] = field(repr=False)
    pairs_by_bin: tuple[int, ...] = field(repr=False)
    tied_share: float
    overall_error_rate: Estimate
    between_collections: Estimate
    rank_correlation: Estimate
    rank_intervals: tuple[RankInterval, ...] = field(repr=False)
    reversed_pairs: tuple[ReversedPair, ...] = field(repr=False)
    raw_significant_share: Estimate
    mean_rejection_rate: Estimate
    almost_never_significant_share: Estimate
    half_significant_share: Estimate
    almost_always_significant_share: Estimate
    significant_share_topics: Estimate
    significant_share_both: Estimate
    estimated_difference: Estimate
    estimated_difference_topics: Estimate
    estimated_difference_shifted: Estimate
    components: Components
    unstable_topics: tuple[TopicNoise, ...] = field(repr=False)

    @property
    def n_kept_pairs(self) -> int:
        """Pairs that have an order and keep it in more than 95 % of the trials."""
        return self.n_pairs - self.n_equal_pairs - len(self.reversed_pairs)

    @property
    def best_system(self) -> str:
        """The run with the highest raw mean."""
        return self.systems[int(self.raw_means.argmax())]

    def least_stable_topic(self, system: str) -> str:
        """Return the topic on which the scores of a run vary most between collections."""
        return self.topics[int(self.deviations[:, self.systems.index(system)].argmax())]

    @property
    def misfits(self) -> tuple[tuple[str, float], ...]:
        """Runs whose simulated means are far off their raw ones, and by how much; the farthest first.

        Far is beyond `MISFIT` standard deviations of the mean in a simulated collection: then hardly any
        of these looks like the original.
        """
        spread = np.sqrt((self.deviations**2).sum(axis=0)) / len(self.topics)
        off = self.simulated.mean(axis=0) - self.raw_means
        far = [
            place for place in np.argsort(-np.abs(off)).tolist() if abs(off[place]) > MISFIT * spread[place]
        ]
        return tuple((self.systems[place], float(off[place])) for place in far)

    @property
    def largest_difference(self) -> float:
        """Between the raw means of any two runs."""
        return float(np.ptp(self.raw_means))

    @property
    def safe_difference(self) -> float | None:
        """The least difference from which on fewer than 5 % of the pairs of every bin reverse, or None.

        A lower edge of a bin; empty bins are no evidence.
        """
        rates = [rate.value for rate in self.error_rates]
        unsafe = [place for place, rate in enumerate(rates) if rate is not None and rate >= TOLERATED]
        first = unsafe[-1] + 1 if unsafe else 0
        known = any(rate is not None for rate in rates[first:])
        return round(first * BIN_WIDTH, 2) if known else None

    def record(self) -> dict[str, Any]:
        """Return choices and results as plain values for JSON; no times or dates."""
        return {
            "analysis": "topic variance",
            "collection": self.collection,
            "settings": self.settings.record(),
            "n_topics": len(self.topics),
            "left_out_topics": list(self.left_out_topics),
            "topics_without_relevant": list(self.topics_without_relevant),
            "n_systems": len(self.systems),
            "n_pairs": self.n_pairs,
            "n_equal_pairs": self.n_equal_pairs,
            "n_trials_kept": self.n_trials_kept,
            "n_unjudged": self.n_unjudged,
            "n_tied": dict(zip(self.systems, self.n_tied, strict=True)),
            "cells_with_remarks": {
                remark: [list(cell) for cell in cells] for remark, cells in self.cells_with_remarks.items()
            },
            "raw_means": dict(zip(self.systems, self.raw_means.tolist(), strict=True)),
            "simulated_means": dict(zip(self.systems, self.simulated_means.tolist(), strict=True)),
            "mean_absolute_shift": self.mean_absolute_shift.record(),
            "run_shifts": [asdict(shift) for shift in self.run_shifts],
            "error_rates": [rate.record() for rate in self.error_rates],
            "pairs_by_bin": list(self.pairs_by_bin),
            "tied_share": self.tied_share,
            "overall_error_rate": self.overall_error_rate.record(),
            "between_collections": self.between_collections.record(),
            "krcc": self.rank_correlation.record(),
            "rank_intervals": [asdict(interval) for interval in self.rank_intervals],
            "turning_pairs": [asdict(pair) for pair in self.reversed_pairs],
            "raw_significant_share": self.raw_significant_share.record(),
            "mean_rejection_rate": self.mean_rejection_rate.record(),
            "almost_never_significant_share": self.almost_never_significant_share.record(),
            "half_significant_share": self.half_significant_share.record(),
            "almost_always_significant_share": self.almost_always_significant_share.record(),
            "significant_share_topics": self.significant_share_topics.record(),
            "significant_share_both": self.significant_share_both.record(),
            "estimated_difference": self.estimated_difference.record(),
            "estimated_difference_topics": self.estimated_difference_topics.record(),
            "estimated_difference_shifted": self.estimated_difference_shifted.record(),
            "components": self.components.record(),
            "unstable_topics": [asdict(topic) for topic in self.unstable_topics],
        }


def topic_variance(
    judged_runs: JudgedRuns,
    settings: Settings,
    runs: Sequence[Run] = (),
    *,
    report_progress: Report = silently,
    executor: Executor | None = None,
    show_partial: Callable[[Findings], None] | None = None,
) -> Findings:
    """Simulate collections and return the findings.

    Parameters
    ----------
    judged_runs : JudgedRuns
        At least 2 runs on at least 2 topics.
    settings : Settings
        All choices.
    runs : sequence of Run
        The same runs with their documents, and scores where the model is "kde"; "bst" does without.
    report_progress : callable
        Takes the fraction done, between batches of a fifth of a second; raises to stop the work.
    executor : Executor, optional
        Where batches run; the result is the same bit for bit.
    show_partial : callable, optional
        Takes the answer of the first trials, after each of 50 groups of them but the last.

    Raises
    ------
    InputError
        If there are fewer than 2 runs, or than 2 topics that some run has, no grade reaches the relevance
        level, a run has no relevant document on any topic, or scores are needed and absent.
    """

    def show(simulation: Simulation) -> None:
        if show_partial is not None:
            show_partial(findings(simulation))

    return findings(
        simulate_collections(
            judged_runs,
            settings,
            runs,
            report_progress=report_progress,
            executor=executor,
            show_partial=None if show_partial is None else show,
        )
    )


def findings(simulation: Simulation) -> Findings:
    """Return all answers of a simulation."""
    cells = simulation.cells
    return Findings(
        settings=simulation.settings,
        topics=cells.topics,
        systems=cells.systems,
        collection=cells.collection,
        left_out_topics=cells.left_out,
        topics_without_relevant=tuple(
            topic for topic, n in zip(cells.topics, cells.n_relevant.tolist(), strict=True) if not n
        ),
        n_relevant=cells.n_relevant,
        n_pairs=int(simulation.reversed_pairs.size),
        n_equal_pairs=int((~simulation.has_order).sum()),
        n_trials_kept=simulation.n_kept,
        n_unjudged=cells.n_unjudged,
        n_tied=cells.n_tied,
        cells_with_remarks=simulation.prepared.named(cells),
        raw=simulation.raw,
        simulated=simulation.cell_means,
        deviations=np.sqrt(simulation.cell_variances),
        raw_means=simulation.raw_means,
        simulated_means=simulation.means.mean(axis=0),
        mean_absolute_shift=conclusions.mean_absolute_shift(simulation),
        run_shifts=conclusions.run_shifts(simulation),
        error_rates=conclusions.error_rates(simulation),
        pairs_by_bin=tuple(conclusions.pairs_by_bin(simulation).tolist()),
        tied_share=float(simulation.tied_pairs.sum())
        / max(int(simulation.has_order.sum()) * simulation.settings.n_trials, 1),
        overall_error_rate=conclusions.overall_error_rate(simulation),
        between_collections=conclusions.between_collections(simulation),
        rank_correlation=conclusions.rank_correlation(simulation),
        rank_intervals=conclusions.rank_intervals(simulation),
        reversed_pairs=conclusions.reversed_pairs(simulation),
        raw_significant_share=significance.raw_significant_share(simulation),
        mean_rejection_rate=significance.mean_rejection_rate(simulation),
        almost_never_significant_share=significance.almost_never_significant_share(simulation),
        half_significant_share=significance.often_significant_share(simulation, significance.HALF),
        almost_always_significant_share=significance.often_significant_share(
            simulation, significance.ALMOST_ALWAYS
        ),
        significant_share_topics=significance.significant_share_topics(simulation),
        significant_share_both=significance.significant_share_both(simulation),
        estimated_difference=significance.estimated_difference(simulation),
        estimated_difference_topics=significance.estimated_difference_topics(simulation),
        estimated_difference_shifted=significance.estimated_difference_shifted(simulation),
        components=conclusions.components(simulation),
        unstable_topics=conclusions.unstable_topics(simulation),
    )


Reading = Literal["as printed", "repaired", "beside it"]
"""As in the paper; corrected by its source or its name; a number that helps to interpret both."""
READINGS: dict[Reading, str] = {
    "as printed": "as published",
    "repaired": "corrected",
    "beside it": "in addition",
}
"""Names of the readings on pages and the command line; records and files keep the keys."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One number of the table."""

    question: str  # aspect that may change with the collection
    what: str  # the counted event
    reading: Reading  # the way of counting
    value: Estimate  # from simulated collections
    raw: Estimate | None  # its counterpart on the scores as they are
    raw_is: str  # description of the counterpart


def comparisons(result: Findings) -> tuple[Comparison, ...]:
    """Return the four comparisons of Yang, Zhang and Song (2018, table 1), as printed and repaired."""
    tested, levels = "pairs with a significant t test", "the same with topics alone resampled (Sakai 2006)"
    share, largest = result.raw_significant_share, conclusions.raw(result.largest_difference)
    rows: tuple[tuple[str, str, Reading, Estimate, Estimate | None, str], ...] = (
        (
            "Order",
            "error rate over all bins: pairs that change order",
            "as printed",
            result.overall_error_rate,
            None,
            "",
        ),
        (
            "Order",
            "KRCC: mean Kendall's τ with the raw ranking",
            "as printed",
            result.rank_correlation,
            None,
            "",
        ),
        (
            "Significance",
            "PCT(ASL < .05): pairs that are almost never significant, in under 5 % of the samples",
            "as printed",
            result.almost_never_significant_share,
            share,
            tested,
        ),
        (
            "Significance",
            "pairs that are significant in a sample, on average",
            "beside it",
            result.mean_rejection_rate,
            share,
            tested,
        ),
        (
            "Significance",
            "pairs that are significant in at least 50 % of the samples",
            "beside it",
            result.half_significant_share,
            share,
            tested,
        ),
        (
            "Significance",
            "pairs that are significant in at least 95 % of the samples",
            "beside it",
            result.almost_always_significant_share,
            share,
            tested,
        ),
        (
            "Significance",
            "pairs with an achieved level below α, topics and collection resampled together",
            "repaired",
            result.significant_share_both,
            result.significant_share_topics,
            levels,
        ),
        (
            "Difference",
            "ED: estimated difference, not shifted",
            "as printed",
            result.estimated_difference,
            largest,
            "the largest difference between two runs",
        ),
        (
            "Difference",
            "estimated difference, shifted to mean 0, topics and collection resampled together",
            "repaired",
            result.estimated_difference_shifted,
            result.estimated_difference_topics,
            levels,
        ),
    )
    return tuple(
        Comparison(question=question, what=what, reading=reading, value=value, raw=raw, raw_is=raw_is)
        for question, what, reading, value, raw, raw_is in rows
    )


def warm_up() -> None:
    """Compile the kernels by a small question, by every model."""
    runs, qrels = simulated_track()
    for model in get_args(Model):
        topic_variance(join(runs[:2], qrels), Settings(model=model, n_trials=2), runs[:2])
