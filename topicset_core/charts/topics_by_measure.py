"""How many topics each measure of one task asks for."""

from collections.abc import Mapping

import plotly.graph_objects as go

from topicset_core.charts.style import PALETTES, Mode, literal, new_figure


def topics_by_measure(topics: Mapping[str, int], *, method: str, difference: str, mode: Mode) -> go.Figure:
    """Draw a bar a measure with its number of topics, fewest at the top and accented.

    Parameters
    ----------
    topics : mapping of str to int
        Required topics by measure, at least one.
    method, difference : str
        The design, and what it is to detect, for the title.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    ordered = sorted(topics.items(), key=lambda item: item[1], reverse=True)
    labels, positions = [literal(measure) for measure, _ in ordered], list(range(len(ordered)))
    numbers = [number for _, number in ordered]
    figure = new_figure(
        mode,
        title=f"Required topics, {method}, {difference}",
        x_title="topics n per system",
        y_title="measure",
        height=150 + 34 * len(ordered),
    )
    figure.add_bar(
        x=numbers,
        y=positions,
        orientation="h",
        marker={"color": [*[palette.quiet] * (len(ordered) - 1), palette.accent]},
        text=[f"{number:,}" for number in numbers],
        textposition="outside",
        textfont={"color": palette.text},
        cliponaxis=False,
        hovertext=labels,
        hovertemplate="%{hovertext}: %{x:,} topics<extra></extra>",
        name="topics",
    )
    # Room for the number behind the longest bar.
    figure.update_xaxes(range=[0, 1.1 * max(numbers)], tickformat=",d")
    figure.update_yaxes(tickvals=positions, ticktext=labels, showgrid=False)
    return figure
