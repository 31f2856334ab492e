"""The exports: tables, record, figures and a paragraph for a paper about error rates."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from topicset_core.analyses.error_rate.answer import Answer, Request, complete, compute
from topicset_core.analyses.error_rate.experiment import (
    N_BINS,
    UPPER_EDGES,
    ErrorRates,
    ExponentialFit,
    Floats,
    affordable_trials,
    bin_label,
    estimated_seconds,
)
from topicset_core.analyses.error_rate.prediction import (
    ExtrapolationCheck,
    Interval,
    Prediction,
    Surface,
    interval_note,
    percent,
    rates_by_topics,
    surface,
)
from topicset_core.analyses.error_rate.theory import LevelVariance, Theory, level_variances, pairs_of
from topicset_core.analyses.error_rate.two_runs import intervals_held
from topicset_core.charts.chart import Chart, errors
from topicset_core.charts.labels import literal
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.error_rate import SET_SIZE, FactorCurve
from topicset_core.execution.sizes import share_of_sizes
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import ACCENT, QUIET, SERIES, TEXT, TRANSPARENT, in_colour, shade
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.preparation.whole_groups import size_in_words, units_in_words
from topicset_core.question import Question
from topicset_core.references import LIN_HAUPTMANN_2005, SAKAI_2006, VOORHEES_BUCKLEY_2002
from topicset_core.version import __version__
from topicset_core.wording import TIES, in_units

_SHOWN_BINS = (0, 1, 2, 3, 4, 6, 9, 14, 19, 20)
_CHECKED_BINS = 10


def report(answer: Answer) -> Report:
    """Return the answer ready for export."""
    prediction, counted = answer.prediction, answer.counted
    fits = [one for one in answer.fits if one is not None]
    return Report(
        name="error-rate",
        title=f"Error rate: {prediction.measure}, {prediction.name}",
        findings=findings(answer),
        works=[
            VOORHEES_BUCKLEY_2002,
            LIN_HAUPTMANN_2005,
            *([SAKAI_2006] if counted.with_replacement else []),
        ],
        tables=[
            ReportTable(
                "error rates", lambda: long_table(counted, answer.expected), "Error rates", "error-rates"
            ),
            ReportTable("fits", lambda: FITS.table(fits), "Fits", "error-rate-fits"),
            # Columns name groups where these are counted.
            ReportTable(
                "answer",
                lambda: {in_units(n, prediction.unit): of for n, of in ANSWER.table([prediction]).items()},
            ),
            ReportTable("Lin and Hauptmann", lambda: published_table(answer)),
        ],
        page_table=lambda: rate_columns(counted).table(range(len(counted.cardinalities))),
        results=lambda: [record(answer)],
        figures=lambda: figures(answer),
        measure=prediction.measure,
        preparation=(),
        matrices=[answer.matrix],
        request=answer.request.settings,
    )


def findings(answer: Answer) -> list[Finding]:
    """Return the findings: rate, ways to the tolerated rate, two named runs, method."""
    prediction, counted, two = answer.prediction, answer.counted, answer.two_runs
    unit, tolerated = prediction.unit, f"{100 * prediction.max_error:g} %"
    observed = f"An observed difference of {prediction.difference:g} {prediction.measure} is reversed on "
    said = [
        headline(observed, percent(prediction.error), f" of other {in_units('topic sets', unit)}"),
        *_tiles(prediction, tolerated),
        Finding(_origin(counted), "paper"),
        Finding(prediction.with_limits),
        Finding(_method(counted), "paper"),
        Finding(TIES, "page terminal paper"),
    ]
    if prediction.interval is not None:
        said.append(Finding(interval_note(unit), "terminal"))
    if two is not None:
        said.append(Finding(two.sentence))
        if two.interval is not None:
            said.append(Finding(intervals_held(unit), "page terminal"))
    return said


def _tiles(prediction: Prediction, tolerated: str) -> Iterator[Finding]:
    """Yield the numbers beside the headline."""
    resolved, if_true = prediction.resolved_difference, prediction.if_true
    if prediction.interval is not None:
        limits = f"{prediction.limits}. " if prediction.limits else ""
        note = f"{limits}{interval_note(prediction.unit)}"
        yield tile(f"{100 * prediction.level:g} % interval", prediction.interval.ends, note)
    needed = prediction.topics_needed or "none"
    yield tile(f"a rate of {tolerated} takes", needed, prediction.topics_between)
    of = f"Observed on {prediction.n_topics:,} {prediction.unit}s."
    yield tile("or a difference of", "none" if resolved is None else f"{resolved:.2g}", of)
    if if_true is not None:
        note = f"A rate of {tolerated} if this is the true difference (Eq. 8): {if_true.counted}."
        yield tile(f"if {prediction.difference:g} is true", f"{if_true.topics:,} topics", note)


def record(answer: Answer) -> dict[str, Any]:
    """Return the record of the result."""
    return (
        answer.prediction.record()
        | answer.counted.record()
        | ({} if answer.two_runs is None else {"two_runs": answer.two_runs})
        | {"fits": [fit and attributes(fit, "b1 b2") for fit in answer.fits]}
    )


def figures(answer: Answer) -> list[Figure]:
    """Return the figures: the difference in question, all differences, and the map."""
    return [error_rate_by_topics(answer), *figures_of_all(answer)]


def figures_of_all(answer: Answer) -> list[Figure]:
    """Return the figures of all differences: curves and map."""
    prediction = answer.prediction
    around = surface(answer.predictor, n_topics=prediction.n_topics, difference=prediction.difference)
    return [
        error_rate_curves(answer.counted, expected=answer.expected, tolerated=prediction.max_error),
        error_rate_map(around, prediction, units_in_words(answer.matrix)),
    ]


ANSWER = Columns[Prediction](
    Column("difference"),
    Column("topics", "n_topics"),
    Column("error rate", "error"),
    Column("error rate, from", "interval.low"),
    Column("error rate, to", "interval.high"),
    Column("tolerated error rate", "max_error"),
    Column("required topics"),
    Column("required topics, from", "required_topics_interval.low"),
    Column("required topics, to", "required_topics_interval.high"),
    Column("required difference", "resolved_difference"),
)
"""The answer with its intervals; rates from 0 to 1, topics not rounded."""


def rate_columns(counted: ErrorRates) -> Columns[int]:
    """Return the columns of error rates in per cent over places of sizes: one for some of the bins."""
    rates = 100 * counted.error_rates
    return Columns(
        Column(f"{counted.matrix.unit}s", counted.cardinalities.__getitem__),
        *(
            Column(f"{bin_label(bin_)}, %", partial(_rate, rates[:, bin_]), bin_label(bin_), ".2f")
            for bin_ in _SHOWN_BINS
        ),
    )


def _rate(rates: Floats, place: int) -> float | None:
    return _known(rates[place])


def long_table(counted: ErrorRates, expected: Theory) -> Table:
    """Return everything counted and expected, one row per size and bin; rates from 0 to 1."""
    rows = [(place, bin_) for place in range(len(counted.cardinalities)) for bin_ in range(N_BINS + 1)]
    rates, errors = counted.error_rates, counted.standard_errors

    def formula(values: Floats) -> list[object]:
        return [_known(values[place, bin_]) if bin_ < values.shape[1] else None for place, bin_ in rows]

    return {
        f"{counted.matrix.unit}s": [counted.cardinalities[place] for place, _ in rows],
        "difference above": [bin_ / 100 for _, bin_ in rows],
        "difference up to": [UPPER_EDGES[bin_] for _, bin_ in rows],
        "pairs": [int(counted.pairs[row]) for row in rows],
        "reversals": [int(counted.reversals[row]) for row in rows],
        "half errors": [int(counted.half_errors[row]) for row in rows],
        "error rate": [_known(rates[row]) for row in rows],
        "standard error": [_known(errors[row]) for row in rows],
        "theory, given the observed difference": formula(expected.conditional),
        "theory, paired": formula(expected.paired),
        "theory, independent": formula(expected.independent),
    }


FITS = Columns[ExponentialFit](
    Column("difference", lambda fit: bin_label(fit.bin)),
    Column("b1"),
    Column("b2"),
    Column("largest residual"),
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
    """Return table 1 of Lin and Hauptmann (2005) next to the same variances and exponentials of these scores."""
    # They publish no fitted b1 and b2. By Eq. 13, b1 is 1/2, and b2 is 2 d^2 / (pi n Var), n Var being the
    # variance of a per-topic difference; here d is the middle of the level. Fits are the fits of the bin there.
    rows = level_variances(answer.matrix)
    n_topics = answer.matrix.n_topics

    def b2(row: LevelVariance, variance: float | None, topics: int) -> float | None:
        if not variance:
            return None
        return 2 * (0.5 * (row.low + row.high)) ** 2 / (math.pi * topics * variance)

    printed = [LIN_HAUPTMANN_TABLE_1[row.low] for row in rows]
    fitted = [answer.fits[round(100 * row.high) - 1] for row in rows]
    return {
        "difference from": [row.low for row in rows],
        "difference below": [row.high for row in rows],
        "variance, TREC-3": [trec_3 for trec_3, _ in printed],
        "variance, TREC-6": [trec_6 for _, trec_6 in printed],
        "variance, these scores": [row.variance for row in rows],
        "pairs, these scores": [row.n_pairs for row in rows],
        "b1, Eq. 13": [0.5] * len(rows),
        "b1, fitted": [None if fit is None else fit.b1 for fit in fitted],
        "b2, TREC-3": [b2(row, one, _TOPICS_OF_TABLE_1) for row, (one, _) in zip(rows, printed, strict=True)],
        "b2, TREC-6": [b2(row, one, _TOPICS_OF_TABLE_1) for row, (_, one) in zip(rows, printed, strict=True)],
        "b2, Eq. 13, these scores": [b2(row, row.variance, n_topics) for row in rows],
        "b2, fitted": [None if fit is None else fit.b2 for fit in fitted],
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


def _origin(counted: ErrorRates) -> str:
    """Return which scores the error rates are from."""
    matrix = counted.matrix
    return (
        f"Retrieval experiment error rates {CITATION} were estimated from the {matrix.measure} scores of "
        f"{matrix.n_systems} runs on {size_in_words(matrix)} ({matrix.name})."
    )


def _method(counted: ErrorRates) -> str:
    """Return how the experiment was done."""
    unit = counted.matrix.unit
    drawn = "with replacement, each for itself" if counted.with_replacement else f"without {unit}s in common"
    sizes = counted.cardinalities
    method = (
        f"The experiment behind it compared {counted.n_trials:,} pairs of {in_units('topic sets', unit)} for each "
        f"of {len(sizes)} sizes from {min(sizes)} to {max(sizes)}, drawn {drawn}, seed {counted.seed} (Topicset "
        f"{__version__})."
    )
    return " ".join(filter(None, (method, counted.sizes_in_words)))


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


_LABELLED = (0, 1, 2, 3, 4, 6, 9)
"""Bins that get a stronger line and, where there is room at its end, a label."""

_LABEL_HEIGHT = 2.4  # in units of the axis

_Y_TITLE = "error rate (%)"
_DRAWN_SIZES = 60


def error_rate_curves(
    counted: ErrorRates, *, expected: Theory | None = None, tolerated: float | None = None
) -> Figure:
    """Draw error rates against the topics in a set, from small differences (pale) to large ones (strong)."""
    order = np.argsort(counted.cardinalities)
    sizes = np.array(counted.cardinalities)[order]
    shown_sizes = (
        share_of_sizes(counted.cardinalities, counted.largest_size) if counted.sizes_in_words else ""
    )
    drawn = "sets drawn with replacement" if counted.with_replacement else "disjoint sets"
    chart = Chart(
        f"Error rate by difference in {counted.matrix.measure} ({drawn}, {counted.n_trials:,} trials)",
        " · ".join(filter(None, (f"{units_in_words(counted.matrix)} in each set", shown_sizes))),
        _Y_TITLE,
        height=480,
    )
    lowest = np.inf  # label so far; bins come from the top, from small differences to large ones
    for place in range(N_BINS + 1):
        rates = 100 * counted.error_rates[order, place]
        label = bin_label(place)
        chart.line(
            sizes,
            rates,
            label,
            f"difference {label}: %{{x}} {counted.matrix.unit}s, %{{y:.2f}} % (standard error %{{customdata:.2f}})",
            colour=shade(place / N_BINS),
            width=2 if place in _LABELLED else 1.1,
            customdata=100 * counted.standard_errors[order, place],
        )
        there = np.flatnonzero(np.isfinite(rates))
        if place in _LABELLED and there.size and rates[there[-1]] < lowest - _LABEL_HEIGHT:
            end = there[-1]
            lowest = rates[end]
            text = f"difference {label}" if place == 0 else label
            chart.name_end(float(sizes[end]), float(rates[end]), text)
    legend = ["— experiment"]
    if expected is not None:
        _add_theory(chart, expected, counted.matrix.unit)
        legend.append("- - theory")
    if tolerated is not None:
        chart.rule(100 * tolerated, colour=ACCENT, width=1.4)
        legend.append(in_colour(f"··· tolerated: {100 * tolerated:g} %", ACCENT))
    # Below the title of the axis; above the chart it would cover the mark of simulated data.
    corner: dict[str, Any] = {
        "xref": "paper",
        "yref": "paper",
        "xanchor": "right",
        "yanchor": "top",
        "yshift": -56,
    }
    chart.note("   ".join(legend), 1, 0, colour=TEXT, **corner)
    chart.axis("x", range=[max(float(sizes[0]) - 1, 0), float(sizes[-1]) + 0.2])
    chart.axis("y", range=[0, _highest(counted.error_rates)])
    chart.room(right=150, bottom=86)
    alt = f"Error rates against the number of {counted.matrix.unit}s, a line for each difference."
    return chart.figure("curves", alt)


def error_rate_by_topics(answer: Answer) -> Figure:
    """Draw the error rate of one difference by topics, dashed beyond the experiment, and the tolerated rate."""
    prediction, counted, two = answer.prediction, answer.counted, answer.two_runs
    needed, n_topics, between = (
        prediction.required_topics,
        prediction.n_topics,
        prediction.required_topics_interval,
    )
    difference = f"{prediction.difference:g} {prediction.measure}"
    tolerated, half = 100 * prediction.max_error, max(prediction.topics_of_matrix // 2, 1)
    units = f"{prediction.unit}s"
    topics = prediction.topics_needed or f"not shown that systems differ on these {units}"
    chart = Chart(
        f"An error rate of {tolerated:g} % for {difference}: {topics}",
        f"{units} on which the difference is observed (log scale)",
        _Y_TITLE,
    )
    last = min(max(2 * n_topics, 2 * (needed or 0), 4 * half), SET_SIZE.upper)
    sizes = np.unique(np.r_[np.rint(np.geomspace(1, last, _DRAWN_SIZES)), half, n_topics]).astype(int)
    chart.log_axis("x")
    for some, name, dash in (
        (sizes[sizes <= half], f"predicted for {prediction.difference:g}", None),
        (sizes[sizes >= half], f"extrapolated beyond {half:,} {units}", "dash"),
    ):
        rates = 100 * rates_by_topics(answer.predictor, prediction.difference, some)
        # A click needs markers; legends show these ones not.
        look: dict[str, Any] = {"marker": {"color": TRANSPARENT}}
        chart.line(some, rates, name, f"%{{x:,}} {units}: %{{y:.2f}} %", width=3, dash=dash, **look)
    place = int(np.searchsorted(np.array(UPPER_EDGES[:-1], float), prediction.difference))
    # Between two bins lies their common edge: what is predicted for it is between their rates.
    is_edge = math.isclose(UPPER_EDGES[place] or math.inf, prediction.difference)
    bins = ((place, "circle"), (place + 1, "circle-open"))
    for one, symbol in bins[: 1 + is_edge]:
        label = f"experiment, differences {bin_label(one)}"
        chart.points(
            counted.cardinalities,
            100 * counted.error_rates[:, one],
            label,
            f"{label}: %{{x:,}} {units}, %{{y:.2f}} %",
            colour=QUIET,
            size=5,
            symbol=symbol,
        )
    chart.rule(tolerated, f"tolerated: {tolerated:g} %", at_left=True)  # falling lines reach it at the right
    if needed is not None:
        if between is not None:
            ends = [between.low, min(between.high or last, last)]
            chart.line(ends, [tolerated] * 2, None, None, colour=QUIET, width=3, showlegend=False)
        chart.points([needed], [tolerated], None, topics, colour=TEXT, size=9, showlegend=False)
        chart.note(topics, needed, tolerated, colour=TEXT, xanchor="right", xshift=-8, yshift=-12)
    if two is not None:
        name, rate = f"{two.better} and {two.worse}", 100 * two.error
        bar = _whiskers(two.error, two.interval, SERIES[1])
        chart.points(
            [n_topics],
            [rate],
            literal(name),
            f"%{{x:,}} {units}: {rate:.2f} %",
            colour=SERIES[1],
            size=9,
            error_y=bar,
        )
    bar = _whiskers(prediction.error, prediction.interval, ACCENT)
    label = percent(prediction.error)
    hover = f"{n_topics:,} {units}: {label}"
    chart.yours(n_topics, 100 * prediction.error, label, hover, above=True, error_y=bar, showlegend=False)
    chart.axis("y", range=[0, _highest(counted.error_rates[:, place])])
    chart.legend()
    alt = (
        f"Error rate of a difference of {difference} against {units}: {hover}; {tolerated:g} % is tolerated."
    )
    return chart.figure("by-topics", alt)


def _whiskers(rate: float, interval: Interval | None, colour: str) -> dict[str, Any]:
    """Return error bars from an interval in per cent, of no length without one."""
    low, high = (rate, rate) if interval is None else (interval.low, interval.high)
    return errors([100 * (high - rate)], colour, down=[100 * (rate - low)])


def _highest(rates: Floats) -> float:
    """Return where the axis ends: a little above one half, and above what few pairs happened to show."""
    shown = rates[np.isfinite(rates)]
    return max(54.0, 104 * float(shown.max())) if shown.size else 54.0


def _add_theory(chart: Chart, expected: Theory, unit: str) -> None:
    order = np.argsort(expected.cardinalities)
    sizes = np.array(expected.cardinalities)[order]
    for place in _LABELLED:
        label = f"theory, {bin_label(place)}"
        rates, hover = 100 * expected.conditional[order, place], f"{label}: %{{x}} {unit}s, %{{y:.2f}} %"
        chart.line(sizes, rates, label, hover, colour=TEXT, width=1.2, dash="dash")


def error_rate_map(around: Surface, prediction: Prediction, rows: str = "topics") -> Figure:
    """Draw error rates as shades, with the line of the tolerated rate and the user's point."""
    tolerated, units = 100 * prediction.max_error, f"{prediction.unit}s"
    chart = Chart(
        f"Error rate by difference and {units}",
        f"{rows} on which the difference is observed (log scale)",
        f"observed difference ({prediction.measure})",
        height=460,
    )
    chart.log_axis("x", showgrid=False)
    chart.axis("y", showgrid=False)
    hover, rates = f"%{{x:.0f}} {units}, difference %{{y:.3f}}: %{{z:.2f}} %", 100 * around.rates
    place: dict[str, Any] = {"x": around.sizes, "y": around.differences}
    chart.shades(rates.astype(np.float32), "error rate", hover, bar=_Y_TITLE, zmin=0, zmax=50, **place)
    chart.trace(
        "contour",
        f"{tolerated:g} %",
        None,
        z=rates,
        contours={"start": tolerated, "end": tolerated, "size": 1, "coloring": "none"},
        line={"color": ACCENT, "width": 2.4},
        showscale=False,
        **place,
    )
    half = prediction.topics_of_matrix // 2  # up to where two disjoint sets can be drawn from the matrix
    chart.add_vline(x=half, line={"color": TEXT, "width": 1, "dash": "dot"})
    look: dict[str, Any] = {"yref": "paper", "xanchor": "right", "yanchor": "bottom"}
    chart.note(f"experiment: up to {half} {units}", half, 1, colour=TEXT, **look)
    chart.yours(
        prediction.n_topics,
        prediction.difference,
        "",
        f"yours: {prediction.n_topics:,} {units}, difference {prediction.difference:g}: "
        f"{100 * prediction.error:.2f} %",
    )
    return chart.figure("map", f"Error rate over difference and {units}, with the line of {tolerated:g} %.")


_TITLES = {
    "n_topics": ("Error rate against topics", "topics of each experiment"),
    "difference": ("Error rate against the true difference", "true difference ({measure})"),
    "difference_variance": ("Error rate against the variance", "variance of the difference ({measure}²)"),
}
"""Title and axis of each factor."""


def error_by_factor(
    curve: FactorCurve, *, value: float, error: float, measure: str, unit: str = "topic"
) -> Figure:
    """Draw one factor's curve."""
    title, axis = (in_units(text, unit) for text in _TITLES[curve.factor])
    chart = Chart(title, axis.format(measure=measure), _Y_TITLE, height=340)
    chart.line(curve.values, 100 * curve.errors, "Eq. 8", "%{x:.4g}: %{y:.2f} %", width=3)
    rate = f"{100 * error:.3g} %"
    chart.yours(value, 100 * error, rate, f"yours: {value:g}, {rate}", above=True)
    chart.axis("y", range=[0, 54])
    return chart.figure("factor", f"{title}, Eq. 8; {percent(error)} at your values.")


def _details(answer: Answer) -> dict[str, Any]:
    """Return the arrays behind the answer, which its record leaves out."""
    counted, expected = answer.counted, answer.expected
    return {
        "n_equal_pairs": pairs_of(answer.matrix).n_constant,
        **attributes(counted, "decimals scores_are_exact"),
        **attributes(counted, "error_rates standard_errors"),
        "overall_error_rates": counted.overall,
        "fits": answer.fits,
        "theory": attributes(expected, "independent paired conditional"),
        "level_variances": level_variances(answer.matrix),
    }


def _text(answer: Answer) -> list[str]:
    """Return the lines of the table in a terminal."""
    counted = answer.counted
    how = "with replacement" if counted.with_replacement else "disjoint sets"
    return [
        "",
        f"Error rates in per cent, {counted.n_trials:,} trials of seed {counted.seed}, {how}, by the "
        "observed difference.",
        *filter(None, [counted.sizes_in_words]),
        *rate_columns(counted).text(range(len(counted.cardinalities))),
        "",
    ]


def _preview(matrix: ScoreMatrix, request: Request, seconds: float) -> Request:
    """Return the request with as many trials as that time allows."""
    sizes = request.cardinalities or ()
    return replace(request, n_trials=affordable_trials(matrix, sizes, seconds, request.n_trials))


QUESTION = Question(
    slug="error-rate",
    description="The experiment of Voorhees and Buckley (2002) on one matrix of scores: error rates by topics in a "
    "set and by bins of the difference, fitted exponentials, the error rate of Lin and Hauptmann (2005) in three "
    "forms, and how many topics a tolerated rate requires.",
    takes="matrix by group",
    request=Request,
    complete=complete,
    compute=compute,
    finish=Answer.read_off,
    report=report,
    text=_text,
    details=lambda answer: {"details": _details(answer)},
    noun=lambda request: f"{request.n_trials:,} trials",
    seconds=lambda matrix, request: estimated_seconds(matrix, request.cardinalities or (), request.n_trials),
    preview=_preview,
    preview_seconds=0.1,
    is_whole=lambda answer, request: answer.counted.n_trials == request.n_trials,
)
