"""The comparison of two systems: findings, tables and figure."""

from collections.abc import Iterator

import numpy as np

from topicset_core.analyses.rank_resolution.pairs import rests_on
from topicset_core.analyses.two_systems import again
from topicset_core.analyses.two_systems.by_group import OfGroup
from topicset_core.analyses.two_systems.comparison import (
    TYPE_ONE,
    TYPE_ONE_NOTE,
    Answer,
    Request,
    compare_two,
)
from topicset_core.charts.chart import Chart
from topicset_core.charts.labels import literal
from topicset_core.collection.score_matrix import UNKNOWN_MEASURE
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import ACCENT, GRID, SERIES, TEXT
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import ALPHA
from topicset_core.preparation.means import ESTIMANDS, OTHER, estimand
from topicset_core.question import Question
from topicset_core.references import MCNEMAR_1947, MORIKAWA_1995, TANGO_1998
from topicset_core.version import __version__
from topicset_core.wording import counted, few_groups, first_few, number_or, percent


def report(answer: Answer) -> Report:
    """Return the comparison ready for export."""
    matrix = answer.matrix
    groups = ReportTable("by group", lambda: GROUPS.table(answer.groups), "By group", "difference-by-group")
    return Report(
        name="two-systems",
        title=f"{answer.new} and {answer.baseline}: {answer.verdict}",
        findings=findings(answer),
        works=[MORIKAWA_1995, *([] if answer.discordant is None else [MCNEMAR_1947, TANGO_1998])],
        tables=[
            ReportTable("comparison", lambda: comparison_table(answer), "Comparison", "two-systems"),
            ReportTable("by topic", lambda: topic_table(answer), "By topic", "difference-by-topic"),
            *([groups] if answer.groups else []),
        ],
        results=lambda: [answer],
        figures=lambda: figures(answer),
        measure=matrix.measure,
        variance_source=matrix.name,
        matrices=[matrix],
        counts_groups=True,
        warning=few_groups(answer.n_groups) if answer.n_groups else "",
        request=answer.request.settings,
    )


GROUPS = Columns[OfGroup](
    Column("group"),
    Column("topics"),
    Column("difference", form="+.4f"),
    Column("low", form="+.4f"),
    Column("high", form="+.4f"),
    Column("p (Holm)", "adjusted_p", form=".3g"),
    Column("detectable", form=".3g"),
    Column("finding"),
)
"""The difference in each group of topics."""


MARGIN_TAB, MORE_TOPICS = "Margin", "More topics"
"""Labels of tabs of the page."""


def findings(answer: Answer) -> list[Finding]:
    """Return the findings: verdict, interval, groups, what would decide, what to know of the test."""
    said = [
        _headline(answer),
        *_tiles(answer),
        Finding(_method(answer), "paper"),
        Finding(f"{_verdict(answer)}."),
        Finding(answer.caution, "page export terminal"),
        Finding(_chosen(answer), "page export terminal"),
        Finding(f"{numbers(answer)}."),
        *map(Finding, _of_groups(answer) if answer.n_groups else ()),
        Finding(_decision(answer), tab=MORE_TOPICS),
        Finding(_again(answer), "page export terminal", tab=MORE_TOPICS),
        Finding(_margins(answer), "page", tab=MARGIN_TAB),
    ]
    if answer.verdict != "inconclusive" and answer.variance:
        said.append(Finding(_detects(answer), "page", tab=MORE_TOPICS))
    if answer.verdict == "inconclusive" and answer.variance and answer.request.margin is None:
        advice = "With a margin, the least loss that matters, the topics that show “not worse” are computed."
        said.append(Finding(advice, "page export terminal", tab=MORE_TOPICS))
    if answer.discordant and answer.is_without_0 != (answer.p_value <= answer.request.alpha):
        contains = "does not contain 0" if answer.is_without_0 else "contains 0"
        said.append(Finding(f"The interval, which is approximate, {contains}; the exact test decides."))
    if _is_tested_by_t(answer) and answer.is_without_0:
        said.append(Finding(TYPE_ONE_NOTE))
    if answer.variance or answer.difference:  # of equal scores the verdict tells it
        said.append(Finding(rests_on(answer.n_effective)))
    return [finding for finding in said if finding.text or finding.label]


def _tiles(answer: Answer) -> Iterator[Finding]:
    """Yield the numbers beside the headline."""
    n = answer.n_topics
    yield tile(
        "topics better, equal, worse",
        " · ".join(f"{count:,}" for count in answer.better_equal_worse),
        f"Topics on which {answer.new} scores better than {answer.baseline}, equally, and worse.",
    )
    power = percent(1 - answer.request.beta)
    if answer.topics_again is not None and answer.verdict in ("better", "worse"):
        unit = "groups" if answer.n_groups else "topics"
        note = (
            f"The difference is significant again on them with {power} probability. It is taken as smaller than "
            "observed, as differences between systems are on average."
        )
        yield tile(f"new {unit} to show it again", f"{answer.topics_again:,}", note)
    if answer.topics is not None:
        yield tile(
            "topics to show “not worse”",
            f"{answer.topics:,}",
            f"With {power} power, if both are equally good.",
        )
    elif answer.detectable is not None:
        yield tile(
            f"{n:,} topics detect",
            f"{answer.detectable:.3g}",
            f"A true difference of this size, with {power} power.",
        )
    if _is_tested_by_t(answer) and 10 <= n <= 50:  # as in the simulation
        low, high = TYPE_ONE
        yield tile("real α of the t test", f"{100 * low:g} to {100 * high:g} %", TYPE_ONE_NOTE)
    if answer.n_groups:
        yield tile("groups of topics", f"{answer.n_groups:,}", "The interval is for other groups like these.")


def _chosen(answer: Answer) -> str:
    """Return what holds if the two were chosen of more systems by their scores; "" of two systems."""
    m = answer.n_systems
    if m == 2 or answer.is_equal:
        return ""
    pairs = m * (m - 1) // 2
    return (
        f"These are 1 of {pairs:,} pairs of {m} systems. If they were chosen by their scores, p is too small: the "
        "leaderboard has the p value over all pairs."
    )


def _by_topics(answer: Answer) -> str:
    """Return how many topics favour each system, as the title of a chart."""
    better, _, worse = answer.better_equal_worse
    return (
        f"{answer.new} scores better on {better:,} of {counted(answer.n_topics, 'topic')}, worse on {worse:,}"
    )


def _margins(answer: Answer) -> str:
    """Return which margins the interval would allow."""
    loss, widest = max(-answer.low, 0.0), max(abs(answer.low), abs(answer.high))
    not_worse = f"for every margin above {_amount(answer, f'{loss:.3g}')}" if loss else "for every margin"
    return (
        f"“Not worse” holds {not_worse}. “Equally good” holds for every margin above {widest:.3g}, by one test of "
        "each side at level α/2. Choose the margin before the scores are known: one that is chosen afterwards "
        "tests nothing."
    )


def _amount(answer: Answer, number: str) -> str:
    """Return a number with its measure, where that has a name."""
    measure = answer.matrix.measure
    return number if measure == UNKNOWN_MEASURE else f"{number} {measure}"


def _headline(answer: Answer) -> Finding:
    """Return the claim with the difference, or that there is none on any topic."""
    if answer.is_equal:
        between = "" if answer.discordant is None else _evidence(answer)
        margin = f": not worse by {answer.request.margin:g}" if answer.verdict == "not worse" else ""
        systems = f"{answer.new} and {answer.baseline}"
        return headline(f"{systems} have ", "equal scores", f" on every topic{between}{margin}")
    return headline(f"{_claim(answer)}: ", f"{answer.difference:+.3g}", _evidence(answer))


def _again(answer: Answer) -> str:
    """Return the new topics that show the difference again, as the leaderboard has them; "" where none do."""
    if answer.topics_again is None:
        return ""
    unit = "group" if answer.n_groups else "topic"
    return again.in_words(answer.topics_again, unit, 1 - answer.request.beta)


def _evidence(answer: Answer) -> str:
    """Return the interval and p behind the claim: "not worse" has no p, and an exact test decides by p alone."""
    interval, p = f" ({answer.low:+.3g} to {answer.high:+.3g})", f", p = {answer.p_value:.2g}"
    if answer.verdict == "not worse":
        return interval
    is_by_p = answer.discordant is not None and answer.is_without_0 != (
        answer.p_value <= answer.request.alpha
    )
    return f"{p} by the exact test" if is_by_p else f"{interval}{p}"


def _claim(answer: Answer) -> str:
    """Return the verdict as a claim about the two systems."""
    new, baseline, margin = answer.new, answer.baseline, answer.request.margin
    if answer.verdict == "not worse":
        if answer.is_worse:
            return f"{new} is worse than {baseline}, by less than {margin:g}"
        return f"{new} is not worse than {baseline} by {margin:g}"
    if answer.verdict == "inconclusive":
        return f"Not shown that {new} is better or worse than {baseline}"
    return f"{new} is {answer.verdict} than {baseline}"


def _is_tested_by_t(answer: Answer) -> bool:
    """Return whether the simulated Type I error of the t test is of this test."""
    is_varied = answer.variance > 0
    return answer.is_by_t and is_varied and answer.request.alpha == ALPHA.default


def _method(answer: Answer) -> str:
    """Return what was compared, and by which test."""
    margin = answer.request.margin
    tested = "for a difference" if margin is None else f"for a difference and against a margin of {margin:g}"
    test = f"the {_level(answer)} t interval of the mean per-topic difference"
    if answer.n_groups and answer.request.mean == "groups":
        test = f"the {_level(answer)} t interval of the mean of group means of per-topic differences"
    elif answer.n_groups:
        test += " with a cluster-robust standard error (CR2) and Satterthwaite's degrees of freedom"
    if answer.discordant is not None:
        test = f"McNemar's exact test and Tango's {_level(answer)} score interval"
    systems = f"{answer.new} was compared with {answer.baseline}"
    return f"{systems} {tested}, by {test} {CITATION} (Topicset {__version__})."


def _verdict(answer: Answer) -> str:
    """Return the verdict, without a full stop."""
    new, baseline, margin = answer.new, answer.baseline, answer.request.margin
    loss = "" if margin is None else _amount(answer, f"{margin:g}")
    equal = ": their scores are equal on every topic" if answer.is_equal else ""
    if answer.verdict == "better":
        return f"Better: {new} is better than {baseline}"
    if answer.verdict == "not worse":
        though = ", though it is worse" if answer.is_worse else ""
        return f"Not worse: {new} loses less than {loss} against {baseline}{though}{equal}"
    if answer.verdict == "worse":
        is_shown = margin is not None and answer.high <= -margin
        return f"Worse: {new} is worse than {baseline}" + (f", by {loss} or more" if is_shown else "")
    more = f", and may be worse by {loss} or more" if loss else ""
    return f"Inconclusive: {new} is shown neither better nor worse than {baseline}{more}{equal}"


def numbers(answer: Answer) -> str:
    """Return the difference with its interval."""
    first, second = _order(answer)
    over = f" on {answer.n_topics:,} topics"
    if answer.n_groups:
        over = f", {estimand(answer.matrix, answer.request.mean)}"
    score = exact = ""
    if answer.discordant is not None:
        better, worse = answer.discordant
        score, exact = (
            ", Tango's",
            f"McNemar's exact test of {counted(better, 'topic')} for and {worse:,} against it: ",
        )
    return (
        f"{first} - {second}: {_amount(answer, f'{answer.difference:+.3g}')}{over} "
        f"({_level(answer)} confidence interval{score}: {answer.low:+.3g} to "
        f"{answer.high:+.3g}; {exact}p = {answer.p_value:.2g})"
    )


def _order(answer: Answer) -> tuple[str, str]:
    """Return the systems so that the first less the second is the difference in favour of the new one."""
    systems = answer.new, answer.baseline
    return (systems[1], systems[0]) if answer.request.lower_is_better else systems


def _of_groups(answer: Answer) -> Iterator[str]:
    """Yield for which groups the interval is, the other mean, and groups with too few topics."""
    text = "This interval is for other groups like these."
    if answer.same_groups is not None:
        low, high = answer.same_groups
        text += f" For other topics of the same groups it is {low:+.3g} to {high:+.3g}."
    elif answer.request.mean == "groups":
        text += " For other topics of the same groups there is none: a group of 1 topic has no variance."
    yield text
    if answer.by_other_mean is not None:
        first, second = _order(answer)
        other = ESTIMANDS[OTHER[answer.request.mean or ""]]
        yield f"By the {other}, {first} - {second} is {answer.by_other_mean:+.3g}."
    few = [row.group for row in answer.groups if row.finding == "not enough topics"]
    if few and answer.request.margin is not None:
        loss = _amount(answer, f"{answer.request.margin:g}")
        yield f"Not enough topics to detect {loss} in {counted(len(few), 'group')}: {first_few(few, 5)}."


def _detects(answer: Answer) -> str:
    """Return the true difference that these topics detect."""
    least, power = answer.detectable, f"{percent(1 - answer.request.beta)} power"
    difference = "no true difference" if least is None else f"a true difference of {least:.3g}"
    return f"{answer.n_topics:,} topics detect {difference} with {power}."


def _decision(answer: Answer) -> str:
    """Return the topics that would decide an inconclusive comparison; "" for another."""
    request, n = answer.request, answer.n_topics
    if answer.verdict != "inconclusive" or answer.variance == 0:
        return ""
    if request.margin is None:
        return _detects(answer)
    power = f"{percent(1 - request.beta)} power"
    loss = _amount(answer, f"{request.margin:g}")
    if answer.topics is None:
        return f"No number of topics up to ten million shows “not worse by {loss}”."
    equal = f"show “not worse by {loss}” with {power}, if both systems are equally good"
    like = " in groups like these" if answer.n_groups else ""
    if answer.topics <= n:
        return f"{answer.topics:,} topics{like} {equal}. There are {n:,}, so more may not decide either."
    low, high = (number_or("over ten million", end) for end in answer.topics_range)
    between = f"{low} to {high} by the 90 % confidence interval of the variance"
    return f"{answer.topics:,} topics{like} {equal} ({between})."


def _level(answer: Answer) -> str:
    return percent(1 - answer.request.alpha, ".12g")


def comparison_table(answer: Answer) -> Table:
    """Return the numbers, one per row."""
    low, high = answer.topics_range
    rows = {
        "verdict": answer.verdict,
        "exit status": answer.status,
        "baseline": answer.baseline,
        "new system": answer.new,
        **({"mean": estimand(answer.matrix, answer.request.mean)} if answer.n_groups else {}),
        "mean of the baseline": answer.means[0],
        "mean of the new system": answer.means[1],
        "difference in favour of the new system": answer.difference,
        "interval, low": answer.low,
        "interval, high": answer.high,
        "p value": answer.p_value,
        "topics": answer.n_topics,
        **dict(
            zip(("topics for the new system", "topics against it"), answer.discordant or (), strict=False)
        ),
        "topics that the difference rests on": answer.n_effective,
        "variance of the difference": answer.variance,
        "detectable difference": answer.detectable,
        "topics to show not worse if both are equally good": answer.topics,
        "these topics, low": low,
        "these topics, high": high,
        f"new {'groups' if answer.n_groups else 'topics'} to show the difference again": answer.topics_again,
    }
    return {"quantity": list(rows), "value": list(rows.values())}


def topic_table(answer: Answer) -> Table:
    """Return the scores of each topic."""
    baseline, new = answer.matrix.scores.T.tolist()
    return {
        "topic": list(answer.matrix.topics),
        **({"group": list(answer.matrix.groups)} if answer.matrix.groups else {}),
        f"{answer.baseline} (baseline)": baseline,
        f"{answer.new} (new)": new,
        "difference": answer.differences.scores[:, 0].tolist(),
    }


def figures(answer: Answer) -> list[Figure]:
    """Return the figures: of scores of 0 and 1 first the four cells."""
    by_topic = difference_by_topic(answer)
    return [by_topic] if answer.discordant is None else [four_cells(answer), by_topic]


def four_cells(answer: Answer) -> Figure:
    """Draw on how many topics both systems, one of them, or none has the score 1."""
    baseline, new = answer.matrix.scores.T == 1
    cells = {
        "1 for both": int((baseline & new).sum()),
        literal(f"1 for {answer.new} only"): int((new & ~baseline).sum()),
        literal(f"1 for {answer.baseline} only"): int((baseline & ~new).sum()),
        "0 for both": int((~baseline & ~new).sum()),
    }
    names, counts = list(cells), list(cells.values())
    chart = Chart(_by_topics(answer), "topics", "scores of both systems", height=320)
    hover = [f"{name}: {counted(count, 'topic')}" for name, count in cells.items()]
    colours = [GRID, ACCENT, SERIES[0], GRID]
    chart.bars(counts, names, "topics", hover, colour=colours, text=[f"{count:,}" for count in counts])
    chart.axis("y", autorange="reversed")
    chart.axis("x", rangemode="tozero")
    return chart.figure("four-cells", f"Topics by the scores of both systems. {numbers(answer)}.")


def difference_by_topic(answer: Answer) -> Figure:
    """Draw the difference of each topic by size, with the mean, its interval, and the margin."""
    n, margin = answer.n_topics, answer.request.margin
    d = answer.differences.scores[:, 0]
    order = np.argsort(d, kind="stable")
    chart = Chart(
        _by_topics(answer),
        "topics by their difference",
        f"difference in {answer.matrix.measure} (above 0: better)",
        height=400,
    )
    ends = [1, n]
    chart.band(ends, [answer.low] * 2, [answer.high] * 2, "interval", fillcolor=GRID)
    chart.line(ends, [answer.difference] * 2, "mean", f"mean: {answer.difference:+.4g}", colour=ACCENT)
    chart.rule(0, colour=TEXT, dash=None)
    if margin is not None:
        chart.rule(-margin, f"margin: {-margin:g}", yanchor="top")
    hover = [literal(f"topic {answer.matrix.topics[place]}: {d[place]:+.4g}") for place in order]
    chart.points(np.arange(1, n + 1), d[order], "topics", hover, colour=SERIES[0])
    chart.axis("x", range=[0, n + 1])
    between = f"{answer.low:+.3g} to {answer.high:+.3g}"
    chart.key((ACCENT, f"━ mean {answer.difference:+.3g}"), (TEXT, f"▬ interval {between}"))
    return chart.figure("difference-by-topic", f"Differences of {n} topics by size. {numbers(answer)}.")


def _text(answer: Answer) -> list[str]:
    """Return the lines of the table of groups in a terminal."""
    if not answer.groups:
        return []
    heading = (
        f"By group: intervals hold together at {_level(answer)}; p is adjusted by Holm, and may be at most α where "
        "an interval contains 0."
    )
    return ["", heading, *GROUPS.text(answer.groups)]


QUESTION = Question(
    slug="compare-two",
    description="Compares a new system with a baseline on the same topics, by the t interval of the mean "
    "difference; where scores are 0 or 1, by McNemar's exact test and Tango's interval. FILEs are scores of two "
    "systems, the baseline first, or with --qrels their runs. Exit status: 0 better, or not worse by --margin or "
    "more; 1 worse; 3 inconclusive; 2 an error.",
    takes="two systems",
    request=Request,
    compute=lambda scores, request, **_: compare_two(scores, request),
    report=report,
    text=_text,
    status=lambda answer: answer.status,
)
