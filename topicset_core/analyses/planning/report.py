"""What a plan says and exports: number with interval, lines of a terminal, record, tables and text for a paper."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from topicset_core.analyses.planning.charts import (
    compares_designs,
    design_figures,
    looks_figure,
    per_system,
    topics_by_systems,
)
from topicset_core.analyses.planning.curves import Curves
from topicset_core.analyses.planning.grouped_report import correlation_in_words, grouped_lines, with_groups
from topicset_core.analyses.planning.plan import Planned, variances_of_designs
from topicset_core.analyses.score_variance.uncertainty import (
    combination,
    disagreement_with,
    rankings_in_words,
)
from topicset_core.designs import error_rate, mcnemar, share_interval
from topicset_core.designs.group_sequential import Looks
from topicset_core.designs.results import Result
from topicset_core.designs.shares import RIGHT, SharesResult
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.figures import Figure
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    METHOD,
    N_SYSTEMS,
    N_TOPICS,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    Setting,
)
from topicset_core.references import COCHRAN_1977, ELDRIDGE_2006
from topicset_core.variance import scale_question
from topicset_core.version import __version__
from topicset_core.wording import in_units

if TYPE_CHECKING:
    from topicset_core.analyses.error_rate.prediction import Prediction

_VARIANCES = {
    WITHIN_SYSTEM_VARIANCE.name: "within-system variance σ²",
    RESIDUAL_VARIANCE.name: "two-way residual variance σₑ²",
    DIFFERENCE_VARIANCE.name: "variance of the difference σₜ²",
}
"""Name of a variance in a paper."""

UNNAMED = "the measure"
"""What a measure is called that nobody named."""

_N_GROUPS = replace(N_TOPICS, name="n_groups", label=in_units(N_TOPICS.label, "group"))


class _Written(str):
    """A text that takes the place of a number in a sentence with formats."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return str(self)


def headline(planned: Planned, unit: str = "") -> str:
    """Return what the topics do, behind their number; the interval of what was asked for stands by it."""
    plan = planned.plan
    named = "" if planned.measure == UNNAMED else unit or planned.measure
    measure = named or (RIGHT if plan.design.shares else "")
    difference: Any = plan.difference
    power: Any = 100 * planned.result.target
    span = f" ({' to '.join(planned.ends)})" if planned.ends and planned.unknown != "topics" else ""
    if planned.unknown == "difference":
        difference = _Written(f"{difference:.3g}{span}")
    if planned.unknown == "power":
        power = _Written(f"{100 * planned.result.attained:.3g}{span.replace(' %', '')}")
    if not plan.design.has_power and planned.unknown == "difference":
        return f"give an interval with an expected width of {difference} {measure}".strip()
    words = plan.design.headline.format(
        difference=difference,
        measure=measure,
        power=power,
        confidence=100 * (1 - plan.values.get(ALPHA.name, 0.0)),
    )
    return " ".join(words.split())


def for_scores_of_0_and_1(planned: Planned) -> str:
    """Return the topics by the design for scores of 0 and 1, where all scores are, or what the test assumes."""
    plan, source, beside = planned.plan, planned.source, planned.by_shares
    if beside is not None:
        name = "McNemar's exact test" if beside.name == mcnemar.DESIGN.slug else beside.label
        told = f"All scores are 0 or 1. {name}: {beside.topics:,} topics"
        if beside.power is None:
            return told
        return f"{told}; {planned.topics:,} topics give it {_percent(beside.power)} power"
    if source is None or not source.is_binary or plan.design.shares or planned.grouped is not None:
        return ""
    if N_SYSTEMS in plan.design.parameters:
        return (
            "All scores are 0 or 1. The test assumes normal scores with one variance, but a share p of right "
            "topics has the variance p (1 − p). For several systems there is no exact design here, but for two: "
            f"{mcnemar.DESIGN.name}"
        )
    if plan.variance_parameter is WITHIN_SYSTEM_VARIANCE:
        return (
            "All scores are 0 or 1. There is no exact design here for two systems on separate topics, but for the "
            f"share of one system: {share_interval.DESIGN.name}"
        )
    return ""


def for_groups(planned: Planned) -> str:
    """Return what to plan instead of a design for scores of 0 and 1 whose topics have groups; "" for others."""
    if not planned.design.shares or all(matrix.groups is None for matrix in planned.matrices):
        return ""
    return (
        f"{planned.design.name} does not hold for topics in groups, which are correlated. Plan a paired t test, or "
        "an interval of its difference, in groups"
    )


def lines(planned: Planned) -> list[str]:
    """Return the answer for a terminal."""
    result, variance, found = planned.result, planned.variance, planned.uncertain
    first, *others = result.lines
    number = f"{result.required_topics} {result.units}"
    told = [first.replace(number, planned.counted, 1)]
    if planned.design is error_rate.DESIGN:  # one that is observed asks for another number
        told[0] += f" for a true difference of {planned.plan.difference:.4g}"
    told += filter(None, [for_scores_of_0_and_1(planned), for_groups(planned)])
    if planned.unknown == "topics":
        told += others
    else:
        told += _found(planned)
    if planned.grouped is not None and planned.unknown == "topics":
        told += grouped_lines(
            planned.grouped, result, similar=variance is not None and variance.similar is not None
        )
    if variance is not None and found is not None:
        whose = "variance" if planned.grouped is None else "variance of group means"
        how = variance.words if variance.estimate is None else variance.estimate.label
        told.append(f"{whose} {found.variance:.8f}, {how}".removesuffix(", "))
        if variance.estimate is not None and variance.estimate.advice and not found.interval.is_of_one:
            told[-1] += f". {variance.estimate.advice}"
        told.append(found.sentence if planned.unknown == "topics" else found.interval.sentence)
        told += sources(planned)
        pairs = [f"{beside.topics:,} {beside.label}" for beside in planned.pairs]
        told += [f"from the same scores: {'; '.join(pairs)}"] if pairs else []
    if planned.if_observed is not None:
        told.append(if_observed(planned.if_observed))
    if planned.validity is not None:
        told += [*planned.validity.sentences, planned.validity.basis]
    if planned.matrices:
        told += filter(None, [scale_question(planned.matrices, planned.plan.symbol, planned.plan.difference)])
        if planned.grouped is None:
            told += filter(None, [rankings_in_words(planned.rankings)])
    if planned.request.certainty is not None and planned.assured is not None:
        told.append(planned.assured.sentence)
    return told


def _found(planned: Planned) -> Iterator[str]:
    """Yield what was asked for: power, difference or width, with its interval."""
    span = f" ({' to '.join(planned.ends)})" if planned.ends else ""
    if planned.unknown == "power":
        yield f"power {100 * planned.result.attained:.4g} %{span}"
    else:
        yield f"{planned.design.detected_words} {planned.plan.difference:.6f}{span}"


def sources(planned: Planned) -> Iterator[str]:
    """Yield what a similar task tells, and how it goes together with scores."""
    similar = planned.variance.similar if planned.variance is not None else None
    if similar is not None:
        yield similar.sentence
        if planned.alone is not None:
            yield combination(similar, planned.alone)
            yield from filter(None, [disagreement_with(similar, planned.alone)])


def if_observed(found: "Prediction") -> str:
    """Return the topics if the difference is observed and not true, in words."""
    seen = f"If a difference of {found.difference:g} is observed, and its true value is not known"
    if not found.topics_needed:
        return f"{seen}: these {found.unit}s do not show that the systems differ"
    between = f" ({found.topics_between})" if found.topics_between else ""
    return f"{seen}: {found.topics_needed}{between}, on average over pairs of runs"


def on_scores(planned: Planned) -> str:
    """Return what the planned test does on the scores, and the topics of a test that keeps alpha, in a sentence."""
    found = planned.validity
    if found is None:
        return ""
    text = f"On these scores the Type I error of {found.test} is {_percent(found.real_alpha)}"
    if found.keeper is not None:
        units = f"{found.keeper.n_topics:,} {found.unit}s"
        text += f"; {found.keeper.in_words} keeps {_percent(found.alpha)} with {units}"
    return f"{text}."


def warning(planned: Planned) -> str:
    """Return what else to know of the scores."""
    similar = planned.variance.similar if planned.variance is not None else None
    differs = "" if similar is None or planned.alone is None else disagreement_with(similar, planned.alone)
    return " ".join(filter(None, (differs, *(ranking.caution for ranking in planned.rankings))))


def record(planned: Planned) -> dict[str, Any]:
    """Return what a record has beyond that of the result."""
    found, variance, plan = planned.uncertain, planned.variance, planned.plan
    more: dict[str, Any] = {"headline": f"{planned.counted} {headline(planned)}", "unknown": planned.unknown}
    if planned.unknown != "topics":
        more |= {_N_GROUPS.name: planned.topics} if planned.grouped is not None else {}
        more[N_TOPICS.name] = (
            planned.topics * plan.group_size if planned.grouped is not None else planned.topics
        )
    if planned.unknown == "power":
        more["power"] = planned.result.attained
    if planned.unknown == "difference":
        more[planned.design.detected_name] = plan.difference
    if planned.at_ends is not None:
        more[f"{'power' if planned.unknown == 'power' else planned.design.detected_name}_interval"] = [
            *planned.at_ends
        ]
    if found is not None and variance is not None:
        estimate = None if variance.estimate is None else variance.estimate.name
        of_counted = {"estimate": estimate, "value": found.variance, "interval": found.interval}
        more["variance"] = of_counted
        if planned.grouped is not None:
            more["variance_of_group_means"] = of_counted
            more["variance"] = {"estimate": estimate, "value": planned.of_topics.variance}
        if planned.unknown == "topics":
            more[f"{plan.unit}s_interval"] = list(found.topics_interval)
    if variance is not None and variance.similar is not None:
        known = "family measure runs n_systems collections median low high ratio factor worth_in_topics"
        more["similar_to"] = attributes(variance.similar, known)
    if planned.pairs:
        more["pairs"] = {beside.name: beside.topics for beside in planned.pairs}
    if planned.if_observed is not None:
        known = "required_topics required_topics_interval"
        more["if_observed_difference"] = attributes(planned.if_observed, known)
    if planned.by_t is not None:
        more["paired_t_test"] = {"topics": planned.by_t.topics, "power": planned.by_t.power}
    if isinstance(planned.result, SharesResult):
        more["discordant_share"] = sum(planned.result.discordant_shares)
    if planned.by_shares is not None:
        beside = planned.by_shares
        more["exact_for_0_and_1"] = {"design": beside.name, "topics": beside.topics, "power": beside.power}
    if planned.separate is not None:
        more[planned.separate.label.replace("if topics are ", "topics_if_")] = planned.separate.topics
    if planned.matrices and planned.grouped is None:
        more["rankings"] = planned.rankings
    if planned.validity is not None:
        more["on_scores"] = planned.validity.record()
    return more


def report(
    planned: Planned, *, sentence: str = "", assured: bool = False, curves: Curves | None = None
) -> Report:
    """Return the answer ready for export.

    Parameters
    ----------
    planned : Planned
        The answer.
    sentence : str
        What follows the number, in place of the headline.
    assured : bool
        Whether the topics for a certainty are part of it.
    curves : Curves, optional
        The curves with those of other plans beside them.
    """
    result, plan = planned.result, planned.plan
    certain = planned.assured if assured else None
    unit = planned.measure or "units of the measure"
    if planned.grouped is not None and not planned.grouped.of_topics.variance:
        unit = "standard deviations of a topic"
    has_curves = plan.design.has_curves and plan.difference > 0
    said = sentence or (headline(planned) if plan.difference else "")
    if on_scores(planned):
        said = f"{said.removesuffix('.')}. {on_scores(planned)}"

    def results() -> list[dict[str, Any]]:
        more = record(planned) | ({} if certain is None else {"assurance": certain})
        first = result.record() | more
        return [first, *([planned.published.record()] if planned.published is not None else [])]

    def figures() -> Iterator[Figure]:
        parts = [design_figures(result, curves or planned.curves, unit)] if has_curves else []
        yield from chain(*parts, _looks_figures(result))
        if has_curves and compares_designs(plan) and variances_of_designs(planned):
            yield topics_by_systems(result, variances_of_designs(planned))

    asked = (planned.grouped or planned.of_topics).settings
    if planned.unknown != "topics":
        solved = BETA if planned.unknown == "power" else planned.design.difference_parameter
        asked = [setting for setting in asked if setting.parameter is not solved]
        asked.append(Setting(N_TOPICS if planned.grouped is None else _N_GROUPS, planned.topics))
    answer = Report(
        name="topic-set-size",
        title=f"{result.design}: {planned.counted}",
        sentence=f"{planned.counted} {said}".strip(),
        tables=[
            *(_design_tables(planned) if has_curves else ()),
            *_rounds(result),
        ],
        page_table=partial(_differences, planned) if has_curves else None,
        results=results,
        text=paper(planned, assured=assured) if planned.variance is not None else ("", ""),
        figures=figures,
        measure=planned.measure,
        variance_source=planned.words,
        matrices=planned.matrices,
        warning=warning(planned),
        request=[
            *asked,
            *(certain.settings if certain is not None else ()),
        ],
    )
    return answer if planned.grouped is None else with_groups(answer, planned.grouped, result)


def paper(planned: Planned, *, assured: bool = True) -> tuple[str, str]:
    """Return how the topic set size was determined, in plain text and in LaTeX."""
    result, plan, of_topics = planned.result, planned.plan, planned.of_topics
    number = f"{result.required_topics:,} {result.units}"
    if planned.ends is not None and planned.unknown == "topics" and planned.uncertain is not None:
        low, high = planned.ends
        level = f"{100 * planned.uncertain.interval.level:g} % confidence interval"
        number = f"{number} ({level}: {low} to {high})"
        if planned.is_guess:
            number = f"{low} to {high} {result.units} ({level}; {result.required_topics:,} at the estimate)"
    correlated = ""
    if planned.grouped is not None:
        test = "a cluster-robust test (CR2)" if plan.size_cv else "a test of group means"
        correlated = f" and {correlation_in_words(planned.grouped)}, by {test}"
    paragraph = (
        f"The topic set size was determined by topic set size design {CITATION}. "
        f"With n = {number}{per_system(plan)}, {of_topics.claim(planned.measure)}, given "
        f"a {_VARIANCES[plan.variance_parameter.name]} = {of_topics.variance:.4g} ({planned.words})"
        f"{correlated}. {result.evidence}, "
        f"computed with {METHOD.options[result.method]} (Topicset {__version__})."
    )
    for more in filter(None, (result.for_paper, on_scores(planned))):
        paragraph += f" {more}"
    certain = planned.assured if assured else None
    if certain is not None:
        paragraph += (
            " If the uncertainty of the variance is taken into account (a chi-square distribution, "
            f"{certain.effective_df:.3g} degrees of freedom), {certain.sentence}."
        )
    works = plan.works if planned.grouped is None else (*plan.works, COCHRAN_1977)
    works = (*works, ELDRIDGE_2006) if plan.size_cv else works
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _design_tables(planned: Planned) -> list[ReportTable]:
    return [
        ReportTable("topics by difference", partial(_topics, planned), "Topics", "topics-by-difference"),
        ReportTable("by topics", partial(_sizes, planned), "By topics", "by-topics"),
    ]


def _topics(planned: Planned) -> Table:
    curves = planned.curves
    unit = f"{curves.topics[0].plan.unit}s"
    table: dict[str, Any] = {"difference": curves.topics[0].difference.tolist()}
    table |= {f"{unit}, {curve.label}": curve.topics.tolist() for curve in curves.topics}
    if curves.band is not None:
        missing = [None] * (len(table["difference"]) - curves.band.difference.size)
        for end, topics in (("lower", curves.band.low), ("upper", curves.band.high)):
            table[f"{unit}, {end} end of the interval"] = [*missing, *topics.tolist()]
    return table


def _looks_figures(exact: Result) -> list[Figure]:
    """Return what |t| must reach at each look, of a design with looks."""
    return [looks_figure(exact, None)] if isinstance(exact, Looks) else []


def _rounds(exact: Result) -> list[ReportTable]:
    """Return the table of the rounds in which topics come, where there are several."""
    rounds = exact.rounds
    if not rounds:
        return []
    columns = {name: list(values) for name, values in rounds.items()}
    return [ReportTable("looks", lambda: columns, "Looks", "looks")]


def _differences(planned: Planned) -> Table:
    curves = planned.curves
    return {planned.design.difference_parameter.name: curves.table[0].difference.tolist()} | {
        curve.label: curve.topics.tolist() for curve in curves.table
    }


def _sizes(planned: Planned) -> Table:
    exact, sizes = planned.result, planned.curves.sizes
    table = {f"n_{exact.unit}s": sizes.n_topics.tolist(), f"{exact.column}_exact": sizes.exact.tolist()}
    if planned.design.is_published:
        table[f"{exact.column}_excel_tool"] = sizes.published.tolist()
    return table
