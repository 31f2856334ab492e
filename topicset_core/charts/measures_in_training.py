"""Two measures of the same settings in training, with all judgments and with few: the scatter of figure 1."""

import plotly.graph_objects as go

from topicset_core.analyses.training_sensitivity import Surface, spearman
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure


def measures_in_training(reference: Surface, other: Surface, *, mode: Mode) -> go.Figure:
    """Draw a point for each setting, by all judgments and in one sample.

    Parameters
    ----------
    reference, other : Surface
        Of the same task and level.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    rhos = [_rho(reference.complete, other.complete), _rho(reference.sample, other.sample)]
    figure = new_figure(
        mode,
        title=f"Settings by {reference.measure} and by {other.measure} in training: all judgments, ρ {rhos[0]}; "
        f"one sample of {reference.level:g} %, ρ {rhos[1]}",
        x_title=f"mean {reference.measure} in training",
        y_title=f"mean {other.measure} in training",
        height=400,
    )
    for x, y, name, colour, symbol in (
        (reference.complete, other.complete, "all judgments", palette.series[0], "circle"),
        (reference.sample, other.sample, f"{reference.level:g} %, sample 1", palette.series[1], "diamond"),
    ):
        figure.add_scatter(
            x=x.tolist(),
            y=y.tolist(),
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 8},
            hovertext=[literal(reference.settings.said(place)) for place in range(x.size)],
            hovertemplate=f"%{{hovertext}}: %{{x:.4f}}, %{{y:.4f}}<extra>{literal(name)}</extra>",
            name=name,
        )
    figure.add_annotation(
        x=1,
        xref="paper",
        y=1,
        yref="paper",
        text=f'<span style="color:{palette.series[0]}">● all judgments</span>   '
        f'<span style="color:{palette.series[1]}">◆ {reference.level:g} %</span>',
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"size": 12},
    )
    return figure


def _rho(first: object, second: object) -> str:
    rho = spearman(first, second)  # type: ignore[arg-type]
    return "undefined" if rho is None else f"= {rho:.2f}"
