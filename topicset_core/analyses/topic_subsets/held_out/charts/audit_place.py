"""Where a subset lies between the worst, the average and the best of its size, by each measure of goodness."""

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from topicset_core.analyses.topic_subsets.held_out.audit import AuditedGoodness, SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.sentences import number
from topicset_core.charts.style import PALETTES, Mode, Palette, literal, new_figure

_HALVES, _ALL = 0, 1
_ROWS = ("halves of the runs", "all runs")
_ROW_HEIGHT, _FRAME = 150, 110  # pixels
_LEGEND_BELOW = 0.45  # of a row


def audit_place(audit: SubsetAudit, *, mode: Mode) -> go.Figure:
    """Draw a strip for each measure: on all runs, and on random halves of them beside sets that were chosen.

    Parameters
    ----------
    audit : SubsetAudit
        As found.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    found = [one for one in audit.goodness if one.value is not None]
    styled = new_figure(
        mode,
        title=f"Your {audit.cardinality:,} topics among all sets of that size: {audit.scores}",
        x_title="",
        y_title="",
        height=_FRAME + _ROW_HEIGHT * max(1, len(found)),
    )
    figure = make_subplots(rows=max(1, len(found)), cols=1, vertical_spacing=0.16)
    figure.update_layout(styled.layout.to_plotly_json())
    axis_x, axis_y = styled.layout.xaxis.to_plotly_json(), styled.layout.yaxis.to_plotly_json()
    for axis in (axis_x, axis_y):
        axis.pop("title")
    for row, one in enumerate(found, start=1):
        _add_strip(figure, one, row, palette)
        figure.update_xaxes(
            {**axis_x, "title": {"text": literal(one.measure.label), "font": {"size": 13}, "standoff": 4}},
            row=row,
            col=1,
        )
        if not one.measure.higher_is_better:  # better is to the right, everywhere
            figure.update_xaxes(autorange="reversed", row=row, col=1)
        figure.update_yaxes(
            {**axis_y, "tickvals": [_HALVES, _ALL], "ticktext": list(_ROWS), "range": [-0.9, 1.9]},
            row=row,
            col=1,
        )
    figure.update_layout(
        showlegend=True,
        legend={
            "orientation": "h",
            "y": -_LEGEND_BELOW / max(1, len(found)),
            "yanchor": "top",
            "itemclick": False,
            "itemdoubleclick": False,
        },
    )
    return figure


def _add_strip(figure: go.Figure, one: AuditedGoodness, row: int, palette: Palette) -> None:
    measure = one.measure
    if one.best is not None and one.worst is not None:
        figure.add_scatter(
            x=[one.worst.value, one.best.value],
            y=[_ALL, _ALL],
            mode="lines",
            line={"color": palette.quiet, "width": 1.4},
            hoverinfo="skip",
            showlegend=False,
            name="range",
            row=row,
            col=1,
        )
    marks: tuple[tuple[str, int, float | None, str, str, int], ...] = (
        ("worst", _ALL, one.worst.value if one.worst else None, palette.series[1], "circle", 10),
        ("best", _ALL, one.best.value if one.best else None, palette.series[0], "circle", 10),
        ("average", _ALL, one.average, palette.text, "line-ns-open", 14),
        ("average", _HALVES, _mean(one, "held_out_average"), palette.text, "line-ns-open", 14),
        (
            "chosen on the other half",
            _HALVES,
            _mean(one, "held_out_chosen"),
            palette.series[0],
            "circle-open",
            10,
        ),
        ("yours", _HALVES, _mean(one, "held_out"), palette.accent, "diamond", 13),
        ("yours", _ALL, one.value, palette.accent, "diamond", 13),
    )
    for name, place, value, colour, symbol, size in marks:
        if value is None:
            continue
        is_yours = name == "yours"
        figure.add_scatter(
            x=[value],
            y=[place],
            mode="markers+text" if is_yours else "markers",
            text=[f"<b>{number(value, measure)}</b>"],
            textposition="top center" if place == _ALL else "bottom center",
            textfont={"color": colour, "size": 13},
            marker={"color": colour, "symbol": symbol, "size": size, "line": {"width": 2, "color": colour}},
            error_x=_interval(one, palette) if is_yours and place == _HALVES else None,
            hovertemplate=f"{name}, {_ROWS[place]}: %{{x:.5f}}<extra></extra>",
            cliponaxis=False,
            showlegend=row == 1 and (place == _ALL or name.startswith("chosen")),
            name=name,
            row=row,
            col=1,
        )


def _interval(one: AuditedGoodness, palette: Palette) -> dict[str, object]:
    """Return the bar from the 5th to the 95th percentile over halves."""
    spread = one.held_out
    if spread is None:
        return {}
    return {
        "type": "data",
        "symmetric": False,
        "array": [spread.high - spread.mean],
        "arrayminus": [spread.mean - spread.low],
        "color": palette.accent,
        "thickness": 1.6,
        "width": 5,
    }


def _mean(one: AuditedGoodness, name: str) -> float | None:
    spread = getattr(one, name)
    return None if spread is None else float(spread.mean)
