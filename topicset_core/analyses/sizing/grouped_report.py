"""The exports of a plan of groups of topics: sentences, the splits, charts and the paragraph for a paper."""

from topicset_core import __version__
from topicset_core.analyses.sizing.report import headline
from topicset_core.charts.chart import Chart
from topicset_core.designs.grouped import GroupedPlan, Split
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.colours import ACCENT, QUIET, SERIES, TEXT
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import DIFFERENCE_VARIANCE, METHOD
from topicset_core.references import COCHRAN_1977
from topicset_core.wording import counted, few_groups

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


def grouped_lines(plan: GroupedPlan) -> list[str]:
    """Return the answer for a terminal."""
    result, best = plan.result, plan.best
    lines = [
        f"{_counted(plan)}  ({result.design}, {result.method})",
        *filter(None, [result.in_words]),
        f"{result.name} {result.attained:.6f}",
    ]
    if result.one_fewer is not None:
        lines.append(f"{result.name} with one group fewer {result.one_fewer:.6f}")
    lines.append(
        f"design effect {plan.design_effect:.4g} (intraclass correlation {plan.intraclass_correlation:.3g}): "
        f"{counted(plan.independent_topics, 'independent topic')} would do"
    )
    if best is not None:
        lines.append(
            f"least cost {best.cost:,.6g}: {counted(best.n_groups, 'group')} of "
            f"{counted(best.group_size, 'topic')}, {best.n_topics:,} topics"
        )
    return [*lines, *result.notes, *correlation_lines(plan)]


def correlation_lines(plan: GroupedPlan) -> list[str]:
    """Return where the correlation is from and how far it is known; nothing where it is stated."""
    if plan.found is None or plan.correlations is None or plan.groups_interval is None:
        return []
    level, estimate = (
        plan.found.intraclass_correlation_interval.level,
        plan.found.intraclass_correlation,
    )
    (low, high), (fewest, most) = plan.correlations, plan.groups_interval
    lines = [
        f"{100 * level:g} % confidence interval of the intraclass correlation {low:.3g} to {high:.3g}: "
        f"{fewest:,} to {most:,} groups"
    ]
    if estimate < 0:
        lines.append(f"it is estimated as {estimate:.3g} and planned with as 0")
    return lines


def groups_in_words(plan: GroupedPlan) -> str:
    """Return the required groups and their size: "28 groups of 12 topics"."""
    per_system = " per system" if plan.plan.variance_parameter.name == "within_system_variance" else ""
    return f"{counted(plan.n_groups, 'group')} of {counted(plan.group_size, 'topic')}{per_system}"


def grouped_headline(plan: GroupedPlan, measure: str = "") -> str:
    """Return what the required groups do, behind their number."""
    return headline(plan.result, measure or ("" if plan.plan.variance else _DEVIATIONS))


_DEVIATIONS = "standard deviations of a topic"


def _counted(plan: GroupedPlan) -> str:
    return f"{groups_in_words(plan)}: {plan.n_topics:,} topics"


def grouped_report(plan: GroupedPlan, measure: str = "", variance_source: str = "") -> Report:
    """Return the plan ready for export."""
    return Report(
        name="topic-set-size",
        title=f"{plan.result.design}: {_counted(plan)}",
        sentence=f"{groups_in_words(plan)} {grouped_headline(plan, measure)}; {plan.n_topics:,} topics in all.",
        tables=[ReportTable("splits", lambda: splits_table(plan), "Topics per group", "topics-per-group")],
        results=lambda: [plan],
        text=_paragraph(plan, measure, variance_source),
        figures=lambda: [groups_by_size(plan), *([cost_by_size(plan)] if plan.costs else [])],
        measure=measure,
        variance_source=variance_source,
        request=plan.settings,
        warning=few_groups(plan.n_groups),
        counts_groups=True,
    )


def _paragraph(plan: GroupedPlan, measure: str, source: str) -> tuple[str, str]:
    of_topics = plan.plan
    per_system = "" if of_topics.variance_parameter is DIFFERENCE_VARIANCE else " per system"
    result = plan.result
    unit = measure or ("the measure" if of_topics.variance else _DEVIATIONS)
    variance = f" and a variance of {of_topics.variance:.4g}" if of_topics.variance else ""
    variance += f" ({source})" if source else ""
    text = (
        f"The topic set size was determined by topic set size design {CITATION} for groups of topics. With "
        f"{plan.n_groups:,} groups of {counted(plan.group_size, 'topic')}{per_system} ({plan.n_topics:,} topics), "
        f"{result.requirements.plan().claim(unit)}, on the means of groups, given an intraclass correlation of "
        f"{plan.intraclass_correlation:.3g} (design effect {plan.design_effect:.3g}){variance}. {plan.evidence}, "
        f"computed with {METHOD.options[result.method]} (Topicset {__version__})."
    )
    works = (*of_topics.works, COCHRAN_1977)
    return cite_plain(text, works), cite_latex(text, works)


def _shown(plan: GroupedPlan) -> list[Split]:
    """Return the splits around the user's and the cheapest one."""
    most = 2 * max(plan.group_size, plan.best.group_size if plan.best else 0, 5)
    return [one for one in plan.splits if one.group_size <= most]


def groups_by_size(plan: GroupedPlan) -> Figure:
    """Draw the required groups, and the topics in them, against topics per group."""
    shown, size, groups = _shown(plan), plan.group_size, plan.n_groups
    chart = Chart(
        f"{counted(groups, 'group')} of {counted(size, 'topic')} ({plan.n_topics:,} topics) do what "
        f"{plan.independent_topics:,} independent topics do",
        "topics per group k",
        "required (log scale)",
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
    chart.yours(size, groups, f"{groups:,}", f"yours: {_counted(plan)}", above=True)
    chart.axis("x", rangemode="tozero")
    chart.room(right=90)
    alt = f"Required groups against topics per group; {_counted(plan)}."
    return chart.figure("groups-by-size", alt)


def cost_by_size(plan: GroupedPlan) -> Figure:
    """Draw the cost against topics per group, the least marked."""
    shown, best = _shown(plan), plan.best
    finding = "Cost by topics per group"
    if best is not None:
        finding = f"{counted(best.n_groups, 'group')} of {counted(best.group_size, 'topic')} cost least"
    chart = Chart(finding, "topics per group k", "cost")
    hover = "%{x} topics per group: cost %{y:,.6g}"
    chart.line([one.group_size for one in shown], [one.cost for one in shown], "cost", hover, colour=QUIET)
    if best is not None and best.cost is not None:
        text = f"{best.n_groups:,} × {best.group_size:,}, cost {best.cost:,.6g}"
        chart.yours(best.group_size, best.cost, text, f"cheapest: {text}")
    chart.axis("x", rangemode="tozero")
    return chart.figure("cost-by-size", f"{finding}.")
