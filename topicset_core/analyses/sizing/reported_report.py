"""The replication of a reported result in findings, tables, record and figure."""

from collections.abc import Iterator

from topicset_core.analyses.sizing.reported_result import ReportedResult
from topicset_core.charts.chart import Chart
from topicset_core.designs import one_way_anova, paired_t, two_sample_t
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import ACCENT, QUIET
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.references import SAKAI_2016, SAKAI_2016_REVIEW
from topicset_core.version import __version__
from topicset_core.wording import counted

_INLINE = {
    paired_t.NAME: "paired t test",
    two_sample_t.NAME: "two-sample t test",
    one_way_anova.NAME: "one-way ANOVA",
}


def reported_report(audit: ReportedResult) -> Report:
    """Return the audit of a reported result ready for export."""

    def powers() -> Table:
        curve = audit.curve()
        return {
            "topics": curve.n_topics.tolist(),
            "significant again": curve.shrunk.tolist(),
            "power if the effect is exact": curve.if_exact.tolist(),
        }

    return Report(
        name="reported-result",
        title=f"{audit.test}: {''.join(_claim(audit))}",
        findings=findings(audit),
        works=(SAKAI_2016_REVIEW, SAKAI_2016),
        tables=[
            ReportTable("audit", lambda: audit_table(audit), "Audit", "reported-result"),
            ReportTable("power by topics", powers, "By topics", "power-of-replication"),
        ],
        results=lambda: [audit],
        figures=lambda: [power_of_replication(audit)],
        request=audit.settings,
    )


def findings(audit: ReportedResult) -> list[Finding]:
    """Return the findings: the effect, topics for it shrunk and as published, and what new topics will show."""
    again = f"{audit.n_again:,} new topics{_per_system(audit)}"
    usual, least, most = (
        _two(100 * float(audit.significant_again(audit.n_again, noise)))
        for noise in (audit.noise.usual, audit.noise.most, audit.noise.least)
    )
    order = ""
    if audit.same_order is not None:
        order = f"the same order with {_two(100 * audit.same_order)} % probability, and "
    said = [
        _reported(audit),
        f"Published effects are too large; {_needed(audit)} at significance level α = {audit.alpha:g}. Between two "
        "of the best runs, a replication succeeds less often.",
        f"If the published effect were exact: {counted(audit.if_exact.required_topics, 'topic')}"
        f"{_per_system(audit)}; {study_of(audit)} have {_two(100 * audit.achieved_power)} % power for it.",
        f"{again} give {order}significance with {usual} % ({least} to {most} %).",
    ]
    if audit.errors is not None:
        said.append(
            f"If the true effect size is {audit.true_effect:g}, such a study has "
            f"{_two(100 * audit.errors.power)} % power, and significant results exaggerate the effect "
            f"{_two(audit.errors.magnitude)} times; "
            f"{_two(100 * audit.errors.sign)} % of them have the wrong sign."
        )
    method = (
        f"The effect, its power and the topics for it are as by Sakai {CITATION} (Topicset {__version__})."
    )
    return [headline(*_claim(audit)), *_tiles(audit), *map(Finding, said), Finding(method, "paper")]


def _claim(audit: ReportedResult) -> tuple[str, str]:
    """Return the claim, and its number with a noun."""
    if audit.p_value > audit.alpha:
        return "Compatible with no difference: ", f"p = {audit.p_value:.2g}"
    if audit.topics is None:
        return f"No topic set size gives {_power(audit)} power: ", f"p = {audit.p_value:.2g}"
    return "A replication needs ", f"{audit.topics:,} topics{_per_system(audit)}"


def _tiles(audit: ReportedResult) -> Iterator[Finding]:
    """Yield the numbers next to the headline."""
    (least, most), label = audit.topics_range, f"topics for {_power(audit)} power"
    needed = f"{least or 2:,} {'or more' if most is None else f'to {most:,}'}"
    if audit.topics is None:
        needed = f"over {audit.most:,}"
    elif audit.p_value > audit.alpha:
        needed = f"{audit.topics:,} ({needed})"
    else:  # the headline has the topics
        label = "by collection and measure"
    yield tile(label, needed, f"Effect {_needed(audit)}.")
    exact = f"{audit.if_exact.required_topics:,} topics"
    yield tile("if the effect is exact", exact, f"For {_power(audit)} power.")
    power = f"{_two(100 * audit.achieved_power)} %"
    yield tile("power of the study", power, "If the published effect is exact.")
    again = f"{_two(100 * float(audit.significant_again(audit.n_again)))} %"
    note = f"Probability on {audit.n_again:,} new topics{_per_system(audit)}."
    yield tile("significant again", again, note)


def _reported(audit: ReportedResult) -> str:
    """Return the effect that was reported, and whether it may be none."""
    symbol, unit = ("F", "(Cohen's f)") if audit.test == one_way_anova.NAME else ("t", "standard deviations")
    effect = (
        f"The reported statistic {symbol} = {audit.statistic:g} ({_INLINE[audit.test]}, {study_of(audit)}) "
        f"corresponds to an effect of {audit.effect_size:.3g} {unit} in the sample, p = {audit.p_value:.2g}"
    )
    return f"{effect}, compatible with no difference." if audit.p_value > audit.alpha else f"{effect}."


def _needed(audit: ReportedResult) -> str:
    """Return k, and the topics of a replication with their range, in words."""
    k = f"shrunk by {audit.shrinkage():.2f}, as between any two runs of a track"
    if audit.test != paired_t.NAME:
        k += " on separate topics"
    least, most = audit.topics_range
    if audit.topics is None:
        return f"{k}, even {audit.most:,} topics do not give {_power(audit)} power"
    return (
        f"{k}, {_power(audit)} power needs {audit.topics:,} topics{_per_system(audit)} ({least or 2:,} "
        f"{'or more' if most is None else f'to {most:,}'}, by collection and measure)"
    )


def _two(value: float) -> str:
    """Return two significant digits, without an exponent for large values."""
    return f"{float(f'{value:.2g}'):g}"


def _power(audit: ReportedResult) -> str:
    return f"{100 * (1 - audit.beta):g} %"


def _per_system(audit: ReportedResult) -> str:
    return "" if audit.test == paired_t.NAME else " per system"


def study_of(audit: ReportedResult) -> str:
    """Return the size of the reported study in words."""
    topics = " and ".join(f"{n:,}" for n in audit.n_topics)
    if audit.test == one_way_anova.NAME:
        return f"{audit.n_systems:,} systems with {topics} topics each"
    return f"{topics} topics"


def audit_table(audit: ReportedResult) -> Table:
    """Return the audit as a table."""
    least, most = audit.topics_range
    rows: dict[str, float | None] = {
        "topics for a replication": audit.topics,
        "topics for a replication, least of collections": least,
        "topics for a replication, most of collections": most,
        "k, share of the effect that remains": audit.shrinkage(),
        f"significant on {audit.n_again:,} new topics": float(audit.significant_again(audit.n_again)),
        "topics if the published effect is exact": audit.if_exact.required_topics,
        "achieved power": audit.achieved_power,
        "statistic": audit.statistic,
        "p value": audit.p_value,
        "effect size": audit.effect_size,
    }
    if audit.same_order is not None:
        rows[f"same order on {audit.n_again:,} new topics"] = audit.same_order
    if audit.errors is not None:
        rows |= {
            f"power at a true effect size of {audit.true_effect:g}": audit.errors.power,
            "type M, exaggeration": audit.errors.magnitude,
            "type S, wrong sign": audit.errors.sign,
        }
    return {"quantity": list(rows), "value": list(rows.values())}


def power_of_replication(audit: ReportedResult) -> Figure:
    """Draw the probability of significance on new topics, shrunk and for exactly the published effect."""
    curve, target = audit.curve(), 100 * (1 - audit.beta)
    finding = "Probability that a replication is significant again"
    if audit.topics is not None:
        finding = f"{audit.topics:,} new topics make significance {target:.4g} % likely"
    chart = Chart(
        finding,
        f"topics n{_per_system(audit)}",
        "probability of significance (%)",
        height=360,
    )
    for name, power, colour, width, dash in (
        ("if the published effect were exact", curve.if_exact, QUIET, 1.6, "dash"),
        ("shrunk effect", curve.shrunk, ACCENT, 3, None),
    ):
        hover = f"%{{x:,}} topics: %{{y:.3g}} %, {name}"
        chart.line(
            curve.n_topics.astype(float), 100 * power, name, hover, colour=colour, width=width, dash=dash
        )
    chart.rule(target, f"required: {target:g} %", at_left=True)  # rising lines are far below it there
    if audit.topics is not None:
        n, again = audit.topics, 100 * float(audit.significant_again(audit.topics))
        chart.yours(n, again, f"{n:,}", f"replication: {n:,} topics, {again:.3g} %")
    chart.axis("y", range=[0, 104], tickvals=[0, 20, 40, 60, 80, 100])
    chart.key((ACCENT, "━ shrunk effect"), (QUIET, "╍ if the published effect were exact"))
    alt = f"Probability of significance against topics. {''.join(_claim(audit))}."
    return chart.figure("power-of-replication", alt)
