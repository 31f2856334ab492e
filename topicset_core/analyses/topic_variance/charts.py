"""The figures of simulated collections: ranks, error rates, variances, and one run closely."""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.topic_variance.conclusions import BIN_WIDTH, LEVEL, N_BINS, TOLERATED
from topicset_core.analyses.topic_variance.prepared import Fit
from topicset_core.analyses.topic_variance.request import Model
from topicset_core.analyses.topic_variance.result import Findings
from topicset_core.analyses.topic_variance.sentences import how_it_fits, order_sentence
from topicset_core.charts.chart import PANEL_NAMES, Chart, Panel, errors
from topicset_core.charts.labels import category_axis, literal
from topicset_core.exports.colours import ACCENT, QUIET, SERIES, TEXT, TRANSPARENT
from topicset_core.exports.figures import Figure

_MOST_TICKS = 10  # of ranks that each have a number
_MOST_CAPS_OF_RUNS = 50  # of runs whose bars end in a short line


def rank_intervals(findings: Findings) -> Figure:
    """Draw the runs from left to right, best first, each with its rank and the interval of its ranks."""
    order = findings.best_first
    first = order[0]
    names = [run["system"] for run in order]
    level = f"{100 * LEVEL:g} %"
    ranks = " to ".join(dict.fromkeys(f"{first[end]:g}" for end in ("low", "high")))
    chart = Chart(
        f"{names[0]} ranks {ranks} over resampled collections ({level} intervals)",
        f"{len(order):,} runs, best first by mean {findings.request.measure}",
        "rank (1 = best)",
    )
    # Two traces: where a model does not fit a run, its interval does not hold its raw rank.
    middles = [0.5 * (run["low"] + run["high"]) for run in order]
    halves = [0.5 * (run["high"] - run["low"]) for run in order]
    bar = errors(halves, QUIET, thickness=1.6, width=0 if len(order) > _MOST_CAPS_OF_RUNS else 3)
    chart.points(names, middles, "intervals", None, colour=QUIET, size=0.1, error_y=bar)
    hover = [
        f"{literal(run['system'])}: rank {run['raw_rank']:g}, from {run['low']:g} to {run['high']:g} in {level}"
        for run in order
    ]
    chart.points(names, [run["raw_rank"] for run in order], "ranks", hover, colour=SERIES[0])
    chart.axis("x", range=[-0.7, len(order) - 0.3], **category_axis(names))
    chart.axis("y", range=[len(order) + 0.8, 0.2])
    if len(order) <= _MOST_TICKS:  # no half ranks
        chart.axis("y", tick0=1, dtick=1)
    return chart.figure("ranks", f"Rank of each run with its interval. {order_sentence(findings)}")


MODEL_NAMES: dict[Model, str] = {
    "shared": "Shared documents",
    "bst": "BST: each run separately",
    "kde": "KDE: each run separately, densities",
}
_SYMBOLS: dict[Model, str] = {"shared": "diamond", "bst": "circle", "kde": "square"}
_COLOURS: dict[Model, int] = {"shared": 2, "bst": 0, "kde": 1}
_LAST = BIN_WIDTH * (N_BINS - 1)


def error_rate_by_difference(result: Sequence[Findings]) -> Figure:
    """Draw a line per model, with standard errors as bars; a bin without pairs is left open."""
    measure = result[0].request.measure
    chart = Chart(
        "Reversed pairs by simulated score difference",
        f"simulated difference of mean {measure} (last: {_LAST:g} or more)",
        "reversed pairs (%)",
    )
    highest = 100 * TOLERATED
    for findings in result:
        rates = findings.error_rates
        places = [place for place, rate in enumerate(rates) if rate.value is not None]
        values = [100 * (rates[place].value or 0.0) for place in places]
        deviations = [100 * (rates[place].standard_error or 0.0) for place in places]
        colour = SERIES[_COLOURS[findings.request.model]]
        highest = max([highest, *(value + error for value, error in zip(values, deviations, strict=True))])
        chart.line(
            [BIN_WIDTH * (place + 0.5) for place in places],
            values,
            MODEL_NAMES[findings.request.model],
            [
                f"{_bin(place)}: {value:.2f} % (standard error {error:.2f})"
                for place, value, error in zip(places, values, deviations, strict=True)
            ],
            colour=colour,
            width=2.2,
            size=6,
            marker={"symbol": _SYMBOLS[findings.request.model]},
            error_y=errors(deviations, colour),
        )
    chart.rule(100 * TOLERATED, width=1.2)
    text = f"tolerated: {100 * TOLERATED:g} %"
    chart.note(text, 1, 100 * TOLERATED, colour=TEXT, xref="paper", xanchor="right", yanchor="bottom")
    corner = {"x": 1, "y": 1, "xanchor": "right", "yanchor": "top", "bgcolor": TRANSPARENT}
    chart.update_layout(showlegend=True, legend=corner)
    chart.axis("x", range=[0, _LAST + 1.2 * BIN_WIDTH], dtick=0.05, tickformat=".2f")
    chart.axis("y", range=[0, 1.08 * highest])
    alt = "Share of pairs of runs that change order, by the size of their difference."
    return chart.figure("errors", alt)


def _bin(place: int) -> str:
    low = BIN_WIDTH * place
    return f"{low:.2f} or more" if place == N_BINS - 1 else f"{low:.2f} to {low + BIN_WIDTH:.2f}"


def variance_split(findings: Findings) -> Figure:
    """Draw a bar per component, the collection's in the accent colour; shares are written at their ends."""
    variances = findings.components
    total = variances.total or 1.0
    parts = {
        "topic": variances.topic,
        "system": variances.system,
        "topic × system": variances.interaction,
        "documents": variances.collection_own,
    }
    if variances.collection_shared:
        parts["documents, equal for all runs"] = variances.collection_shared
    names, values = list(parts), list(parts.values())
    chart = Chart(
        f"Largest part of the variance of scores: {max(parts, key=parts.__getitem__)}",
        f"variance, squared units of {findings.request.measure}",
        "source",
        height=260,
    )
    chart.bars(
        values,
        np.array(names),
        "variance",
        [f"{name}: {value:.5f}" for name, value in parts.items()],
        colour=[ACCENT if name.startswith("documents") else SERIES[0] for name in names],
        width=0.55,
        text=[f"{100 * value / total:.0f} %" for value in values],
        textfont={"size": 13},
    )
    chart.axis("y", autorange="reversed", showgrid=False)
    chart.axis("x", range=[0, 1.12 * (max(values) or 1.0)])
    return chart.figure("split", "Variance of a score by topic, system, both together, and documents.")


_MOST_CAPS_OF_TOPICS = 60  # of topics whose bars end in a short line


def simulated_scores(findings: Findings, system: str, *, topic: str = "") -> Figure:
    """Draw the mean of simulated scores with its standard deviation against the score as it is."""
    at = findings.systems.index(system)
    raw, simulated, deviations = findings.raw[:, at], findings.simulated[:, at], findings.deviations[:, at]
    measure = findings.request.measure
    chart = Chart(
        f"{system}: simulated against original scores, {len(findings.topics):,} topics",
        f"{measure} in the original collection",
        f"{measure} in resampled ones (mean ± 1 SD)",
        height=460,
    )
    top = max(1.0, float(simulated.max()))  # bars end where scores do
    chart.line([0, top], [0, top], "equal", None, colour=QUIET, width=1, dash="dot")
    up, down = np.minimum(deviations, top - simulated), np.minimum(deviations, simulated)
    width = 0 if len(findings.topics) > _MOST_CAPS_OF_TOPICS else 3
    chart.points(
        raw,
        simulated,
        "topics",
        [
            f"topic {literal(name)}: {score:.4f} becomes {mean:.4f} ± {deviation:.4f}"
            for name, score, mean, deviation in zip(findings.topics, raw, simulated, deviations, strict=True)
        ],
        colour=[ACCENT if name == topic else SERIES[0] for name in findings.topics],
        error_y=errors(up, QUIET, down=down, thickness=1.1, width=width),
    )
    if topic in findings.topics:
        chart.key((ACCENT, f"● topic {literal(topic)}"))
    chart.axis("x", range=[-0.02 * top, 1.03 * top])
    chart.axis("y", range=[-0.02 * top, 1.03 * top])
    return chart.figure("scores", f"Simulated against original scores of {system}, topic by topic.")


_MOST_BARS = 40
_HALF = 0.44  # of the height, for either kind


def fitted_densities(fit: Fit) -> Figure:
    """Draw histograms of the scores of relevant documents and, below, of the others, with their densities."""
    chart = Chart(
        f"Scores of {fit.system} on topic {fit.topic}, with fitted densities",
        "retrieval score, as the run gives it",
        "density",
        height=440,
    )
    low = float(min(fit.relevant.min(), fit.others.min()))
    high = float(max(fit.relevant.max(), fit.others.max()))
    width = (high - low) / _MOST_BARS or 1.0
    kinds = (
        ("relevant", fit.relevant, fit.relevant_density, SERIES[1], Panel("", [0, 1], [1 - _HALF, 1])),
        ("not relevant", fit.others, fit.others_density, SERIES[0], Panel("2", [0, 1], [0, _HALF])),
    )
    for name, scores, density, colour, panel in kinds:  # each of area 1, as spreads differ
        chart.trace(
            "histogram",
            f"{name}, scores",
            f"scores, {name}: %{{y:.3g}}",
            x=scores,
            yaxis=f"y{panel.end}",
            histnorm="probability density",
            xbins={"start": low, "end": high + width, "size": width},
            marker={"color": colour},
            opacity=0.35,
        )
        if density.size:
            hover, axis = f"density, {name}: %{{y:.3g}}", f"y{panel.end}"
            chart.line(fit.at, density, f"{name}, density", hover, colour=colour, width=2.2, yaxis=axis)
        chart.name_panel(f"{scores.size:,} {name}", panel, colour=TEXT)
        chart.panel_axis("y", panel, rangemode="tozero", nticks=4, anchor="x")
    chart.update_layout(bargap=0.02, xaxis={"anchor": "y2"})
    chart.room(top=PANEL_NAMES)
    return chart.figure("fit", f"Scores of one topic. {how_it_fits(fit)}")
