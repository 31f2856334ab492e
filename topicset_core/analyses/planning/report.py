"""What a plan says and exports: findings, record, tables and figures."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from topicset_core.analyses.planning.charts import (
    compares_designs,
    design_figures,
    looks_figure,
    per_system,
    topics_by_systems,
)
from topicset_core.analyses.planning.curves import COMMON_SIZES, Curves
from topicset_core.analyses.planning.grouped_report import (
    correlation_in_words,
    group_tiles,
    grouped_findings,
    with_groups,
)
from topicset_core.analyses.planning.plan import Planned, variances_of_designs
from topicset_core.analyses.planning.sides import topics_word
from topicset_core.analyses.planning.spelled import of_similar
from topicset_core.analyses.score_variance.uncertainty import (
    VarianceUncertainty,
    combination,
    disagreement_with,
    rankings_in_words,
)
from topicset_core.designs import (
    confidence_interval,
    error_rate,
    interval_width,
    mcnemar,
    one_way_anova,
    paired_t,
    share_interval,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.design import Written
from topicset_core.designs.group_sequential import Looks
from topicset_core.designs.pairwise import PairwiseResult
from topicset_core.designs.results import Result
from topicset_core.designs.shares import RIGHT, SharesResult
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.citing import CITATION
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DETECT,
    DIFFERENCE_VARIANCE,
    METHOD,
    MIN_D,
    MIN_DELTA,
    N_SYSTEMS,
    N_TOPICS,
    RESIDUAL_VARIANCE,
    TOPICS,
    WITHIN_SYSTEM_VARIANCE,
    Setting,
)
from topicset_core.references import (
    BOX_1954,
    COCHRAN_1977,
    ELDRIDGE_2006,
    GREENHOUSE_GEISSER_1959,
    HOLM_1979,
    Reference,
)
from topicset_core.variance import scale_question
from topicset_core.variance.estimates import has_groups
from topicset_core.version import __version__
from topicset_core.wording import in_units, joined, percent

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

_ADVISED = "page export terminal"  # what is no sentence of a paper

_WHY_PUBLISHED = {
    paired_t.DESIGN: "The Excel tool uses a normal approximation of the noncentral t distribution (Sakai 2016, Eq. "
    "5). It is accurate: in fewer than 2 % of settings it differs from the exact answer, by one topic.",
    two_sample_t.DESIGN: "The 2018 Excel tool uses a normal approximation of the noncentral t distribution, which "
    "is accurate. The ANOVA tool with m = 2 requires fewer topics although the two tests are equivalent: its "
    "approximation of noncentral F is too low there. If computed exactly, the two agree.",
    one_way_anova.DESIGN: one_way_anova.PUBLISHED_NOTE,
    confidence_interval.DESIGN: interval_width.PUBLISHED_NOTE,
    two_sample_confidence_interval.DESIGN: interval_width.PUBLISHED_NOTE,
}
"""Why the number of the Excel tools is another."""

_JACKKNIFE = (
    "On other topics the variance would be another: from {low:.4g} to {high:.4g}, by a chi-square distribution "
    "with {df:.3g} degrees of freedom. These follow from the variance without each topic in turn (jackknife). The "
    "simulation drew pilots of 5 to 100 topics from 16 TREC matrices; the coverage is from the least to the most "
    "of any matrix."
)
_JACKKNIFE_OF_GROUPS = (
    "With other groups the variance would be another: from {low:.4g} to {high:.4g}, by a chi-square distribution "
    "with {df:.3g} degrees of freedom. These follow from the variance without each group in turn (jackknife). The "
    "simulation drew 5 to 50 groups of 1 to 30 topics from 4 TREC matrices; the coverage is from the least to the "
    "most of any setting."
)
_OF_SIMILAR = (
    "The variance of these systems on a new collection would be from {low:.4g} to {high:.4g}, by a chi-square "
    "distribution with {df:.3g} degrees of freedom: those of similar tasks follow from collections that were left "
    "out in turn, and from how much the variance of a few runs of a collection varies; scores of your own add "
    "theirs. The simulation left out each collection of the atlas and drew systems from its runs; the coverage is "
    "from the least to the most of any setting."
)
_STATED = (
    "The true variance would be from {low:.4g} to {high:.4g}, by a chi-square distribution with the stated "
    "{df:.3g} degrees of freedom."
)


def in_short(planned: Planned) -> str:
    """Return what the topics do, behind their number; the interval of what was asked for stands by it."""
    plan = planned.plan
    named = "" if planned.measure == UNNAMED else planned.measure
    measure = named or (RIGHT if plan.design.shares else "")
    difference, power = f"{plan.difference:g}", f"{100 * planned.result.target:g}"
    if planned.variance is None:  # the difference is in units of its root
        measure, difference = "standard deviations", f"{_effect(planned):g}"
    span = f" ({' to '.join(planned.ends)})" if planned.ends and planned.unknown != "topics" else ""
    if planned.unknown == "difference":
        difference = f"{plan.difference:.3g}{span}"
    if planned.unknown == "power":
        power = f"{100 * planned.result.attained:.3g}{span.replace(' %', '')}"
    if not plan.design.has_power and planned.unknown == "difference":
        return f"give an interval with an expected width of {difference} {measure}".strip()
    words = plan.design.headline.format(
        difference=Written(difference),
        measure=measure,
        power=Written(power),
        confidence=100 * (1 - plan.values.get(ALPHA.name, 0.0)),
    )
    return " ".join(words.split())


def _effect(planned: Planned) -> float:
    """Return the difference in standard deviations, where the variance is not known."""
    return float(planned.of_topics.values[MIN_DELTA.name])


def findings(
    planned: Planned, *, assured: bool = False, is_first: bool = False, more: Sequence[Finding] = ()
) -> list[Finding]:
    """Return the findings of a plan.

    Parameters
    ----------
    planned : Planned
        The answer.
    assured : bool
        Whether the topics for a certainty are part of it.
    is_first : bool
        Whether only headline and numbers beside it are wanted, without those of the test on the scores, which take
        longer than all else.
    more : sequence of Finding
        What else to say beside it, as of a pinned scenario.
    """
    result, grouped = planned.result, planned.grouped
    first = [
        headline("", planned.counted, f" {in_short(planned)}"),
        *(tile(*one) for one in _tiles(planned)),
        *more,
    ]
    if is_first:
        return first
    said = [
        *first,
        *(tile(*one) for one in planned.check_tiles),
        Finding(f"The topic set size was determined by topic set size design {CITATION}.", "paper"),
        # A terminal has these in more digits: `numbers`.
        Finding(
            _claim(planned), "export paper"
        ),  # a page, whose headline, form and tiles say it, ends with it
        Finding(result.evidence, "page export paper"),
    ]
    if grouped is not None:
        similar = planned.variance is not None and planned.variance.similar is not None
        said += grouped_findings(grouped, result, similar=similar)
    said += [*_of_variance(planned), *_beside(planned)]
    if planned.validity is not None:
        said += map(Finding, (*planned.validity.sentences, planned.validity.basis))
    said += [Finding(_ended(note), _ADVISED) for note in result.notes]
    said += [Finding(text, "page export paper") for text in (result.about_test,) if text]
    certain = planned.assured if assured else None
    if certain is not None:
        said.append(
            Finding(
                "If the uncertainty of the variance is taken into account (a chi-square distribution, "
                f"{certain.effective_df:.3g} degrees of freedom), {certain.sentence}."
            )
        )
    said.append(Finding(_claim(planned), "page"))
    computed = f"Computed with {METHOD.options[result.method]} (Topicset {__version__})."
    return [*said, Finding(computed, "paper")]


def _ended(text: str) -> str:
    """Return a sentence with its end."""
    return text if text.endswith((".", "?")) else f"{text}."


def _claim(planned: Planned) -> str:
    """Return what the topics do, by which test and with which variance."""
    plan, of_topics = planned.plan, planned.of_topics
    measure, is_effect = planned.measure or UNNAMED, planned.variance is None
    written: dict[str, str] = {}
    span = f" ({' to '.join(planned.ends)})" if planned.ends and planned.unknown != "topics" else ""
    if planned.unknown == "power":
        written["power"] = f"{100 * planned.result.attained:.4g}{span.replace(' %', '')}"
    if planned.unknown == "difference":
        written[planned.design.difference_parameter.name] = f"{plan.difference:.6g}{span}"
    if is_effect:
        measure, written[MIN_D.name] = "standard deviations", f"{_effect(planned):g}"
    claim = of_topics.claim(measure, **written)
    if is_effect:
        return (
            f"With n = {planned.counted}{per_system(plan)}, {claim.replace(MIN_D.symbol, MIN_DELTA.symbol)}."
        )
    variance = f"a {_VARIANCES[plan.variance_parameter.name]} = {of_topics.variance:.4g} ({planned.words})"
    if planned.grouped is not None:
        test = "a cluster-robust test (CR2)" if plan.size_cv else "a test of group means"
        variance = f"{variance} and {correlation_in_words(planned.grouped)}, by {test}"
    return f"With n = {planned.counted}{per_system(plan)}, {claim}, for {variance}."


def _of_variance(planned: Planned) -> Iterator[Finding]:
    """Yield how far the variance is known, what a similar task says, and topics by other estimates of it."""
    uncertain, variance = planned.uncertain, planned.variance
    if uncertain is not None:
        yield Finding(_is_estimate(planned, uncertain))
    if variance is None:
        return
    advice = variance.estimate.advice if variance.estimate is not None else ""
    if advice and uncertain is not None and not uncertain.interval.is_of_one:
        yield Finding(_ended(advice), "terminal")
    if variance.similar is not None:
        text = _ended(variance.similar.sentence)
        yield Finding(f"{text[0].upper()}{text[1:]}", _ADVISED)
        if planned.alone is not None:
            yield Finding(_ended(combination(variance.similar, planned.alone)), _ADVISED)
    if planned.pairs:
        pairs = "; ".join(f"{other.topics:,} {other.label}" for other in planned.pairs)
        yield Finding(f"From the same scores: {pairs}.", _ADVISED)


def _beside(planned: Planned) -> Iterator[Finding]:
    """Yield what other designs and tools say, and what common numbers of topics do."""
    plan, published, separate = planned.plan, planned.published, planned.separate
    if separate is not None:
        shared, other = "Topics shared by all systems", "Separate topics"
        whose = other if topics_word(planned.of_topics) == "shared" else shared
        yield Finding(f"{whose}: {separate.topics:,} {separate.text[0].lower()}{separate.text[1:]}", _ADVISED)
    if published is not None:
        fewer = planned.result.required_topics - published.required_topics
        differs = f", {abs(fewer):,} {'fewer' if fewer > 0 else 'more'}" if fewer else ""
        yield Finding(
            f"Sakai's Excel tool {'' if fewer else 'also '}gives {published.required_topics:,}{differs}.",
            _ADVISED,
        )
        if fewer and planned.design in _WHY_PUBLISHED:
            yield Finding(_WHY_PUBLISHED[planned.design], "page")
    elif planned.why_not_published:
        yield Finding(f"Sakai's Excel tool has no answer here: {planned.why_not_published}.", _ADVISED)
    for text in filter(None, (_with_holm(planned), for_scores_of_0_and_1(planned), for_groups(planned))):
        yield Finding(_ended(text), _ADVISED)
    if planned.if_observed is not None:
        yield Finding(_ended(if_observed(planned.if_observed)), _ADVISED)
    if planned.matrices:
        if planned.grouped is None and (text := rankings_in_words(planned.rankings)):
            yield Finding(_ended(text), _ADVISED)
        if text := scale_question(planned.matrices, plan.symbol, plan.difference):
            yield Finding(text, "terminal")  # a page asks it next to the scores
    if plan.design.has_curves and plan.difference > 0 and planned.variance is not None:
        with suppress(NoSolution):  # with a tiny alpha the smallest of them has no power
            values = plan.detected(np.asarray(COMMON_SIZES))
            verbs = [f" {plan.design.detects}", *[""] * (len(COMMON_SIZES) - 1)]
            sizes = zip(COMMON_SIZES, verbs, values, strict=True)
            listed = joined([f"{n} {plan.unit}s{verb} {value:.3g}" for n, verb, value in sizes])
            yield Finding(f"{listed}.", "page")


def _with_holm(planned: Planned) -> str:
    """Return the topics of paired t tests in place of multiple comparisons, or what shared topics change."""
    plan = planned.plan
    if not isinstance(planned.result, PairwiseResult):
        return ""
    values = plan.values
    if values[TOPICS.name] == "separate":
        return "If all systems share the topics, this number is on the safe side: shared topics need fewer"
    if values[DETECT.name] != "pair":
        return ""
    with suppress(InputError, NoSolution):
        paired = paired_t.DESIGN.plan(
            alpha=values[ALPHA.name] / planned.result.comparisons,
            beta=values[BETA.name],
            min_d=_effect(planned) if planned.variance is None else plan.difference,
            difference_variance=2 * (1.0 if planned.variance is None else plan.variance),
        )
        n = int(paired.required_topics().required_topics)
        return (
            "Paired t tests with Bonferroni's or Holm's correction, each pair with its own variance, need "
            f"{n:,} {plan.unit}s for a pair with the mean variance"
        )
    return ""


def _tiles(planned: Planned) -> Iterator[tuple[str, str, str]]:
    """Yield the numbers next to the headline: other estimates and designs, the variance."""
    plan, by_t, variance = planned.of_topics, planned.by_t, planned.of_topics.variance_parameter
    if planned.is_guess and planned.grouped is None and planned.unknown == "topics":
        yield "at the estimate", f"{planned.topics:,}", "Known too little to plan with."
    yield from (
        (other.label, f"{other.topics:,}", other.text) for other in planned.pairs if "2σ" not in other.label
    )
    if planned.by_shares is not None:
        text = f"{for_scores_of_0_and_1(planned)}."
        yield planned.by_shares.label, f"{planned.by_shares.topics:,}", text
    if isinstance(planned.result, SharesResult):
        first, second = planned.result.discordant_shares
        text = f"Only one system is right: {100 * first:.3g} % and {100 * second:.3g} % of the topics."
        yield "discordant topics", f"{100 * (first + second):.3g} %", text
    if by_t is not None and by_t.power is not None:
        yield by_t.label, f"{by_t.topics:,} topics, {100 * by_t.power:.3g} % power", by_t.text
    if isinstance(planned.result, Looks):
        looks = joined([f"{n:,}" for n in planned.result.topics])
        reached = joined([f"{t:.3f}" for t in planned.result.critical_t])
        yield "tests at", f"{looks} {planned.result.unit}s", f"Stop where |t| reaches {reached}."
        null = f"If the difference is minD; {planned.result.expected_topics_null:.1f} if it is 0."
        yield f"{planned.result.unit}s expected", f"{planned.result.expected_topics:.1f}", null
    if planned.grouped is not None:
        yield from group_tiles(planned.grouped, planned.result)
    if planned.separate is not None:
        yield planned.separate.label, f"{planned.separate.topics:,}", planned.separate.text
    if by_t is None and planned.variance is not None:
        yield f"variance {variance.symbol}", f"{plan.variance:.4g}", f"{variance.help} Here: {planned.words}."


def _uncertain(planned: Planned) -> str:
    """Return what is uncertain, with its verb."""
    symbol = planned.of_topics.variance_parameter.symbol
    return f"{symbol} and ρ are" if planned.counts_correlation else f"{symbol} is"


def _is_estimate(planned: Planned, uncertain: VarianceUncertainty) -> str:
    """Return what the estimate of the variance leaves open."""
    what = "Variance and ρ are estimates" if planned.counts_correlation else "The variance is an estimate"
    return f"{what}: {uncertain.sentence if planned.unknown == 'topics' else uncertain.interval.sentence}."


def of_interval(planned: Planned) -> str:
    """Return what the interval of the headline is, how it was found, and how its coverage was simulated."""
    uncertain = planned.uncertain
    if uncertain is None or planned.ends is None:
        return ""
    interval, text = uncertain.interval, _STATED
    if planned.matrices:
        text = _JACKKNIFE_OF_GROUPS if any(map(has_groups, planned.matrices)) else _JACKKNIFE
    if of_similar(planned):
        text = _OF_SIMILAR
    how = text.format(low=interval.low, high=interval.high, df=interval.effective_df)
    return f"{_is_estimate(planned, uncertain)} {how}"


def for_scores_of_0_and_1(planned: Planned) -> str:
    """Return the topics by the design for scores of 0 and 1, where all scores are, or what the test assumes."""
    plan, source, by_shares = planned.plan, planned.source, planned.by_shares
    if by_shares is not None:
        name = "McNemar's exact test" if by_shares.name == mcnemar.DESIGN.slug else by_shares.label
        text = f"All scores are 0 or 1. {name}: {by_shares.topics:,} topics"
        if by_shares.power is None:
            return text
        return f"{text}; {planned.topics:,} topics give it {percent(by_shares.power)} power"
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


def numbers(planned: Planned) -> list[str]:
    """Return the numbers in full for a terminal, a line each."""
    result, variance, uncertain = planned.result, planned.variance, planned.uncertain
    first, *others = (line for line in result.lines if line not in result.notes)
    lines = [first.replace(f"{result.required_topics} {result.units}", planned.counted, 1)]
    if planned.design is error_rate.DESIGN:  # one that is observed asks for another number
        lines[0] += f" for a true difference of {planned.plan.difference:.4g}"
    span = f" ({' to '.join(planned.ends)})" if planned.ends else ""
    if planned.unknown == "topics":
        lines += others
    elif planned.unknown == "power":
        lines.append(f"power {100 * result.attained:.4g} %{span}")
    else:
        lines.append(f"{planned.design.detected_words} {planned.plan.difference:.6f}{span}")
    if variance is not None and uncertain is not None:
        whose = "variance" if planned.grouped is None else "variance of group means"
        how = variance.words if variance.estimate is None else variance.estimate.label
        lines.append(f"{whose} {uncertain.variance:.8f}, {how}".removesuffix(", "))
    return lines


def if_observed(prediction: "Prediction") -> str:
    """Return the topics if the difference is observed and not true, in words."""
    seen = f"If a difference of {prediction.difference:g} is observed, and its true value is not known"
    if not prediction.topics_needed:
        return f"{seen}: these {prediction.unit}s do not show that the systems differ"
    between = f" ({prediction.topics_between})" if prediction.topics_between else ""
    return f"{seen}: {prediction.topics_needed}{between}, on average over pairs of runs"


def warning(planned: Planned) -> str:
    """Return what else to know of the scores."""
    similar = planned.variance.similar if planned.variance is not None else None
    differs = "" if similar is None or planned.alone is None else disagreement_with(similar, planned.alone)
    return " ".join(filter(None, (differs, *(ranking.caution for ranking in planned.rankings))))


def record(planned: Planned) -> dict[str, Any]:
    """Return what a record has beyond that of the result."""
    found, variance, plan = planned.uncertain, planned.variance, planned.plan
    more: dict[str, Any] = {"headline": f"{planned.counted} {in_short(planned)}", "unknown": planned.unknown}
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
    planned: Planned,
    *,
    assured: bool = False,
    is_first: bool = False,
    curves: Curves | None = None,
    more: Sequence[Finding] = (),
) -> Report:
    """Return the answer ready for export; `curves` are with those of other plans, the others as in `findings`."""
    result, plan, grouped = planned.result, planned.plan, planned.grouped
    certain = planned.assured if assured else None
    unit = planned.measure or "units of the measure"
    if grouped is not None and not grouped.of_topics.variance:
        unit = "standard deviations of a topic"
    has_curves = plan.design.has_curves and plan.difference > 0

    def all_curves() -> Curves:
        return curves or planned.curves

    def results() -> list[dict[str, Any]]:
        further = record(planned) | ({} if certain is None else {"assurance": certain})
        first = result.record() | further
        return [first, *([planned.published.record()] if planned.published is not None else [])]

    def figures() -> Iterator[Figure]:
        parts = [design_figures(result, all_curves(), unit)] if has_curves else []
        looks = [looks_figure(result, None)] if isinstance(result, Looks) else []
        yield from chain(*parts, looks)
        if has_curves and compares_designs(plan) and variances_of_designs(planned):
            yield topics_by_systems(result, variances_of_designs(planned))

    asked = (grouped or planned.of_topics).settings
    if planned.unknown != "topics":
        solved = BETA if planned.unknown == "power" else planned.design.difference_parameter
        asked = [setting for setting in asked if setting.parameter is not solved]
        asked.append(Setting(N_TOPICS if grouped is None else _N_GROUPS, planned.topics))
    works = plan.works if grouped is None else (*plan.works, COCHRAN_1977)
    if not is_first and planned.validity is not None:
        works = tuple(dict.fromkeys((*works, *_works_named(planned.validity.sentences))))
    answer = Report(
        name="topic-set-size",
        title=f"{result.design}: {planned.counted}",
        findings=findings(planned, assured=assured, is_first=is_first, more=more),
        works=(*works, ELDRIDGE_2006) if plan.size_cv else works,
        tables=[*(_design_tables(planned, all_curves) if has_curves else ()), *_rounds(result)],
        page_table=(lambda: _topics(planned, all_curves(), few=True)) if has_curves else None,
        results=results,
        figures=figures,
        measure=planned.measure,
        variance_source=planned.words,
        matrices=planned.matrices,
        warning=warning(planned),
        request=[*asked, *(certain.settings if certain is not None else ())],
    )
    return answer if grouped is None else with_groups(answer, grouped, result)


_WORKS_BY_NAME = {
    "Greenhouse-Geisser": (BOX_1954, GREENHOUSE_GEISSER_1959),
    "Holm's": (HOLM_1979,),
}


def _works_named(sentences: Sequence[str]) -> Iterator[Reference]:
    """Yield the works of the tests that the check on the scores names."""
    for name, works in _WORKS_BY_NAME.items():
        if any(name in sentence for sentence in sentences):
            yield from works


def _design_tables(planned: Planned, curves: Callable[[], Curves]) -> list[ReportTable]:
    return [
        ReportTable(
            "topics by difference",
            lambda: _topics(planned, curves()),
            "Topics",
            "topics-by-difference",
        ),
        ReportTable("by topics", partial(_sizes, planned), "By topics", "by-topics"),
    ]


def _topics(planned: Planned, curves: Curves, *, few: bool = False) -> Table:
    """Return all curves at round differences, or at a few: required topics by the names that lines have."""
    plan = curves.plan
    differences = curves.few_differences if few else curves.round_differences
    of = f" ({planned.measure})" if planned.measure not in ("", UNNAMED) else ""
    table: dict[str, Any] = {f"{plan.symbol}{of}": differences.tolist()}
    for curve in curves.drawn:
        topics = curve.at(differences)
        if curve.is_yours:  # a difference that n topics detect has its rounding
            own = np.isclose(differences, plan.difference, rtol=1e-9, atol=0)
            topics = [planned.topics if is_own else n for is_own, n in zip(own, topics, strict=True)]
        table[curve.label] = topics
    if curves.band is not None:
        for end, topics in zip(("from", "to"), curves.band.at(differences), strict=True):
            table[f"if {_uncertain(planned)} uncertain, {end}"] = topics
    return table


def _rounds(exact: Result) -> list[ReportTable]:
    """Return the table of the rounds in which topics come, where there are several."""
    rounds = exact.rounds
    if not rounds:
        return []
    columns = {name: list(values) for name, values in rounds.items()}
    return [ReportTable("looks", lambda: columns, "Looks", "looks")]


def _sizes(planned: Planned) -> Table:
    exact, sizes = planned.result, planned.curves.sizes
    table = {f"{exact.unit}s": sizes.n_topics.tolist(), exact.name: sizes.exact.tolist()}
    if planned.design.is_published:
        table[f"{exact.name}, Excel tool"] = sizes.published.tolist()
    return table
