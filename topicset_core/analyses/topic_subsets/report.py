"""What is handed over of a curve: tables, record, figures and a paragraph for a paper.

Charts are imported where they are drawn: they need an extra that the command line does without.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from topicset_core import __version__
from topicset_core.analyses.topic_subsets.curve import Status, SubsetCurve
from topicset_core.analyses.topic_subsets.request import Method
from topicset_core.analyses.topic_subsets.sentences import answer_sentence, statuses_sentence, weaker_status
from topicset_core.analyses.topic_subsets.topic_counts import TopicTable, stability
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.csv_table import Table
from topicset_core.exports.report import Figure, Report, ReportTable
from topicset_core.references import BILLIONNET_2009, GUIVER_2009, KENDALL_1945
from topicset_core.wording import joined

if TYPE_CHECKING:
    from topicset_core.charts.style import Mode

MOST_NAMED = 30
"""Topics that are named in a sentence."""


def report(
    matrix: ScoreMatrix,
    curve: SubsetCurve,
    table: TopicTable,
    *,
    target: float,
    method: Method,
    preparation: Sequence[str] = (),
    link: str = "",
) -> Report:
    """Return the answer, ready to be taken home.

    Parameters
    ----------
    matrix : ScoreMatrix
        The scores, prepared.
    curve : SubsetCurve
        As found.
    table : TopicTable
        How topics fare in its sets.
    target : float
        Goodness at which the curve is read across, in units of its measure.
    method : {"auto", "exact", "exhaustive", "local", "guiver"}
        How subsets were looked for.
    preparation : sequence of str
        What was done to the scores, in sentences.
    link : str
        The full link to the answer.
    """
    return Report(
        name="topic-subsets",
        title=f"A few good topics: {matrix.measure}, {matrix.name}",
        sentence=answer_sentence(curve, target),
        tables=[
            ReportTable("curve", lambda: curve_table(curve), "Curve", "topic-subsets-curve"),
            ReportTable("sets", lambda: set_table(curve), "Sets", "topic-subsets-sets"),
            ReportTable("topics", lambda: topics_table(table), "Topics", "topic-subsets-topics"),
        ],
        results=lambda: [record(curve, table, target, method, preparation)],
        text=paragraph(curve, target, scores=matrix.measure, name=matrix.name),
        figures=lambda: figures(matrix, curve, table, target, "print"),
        measure=matrix.measure,
        variance_source=" ".join(preparation) or "as loaded",
        matrices=[matrix],
        seed=curve.seed,
        link=link,
    )


def record(
    curve: SubsetCurve, table: TopicTable, target: float, method: Method, preparation: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the answer as plain values for JSON."""
    return {
        "sentence": answer_sentence(curve, target),
        "prepared": list(preparation),
        "method": method,
        **curve.record(target),
        "stability": {"best": stability(curve, "best"), "worst": stability(curve, "worst")},
        "topics": [asdict(row) for row in table.rows],
        "topics_of_ten_sets_of": table.cardinality,
        "hardness_correlation": table.hardness_correlation,
    }


def curve_figure(matrix: ScoreMatrix, curve: SubsetCurve, target: float, mode: "Mode") -> Figure:
    """Return the goodness of best, average and worst against cardinality, and what it says."""
    from topicset_core.analyses.topic_subsets.charts.goodness_by_cardinality import goodness_by_cardinality

    chart = goodness_by_cardinality(
        curve, target=target, of_what=f"{matrix.measure}, {matrix.name}", mode=mode
    )
    says = answer_sentence(curve, target) if curve.is_complete else statuses_sentence(curve)
    return chart, f"{curve.measure.label} against subset size. {says}"


def figures(
    matrix: ScoreMatrix, curve: SubsetCurve, table: TopicTable, target: float, mode: "Mode"
) -> list[Figure]:
    """Return the figures with what they say: curve, pixel maps of sizes and of ten sets, hardness."""
    from topicset_core.analyses.topic_subsets.charts.topic_hardness import topic_hardness
    from topicset_core.analyses.topic_subsets.charts.topic_pixel_map import sets_by_cardinality, ten_sets

    excluded = [row.topic for row in table.rows if row.advice == "exclude"]
    ten = f"Topics of the ten best and ten worst sets of {table.cardinality}"
    return [
        curve_figure(matrix, curve, target, mode),
        (sets_by_cardinality(curve, table, mode=mode), "Topics of the best and the worst set of each size."),
        (
            ten_sets(curve, table, mode=mode),
            f"{ten}; {', '.join(excluded[:MOST_NAMED])} in bad sets only." if excluded else f"{ten}.",
        ),
        (
            topic_hardness(table, measure=curve.measure, scores=matrix.measure, mode=mode),
            "Goodness of each topic alone against its mean score.",
        ),
    ]


def curve_table(curve: SubsetCurve) -> Table:
    """Return a row a cardinality."""
    points = curve.points
    levels = sorted({level for point in points for level in point.percentiles})
    return {
        "topics": [point.cardinality for point in points],
        "best": [None if point.best is None else point.best.value for point in points],
        "best_status": [None if point.best is None else point.best.status for point in points],
        "best_bound": [None if point.best is None else point.best.bound for point in points],
        "mean": [point.mean for point in points],
        "mean_standard_error": [point.mean_standard_error for point in points],
        "worst": [None if point.worst is None else point.worst.value for point in points],
        "worst_status": [None if point.worst is None else point.worst.status for point in points],
        "worst_bound": [None if point.worst is None else point.worst.bound for point in points],
        **{f"percentile_{level}": [point.percentiles.get(level) for point in points] for level in levels},
        "subsets_averaged": [point.n_averaged for point in points],
        "subsets_without_correlation": [point.n_undefined for point in points],
    }


def set_table(curve: SubsetCurve) -> Table:
    """Return a row for each of the ten best and ten worst sets of each cardinality."""
    rows = [
        (point.cardinality, side, rank, one)
        for point in curve.points
        for side, sets in (("best", point.ten_best), ("worst", point.ten_worst))
        for rank, one in enumerate(sets, start=1)
    ]
    return {
        "topics": [size for size, _, _, _ in rows],
        "side": [side for _, side, _, _ in rows],
        "rank": [rank for _, _, rank, _ in rows],
        "value": [one.value for _, _, _, one in rows],
        "status": [one.status for _, _, _, one in rows],
        "topic_ids": [" ".join(one.topics) for _, _, _, one in rows],
    }


def topics_table(table: TopicTable) -> Table:
    """Return a row a topic."""
    return {
        "topic": [row.topic for row in table.rows],
        "in_best_sets": [row.in_best for row in table.rows],
        "in_worst_sets": [row.in_worst for row in table.rows],
        f"in_ten_best_of_{table.cardinality}": [row.in_ten_best for row in table.rows],
        f"in_ten_worst_of_{table.cardinality}": [row.in_ten_worst for row in table.rows],
        "goodness_alone": [row.alone for row in table.rows],
        "mean_score": [row.mean_score for row in table.rows],
        "advice": [row.advice for row in table.rows],
    }


def paragraph(curve: SubsetCurve, target: float, *, scores: str, name: str) -> tuple[str, str]:
    """Return what the curve says, in plain text and in LaTeX.

    Parameters
    ----------
    curve : SubsetCurve
        As found.
    target : float
        Goodness at which it is read across.
    scores, name : str
        Measure and name of the matrix.
    """
    means = [point for point in curve.points if point.mean_standard_error > 0]
    sampled = f"; averages are over {curve.n_trials:,} random subsets (seed {curve.seed})" if means else ""
    how = _how(curve)
    text = (
        f"Subsets of the {curve.n_topics:,} topics were judged by {_judged(curve)} {CITATION}, on the "
        f"{scores} scores of {curve.n_systems:,} runs ({name}). {answer_sentence(curve, target)} "
        f"{how}{sampled}. The subsets were chosen on the runs that they are judged by, so that the best are better "
        f"and the worst are worse than they would be on others (Topicset {__version__})."
    )
    works = [GUIVER_2009]
    if curve.measure.key == "kendall":
        works.append(KENDALL_1945)
    if any(sizes for status, sizes in _sizes(curve).items() if status in ("proved", "gap")):
        works.append(BILLIONNET_2009)
    return cite_plain(text, works), cite_latex(text, works)


def _how(curve: SubsetCurve) -> str:
    """Return which sizes were looked at in full, proved and searched, in a sentence without its full stop."""
    sizes = _sizes(curve)
    if not sizes["proved"] and not sizes["gap"]:
        if not sizes["heuristic"]:
            return "All subsets were looked at"
        if not sizes["exhaustive"]:
            return "Best and worst subsets were searched for by swaps and may be exceeded"
    parts = []
    if sizes["exhaustive"]:
        parts.append(f"All subsets of {_ranges(sizes['exhaustive'])} topics were looked at")
    if sizes["proved"]:
        parts.append(
            f"of {_ranges(sizes['proved'])} topics the best and the worst subset were proved by branch and bound "
            "over convexified quadratic forms"
        )
    if sizes["gap"]:
        parts.append(
            f"of {_ranges(sizes['gap'])} topics they are known up to a bound, as proofs were not finished"
        )
    if sizes["heuristic"]:
        parts.append("those of other sizes were searched for by swaps and may be exceeded")
    said = "; ".join(parts)
    return said[0].upper() + said[1:]


def _sizes(curve: SubsetCurve) -> dict[Status, list[int]]:
    """Return the sizes by the weaker of what is known of best and worst."""
    sizes: dict[Status, list[int]] = {"heuristic": [], "gap": [], "proved": [], "exhaustive": []}
    for point in curve.points:
        if point.best is not None:
            sizes[weaker_status(point)].append(point.cardinality)
    return sizes


def _judged(curve: SubsetCurve) -> str:
    if curve.measure.key == "error-rate":
        return "the weighted average error rate of their run means against those over all topics"
    return f"{curve.measure.label} of their run means with those over all topics"


def _ranges(numbers: list[int]) -> str:
    """Write ascending numbers as ranges: 1-8 and 42-50."""
    ends: list[list[int]] = []
    for number in numbers:
        if ends and number == ends[-1][1] + 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    parts = [f"{low:,}" if low == high else f"{low:,} to {high:,}" for low, high in ends]
    return joined(parts)
