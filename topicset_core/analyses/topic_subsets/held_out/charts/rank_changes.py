"""Ranks of the runs on a subset of topics against those on all."""

import plotly.graph_objects as go

from topicset_core.analyses.topic_subsets.held_out.ranking import Ranking
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure
from topicset_core.charts.text_positions import clear_of_each_other

_NAMED = 5
_EVERY_RANK = 10  # runs up to which each rank has a tick; else some would fall between ranks


def rank_changes(ranking: Ranking, *, of_what: str, mode: Mode) -> go.Figure:
    """Draw a point a run; those that change most are named.

    Parameters
    ----------
    ranking : Ranking
        As found.
    of_what : str
        Whose scores these are, for the title.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    n = len(ranking.changes)
    figure = new_figure(
        mode,
        title=f"Ranks of the runs: {of_what}",
        x_title="rank on all topics (1 is best)",
        y_title="rank on these topics",
        height=480,
    )
    figure.add_scatter(
        x=[1, n],
        y=[1, n],
        mode="lines",
        line={"color": palette.quiet, "width": 1, "dash": "dot"},
        hoverinfo="skip",
        name="same rank",
    )
    named = [one for one in ranking.changes[:_NAMED] if one.change]
    rest = ranking.changes[len(named) :]
    for runs, name, colour in (
        (rest, "other runs", palette.series[0]),
        (named, "largest changes", palette.accent),
    ):
        figure.add_scatter(
            x=[one.rank_all for one in runs],
            y=[one.rank_subset for one in runs],
            mode="markers+text" if name == "largest changes" else "markers",
            text=[literal(one.system) for one in runs],
            textposition=clear_of_each_other(
                [one.rank_all for one in runs],
                [one.rank_subset for one in runs],
                [one.system for one in runs],
                ["middle right" if one.rank_all <= n / 2 else "middle left" for one in runs],
            )
            if name == "largest changes"
            else "middle right",
            textfont={"color": colour, "size": 11},
            marker={"color": colour, "size": 7, "symbol": "circle"},
            hovertext=[
                f"{literal(one.system)}: rank {one.rank_all:g} on all, {one.rank_subset:g} here<br>"
                f"means {one.mean_all:.4f} and {one.mean_subset:.4f}"
                for one in runs
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
            name=name,
        )
    # There is no rank 0; half a rank of room shows the outermost points whole.
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(range=[0.5, n + 0.5], dtick=1 if n <= _EVERY_RANK else None)
    return figure
