"""The charts of a comparison: designs with the intervals of their topics, measures, and what n topics detect."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from topicset_core.analyses.sizing.cells import Cell
from topicset_core.analyses.sizing.comparison import (
    ComparisonTable,
    MethodLine,
    designs_planned,
    spoken_of,
)
from topicset_core.charts.chart import Chart, errors
from topicset_core.charts.labels import literal
from topicset_core.exports.colours import SERIES, TEXT
from topicset_core.exports.figures import Figure
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
)
from topicset_core.variance.intervals import DEFAULT_LEVEL

SYMBOLS = {one.name: one.symbol for one in (WITHIN_SYSTEM_VARIANCE, RESIDUAL_VARIANCE, DIFFERENCE_VARIANCE)}
"""Symbols of the variances, by their names."""


_MEANINGS = {
    WITHIN_SYSTEM_VARIANCE.symbol: "within-system variance",
    RESIDUAL_VARIANCE.symbol: "residual variance",
    DIFFERENCE_VARIANCE.symbol: "variance of differences",
}

_READ_AS_TEXT = (0, 3, 2, 8, 6, 5, 9, 7)  # colours of series that also names can have, most unlike first


_DASHES = ("dash", "dot", "dashdot", "longdash")


def designs_figures(
    tables: Sequence[ComparisonTable], variances: Mapping[str, float], of: str
) -> list[Figure]:
    """Draw one bar per design with its topics for one measure, coloured by its variance; none without an answer."""
    result = designs_planned(tables, of)
    if not result:
        return []
    bars, by_measure, m = {}, "", ""
    for label, (table, cell) in result.items():
        bars[f"{label} (δ = {cell.difference:g})" if table.is_width else label] = (
            cell,
            SYMBOLS[table.variance],
        )
        by_measure = by_measure if table.is_width else f", minD = {cell.difference:g}"
        m = f", m = {table.n_systems}" if table.n_systems else m
    intervals = f"; lines: {100 * DEFAULT_LEVEL:g} % intervals" * any(cell.ends for cell, _ in bars.values())
    labels = [*bars][::-1]
    height, units = 34 * len(labels), next(iter(bars.values()))[0].units
    title = f"Required {units} by design ({of}{by_measure}{m}{intervals})"
    is_shared = all(table.variance != WITHIN_SYSTEM_VARIANCE.name for table, _ in result.values())
    chart = Chart(title, f"{units} n{'' if is_shared else ' per system'}", "design", height=150 + height)
    for symbol, place in zip(
        dict.fromkeys(symbol for _, symbol in bars.values()), _READ_AS_TEXT, strict=False
    ):
        places = [place for place, label in enumerate(labels) if bars[label][1] == symbol]
        cells = [bars[labels[place]][0] for place in places]
        chart.bars(
            [0 if cell.is_guess else cell.topics for cell in cells],  # the interval alone is the number
            places,
            f"{_MEANINGS[symbol]} {symbol} = {variances[symbol]:.4g}",
            "%{hovertext}",
            colour=SERIES[place],
            width=0.45,
            hovertext=[
                f"{literal(labels[place])}: {cell.counted}" for place, cell in zip(places, cells, strict=True)
            ],
            **_whiskers(cells),
        )
    longest = max(max(cell.topics, *_ends(cell)) for cell, _ in bars.values())
    chart.axis("x", range=[0, 1.02 * longest], tickformat=",d")
    chart.axis("y", range=[-0.4, len(labels) - 0.2], showticklabels=False, showgrid=False, ticks="")
    for place, label in enumerate(labels):  # above its bar, where a phone has room for it
        text = f"{literal(label)}: {bars[label][0].in_short}"
        chart.note(text, 0, place, colour=TEXT, size=14, xanchor="left", yanchor="bottom", yshift=6)
    chart.legend(y=-56 / height)
    chart.update_layout(barmode="overlay")
    listed = ", ".join(f"{label} {cell.in_short}" for label, (cell, _) in bars.items())
    return [chart.figure("topics-by-design", f"{title}. {listed}.")]


def _ends(cell: Cell) -> tuple[int, int]:
    """Return the ends of the interval that a chart has; the number where one is not known, or is no number."""
    low, high = cell.ends or (None, None)
    return min(low or cell.topics, cell.topics), max(high or cell.topics, cell.topics)


def _whiskers(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return the intervals of bars as their whiskers; no settings where no interval is known."""
    if all(cell.ends is None for cell in cells):
        return {}
    ends = [(*_ends(cell), cell.topics) for cell in cells]
    up, down = [high - n for _, high, n in ends], [n - low for low, _, n in ends]
    base = {"base": [cell.topics if cell.is_guess else 0 for cell in cells]}
    return {"error_x": errors(up, TEXT, down=down)} | (base if any(base["base"]) else {})


def comparison_figures(
    tables: Sequence[ComparisonTable],
    lines: Sequence[MethodLine],
    variances: Mapping[str, tuple[float, str]],
    of: str,
) -> list[Figure]:
    """Return topics by measure, where there are several, and what each method detects."""
    spoken, cells = spoken_of(tables)
    result = {measure: cell for measure, cell in cells.items() if not cell.is_guess}
    drawn = []
    if len(result) > 1:
        differences = {cell.difference for cell in result.values()}
        by_measure = f"minD = {differences.pop():g}" if len(differences) == 1 else "each measure's minD"
        topics = {measure: cell.n_topics for measure, cell in result.items()}
        ends = {
            measure: (low * max(cell.group_size, 1), high * max(cell.group_size, 1))
            for measure, cell in result.items()
            if cell.ends is not None
            for low, high in [_ends(cell)]
        }
        drawn.append(
            topics_by_measure(topics, method=spoken.method_label, difference=by_measure, intervals=ends)
        )
    units = Cell(0.0, 0, tables[0].group_sizes.get(of, 0)).units
    return [*drawn, methods_by_topics(lines, variance=variances[of][0], measure=of, units=units)]


def methods_by_topics(
    lines: Sequence[MethodLine], *, variance: float, measure: str, units: str = "topics"
) -> Figure:
    """Draw the difference (minD, or the width δ) against n for several methods at one variance."""
    # On logarithmic scales lines are nearly straight, and as far apart at few topics as at many.
    chart = Chart(
        f"The detectable difference falls with the square root of n (σ² = {variance:.4g}, {measure})",
        f"{units} n per system (log scale)",
        f"minD, or width δ of the interval ({measure}, log scale)",
        height=460,
    )
    ends_of_lines = [line.n_topics[place] for line in lines for place in (0, -1)]
    across = [float(one) for one in np.log10([min(ends_of_lines), max(ends_of_lines)])]
    chart.log_axis("x", range=across)
    chart.log_axis("y")
    n_others = sum("ANOVA" not in line.label for line in lines)
    ends: list[tuple[float, float, str, str]] = []
    others = 0
    for drawn, line in enumerate(lines):
        is_anova = "ANOVA" in line.label
        place = n_others + drawn - others if is_anova else others  # one colour a method
        others += not is_anova
        colour = SERIES[_READ_AS_TEXT[place % len(_READ_AS_TEXT)]]
        chart.line(
            line.n_topics.astype(np.float64),
            line.difference,
            line.label,
            f"{line.label}: %{{x:,}} {units}, %{{y:.4g}}",
            colour=colour,
            dash="solid" if is_anova else _DASHES[place % len(_DASHES)],
        )
        ends.append((float(line.n_topics[-1]), float(line.difference[-1]), line.label, colour))
    chart.name_ends(ends, height=float(np.ptp(np.log10(np.concatenate([line.difference for line in lines])))))
    chart.room(right=210)
    return chart.figure(
        "methods-by-topics",
        "The detectable difference falls with the square root of n; the t tests and the ANOVA of two systems "
        "almost coincide, like the interval and the ANOVA of ten at α = .05 and β = .20.",
    )


def topics_by_measure(
    topics: Mapping[str, int],
    *,
    method: str,
    difference: str,
    intervals: Mapping[str, tuple[int, int]] | None = None,
) -> Figure:
    """Draw one bar per measure with its number of topics and its interval, fewest at the top."""
    ordered = sorted(topics.items(), key=lambda item: item[1], reverse=True)
    labels, positions = [literal(measure) for measure, _ in ordered], list(range(len(ordered)))
    numbers = [number for _, number in ordered]
    fewest, most = ordered[-1], ordered[0]
    title = f"{fewest[0]} needs {fewest[1]:,} topics, {most[0]} {most[1]:,} ({method}, {difference})"
    chart = Chart(title, "topics n per system", "measure", height=150 + 34 * len(ordered))
    ends = [(intervals or {}).get(measure, (number, number)) for measure, number in ordered]
    whiskers: dict[str, Any] = {"text": [f"{number:,}" for number in numbers]}
    if intervals:
        texts = [f"{n:,} ({low:,} to {high:,})" for n, (low, high) in zip(numbers, ends, strict=True)]
        labels = [f"{label}<br>{text}" for label, text in zip(labels, texts, strict=True)]
        up, down = ([abs(end[side] - n) for end, n in zip(ends, numbers, strict=True)] for side in (1, 0))
        whiskers = {"error_x": errors(up, TEXT, down=down)}
    chart.bars(numbers, positions, "topics", "%{hovertext}: %{x:,} topics", hovertext=labels, **whiskers)
    # Room for the number behind the longest bar.
    chart.axis("x", range=[0, 1.1 * max(high for _, high in ends)], tickformat=",d")
    chart.axis("y", tickvals=positions, ticktext=labels, showgrid=False)
    counts = ", ".join(f"{measure} {number:,}" for measure, number in topics.items())
    alt = f"Topics that each measure requires for {difference}, {method}: {counts}."
    return chart.figure("topics-by-measure", alt)
