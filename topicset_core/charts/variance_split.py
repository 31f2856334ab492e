"""How the variance of scores splits into topic, system, their interaction and the collection's noise."""

import numpy as np
import plotly.graph_objects as go

from topicset_core.analyses.topic_variance.components import Components
from topicset_core.charts.style import PALETTES, Mode, new_figure


def variance_split(variances: Components, *, measure: str, mode: Mode) -> go.Figure:
    """Draw a bar a component, the collection's in the accent colour; shares are written at their ends."""
    palette = PALETTES[mode]
    total = variances.total or 1.0
    parts = {
        "topic": variances.topic,
        "system": variances.system,
        "topic × system": variances.interaction,
        "documents": variances.collection,
    }
    names, values = list(parts), list(parts.values())
    figure = new_figure(
        mode,
        title="Where the variance of a score comes from",
        x_title=f"variance, squared units of {measure}",
        y_title="source",
        height=260,
    )
    figure.add_trace(
        go.Bar(
            x=values,
            y=np.array(names),
            orientation="h",
            width=0.55,
            marker={
                "color": [palette.accent if name == "documents" else palette.series[0] for name in names]
            },
            text=[f"{100 * value / total:.0f} %" for value in values],
            textposition="outside",
            textfont={"color": palette.text, "size": 13},
            cliponaxis=False,
            hovertext=[f"{name}: {value:.5f}" for name, value in parts.items()],
            hovertemplate="%{hovertext}<extra></extra>",
            name="variance",
        )
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(range=[0, 1.12 * (max(values) or 1.0)])
    return figure
