# ruff: noqa: RUF009 - `by` makes a field
"""All answers of a simulation, without the trials: small enough to keep one for every question asked."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import compress
from operator import attrgetter, itemgetter
from typing import Any, get_args

import numpy as np

from topicset_core.analyses.topic_variance import conclusions
from topicset_core.analyses.topic_variance.cells import Floats, Ints, cells_of
from topicset_core.analyses.topic_variance.conclusions import Estimate
from topicset_core.analyses.topic_variance.request import Model, Request
from topicset_core.analyses.topic_variance.simulation import (
    Simulation,
    preview_trials,
    simulate_trials,
)
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.run import Run
from topicset_core.exports.records import fields_of
from topicset_core.exports.tables import Row
from topicset_core.progress import ReportProgress, silently
from topicset_core.samples import simulated_track

_SHOWN_FROM = 100  # trials from which partial answers are shown

MISFIT = 4.0
"""A run whose simulated mean is this many standard deviations off its raw one is not simulated well."""


def by(function: Callable[[Simulation], Any]) -> Any:
    """Return a field of `Findings` with the function that gives its value."""
    return field(repr=False, metadata={"by": function})


@dataclass(frozen=True, kw_only=True, eq=False)
class Findings:
    """The results from simulated collections.

    Parameters
    ----------
    request : Request
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
    run_shifts : tuple of dict
        The same of the means of runs, with its sign, the largest first; keys: system, shift.
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
    rank_intervals : tuple of dict
        Rank of each run and where 95 % of the trials have it, in the order of the runs; keys: system, raw_rank,
        low, high.
    reversed_pairs : tuple of dict
        Pairs that lose their order in 5 % of the trials or more, the most frequent reversals first; keys: better,
        worse, raw_difference, share (an Estimate), tied.
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
    unstable_topics : tuple of dict
        All topics, the least stable first; keys: topic, standard_deviation, share.
    """

    request: Request = by(attrgetter("request"))
    topics: tuple[str, ...] = by(attrgetter("cells.topics"))
    systems: tuple[str, ...] = by(attrgetter("cells.systems"))
    collection: str = by(attrgetter("cells.collection"))
    left_out_topics: tuple[str, ...] = by(attrgetter("cells.left_out"))
    topics_without_relevant: tuple[str, ...] = by(
        lambda simulation: tuple(compress(simulation.cells.topics, simulation.cells.n_relevant == 0))
    )
    n_relevant: Ints = by(attrgetter("cells.n_relevant"))
    n_pairs: int = by(lambda simulation: int(simulation.reversed_pairs.size))
    n_equal_pairs: int = by(lambda simulation: int((~simulation.has_order).sum()))
    n_trials_kept: int = by(attrgetter("n_kept"))
    n_unjudged: int = by(attrgetter("cells.n_unjudged"))
    n_tied: tuple[int, ...] = by(attrgetter("cells.n_tied"))
    cells_with_remarks: Mapping[str, Sequence[tuple[str, str]]] = by(
        lambda simulation: simulation.prepared.named(simulation.cells)
    )
    raw: Floats = by(attrgetter("raw"))
    simulated: Floats = by(attrgetter("cell_means"))
    deviations: Floats = by(lambda simulation: np.sqrt(simulation.cell_variances))
    raw_means: Floats = by(attrgetter("raw_means"))
    simulated_means: Floats = by(lambda simulation: simulation.means.mean(axis=0))
    mean_absolute_shift: Estimate = by(conclusions.mean_absolute_shift)
    run_shifts: tuple[Row, ...] = by(conclusions.run_shifts)
    error_rates: tuple[Estimate, ...] = by(conclusions.error_rates)
    pairs_by_bin: tuple[int, ...] = by(lambda simulation: tuple(simulation.sums[1:, 0].tolist()))
    tied_share: float = by(conclusions.tied_share)
    overall_error_rate: Estimate = by(conclusions.overall_error_rate)
    between_collections: Estimate = by(conclusions.between_collections)
    rank_correlation: Estimate = by(lambda simulation: conclusions.of_trials(simulation.taus))
    rank_intervals: tuple[Row, ...] = by(conclusions.rank_intervals)
    reversed_pairs: tuple[Row, ...] = by(conclusions.reversed_pairs)
    raw_significant_share: Estimate = by(conclusions.raw_significant_share)
    mean_rejection_rate: Estimate = by(
        lambda simulation: conclusions.of_trials(simulation.n_rejected / simulation.reversed_pairs.size)
    )
    almost_never_significant_share: Estimate = by(conclusions.almost_never_significant_share)
    half_significant_share: Estimate = by(partial(conclusions.often_significant_share, rate=conclusions.HALF))
    almost_always_significant_share: Estimate = by(
        partial(conclusions.often_significant_share, rate=conclusions.ALMOST_ALWAYS)
    )
    significant_share_topics: Estimate = by(partial(conclusions.significant_share, documents=False))
    significant_share_both: Estimate = by(partial(conclusions.significant_share, documents=True))
    estimated_difference: Estimate = by(conclusions.estimated_difference)
    estimated_difference_topics: Estimate = by(
        partial(conclusions.estimated_difference_shifted, documents=False)
    )
    estimated_difference_shifted: Estimate = by(
        partial(conclusions.estimated_difference_shifted, documents=True)
    )
    components: conclusions.Components = by(conclusions.components)
    unstable_topics: tuple[Row, ...] = by(conclusions.unstable_topics)

    @property
    def n_kept_pairs(self) -> int:
        """Pairs that have an order and keep it in more than 95 % of the trials."""
        return self.n_pairs - self.n_equal_pairs - len(self.reversed_pairs)

    @property
    def best_first(self) -> list[Row]:
        """The runs with their ranks, best first."""
        return sorted(self.rank_intervals, key=itemgetter("raw_rank"))

    @property
    def remarks(self) -> list[Row]:
        """Run, topic and remark of the cells that could not be drawn as asked."""
        return [
            {"run": run, "topic": topic, "remark": remark}
            for remark, cells in self.cells_with_remarks.items()
            for run, topic in cells
        ]

    @property
    def best_system(self) -> str:
        """The run with the highest raw mean."""
        return self.systems[int(self.raw_means.argmax())]

    def least_stable_topic(self, system: str) -> str:
        """Return the topic on which the scores of a run vary most between collections."""
        return self.topics[int(self.deviations[:, self.systems.index(system)].argmax())]

    @property
    def misfits(self) -> tuple[tuple[str, float], ...]:
        """Runs with simulated means beyond `MISFIT` standard deviations from their raw ones, and by how much."""
        spread = np.sqrt((self.deviations**2).sum(axis=0)) / len(self.topics)
        off = self.simulated.mean(axis=0) - self.raw_means
        return tuple(
            (self.systems[place], float(off[place]))
            for place in np.argsort(-np.abs(off)).tolist()
            if abs(off[place]) > MISFIT * spread[place]
        )

    @property
    def largest_difference(self) -> float:
        """Between the raw means of any two runs."""
        return float(np.ptp(self.raw_means))

    @property
    def safe_difference(self) -> float | None:
        """The lower edge of the first bin from which on fewer than 5 % of the pairs of each known bin reverse."""
        rates = [rate.value for rate in self.error_rates]
        unsafe = [
            place for place, rate in enumerate(rates) if rate is not None and rate >= conclusions.TOLERATED
        ]
        first = unsafe[-1] + 1 if unsafe else 0
        known = any(rate is not None for rate in rates[first:])
        return round(first * conclusions.BIN_WIDTH, 2) if known else None

    def record(self) -> dict[str, Any]:
        """Return choices and results for a record; no times or dates."""
        head = {
            "analysis": "topic variance",
            "settings": self.request.record() | {"measure": self.request.kind, "depth": self.request.depth},
            "n_topics": len(self.topics),
            "n_systems": len(self.systems),
        }
        left_out = "request topics systems n_relevant raw simulated deviations"
        result = fields_of(self, *left_out.split())
        for name in ("n_tied", "raw_means", "simulated_means"):
            result[name] = dict(zip(self.systems, result[name], strict=True))
        return head | result


def topic_variance(
    judged_runs: JudgedRuns,
    request: Request,
    runs: Sequence[Run] = (),
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
    show_partial: Callable[[Findings], None] | None = None,
) -> Findings:
    """Simulate collections and return the findings.

    Parameters
    ----------
    judged_runs : JudgedRuns
        At least 2 runs on at least 2 topics.
    request : Request
        The request.
    runs : sequence of Run
        The same runs with their documents, and scores where the model is "kde"; "bst" does without.
    report_progress : callable
        Takes the fraction done, between batches of a fifth of a second; raises to stop the work.
    executor : Executor, optional
        Where batches run; the result is the same bit for bit.
    show_partial : callable, optional
        Takes the answer of the first trials, from 100 on each time that there are ten times as many.

    Raises
    ------
    InputError
        If there are fewer than 2 runs, or than 2 topics that some run has, no grade reaches the relevance
        level, a run has no relevant document on any topic, or scores are needed and absent.
    """
    cells = cells_of(judged_runs, request.relevance_level)
    shown = preview_trials(cells, request.model) or 0

    def show(simulation: Simulation) -> None:
        nonlocal shown
        # Findings take about a second with many runs: at ten times the trials before.
        if show_partial is not None and simulation.request.n_trials >= max(_SHOWN_FROM, 10 * shown):
            shown = simulation.request.n_trials
            show_partial(findings(simulation))

    whole = simulate_trials(
        cells, request, runs, report_progress=report_progress, executor=executor, show_partial=show
    )
    return findings(whole)


def findings(simulation: Simulation) -> Findings:
    """Return all answers of a simulation."""
    return Findings(**{answer.name: answer.metadata["by"](simulation) for answer in fields(Findings)})


def warm_up() -> None:
    """Compile the kernels by a small question, by every model."""
    runs, qrels = simulated_track()
    for model in get_args(Model):
        topic_variance(join(runs[:2], qrels), Request(model=model, n_trials=2), runs[:2])
