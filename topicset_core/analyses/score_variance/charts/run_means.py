"""The mean of each run with its interval, best first."""

import numpy as np
import plotly.graph_objects as go

from topicset_core.analyses.score_variance.run_means import RunMeans
from topicset_core.charts.labels import category_axis
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure

_MOST_CAPS = 50  # of runs whose bars end in a short line


def run_means_chart(found: RunMeans, *, mode: Mode) -> go.Figure:
    """Draw the runs from left to right by falling mean, each with its interval."""
    palette = PALETTES[mode]
    level = f"{100 * found.level:g} %"
    figure = new_figure(
        mode,
        title=f"Mean {found.measure} of each run over {found.n_topics:,} topics, with {level} intervals",
        x_title=f"{len(found.systems):,} runs, best first",
        y_title=f"mean {found.measure}",
    )
    figure.add_scatter(
        x=list(found.systems),
        y=found.means,
        error_y={
            "type": "data",
            "array": found.half_widths,
            "color": palette.quiet,
            "thickness": 1.2,
            "width": 0 if len(found.systems) > _MOST_CAPS else 3,
        },
        mode="markers",
        marker={"size": 6, "color": palette.series[0]},
        customdata=np.column_stack([found.lower, found.upper]),
        hovertext=[literal(name) for name in found.systems],
        hovertemplate=f"%{{hovertext}}: %{{y:.4f}}, {level} interval %{{customdata[0]:.4f}} to "
        "%{customdata[1]:.4f}<extra></extra>",
        name="means",
    )
    figure.update_xaxes(range=[-0.7, len(found.systems) - 0.3], **category_axis(found.systems))
    return figure
