"""How often pairs of runs turn, by how far apart a simulated collection has them (Yang et al. 2018, figure 2)."""

from collections.abc import Sequence

import plotly.graph_objects as go

from topicset_core.analyses.topic_variance.findings import TOLERATED, Findings
from topicset_core.analyses.topic_variance.rankings import BIN_WIDTH, N_BINS
from topicset_core.analyses.topic_variance.settings import Model
from topicset_core.charts.style import PALETTES, Mode, new_figure

MODEL_NAMES: dict[Model, str] = {"bst": "BST: scores resampled", "kde": "KDE: scores from densities"}
_SYMBOLS: dict[Model, str] = {"bst": "circle", "kde": "square"}
_COLOURS: dict[Model, int] = {"bst": 0, "kde": 1}
_LAST = BIN_WIDTH * (N_BINS - 1)


def error_rate_by_difference(found: Sequence[Findings], *, mode: Mode) -> go.Figure:
    """Draw a line a model, with standard errors as bars; a bin without pairs is left open.

    Parameters
    ----------
    found : sequence of Findings
        One a model.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    measure = found[0].settings.measure_name
    figure = new_figure(
        mode,
        title="Pairs in the other order, by their simulated difference",
        x_title=f"simulated difference of mean {measure} (last: {_LAST:g} or more)",
        y_title="in the other order, of 100",
    )
    highest = 100 * TOLERATED
    for one in found:
        rates = one.error_rates
        places = [place for place, rate in enumerate(rates) if rate.value is not None]
        values = [100 * (rates[place].value or 0.0) for place in places]
        errors = [100 * (rates[place].standard_error or 0.0) for place in places]
        colour = palette.series[_COLOURS[one.settings.model]]
        highest = max([highest, *(value + error for value, error in zip(values, errors, strict=True))])
        figure.add_scatter(
            x=[BIN_WIDTH * (place + 0.5) for place in places],
            y=values,
            error_y={"type": "data", "array": errors, "color": colour, "thickness": 1.2, "width": 3},
            mode="lines+markers",
            line={"color": colour, "width": 2.2},
            marker={"size": 6, "color": colour, "symbol": _SYMBOLS[one.settings.model]},
            hovertext=[
                f"{_bin(place)}: {value:.2f} of 100 (standard error {error:.2f})"
                for place, value, error in zip(places, values, errors, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=MODEL_NAMES[one.settings.model],
        )
    figure.add_hline(y=100 * TOLERATED, line={"color": palette.quiet, "width": 1.2, "dash": "dot"})
    figure.add_annotation(
        x=1,
        xref="paper",
        y=100 * TOLERATED,
        text=f"{100 * TOLERATED:g} of 100",
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"size": 12, "color": palette.text},
    )
    figure.update_layout(
        showlegend=True,
        legend={"x": 1, "y": 1, "xanchor": "right", "yanchor": "top", "bgcolor": "rgba(0,0,0,0)"},
    )
    figure.update_xaxes(range=[0, _LAST + 1.2 * BIN_WIDTH], dtick=0.05, tickformat=".2f")
    figure.update_yaxes(range=[0, 1.08 * highest])
    return figure


def _bin(place: int) -> str:
    low = BIN_WIDTH * place
    return f"{low:.2f} or more" if place == N_BINS - 1 else f"{low:.2f} to {low + BIN_WIDTH:.2f}"
