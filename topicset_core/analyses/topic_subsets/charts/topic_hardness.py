"""Are hard topics good topics? Goodness of each topic alone against its mean score over runs."""

import plotly.graph_objects as go

from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure
from topicset_core.analyses.topic_subsets.sentences import shown
from topicset_core.analyses.topic_subsets.topic_counts import Advice, TopicTable
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure
from topicset_core.charts.text_positions import clear_of_each_other


def topic_hardness(table: TopicTable, *, measure: GoodnessMeasure, scores: str, mode: Mode) -> go.Figure:
    """Draw a point a topic, those to keep and to exclude in the colours of best and worst.

    Parameters
    ----------
    table : TopicTable
        Topics without a goodness of their own are left out.
    measure : GoodnessMeasure
        Names the y axis.
    scores : str
        Name of the scores.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    correlation = table.hardness_correlation
    related = "" if correlation is None else f": they correlate by {shown(round(correlation, 2))}"
    figure = new_figure(
        mode,
        title=f"Goodness of a topic alone against its mean score{related}",
        x_title=f"mean {scores} over runs (left: hard topics)",
        y_title=f"{measure.short}, topic alone",
        height=420,
    )
    looks: dict[Advice, tuple[str, str, str, int]] = {
        "": ("other topics", palette.quiet, "circle-open", 8),
        "keep": ("to keep", palette.series[0], "circle", 9),
        "exclude": ("to exclude", palette.series[1], "diamond", 9),
    }
    for advice, (name, colour, symbol, size) in looks.items():
        rows = [row for row in table.rows if row.advice == advice and row.alone is not None]
        figure.add_scatter(
            x=[row.mean_score for row in rows],
            y=[row.alone for row in rows if row.alone is not None],
            mode="markers+text" if advice and len(rows) <= 15 else "markers",
            text=[literal(row.topic) for row in rows],
            textposition=clear_of_each_other(
                [row.mean_score for row in rows],
                [row.alone for row in rows if row.alone is not None],
                [row.topic for row in rows],
            ),
            textfont={"color": colour, "size": 11},
            marker={"color": colour, "symbol": symbol, "size": size},
            hovertext=[
                f"topic {literal(row.topic)}: alone {row.alone:.4f}, mean score {row.mean_score:.4f}<br>"
                f"in {row.in_ten_best} of the {table.n_best} best, {row.in_ten_worst} of the {table.n_worst} worst"
                for row in rows
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    figure.add_annotation(
        x=1,
        xref="paper",
        y=1,
        yref="paper",
        text=f'<span style="color:{palette.series[0]}">● to keep</span>   '
        f'<span style="color:{palette.series[1]}">◆ to exclude</span>',
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"size": 12},
    )
    return figure
