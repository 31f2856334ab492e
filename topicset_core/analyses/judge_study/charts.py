"""The figure of a judge: the difference by judge and people together, by each alone, and by PPI++."""

import numpy as np

from topicset_core.analyses.judge_study.study import Estimate, Study
from topicset_core.charts.style import PALETTES, Mode, new_figure
from topicset_core.exports.drawing import Drawing


def estimates_chart(study: Study, mode: Mode) -> Drawing:
    """Draw each estimate of the difference with its interval."""
    palette, combined = PALETTES[mode], study.combined
    rows: list[tuple[str, Estimate]] = [
        ("judge alone (biased)", combined.judge_only),
        ("people alone", combined.human_only),
        *([("PPI++ (ppi_py)", combined.ppi)] if combined.ppi is not None else []),
        (
            "both, by regression",
            Estimate(
                difference=combined.difference,
                standard_error=combined.standard_error,
                half_width=combined.half_width,
            ),
        ),
    ]
    figure = new_figure(
        mode,
        title=f"{study.first} minus {study.second}, with {100 * (1 - study.alpha):g} % intervals"
        + ("" if study.judge.is_random_sample else " that do not hold: labels not at random"),
        x_title="difference of means (units of the scores)",
        y_title="estimate",
        height=300,
    )
    for place, (name, one) in enumerate(rows):
        is_yours = place == len(rows) - 1
        colour = palette.accent if is_yours else palette.series[0]
        figure.add_scatter(
            x=[one.difference],
            y=np.array([name]),
            mode="markers",
            marker={"size": 11, "color": colour},
            error_x={
                "type": "data",
                "array": [one.half_width],
                "color": colour,
                "thickness": 2.5 if is_yours else 1.6,
            },
            hovertemplate=f"{name}: %{{x:+.4f}} ± {one.half_width:.4f}<extra></extra>",
        )
    figure.add_vline(x=0, line={"color": palette.quiet, "width": 1, "dash": "dot"})
    return figure
