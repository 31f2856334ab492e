"""Several effectiveness measures side by side: figure 2 of Guiver, Mizzaro and Robertson (2009), as numbers too.

The paper draws best, average and worst subsets for AP, R-precision, P@10 and GMAP, and finds the pattern "very
similar for the four metrics". Here each measure has its own panel, and one table has them all.
"""

from collections.abc import Sequence

from topicset_core.analyses.topic_subsets.charts import goodness_by_measure
from topicset_core.analyses.topic_subsets.curve import Crossings, CurvePoint, SubsetCurve
from topicset_core.analyses.topic_subsets.report import paragraph
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table

Measured = Sequence[tuple[ScoreMatrix, SubsetCurve]]
"""A curve per matrix of scores."""

MOST = 8
"""Number of panels that are legible in one figure."""


def side_by_side(measured: Measured, target: float, preparation: Sequence[str] = ()) -> Report:
    """Return the curves of several measures as one report."""
    if not 2 <= len(measured) <= MOST:
        raise InputError("measures", len(measured), f"must be 2 to {MOST} matrices of scores, side by side")
    texts = [paragraph(curve, target, None, scores=one.measure, name=one.name) for one, curve in measured]
    first = measured[0][1]
    rows = [(matrix, point) for matrix, curve in measured for point in curve.points]
    return Report(
        name="topic-subsets-by-measure",
        title="A few good topics by measure",
        sentence=sentence(measured, target),
        tables=[
            ReportTable("curves", lambda: CURVES.table(rows), "Curves", "topic-subsets-by-measure"),
            ReportTable("topics", lambda: needed_table(measured, target)),
        ],
        results=lambda: [
            {"measure": matrix.measure, "name": matrix.name, **curve.record(target)}
            for matrix, curve in measured
        ],
        text=("\n\n".join(plain for plain, _ in texts), "\n\n".join(latex for _, latex in texts)),
        figures=lambda: [figure(measured, target)],
        measure=", ".join(matrix.measure for matrix, _ in measured),
        variance_source=" ".join(preparation) or "as loaded",
        matrices=[matrix for matrix, _ in measured],
        seed=first.seed,
    )


def sentence(measured: Measured, target: float) -> str:
    """Return how many topics each measure needs: the best set in-sample, and a random one on average."""
    goodness = measured[0][1].measure
    parts = [
        f"{matrix.measure} {_needed(result.best)} (random sets {_needed(result.mean)})"
        for matrix, curve in measured
        for result in (curve.crossings(target),)
    ]
    reach = f"{goodness.symbol} {'=' if goodness.higher_is_better else 'of'} {target:g}"
    return f"Topics with which the best set reaches {reach} in-sample: {', '.join(parts)}."


Row = tuple[ScoreMatrix, CurvePoint]

CURVES: Columns[Row] = Columns(
    Column("measure", lambda row: row[0].measure),
    Column("scores", lambda row: row[0].name),
    Column("topics", lambda row: row[1].cardinality),
    Column("best", lambda row: row[1].best and row[1].best.value),
    Column("mean", lambda row: row[1].mean),
    Column("mean standard error", lambda row: row[1].mean_standard_error),
    Column("worst", lambda row: row[1].worst and row[1].worst.value),
    Column("status", lambda row: row[1].best and row[1].best.status),
)
"""A row per cardinality and measure."""


def needed_table(measured: Measured, target: float) -> Table:
    """Return a row per measure: the topics with which best, average and worst sets reach the target."""
    crossings: list[Crossings] = [curve.crossings(target) for _, curve in measured]
    return {
        "measure": [matrix.measure for matrix, _ in measured],
        "scores": [matrix.name for matrix, _ in measured],
        **{side: [getattr(one, side) for one in crossings] for side in ("best", "mean", "worst")},
    }


def figure(measured: Measured, target: float) -> Figure:
    """Return a panel per measure with best, average and worst subsets."""
    named = [(f"{matrix.measure}, {matrix.name}", curve) for matrix, curve in measured]
    return Figure("by-measure", goodness_by_measure(named, target=target), sentence(measured, target))


def _needed(topics: int | None) -> str:
    return "none of the sizes" if topics is None else f"{topics:,}"
