"""The figure of scores with repeats: the topics that each number of repeats needs."""

from topicset_core.analyses.repeats.answer import Answer
from topicset_core.charts.style import PALETTES, Mode, new_figure, ring
from topicset_core.exports.drawing import Drawing


def topics_by_repeats(answer: Answer, mode: Mode) -> Drawing:
    """Draw required topics against repeats per system, the cheapest design marked."""
    palette = PALETTES[mode]
    choices = [one for one in (answer.optimum.choices if answer.optimum else ()) if one.n_topics is not None]
    requirements = answer.requirements
    power = 100 * (1 - requirements.beta)
    figure = new_figure(
        mode,
        title=f"Topics that detect a difference of {requirements.min_d:g} with {power:g} % power (log scale)",
        x_title="repeats per system",
        y_title="required topics",
        height=380,
    )
    figure.add_scatter(
        x=[one.n_repeats for one in choices],
        y=[one.n_topics or 0 for one in choices],
        mode="lines+markers",
        line={"color": palette.series[0], "width": 2},
        marker={"size": 7},
        customdata=[one.cost or 0.0 for one in choices],
        hovertemplate="%{x} repeats: %{y:,} topics, cost %{customdata:,.6g}<extra></extra>",
    )
    best = answer.optimum.best if answer.optimum else None
    if best is not None and best.n_topics is not None:
        text = f"{best.n_topics:,} topics, cost {best.cost:,.6g}"
        ring(
            figure,
            mode,
            x=best.n_repeats,
            y=best.n_topics,
            text=text,
            hover=f"cheapest: {text}",
            log_y=True,
            above=True,
        )
    figure.update_yaxes(type="log", dtick="D2", tickformat=",d")
    figure.update_xaxes(rangemode="tozero")
    figure.update_layout(margin={"r": 90})
    return figure
