"""What a shallower pool gives up: three pictures over one axis of judged documents per topic."""

from collections.abc import Sequence

import plotly.graph_objects as go

from topicset_core.analyses.pool_depth import DepthDesign, LeftOut
from topicset_core.charts.end_labels import end_labels
from topicset_core.charts.style import PALETTES, Mode, end_label, literal, new_figure
from topicset_core.charts.topics_by_judgments import MARGIN, RIGHT

_HEIGHT = 260
_GAP = 0.11  # of two labels, as a share of these low pictures


def variance_by_depth(by_measure: Sequence[Sequence[DepthDesign]], *, yours: str, mode: Mode) -> go.Figure:
    """Draw the within-system variance of each measure against judged documents per topic."""
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title="Within-system variance",
        x_title="judged documents per topic",
        y_title="variance σ² (squared measure)",
        height=_HEIGHT,
    )
    ends: list[tuple[float, float, str, bool]] = []
    top = 0.0
    for place, designs in enumerate(by_measure):
        is_yours = designs[0].measure == yours
        colour = palette.accent if is_yours else palette.series[place % len(palette.series)]
        values = [design.within_system_variance or 0.0 for design in designs]
        _line(figure, designs, values, colour, designs[0].measure, "%{y:.4f}")
        ends.append((designs[-1].judged_per_topic, values[-1], designs[0].measure, is_yours))
        top = max(top, *values)
    end_labels(figure, mode, ends, height=top, gap=_GAP)
    figure.update_yaxes(range=[0, 1.1 * top])
    _align(figure, [design for designs in by_measure for design in designs])
    return figure


def agreement_by_depth(designs: Sequence[DepthDesign], *, mode: Mode) -> go.Figure:
    """Draw rank agreement with all judgments, and the share of relevant documents known, of one measure."""
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title=f"Agreement with all judgments, by {designs[0].measure}",
        x_title="judged documents per topic",
        y_title="agreement or share (1 = all)",
        height=_HEIGHT,
    )
    ends: list[tuple[float, float, str, bool]] = []
    known = [design.relevant_known for design in designs]
    for text, values, colour in (
        ("τ", [design.kendall_tau for design in designs], palette.accent),
        ("τ AP", [design.tau_ap for design in designs], palette.series[0]),
        ("relevant known", known, palette.quiet),
    ):
        drawn = [(design, value) for design, value in zip(designs, values, strict=True) if value is not None]
        if not drawn:  # a single run has no ranking
            continue
        _line(
            figure, [design for design, _ in drawn], [value for _, value in drawn], colour, text, "%{y:.3f}"
        )
        ends.append((drawn[-1][0].judged_per_topic, drawn[-1][1], text, colour == palette.accent))
    end_labels(figure, mode, ends, height=1.12, gap=_GAP)
    agreements = [value for one in designs for value in (one.kendall_tau, one.tau_ap) if value is not None]
    lowest = min([0.0, *agreements])
    figure.update_yaxes(range=[lowest, 1.12])
    _align(figure, designs)
    return figure


def change_of_left_out(
    found: Sequence[LeftOut], designs: Sequence[DepthDesign], *, measure: str, mode: Mode
) -> go.Figure:
    """Draw how each run's mean score changes without its team's own judgments, at every depth."""
    palette = PALETTES[mode]
    judged = {design.pool_depth: design.judged_per_topic for design in designs}
    figure = new_figure(
        mode,
        title="Score of a run whose team was left out of the pool, less its score with the team in",
        x_title="judged documents per topic",
        y_title=f"change of the mean ({measure})",
        height=_HEIGHT,
    )
    drawn = [one for one in found if one.pool_depth in judged]
    figure.add_scatter(
        x=[judged[one.pool_depth] for one in drawn],
        y=[one.change for one in drawn],
        mode="markers",
        marker={"size": 7, "color": palette.quiet, "opacity": 0.6},
        hovertext=[
            f"{literal(one.system)} ({literal(one.team)}), depth {one.pool_depth}: {one.change:+.4f}, "
            f"rank {one.rank} becomes {one.rank_left_out}; "
            f"{one.n_unique_relevant} relevant of {one.n_unique} documents only from it"
            for one in drawn
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name="runs",
    )
    depths = sorted({one.pool_depth for one in drawn})
    means = [_mean([one.change for one in drawn if one.pool_depth == depth]) for depth in depths]
    figure.add_scatter(
        x=[judged[depth] for depth in depths],
        y=means,
        mode="lines",
        line={"color": palette.accent, "width": 2.5},
        hovertemplate="mean of all runs: %{y:+.4f}<extra></extra>",
        name="mean",
    )
    end_label(figure, mode, x=judged[depths[-1]], y=means[-1], text="mean of runs", is_yours=True)
    figure.add_hline(y=0, line={"color": palette.quiet, "width": 1, "dash": "dot"})
    _align(figure, designs)
    return figure


def _align(figure: go.Figure, designs: Sequence[DepthDesign]) -> None:
    """Let the pictures have one x axis and one margin, so that they stand under each other."""
    figure.update_xaxes(range=[0, MARGIN * max(design.judged_per_topic for design in designs)])
    figure.update_layout(margin_r=RIGHT)


def _line(
    figure: go.Figure,
    designs: Sequence[DepthDesign],
    values: Sequence[float],
    colour: str,
    name: str,
    shown: str,
) -> None:
    figure.add_scatter(
        x=[design.judged_per_topic for design in designs],
        y=values,
        mode="lines+markers",
        line={"color": colour, "width": 2.2},
        marker={"size": 6, "color": colour},
        hovertext=[f"{name}, depth {design.pool_depth}" for design in designs],
        hovertemplate=f"%{{hovertext}}: {shown}<extra></extra>",
        name=name,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
