"""The figures of simulated collections: ranks, error rates, variances, and one run closely."""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.topic_variance.conclusions import BIN_WIDTH, LEVEL, N_BINS, TOLERATED
from topicset_core.analyses.topic_variance.densities import Fit
from topicset_core.analyses.topic_variance.request import Model
from topicset_core.analyses.topic_variance.result import Findings
from topicset_core.analyses.topic_variance.sentences import how_it_fits, order_sentence
from topicset_core.charts.labels import category_axis
from topicset_core.charts.style import PANEL_NAMES, literal, make_room, new_figure
from topicset_core.exports.colours import ACCENT, QUIET, SERIES, TEXT, TRANSPARENT
from topicset_core.exports.figures import Figure

_MOST_TICKS = 10  # of ranks that each have a number
_MOST_CAPS_OF_RUNS = 50  # of runs whose bars end in a short line


def rank_intervals(
    findings: Findings,
) -> Figure:
    """Draw the runs from left to right, best first, each with its rank and the interval of its ranks."""
    order = findings.best_first
    names = [one.system for one in order]
    level = f"{100 * LEVEL:g} %"
    figure = new_figure(
        title=f"Rank of each run with its {level} interval over resampled collections",
        x_title=f"{len(order):,} runs, best first by mean {findings.request.measure}",
        y_title="rank (1 = best)",
    )
    # Two traces: where a model does not fit a run, its interval does not hold its raw rank.
    figure.add_scatter(
        x=names,
        y=[0.5 * (one.low + one.high) for one in order],
        error_y={
            "type": "data",
            "array": [0.5 * (one.high - one.low) for one in order],
            "color": QUIET,
            "thickness": 1.6,
            "width": 0 if len(order) > _MOST_CAPS_OF_RUNS else 3,
        },
        mode="markers",
        marker={"size": 0.1, "color": QUIET},
        hoverinfo="skip",
        name="intervals",
    )
    figure.add_scatter(
        x=names,
        y=[one.raw_rank for one in order],
        mode="markers",
        marker={"size": 6, "color": SERIES[0]},
        hovertext=[
            f"{literal(one.system)}: rank {one.raw_rank:g}, from {one.low:g} to {one.high:g} in {level}"
            for one in order
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name="ranks",
    )
    figure.update_xaxes(range=[-0.7, len(order) - 0.3], **category_axis(names))
    figure.update_yaxes(range=[len(order) + 0.8, 0.2])
    if len(order) <= _MOST_TICKS:  # no half ranks
        figure.update_yaxes(tick0=1, dtick=1)
    alt = f"Rank of each run with its interval. {order_sentence(findings)}"
    return Figure("ranks", figure, alt)


MODEL_NAMES: dict[Model, str] = {
    "shared": "Shared documents",
    "bst": "BST: each run separately",
    "kde": "KDE: each run separately, densities",
}
_SYMBOLS: dict[Model, str] = {"shared": "diamond", "bst": "circle", "kde": "square"}
_COLOURS: dict[Model, int] = {"shared": 2, "bst": 0, "kde": 1}
_LAST = BIN_WIDTH * (N_BINS - 1)


def error_rate_by_difference(
    result: Sequence[Findings],
) -> Figure:
    """Draw a line per model, with standard errors as bars; a bin without pairs is left open."""
    measure = result[0].request.measure
    figure = new_figure(
        title="Reversed pairs by simulated score difference",
        x_title=f"simulated difference of mean {measure} (last: {_LAST:g} or more)",
        y_title="reversed pairs (%)",
    )
    highest = 100 * TOLERATED
    for one in result:
        rates = one.error_rates
        places = [place for place, rate in enumerate(rates) if rate.value is not None]
        values = [100 * (rates[place].value or 0.0) for place in places]
        errors = [100 * (rates[place].standard_error or 0.0) for place in places]
        colour = SERIES[_COLOURS[one.request.model]]
        highest = max([highest, *(value + error for value, error in zip(values, errors, strict=True))])
        figure.add_scatter(
            x=[BIN_WIDTH * (place + 0.5) for place in places],
            y=values,
            error_y={"type": "data", "array": errors, "color": colour, "thickness": 1.2, "width": 3},
            mode="lines+markers",
            line={"color": colour, "width": 2.2},
            marker={"size": 6, "color": colour, "symbol": _SYMBOLS[one.request.model]},
            hovertext=[
                f"{_bin(place)}: {value:.2f} % (standard error {error:.2f})"
                for place, value, error in zip(places, values, errors, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=MODEL_NAMES[one.request.model],
        )
    figure.add_hline(y=100 * TOLERATED, line={"color": QUIET, "width": 1.2, "dash": "dot"})
    figure.add_annotation(
        x=1,
        xref="paper",
        y=100 * TOLERATED,
        text=f"{100 * TOLERATED:g} %",
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"size": 12, "color": TEXT},
    )
    figure.update_layout(
        showlegend=True,
        legend={"x": 1, "y": 1, "xanchor": "right", "yanchor": "top", "bgcolor": TRANSPARENT},
    )
    figure.update_xaxes(range=[0, _LAST + 1.2 * BIN_WIDTH], dtick=0.05, tickformat=".2f")
    figure.update_yaxes(range=[0, 1.08 * highest])
    alt = "Share of pairs of runs that change order, by the size of their difference."
    return Figure("errors", figure, alt)


def _bin(place: int) -> str:
    low = BIN_WIDTH * place
    return f"{low:.2f} or more" if place == N_BINS - 1 else f"{low:.2f} to {low + BIN_WIDTH:.2f}"


def variance_split(
    findings: Findings,
) -> Figure:
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
    figure = new_figure(
        title="Components of the variance of scores",
        x_title=f"variance, squared units of {findings.request.measure}",
        y_title="source",
        height=260,
    )
    figure.add_bar(
        x=values,
        y=np.array(names),
        orientation="h",
        width=0.55,
        marker={"color": [ACCENT if name.startswith("documents") else SERIES[0] for name in names]},
        text=[f"{100 * value / total:.0f} %" for value in values],
        textposition="outside",
        textfont={"color": TEXT, "size": 13},
        cliponaxis=False,
        hovertext=[f"{name}: {value:.5f}" for name, value in parts.items()],
        hovertemplate="%{hovertext}<extra></extra>",
        name="variance",
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(range=[0, 1.12 * (max(values) or 1.0)])
    return Figure("split", figure, "Variance of a score by topic, system, both together, and documents.")


_MOST_CAPS_OF_TOPICS = 60  # of topics whose bars end in a short line


def simulated_scores(findings: Findings, system: str, *, topic: str = "") -> Figure:
    """Draw the mean of simulated scores with its standard deviation against the score as it is."""
    at = findings.systems.index(system)
    raw, simulated, deviations = findings.raw[:, at], findings.simulated[:, at], findings.deviations[:, at]
    measure = findings.request.measure
    figure = new_figure(
        title=f"{system}: simulated against original scores, {len(findings.topics):,} topics",
        x_title=f"{measure} in the original collection",
        y_title=f"{measure} in resampled ones (mean ± 1 SD)",
        height=460,
    )
    top = max(1.0, float(simulated.max()))  # bars end where scores do
    figure.add_scatter(
        x=[0, top],
        y=[0, top],
        mode="lines",
        line={"color": QUIET, "width": 1, "dash": "dot"},
        hoverinfo="skip",
        name="equal",
    )
    figure.add_scatter(
        x=raw,
        y=simulated,
        error_y={
            "type": "data",
            "array": np.minimum(deviations, top - simulated),
            "arrayminus": np.minimum(deviations, simulated),
            "color": QUIET,
            "thickness": 1.1,
            "width": 0 if len(findings.topics) > _MOST_CAPS_OF_TOPICS else 3,
        },
        mode="markers",
        marker={
            "size": 6,
            "color": [ACCENT if name == topic else SERIES[0] for name in findings.topics],
        },
        hovertext=[
            f"topic {literal(name)}: {score:.4f} becomes {mean:.4f} ± {deviation:.4f}"
            for name, score, mean, deviation in zip(findings.topics, raw, simulated, deviations, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name="topics",
    )
    if topic in findings.topics:
        place = findings.topics.index(topic)
        figure.add_annotation(
            x=float(raw[place]),
            y=float(simulated[place]),
            text=f"<b>{literal(topic)}</b>",
            showarrow=False,
            xanchor="left",
            xshift=8,
            yshift=-8,
            font={"color": ACCENT, "size": 13},
        )
    figure.update_xaxes(range=[-0.02 * top, 1.03 * top])
    figure.update_yaxes(range=[-0.02 * top, 1.03 * top])
    alt = f"Simulated against original scores of {system}, topic by topic."
    return Figure("scores", figure, alt)


_MOST_BARS = 40
_HALF = 0.44  # of the height, for either kind


def fitted_densities(
    fit: Fit,
) -> Figure:
    """Draw histograms of the scores of relevant documents and, below, of the others, with their densities.

    Each has area 1 and an axis of its own, as one kind may be spread far wider than the other.
    """
    figure = new_figure(
        title=f"Scores of {fit.system} on topic {fit.topic}, with fitted densities",
        x_title="retrieval score, as the run gives it",
        y_title="density",
        height=440,
    )
    low = float(min(fit.relevant.min(), fit.others.min()))
    high = float(max(fit.relevant.max(), fit.others.max()))
    width = (high - low) / _MOST_BARS or 1.0
    kinds = (
        ("relevant", fit.relevant, fit.relevant_density, SERIES[1], "y", 1.0),
        ("not relevant", fit.others, fit.others_density, SERIES[0], "y2", _HALF),
    )
    for name, scores, density, colour, axis, top in kinds:
        figure.add_histogram(
            x=scores,
            yaxis=axis,
            histnorm="probability density",
            xbins={"start": low, "end": high + width, "size": width},
            marker={"color": colour},
            opacity=0.35,
            hovertemplate=f"scores, {name}: %{{y:.3g}}<extra></extra>",
            name=f"{name}, scores",
        )
        if density.size:
            figure.add_scatter(
                x=fit.at,
                y=density,
                yaxis=axis,
                mode="lines",
                line={"color": colour, "width": 2.2},
                hovertemplate=f"density, {name}: %{{y:.3g}}<extra></extra>",
                name=f"{name}, density",
            )
        figure.add_annotation(
            x=0,
            xref="paper",
            y=top,
            yref="paper",
            text=f"{scores.size:,} {name}",
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"color": TEXT, "size": 13},
        )
    figure.update_layout(
        bargap=0.02,
        yaxis={"domain": [1 - _HALF, 1], "rangemode": "tozero", "nticks": 4},
        yaxis2=figure.layout["yaxis"]
        | {"domain": [0, _HALF], "rangemode": "tozero", "nticks": 4, "anchor": "x"},
        xaxis={"anchor": "y2"},
    )
    make_room(figure, PANEL_NAMES)
    return Figure("fit", figure, f"Scores of one topic. {how_it_fits(fit)}")
