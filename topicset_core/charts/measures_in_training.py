"""Two measures of the same settings in training, with all judgments and with few: the scatter of figure 1."""

import plotly.graph_objects as go

from topicset_core.analyses.training_sensitivity import Surface, spearman
from topicset_core.analyses.training_sensitivity.experiment import Floats
from topicset_core.charts.panels import axes_of, side_by_side
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
    y_title = f"mean {other.measure} in training"
    figure = new_figure(
        mode,
        title=f"Do {reference.measure} and {other.measure} see the same settings as good?",
        x_title=f"mean {reference.measure} in training",
        y_title=y_title,
        height=380,
    )
    panels = (
        (reference.complete, other.complete, "all judgments", palette.series[0]),
        (
            reference.sample,
            other.sample,
            f"{reference.level:g} %, sample 1",
            palette.series[0],
        ),
    )
    names = [f"{name}: ρ {_rho(x, y)}" for x, y, name, _ in panels]
    side_by_side(figure, y_titles=(y_title, y_title), names=names)
    for place, (x, y, name, colour) in enumerate(panels):
        figure.add_scatter(
            x=x.tolist(),
            y=y.tolist(),
            mode="markers",
            marker={"color": colour, "size": 8},
            hovertext=[literal(reference.settings.said(setting)) for setting in range(x.size)],
            hovertemplate=f"%{{hovertext}}: %{{x:.4f}}, %{{y:.4f}}<extra>{literal(name)}</extra>",
            name=name,
            **axes_of(place),
        )
    return figure


def _rho(first: Floats, second: Floats) -> str:
    rho = spearman(first, second)
    return "undefined" if rho is None else f"= {rho:.2f}"
