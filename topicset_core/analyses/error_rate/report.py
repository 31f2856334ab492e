"""The exports: tables, record, figures and a paragraph for a paper about error rates."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from topicset_core import __version__
from topicset_core.analyses.error_rate.answer import Answer
from topicset_core.analyses.error_rate.charts import error_rate_curves, error_rate_map
from topicset_core.analyses.error_rate.experiment import ErrorRates, ExponentialFit
from topicset_core.analyses.error_rate.extrapolation import ExtrapolationCheck
from topicset_core.analyses.error_rate.prediction import Prediction, Predictor, Surface, surface
from topicset_core.analyses.error_rate.theory import LevelVariance, Theory, level_variances
from topicset_core.analyses.error_rate.units import N_BINS, UPPER_EDGES, Floats, bin_label
from topicset_core.charts.style import Mode
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.references import LIN_HAUPTMANN_2005, SAKAI_2006, VOORHEES_BUCKLEY_2002

_SHOWN_BINS = (0, 1, 2, 3, 4, 6, 9, 14, 19)
_CHECKED_BINS = 10


def report(
    answer: Answer,
    *,
    preparation: Sequence[str] = (),
    around: Surface | None = None,
    link: str = "",
) -> Report:
    """Return the answer ready for export.

    Parameters
    ----------
    answer : Answer
        The result.
    preparation : sequence of str
        The preparation of the scores before, in sentences.
    around : Surface, optional
        Error rates around the question, for the map; computed when the figures are made where it is
        not given.
    link : str
        The full link to the answer.
    """
    prediction, counted = answer.prediction, answer.counted
    fits = [one for one in answer.fits if one is not None]
    return Report(
        name="error-rate",
        title=f"Error rate: {prediction.measure}, {prediction.name}",
        sentence=" ".join(sentences(answer)),
        tables=[
            ReportTable(
                "error rates", lambda: long_table(counted, answer.expected), "Error rates", "error-rates"
            ),
            ReportTable("fits", lambda: FITS.table(fits), "Fits", "error-rate-fits"),
            ReportTable("answer", lambda: ANSWER.table([prediction])),
            ReportTable("Lin and Hauptmann", lambda: published_table(answer)),
        ],
        page_table=lambda: wide_table(counted),
        results=lambda: [record(answer, preparation)],
        text=paragraph(prediction, counted),
        figures=lambda: figures(answer, around or _around(answer), "print"),
        measure=prediction.measure,
        variance_source=" ".join(preparation) or "as loaded",
        matrices=[answer.matrix],
        seed=counted.seed,
        link=link,
    )


def sentences(answer: Answer) -> list[str]:
    """Return the answer, its limits and the comparison of two runs."""
    prediction, two = answer.prediction, answer.two_runs
    limits = f"{prediction.limits}." if prediction.limits else ""
    return [one for one in (prediction.sentence, limits, two.sentence if two else "") if one]


def record(answer: Answer, preparation: Sequence[str] = ()) -> dict[str, Any]:
    """Return the record of the result."""
    return (
        answer.prediction.record()
        | {"prepared": preparation}
        | answer.counted.record()
        | ({} if answer.two_runs is None else {"two_runs": answer.two_runs})
        | {"fits": [fit and attributes(fit, "b1 b2") for fit in answer.fits]}
    )


def figures(answer: Answer, around: Surface, mode: Mode) -> list[Figure]:
    """Return the figures: curves and map."""
    prediction = answer.prediction
    return [
        error_rate_curves(
            answer.counted, expected=answer.expected, tolerated=prediction.max_error, mode=mode
        ),
        error_rate_map(around, prediction, mode=mode),
    ]


ANSWER = Columns[Prediction](
    Column("difference"),
    Column("topics", "n_topics"),
    Column("error_rate", "error"),
    Column("error_rate_low", "interval.low"),
    Column("error_rate_high", "interval.high"),
    Column("tolerated_rate", "max_error"),
    Column("required_topics"),
    Column("required_topics_low", "required_topics_interval.low"),
    Column("required_topics_high", "required_topics_interval.high"),
    Column("required_difference", "resolved_difference"),
)
"""The answer with its intervals; rates from 0 to 1, topics not rounded."""


def wide_table(counted: ErrorRates) -> Table:
    """Return error rates in per cent, one row per size, a column for some of the bins."""
    return {"topics": list(counted.cardinalities)} | {
        bin_label(place): [_known(rate) for rate in 100 * counted.error_rates[:, place]]
        for place in _SHOWN_BINS
    }


def long_table(counted: ErrorRates, expected: Theory) -> Table:
    """Return everything counted and expected, one row per size and bin; rates from 0 to 1."""
    rows = [(place, bin_) for place in range(len(counted.cardinalities)) for bin_ in range(N_BINS + 1)]
    rates, errors = counted.error_rates, counted.standard_errors

    def formula(values: Floats) -> list[object]:
        return [_known(values[place, bin_]) if bin_ < values.shape[1] else None for place, bin_ in rows]

    return {
        "topics": [counted.cardinalities[place] for place, _ in rows],
        "difference_above": [bin_ / 100 for _, bin_ in rows],
        "difference_up_to": [UPPER_EDGES[bin_] for _, bin_ in rows],
        "pairs": [int(counted.pairs[row]) for row in rows],
        "reversals": [int(counted.reversals[row]) for row in rows],
        "error_rate": [_known(rates[row]) for row in rows],
        "standard_error": [_known(errors[row]) for row in rows],
        "theory_given_observed": formula(expected.conditional),
        "theory_paired": formula(expected.paired),
        "theory_independent": formula(expected.independent),
    }


FITS = Columns[ExponentialFit](
    Column("difference", lambda fit: bin_label(fit.bin)),
    Column("b1"),
    Column("b2"),
    Column("largest_residual"),
)
"""The fitted exponentials, one row per bin."""


LIN_HAUPTMANN_TABLE_1 = {
    0.01: (0.000464, 0.000783),
    0.02: (0.000294, 0.000814),
    0.03: (0.000434, 0.000684),
}
"""Variances of a difference of means over 50 topics, TREC-3 and TREC-6, by the lower edge of the level."""

_TOPICS_OF_TABLE_1 = 50


def published_table(answer: Answer) -> Table:
    """Return table 1 of Lin and Hauptmann (2005) next to the same variances and exponentials of these scores.

    They publish no fitted b1 and b2. By Eq. 13, b1 is 1/2, and b2 is 2 d^2 / (pi n Var), n Var being the
    variance of a per-topic difference; here d is the middle of the level. Fits are the fits of the bin there.
    """
    rows = level_variances(answer.matrix)
    n_topics = answer.matrix.n_topics

    def b2(row: LevelVariance, variance: float | None, topics: int) -> float | None:
        if not variance:
            return None
        return 2 * (0.5 * (row.low + row.high)) ** 2 / (math.pi * topics * variance)

    printed = [LIN_HAUPTMANN_TABLE_1[row.low] for row in rows]
    fitted = [answer.fits[round(100 * row.high) - 1] for row in rows]
    return {
        "difference_from": [row.low for row in rows],
        "difference_below": [row.high for row in rows],
        "variance_trec_3": [trec_3 for trec_3, _ in printed],
        "variance_trec_6": [trec_6 for _, trec_6 in printed],
        "variance_here": [row.variance for row in rows],
        "pairs_here": [row.n_pairs for row in rows],
        "b1_eq_13": [0.5] * len(rows),
        "b1_fitted": [None if fit is None else fit.b1 for fit in fitted],
        "b2_trec_3": [b2(row, one, _TOPICS_OF_TABLE_1) for row, (one, _) in zip(rows, printed, strict=True)],
        "b2_trec_6": [b2(row, one, _TOPICS_OF_TABLE_1) for row, (_, one) in zip(rows, printed, strict=True)],
        "b2_eq_13_here": [b2(row, row.variance, n_topics) for row in rows],
        "b2_fitted": [None if fit is None else fit.b2 for fit in fitted],
    }


def check_table(result: ExtrapolationCheck) -> Table:
    """Return predicted next to observed rates, in per cent, for the first ten bins with pairs."""
    bins = [place for place in range(_CHECKED_BINS) if np.isfinite(result.observed[place])]
    columns = {
        "observed, %": result.observed,
        "predicted, %": result.predicted,
        "from, %": result.low,
        "to, %": result.high,
        "fitted exponential, %": result.exponential,
    }
    return (
        {"difference": [bin_label(place) for place in bins]}
        | {name: [100 * float(values[place]) for place in bins] for name, values in columns.items()}
        | {"apart, standard errors": [float(result.departures[place]) for place in bins]}
    )


def paragraph(prediction: Prediction, counted: ErrorRates) -> tuple[str, str]:
    """Return the result of the error rates, in plain text and in LaTeX."""
    drawn = "with replacement, each for itself" if counted.with_replacement else "without topics in common"
    rate, interval = prediction.rate
    thinned = f" {counted.sizes_in_words}" if counted.sizes_in_words else ""
    summary = (
        f"Retrieval experiment error rates {CITATION} were estimated from the {counted.measure} scores of "
        f"{counted.n_systems} runs on {counted.n_topics} topics ({counted.name}). A difference of "
        f"{prediction.difference:g} observed on {prediction.n_topics:,} topics is reversed by as many other "
        f"topics in {rate} of the cases{interval}, averaged over pairs of runs given the "
        f"observed difference; an error rate of {100 * prediction.max_error:g} % needs {prediction.way}. The "
        "experiment behind "
        f"it compared {counted.n_trials:,} pairs of topic sets for each of {len(counted.cardinalities)} sizes "
        f"from {min(counted.cardinalities)} to {max(counted.cardinalities)}, drawn {drawn}, seed "
        f"{counted.seed} (Topicset {__version__}).{thinned}"
    )
    works = [VOORHEES_BUCKLEY_2002, LIN_HAUPTMANN_2005, *([SAKAI_2006] if counted.with_replacement else [])]
    return cite_plain(summary, works), cite_latex(summary, works)


def _around(answer: Answer) -> Surface:
    prediction = answer.prediction
    return surface(Predictor(answer.matrix), n_topics=prediction.n_topics, difference=prediction.difference)


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
