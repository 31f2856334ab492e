"""Is it right to extrapolate error rates to more topics? Predict from a part of the topics, check on the rest.

The topics are cut in two at random. From the first part the rates at larger sets are predicted, in
two ways: by averaging over pairs given the observed difference (`prediction`), with its interval; and
by the exponentials of Voorhees and Buckley, fitted to the experiment on that part and read off beyond
it. On the rest, the experiment shows them.

The rest is a sample too, so its rates have an interval of their own. `departures` are on the scale of
both: the difference over the root of the sum of both squared standard errors.
"""

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.error_rate.experiment import error_rates, exponential_fits
from topicset_core.analyses.error_rate.prediction import Predictor
from topicset_core.analyses.error_rate.units import Floats
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import SEED
from topicset_core.progress import ReportProgress, silently

FEWEST_TOPICS = 12
"""With fewer, neither part has enough evidence."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ExtrapolationCheck:
    """Rates predicted from one part of the topics next to the rates on the rest, for each of 21 bins."""

    # Topics of the part that predicts, and of the rest
    n_topics_used: int
    n_topics_left: int
    cardinality: int  # topics in a set at which the two are compared
    # Of the experiments and of the cut
    n_trials: int
    seed: int
    # Predicted rate and its interval
    predicted: Floats  # (21,)
    low: Floats  # (21,)
    high: Floats  # (21,)
    exponential: Floats  # (21,): rate read off the fitted exponential
    observed: Floats  # (21,): rate in the experiment on the rest
    departures: Floats  # (21,): observed less predicted in standard errors of both, on the log scale


def check_extrapolation(
    matrix: ScoreMatrix,
    *,
    n_topics_used: int | None = None,
    n_trials: int = 1000,
    seed: int = 0,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> ExtrapolationCheck:
    """Predict from some topics the rates at the largest sets that the others allow, and compare."""
    if matrix.n_topics < FEWEST_TOPICS:
        raise InputError("topics", matrix.n_topics, f"must be at least {FEWEST_TOPICS} to be cut in two")
    SEED.check(seed)
    used = matrix.n_topics // 3 if n_topics_used is None else n_topics_used
    most = (matrix.n_topics - 1) // 2
    if isinstance(used, bool) or not isinstance(used, int) or not FEWEST_TOPICS // 3 <= used <= most:
        rule = f"must be a whole number from {FEWEST_TOPICS // 3} to {most}, less than half of the topics"
        raise InputError("n_topics_used", n_topics_used, rule)
    order = np.random.default_rng(np.random.SeedSequence(seed)).permutation(matrix.n_topics)
    part, rest = (
        matrix.taken(np.sort(rows).tolist(), range(matrix.n_systems)) for rows in (order[:used], order[used:])
    )
    size = rest.n_topics // 2
    settings = {"n_trials": n_trials, "seed": seed, "executor": executor}
    shown = error_rates(
        rest,
        cardinalities=[size],
        report_progress=lambda done: report_progress(0.4 * done),
        **settings,  # type: ignore[arg-type]
    )
    on_part = error_rates(
        part,
        report_progress=lambda done: report_progress(0.4 + 0.4 * done),
        **settings,  # type: ignore[arg-type]
    )
    fitted = exponential_fits(on_part)
    predictor = Predictor(part)
    intervals = predictor.bin_intervals(size)
    report_progress(0.9)
    own = Predictor(rest)
    departures = own.departures(shown.error_rates[0], predictor, size)
    report_progress(1.0)
    return ExtrapolationCheck(
        n_topics_used=used,
        n_topics_left=rest.n_topics,
        cardinality=size,
        n_trials=n_trials,
        seed=seed,
        predicted=predictor.bins(size),
        low=np.array([np.nan if interval is None else interval.low for interval in intervals]),
        high=np.array([np.nan if interval is None else interval.high for interval in intervals]),
        exponential=np.array([np.nan if fit is None else float(fit.at(size)) for fit in fitted]),
        observed=shown.error_rates[0],
        departures=departures,
    )
