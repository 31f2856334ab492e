"""Several effectiveness measures side by side: figure 2 of Guiver, Mizzaro and Robertson (2009), as numbers too.

The paper draws best, average and worst subsets for AP, R-precision, P@10 and GMAP, and finds the pattern "very
similar for the four metrics". Here each measure has its own panel, and one table has them all.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from topicset_core.analyses.topic_subsets.curve import SubsetCurve
from topicset_core.analyses.topic_subsets.report import findings, works_of
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.charts.chart import PANEL_NAMES, Chart, floats, panels
from topicset_core.charts.labels import literal
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.exports.colours import ACCENT, SERIES, TEXT
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, found_on
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row
from topicset_core.wording import number_or

Measured = Sequence[tuple[ScoreMatrix, SubsetCurve]]
"""A curve per matrix of scores."""

MOST = 8
"""Number of panels that are legible in one figure."""


def side_by_side(measured: Measured, request: Request) -> Report:
    """Return the curves of several measures as one report."""
    if not 2 <= len(measured) <= MOST:
        raise InputError("measures", len(measured), f"must be 2 to {MOST} matrices of scores, side by side")
    target = request.target_value
    said = [found_on(findings(matrix, curve, target), "paper") for matrix, curve in measured]
    return Report(
        name="topic-subsets-by-measure",
        title="A few good topics by measure",
        findings=[
            *(Finding(finding.text, "paper") for of_measure in said for finding in of_measure),
            Finding(sentence(measured, target)),
        ],
        works=list(dict.fromkeys(work for _, curve in measured for work in works_of(curve))),
        tables=[
            ReportTable(
                "curves", lambda: CURVES.table(curve_rows(measured)), "Curves", "topic-subsets-by-measure"
            ),
            ReportTable("topics", lambda: NEEDED.table(needed_rows(measured, target))),
        ],
        results=lambda: [
            {"measure": matrix.measure, "name": matrix.name, **curve.record(target)}
            for matrix, curve in measured
        ],
        figures=lambda: [goodness_by_measure(measured, target)],
        measure=", ".join(matrix.measure for matrix, _ in measured),
        preparation=(),
        matrices=[matrix for matrix, _ in measured],
        request=request.settings,
    )


def sentence(measured: Measured, target: float) -> str:
    """Return how many topics each measure needs: the best set in-sample, and a random one on average."""
    parts = [
        f"{matrix.measure} {best} (random subsets {mean})"
        for matrix, curve in measured
        for best, mean in ([number_or("none of the sizes", size) for size in curve.crossings(target)[:2]],)
    ]
    reach = measured[0][1].measure.equal_to(f"{target:g}")
    return f"Topics with which the best subset reaches {reach} in-sample: {', '.join(parts)}."


CURVES: Columns[Row] = Columns(
    Column("measure", "matrix.measure"),
    Column("scores", "matrix.name"),
    Column("topics", "point.cardinality"),
    Column("best", "point.best.value"),
    Column("mean", "point.mean"),
    Column("mean standard error", "point.mean_standard_error"),
    Column("worst", "point.worst.value"),
    Column("status", "point.best.status"),
)
"""A row per cardinality and measure."""


def curve_rows(measured: Measured) -> list[Row]:
    """Return the points of all curves, each with its scores."""
    return [{"matrix": matrix, "point": point} for matrix, curve in measured for point in curve.points]


NEEDED: Columns[Row] = Columns(
    Column("measure", "matrix.measure"),
    Column("scores", "matrix.name"),
    *map(Column[Row], ("best", "mean", "worst")),
)
"""The topics with which best, average and worst sets reach the target, a row per measure."""


def needed_rows(measured: Measured, target: float) -> list[Row]:
    """Return the fewest topics that reach a target, by each measure."""
    return [{"matrix": matrix, **curve.crossings(target).by_side} for matrix, curve in measured]


def goodness_by_measure(measured: Measured, target: float) -> Figure:
    """Draw best, average and worst subsets, a panel per effectiveness measure: Guiver et al. (2009), figure 2."""
    measure = measured[0][1].measure
    rows = (len(measured) + 1) // 2
    chart = Chart(
        f"{measure.label} of subsets of topics with all topics, by measure",
        "topics in the subset",
        f"{measure.short} of run means",
        height=120 + 300 * rows,
    )
    places = panels(rows, 2, across=0.06, down=0.3 / rows)
    for place, ((matrix, curve), panel) in enumerate(zip(measured, places, strict=False)):
        of_what = literal(f"{matrix.measure}, {matrix.name}")
        own: dict[str, Any] = {"matches": "y"} if panel.end else {}
        if place % 2:
            own |= {"title": {"text": ""}, "showticklabels": False}
        chart.panel(panel, {}, own)
        chart.name_panel(of_what, panel, size=16, is_left=False)
        table: Mapping[str, Any] = CURVES.table(curve_rows([(matrix, curve)]))
        for name, column, colour in (
            ("best", "best", SERIES[0]),
            ("average", "mean", TEXT),
            ("worst", "worst", SERIES[1]),
        ):
            chart.line(
                table["topics"],
                floats(table[column]),
                name,
                f"{name} of %{{x}} topics, {of_what}: %{{y:.5f}}",
                colour=colour,
                legendgroup=name,
                showlegend=place == 0,
                panel=panel.end,
            )
        chart.rule(target, colour=ACCENT, width=1.4, panel=panel.end)
    chart.legend(y=-0.24 / rows)
    chart.room(top=PANEL_NAMES)
    return chart.figure("by-measure", sentence(measured, target))
