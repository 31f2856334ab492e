"""The means and the variance of scores as tables and figures.

The interval of the mean of run i is xbar_i -+ t(n - 1; alpha) s_i / sqrt(n). Here each run has its own variance
s_i^2; the designs assume one for all (Sakai 2016, section 3.2), and intervals of very different widths show how
far that is from true. The runs share their topics, so that two intervals which overlap do not mean that the runs
do not differ: their difference on each topic decides that, and it varies less. Where topics have groups, the
standard error is CR2 with Satterthwaite's degrees of freedom.
"""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.score_variance.uncertainty import Round, VarianceUncertainty
from topicset_core.charts.chart import Chart, Panel, errors
from topicset_core.charts.labels import LONGEST, category_axis, literal, shortened
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.share_interval import share_interval
from topicset_core.exports.colours import ACCENT, QUIET, SERIES
from topicset_core.exports.figures import Figure
from topicset_core.exports.tables import Table
from topicset_core.preparation.means import for_other_groups, mean_of, system_means
from topicset_core.variance import ONE_WAY, TWO_WAY, VarianceInterval, one_way, pooled_interval, two_way
from topicset_core.variance.atlas import atlas, public_range
from topicset_core.variance.clustered_differences import clustered_errors
from topicset_core.variance.intervals import check_level
from topicset_core.wording import counted, number_or


@dataclass(frozen=True, eq=False)
class MatrixVariances:
    """A matrix with its within-system variances; one run leaves no residual, so `two_way` is then None."""

    matrix: ScoreMatrix
    one_way: float  # residual variance of one-way ANOVA, in squared units of the measure
    two_way: float | None
    one_way_interval: VarianceInterval
    two_way_interval: VarianceInterval | None


def variances_of(matrix: ScoreMatrix) -> MatrixVariances:
    """Return both within-system variances of a matrix (Sakai 2016, Eqs. 36 and 37)."""
    has_two = matrix.n_systems > 1
    return MatrixVariances(
        matrix,
        ONE_WAY(matrix),
        TWO_WAY(matrix) if has_two else None,
        pooled_interval([matrix]),
        pooled_interval([matrix], TWO_WAY) if has_two else None,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class RunMeans:
    """Mean and interval of each run, best first; of equal means the run that came first."""

    measure: str
    n_topics: int
    systems: tuple[str, ...]
    # Mean over topics or of group means, ends of its interval, unbiased standard deviation over topics, all
    # (n_systems,)
    means: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    standard_deviations: NDArray[np.float64]
    level: float
    interval: str  # how it is made
    heading: str  # what the means are: "mean AP", or "mean of group means, AP"

    @property
    def pooled_deviation(self) -> float:
        """Root of the mean variance of a run over topics, the within-system variance."""
        return math.sqrt(float(np.square(self.standard_deviations).mean()))

    @property
    def best(self) -> str:
        """The best run, its mean and its interval."""
        mean, low, high = self.means[0], self.lower[0], self.upper[0]
        is_symmetric = math.isclose(high - mean, mean - low)
        ends = f" ± {high - mean:.3f}" if is_symmetric else f" ({low:.3f} to {high:.3f})"
        return f"{mean:.3f}{ends}, {shortened(self.systems[0])}"


def run_means(matrix: ScoreMatrix, level: float = 0.95, mean: str | None = None) -> RunMeans:
    """Return the mean of each run with its t interval, by groups if there are; of scores of 0 and 1 Wilson's.

    `mean` is "topics" or "groups", of topics in groups; by default the usual one (`preparation.means`).
    """
    from scipy.special import stdtrit

    check_level(level)
    mean = mean_of(matrix, mean)
    n, means, deviations = matrix.n_topics, system_means(matrix, mean), matrix.scores.std(axis=0, ddof=1)
    errors_of_means, df = deviations / np.sqrt(n), float(n - 1)
    interval = f"t interval of level {100 * level:g} % (Student 1908): mean ± t(n − 1) s / √n"
    heading = f"mean {matrix.measure}"
    if mean == "groups":
        of_groups = for_other_groups(matrix)
        errors_of_means, df = of_groups.errors, float(of_groups.df[0])
        heading = f"mean of group means, {matrix.measure}"
        interval = (
            f"interval of level {100 * level:g} % of the mean of group means, for other groups like these: mean ± "
            "t(g − 1) s / √g, with the g group means"
        )
    elif matrix.groups is not None:
        errors_of_means, df = clustered_errors(matrix)
        interval = (
            f"interval of level {100 * level:g} % of the mean over topics, for other groups like these: mean ± t "
            "times the standard error by groups (CR2)"
        )
    # Negative tail, as 1 - alpha / 2 would lose the digits of a small alpha.
    half_widths = -float(stdtrit(df, (1 - level) / 2)) * errors_of_means
    lower, upper = means - half_widths, means + half_widths
    if matrix.is_binary and matrix.groups is None:
        lower, upper = share_interval(matrix.scores.sum(axis=0), n, 1 - level)
        interval = f"interval of level {100 * level:g} %, of a share of topics (Wilson 1927)"
    order = np.argsort(-means, kind="stable")
    return RunMeans(
        measure=matrix.measure,
        n_topics=n,
        systems=tuple(matrix.systems[place] for place in order.tolist()),
        means=means[order],
        lower=lower[order],
        upper=upper[order],
        standard_deviations=deviations[order],
        level=level,
        interval=interval,
        heading=heading,
    )


def variances_table(result: Sequence[MatrixVariances]) -> dict[str, list[object]]:
    """Return size and within-system variances of each matrix."""
    return {
        "scores": [one.matrix.name for one in result],
        "measure": [one.matrix.measure for one in result],
        "topics": [one.matrix.n_topics for one in result],
        "runs": [one.matrix.n_systems for one in result],
        "σ² one-way": [one.one_way for one in result],
        "σ² one-way, 90 % interval": [in_short(one.one_way_interval) for one in result],
        "σ² two-way": [one.two_way for one in result],
        "σ² two-way, 90 % interval": [in_short(one.two_way_interval) for one in result],
        "σ² two-way, public collections": [_public(one.matrix.measure) for one in result],
    }


def _public(measure: str) -> str:
    found = public_range(measure)
    return "" if found is None else f"{found[0]:.3g} to {found[1]:.3g}"


def in_short(interval: VarianceInterval | None) -> str:
    """Return the ends of an interval, for a cell; "" without one."""
    return "" if interval is None else f"{interval.low:.3g} to {interval.high:.3g}"


def rounds_table(result: Sequence[Round]) -> Table:
    """Return each round's own variance and the variance so far, with intervals and the topics asked for."""
    return {
        "round": [each.name for each in result],
        "topics": [each.n_topics for each in result],
        "runs": [each.n_systems for each in result],
        "σ²": [each.own.variance for each in result],
        "interval": [in_short(each.own.interval) for each in result],
        "n": [_topics(each.own) for each in result],
        "σ² so far": [each.so_far.variance for each in result],
        "interval so far": [in_short(each.so_far.interval) for each in result],
        "n so far": [_topics(each.so_far) for each in result],
    }


def run_means_table(result: RunMeans) -> Table:
    """Return mean, interval and standard deviation of each run, best first."""
    return {
        "run": result.systems,
        result.heading: result.means.tolist(),
        "from": result.lower.tolist(),
        "to": result.upper.tolist(),
        "standard deviation": result.standard_deviations.tolist(),
    }


def _topics(one: VarianceUncertainty) -> str:
    topics, low, high = (number_or("none", end) for end in (one.topics, *one.topics_interval))
    return f"{topics} ({low} to {high})"


_LONGEST_HOVER = 80  # characters
# Pixels of a chart, so that 20 runs and 200 alike are on the first screen
_SHORTEST, _TALLEST, _ROW = 220, 500, 16
_MEANS, _CELLS = Panel("2", [0, 0.3], [0, 1]), [0.32, 1]
_MOST_CAPS = 50  # of runs with large points, whose bars end in a short line


def scores_chart(matrix: ScoreMatrix, *, by_means: bool) -> Figure:
    """Draw a row per run: on the left its mean with the interval, on the right its score on each topic."""
    result = run_means(matrix)
    topics, systems = np.arange(matrix.n_topics), np.arange(matrix.n_systems)
    if by_means:
        topics = np.argsort(matrix.scores.mean(axis=1), kind="stable")
        systems = np.array([matrix.systems.index(name) for name in result.systems])
    topic_ids = [matrix.topics[place] for place in topics.tolist()]
    run_names = [matrix.systems[place] for place in systems.tolist()]
    order = "in the order of the file"
    chart = Chart(
        f"Best mean: {result.best}",
        "",
        f"{matrix.n_systems:,} runs, {'best first' if by_means else order}",
        height=min(max(150 + _ROW * matrix.n_systems, _SHORTEST), _TALLEST),
    )
    # Single precision halves the data sent to the browser; seven digits are more than a colour shows.
    cells = matrix.scores[np.ix_(topics, systems)].T.astype(np.float32)
    names = (*topic_ids, *run_names)
    hover, more = "topic %{x}, run %{y}: %{z:.4g}", {}
    if any(len(name) > LONGEST or literal(name) != name for name in names):
        # Where the axes show names changed, they go along with each cell.
        cut_topics, cut_runs = (
            [literal(name[:_LONGEST_HOVER]) for name in each] for each in (topic_ids, run_names)
        )
        texts = [[f"topic {topic}, run {run}" for topic in cut_topics] for run in cut_runs]
        hover, more = "%{text}: %{z:.4g}", {"text": texts}
    chart.shades(cells, "scores", hover, bar=matrix.measure, x=topic_ids, y=run_names, **more)
    level, is_dense = f"{100 * result.level:g} % interval", matrix.n_systems > _MOST_CAPS
    chart.points(
        result.means,
        list(result.systems),
        "means",
        f"%{{hovertext}}: %{{x:.4f}}, {level} %{{customdata[0]:.4f}} to %{{customdata[1]:.4f}}",
        colour=SERIES[0],
        size=3 if is_dense else 6,
        xaxis="x2",
        error_x=errors(
            result.upper - result.means,
            QUIET,
            down=result.means - result.lower,
            width=0 if is_dense else 3,
        ),
        customdata=np.column_stack([result.lower, result.upper]),
        hovertext=[literal(name) for name in result.systems],
    )
    chart.panel_axis("x", _MEANS, anchor="y")
    of_topics = f"{matrix.n_topics:,} topics,<br>{'hardest first' if by_means else order}"
    chart.update_layout(  # titles have two lines, as on a phone they are close to each other
        xaxis={"domain": _CELLS, "title": {"text": of_topics}, **category_axis(topic_ids)},
        xaxis2={"title": {"text": f"{literal(result.heading)},<br>{level}"}},
    )
    chart.axis("y", range=[matrix.n_systems - 0.5, -0.5], anchor="x2", **category_axis(run_names))
    alt = (
        f"{result.heading[:1].upper()}{result.heading[1:]} of {matrix.n_systems:,} runs with {level}s, next to a "
        f"heat map of their scores on {matrix.n_topics:,} topics; colour is {matrix.measure}."
    )
    return chart.figure("heat-map", alt)


def _in_lines(name: str) -> str:
    """Return a name in lines of about equal length, each no longer than a label."""
    lines = math.ceil(len(name) / LONGEST)
    return "<br>".join(map(literal, textwrap.wrap(name, min(len(name) // lines + 4, LONGEST))))


_APART = 0.08  # of the two points of a round, in rounds


def variance_by_round(
    result: Sequence[Round],
) -> Figure:
    """Draw two points a round with their intervals: its own variance (open), pooled so far (filled)."""
    estimate = ONE_WAY.label
    level = 100 * result[0].own.interval.level
    chart = Chart(
        f"Pooled over {counted(len(result), 'round')}, the variance is {result[-1].so_far.variance:.3g} "
        f"({level:g} % intervals)",
        "rounds, in their order",
        f"{estimate.partition(',')[0]} (squared {result[0].own.measure})",
        height=360,
    )
    for name, shift, colour, symbol, values in (
        ("own", -_APART, QUIET, "circle-open", [each.own for each in result]),
        ("so far", _APART, ACCENT, "circle", [each.so_far for each in result]),
    ):
        # Bars to the ends of the interval, which need not hold the estimate itself.
        up = [one.interval.high - one.variance for one in values]
        down = [one.variance - one.interval.low for one in values]
        chart.line(
            [place + shift for place in range(len(result))],
            [one.variance for one in values],
            name,
            [
                f"{literal(each.name)}, {name}: {one.variance:.4g} "
                f"({one.interval.low:.4g} to {one.interval.high:.4g})"
                for each, one in zip(result, values, strict=True)
            ],
            colour=colour,
            width=1.2,
            dash="dot",
            size=10,
            mode="markers" if name == "own" else "lines+markers",
            marker={"symbol": symbol, "line": {"width": 2, "color": colour}},
            error_y=errors(up, colour, down=down, thickness=1.6, width=4),
        )
    chart.axis(
        "x",
        tickvals=list(range(len(result))),
        ticktext=[_in_lines(each.name) for each in result],
        range=[-0.5, len(result) - 0.5],
        showgrid=False,
    )
    chart.key((QUIET, "○ each round"), (ACCENT, "● pooled so far"))
    chart.axis("y", rangemode="tozero")
    alt = (
        f"Variance of {result[0].own.measure} in each of {counted(len(result), 'round')}, and pooled so far, "
        "with intervals."
    )
    return chart.figure("rounds", alt)


_BELOW = 0.3  # public collections, of the height of a row
_WIDEST = 300  # from the smallest variance to the largest on a linear axis


def variance_by_measure(
    matrices: Sequence[ScoreMatrix],
) -> Figure:
    """Draw both estimates of each matrix on one line, largest at the top, above those of public collections."""
    rows = [
        (
            one_way(one),
            two_way(one) if one.n_systems > 1 else None,
            literal(f"{one.measure}, {one.name}"),
            one.measure,
        )
        for one in matrices
    ]
    by_one_way, by_two_way, labels, measures = zip(*sorted(rows, key=lambda row: row[0]), strict=True)
    positions = list(range(len(rows)))
    positive = [value for value in (*by_one_way, *by_two_way) if value]
    # Measures of different units, as scores and milliseconds, share no linear axis.
    log = len(positive) > 1 and max(positive) > _WIDEST * min(positive)
    scale = " (log scale)" if log else ""
    chart = Chart(
        "Variance of scores with topic difficulty (one-way) and without it (two-way)",
        f"σ² (measure squared){scale}",
        "score matrix",
        height=150 + 34 * len(rows),
    )
    by_people = [one for one in atlas() if one.judge == "people"]
    public = [
        (place - _BELOW, one) for place in positions for one in by_people if one.measure == measures[place]
    ]
    for name, values, symbol in (
        ("public, one-way", [one.one_way for _, one in public], "circle"),
        ("public, two-way", [one.two_way for _, one in public], "circle-open"),
    ):
        hover = f"%{{hovertext}}: {name.removeprefix('public, ')} residual variance %{{x:.5f}}"
        look: dict[str, Any] = {"symbol": symbol, "hovertext": [literal(one.task) for _, one in public]}
        chart.points(values, [place for place, _ in public], name, hover, colour=QUIET, size=5, **look)
    hover = "%{hovertext}: one-way residual variance %{x:.5f}"
    chart.points(by_one_way, positions, "one-way", hover, size=12, hovertext=labels)
    hover = "%{hovertext}: two-way residual variance %{x:.5f}"
    look = {"symbol": "circle-open", "hovertext": labels, "marker": {"line": {"width": 2}}}
    chart.points(by_two_way, positions, "two-way", hover, colour=QUIET, size=11, **look)
    beside = [(QUIET, "small: public collections")] if public else []
    chart.key((ACCENT, "● one-way"), (QUIET, "○ two-way"), *beside)
    chart.axis("x", **({"type": "log"} if log else {"rangemode": "tozero"}))
    chart.axis("y", tickvals=positions, ticktext=labels, showgrid=False)
    return chart.figure("variances", "Within-system variance of each score matrix, one-way and two-way.")
