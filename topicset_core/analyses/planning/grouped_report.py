"""What groups add to the report of a design: findings, the splits and their charts."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from topicset_core.charts.chart import Chart
from topicset_core.designs.grouped import GROUP_SIZE_CV, INTRACLASS_CORRELATION, GroupedPlan, Split
from topicset_core.designs.results import Result
from topicset_core.designs.search import equal_groups
from topicset_core.exports.colours import ACCENT, QUIET, SERIES, TEXT
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE
from topicset_core.wording import counted, few_groups, in_units

ROUGH_CV, ROUGH_GROUPS = 0.8, 25
"""Variation of group sizes from which, and equal groups below which, the power may be above the stated one."""
ROUGH = (
    "In simulations with so few groups of such different sizes the power was up to 10 points higher than stated "
    "where a few groups were much larger than all others."
)

SPLITS = Columns[Split](
    Column("topics per group", "group_size"),
    Column("groups", "n_groups"),
    Column("topics", "n_topics"),
    Column("cost"),
)


def splits_table(plan: GroupedPlan) -> Table:
    """Return the groups by topics per group; costs only where they are known."""
    table = SPLITS.table(plan.splits)
    return {name: column for name, column in table.items() if plan.costs or name != "cost"}


def grouped_findings(grouped: GroupedPlan, result: Result, *, similar: bool = False) -> Iterator[Finding]:
    """Yield topics in all, the sizes of groups, the variance of a topic, its correlation and the least cost."""
    # `similar`: a similar task gives the variance, too, so that the interval of n does not follow from the groups.
    n, k, best = result.required_topics, grouped.group_size, grouped.best
    yield Finding(
        f"These are {n * k:,} {topics_of(grouped)}; if topics are independent, {grouped.independent_topics:,} are "
        "enough."
    )
    if grouped.size_cv:
        counted_as = float(equal_groups(n, grouped.size_cv))
        yield Finding(
            f"Groups of {counted(k, 'topic')} on average (coefficient of variation {grouped.size_cv:.3g}): for a "
            f"cluster-robust test {n:,} of them count as {counted_as:.3g} groups of {grouped.counted_size:.3g} "
            "topics each.",
            "page export terminal",
        )
        if grouped.size_cv >= ROUGH_CV and counted_as < ROUGH_GROUPS and grouped.plan.design.has_power:
            yield Finding(ROUGH)
    if grouped.found:
        of_topics = "the variance over all topics of the scores"
        if any(one.understatement < 1 for one in grouped.found):
            of_topics = f"above {of_topics}, which is too low because topics of one group correlate"
        text = f"The variance of one topic is {grouped.of_topics.variance:.4g}, {of_topics}."
        yield Finding(text, "page export terminal")
    if grouped.correlations is not None:
        (found,), (low, high) = grouped.found, grouped.correlations
        estimate = found.intraclass_correlation
        below = f"; the estimate is {estimate:.3g}, below 0" if estimate < 0 else ""
        level = 100 * found.intraclass_correlation_interval.level
        interval = f"{level:g} % confidence interval of the intraclass correlation: {low:.3g} to {high:.3g}"
        yield Finding(f"{interval}{below}.", "page export terminal")
    if grouped.found and similar:
        text = "The interval of the required groups takes the intraclass correlation of the scores as known."
        yield Finding(text, "page export terminal")
    if best is not None:
        split = f"{counted(best.n_groups, 'group')} of {counted(best.group_size, 'topic')}"
        text = f"Least cost {best.cost:,.6g}: {split}, {best.n_topics:,} topics."
        yield Finding(text, "page export terminal")


def group_tiles(grouped: GroupedPlan, result: Result) -> Iterator[tuple[str, str, str]]:
    """Yield the numbers that groups add next to the headline: label, value and note."""
    yield topics_of(grouped), f"{result.required_topics * grouped.group_size:,}", ""
    independent = "Topics that the design takes without groups, with the same variance of one topic."
    yield "if independent", f"{grouped.independent_topics:,}", independent
    if grouped.best is not None:
        text = f"Cost {grouped.best.cost:,.6g}, the least of all numbers of topics per group."
        yield "cheapest groups", f"{grouped.best.n_groups:,} of {grouped.best.group_size:,}", text
    rho, cv, value = INTRACLASS_CORRELATION, GROUP_SIZE_CV, f"{grouped.intraclass_correlation:.3g}"
    if grouped.size_cv:
        text = f"{rho.symbol}: {rho.help} {cv.symbol}: {cv.help}"
        yield f"{rho.symbol} and {cv.symbol}", f"{value} and {grouped.size_cv:.3g}", text
    else:
        yield rho.symbol, value, rho.help


def topics_of(grouped: GroupedPlan) -> str:
    """Return what the topics of all groups are called."""
    is_shared = grouped.plan.variance_parameter is not WITHIN_SYSTEM_VARIANCE
    return "topics in all" if is_shared else "topics per system"


def correlation_in_words(grouped: GroupedPlan) -> str:
    """Return the correlation within groups and what it does."""
    rho, effect = grouped.intraclass_correlation, grouped.design_effect
    sizes = f", coefficient of variation of group sizes {grouped.size_cv:.3g}" if grouped.size_cv else ""
    return f"an intraclass correlation of {rho:.3g} within groups (design effect {effect:.3g}{sizes})"


def _of_groups(table: ReportTable) -> ReportTable:
    """Return a table of topics by the names of one of groups."""
    sheet, label, file = (in_units(one, "group") for one in (table.sheet, table.label, table.file))
    return replace(table, sheet=sheet, label=label, file=file)


def with_groups(report: Report, grouped: GroupedPlan, result: Result) -> Report:
    """Return the report of a plan that counts groups with what groups add: splits, their charts and the record."""
    figures, results, n = report.figures, report.results, result.required_topics
    fewest = min(n, *(one.n_groups for one in grouped.found)) if grouped.found else n
    return replace(
        report,
        tables=[
            *map(_of_groups, report.tables),
            ReportTable("splits", lambda: splits_table(grouped), "Topics per group", "topics-per-group"),
        ],
        results=lambda: [
            grouped.record(one if isinstance(one, Mapping) else one.record()) for one in results()
        ],
        figures=lambda: [*figures(), *grouped_figures(grouped, result).values()],
        warning=" ".join(filter(None, (few_groups(fewest), report.warning))),
        counts_groups=True,
    )


def grouped_figures(grouped: GroupedPlan, result: Result) -> dict[str, Figure]:
    """Return the charts by topics per group, by their names: groups, and where costs are known the cost."""
    figures = {"Topics per group": groups_by_size(grouped, result.required_topics)}
    return figures | ({"Cost": cost_by_size(grouped)} if grouped.costs else {})


def _shown(plan: GroupedPlan) -> list[Split]:
    """Return the splits around the user's and the cheapest one."""
    most = 2 * max(plan.group_size, plan.best.group_size if plan.best else 0, 5)
    return [one for one in plan.splits if one.group_size <= most]


def groups_by_size(plan: GroupedPlan, groups: int) -> Figure:
    """Draw the required groups, and the topics in them, against topics per group."""
    shown, size = _shown(plan), plan.group_size
    answer = f"{counted(groups, 'group')} of {counted(size, 'topic')}{' on average' * bool(plan.size_cv)}"
    chart = Chart(
        f"{answer} ({groups * size:,} topics) do what {plan.independent_topics:,} independent topics do",
        "topics per group k",
        "required groups and topics (log scale)",
    )
    chart.log_axis("y")
    sizes = [one.group_size for one in shown]
    counts = [one.n_groups for one in shown]
    topics = [one.n_topics for one in shown]
    chart.line(sizes, counts, "groups", "%{x} topics per group: %{y:,} groups", colour=ACCENT, width=3)
    hover = "%{x} topics per group: %{y:,} topics in all"
    chart.line(sizes, topics, "topics", hover, colour=SERIES[0], width=1.8)
    chart.rule(plan.independent_topics, f"{plan.independent_topics:,} independent topics")
    chart.name_end(sizes[-1], counts[-1], "groups", colour=ACCENT)
    chart.name_end(sizes[-1], topics[-1], "topics in all", colour=TEXT)
    chart.yours(size, groups, f"{groups:,}", f"yours: {answer}", above=True)
    chart.axis("x", rangemode="tozero")
    chart.room(right=90)
    alt = f"Required groups against topics per group; {answer}."
    return chart.figure("groups-by-size", alt)


def cost_by_size(plan: GroupedPlan) -> Figure:
    """Draw the cost against topics per group, the least marked."""
    shown, best = _shown(plan), plan.best
    finding = "Cost by topics per group"
    if best is not None:
        finding = f"{counted(best.n_groups, 'group')} of {counted(best.group_size, 'topic')} cost least"
    chart = Chart(finding, "topics per group k", "cost (unit as entered)")
    hover = "%{x} topics per group: cost %{y:,.6g}"
    chart.line([one.group_size for one in shown], [one.cost for one in shown], "cost", hover, colour=QUIET)
    if best is not None and best.cost is not None:
        text = f"{best.n_groups:,} × {best.group_size:,}, cost {best.cost:,.6g}"
        chart.yours(best.group_size, best.cost, text, f"cheapest: {text}")
    chart.axis("x", rangemode="tozero")
    return chart.figure("cost-by-size", f"{finding}.")
