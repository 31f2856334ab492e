"""A methods paragraph that can be pasted into a paper, with its references, plain or LaTeX."""

from topicset_core import __version__
from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import PowerResult, WidthResult, rounded
from topicset_core.designs.trade_off import Requirements
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.references import SAKAI_2016, SAKAI_2018, Reference

HOW = {
    "exact": "exact distributions",
    "published": "the approximation of Sakai's Excel tool",
}
"""How a number was computed, at the end of a sentence, by method."""


def methods_text(result: PowerResult | WidthResult, *, measure: str, variance_source: str) -> str:
    """Return the paragraph in plain text, its references below it.

    Parameters
    ----------
    result : PowerResult or WidthResult
        Of requirements that give the difference in units of the measure.
    measure : str
        The measure.
    variance_source : str
        Where the variance comes from, in words.
    """
    return cite_plain(_paragraph(result, measure, variance_source), _works(result.requirements))


def methods_latex(result: PowerResult | WidthResult, *, measure: str, variance_source: str) -> str:
    """Return the paragraph as LaTeX with citations, and the BibTeX entries below it."""
    return cite_latex(_paragraph(result, measure, variance_source), _works(result.requirements))


def _works(wanted: Requirements) -> tuple[Reference, ...]:
    if isinstance(wanted, two_sample_t.Requirements | two_sample_confidence_interval.Requirements):
        return SAKAI_2016, SAKAI_2018
    return (SAKAI_2016,)


def _paragraph(result: PowerResult | WidthResult, measure: str, variance_source: str) -> str:
    per_system = " per system" if not isinstance(result.requirements, _PAIRED) else ""
    return (
        f"The topic set size was determined by topic set size design {CITATION}. "
        f"With n = {result.required_topics:,} topics{per_system}, {_claim(result.requirements, measure)}, given "
        f"a {_variance(result.requirements)} ({variance_source}). {_evidence(result)}, computed with "
        f"{HOW[result.method]} (Topicset {__version__})."
    )


_PAIRED = (paired_t.Requirements, confidence_interval.Requirements)


def _claim(wanted: Requirements, measure: str) -> str:
    match wanted:
        case confidence_interval.Requirements() | two_sample_confidence_interval.Requirements():
            pairing = "a paired" if isinstance(wanted, _PAIRED) else "an unpaired"
            return (
                f"the {100 * (1 - wanted.alpha):.10g} % confidence interval of {pairing} difference of two "
                f"systems in {measure} is expected to be at most δ = {wanted.max_width:g} wide"
            )
        case one_way_anova.Requirements():
            test = f"one-way ANOVA over m = {wanted.n_systems} systems"
            what = f"a range of minD = {wanted.min_d:g} in {measure} between the best and the worst system"
        case paired_t.Requirements():
            test, what = "a two-sided paired t test", f"a difference of minD = {wanted.min_d:g} in {measure}"
        case two_sample_t.Requirements():
            test, what = (
                "a two-sided two-sample t test",
                f"a difference of minD = {wanted.min_d:g} in {measure}",
            )
    power = f"power 1 − β = {1 - wanted.beta:.10g} at significance level α = {wanted.alpha:g}"
    return f"{test} detects {what} with {power}"


def _variance(wanted: Requirements) -> str:
    name = "variance of the difference σₜ²" if isinstance(wanted, _PAIRED) else "within-system variance σ²"
    return f"{name} = {wanted.variance:.4g}"


def _evidence(result: PowerResult | WidthResult) -> str:
    wanted = result.requirements
    if isinstance(result, WidthResult):
        name, values = "expected width", (result.attained_width, result.width_one_topic_fewer)
        shown = [rounded(v, lambda w: w <= wanted.max_width, digits=4, style="g") for v in values if v]
    else:
        name, values = "attained power", (result.attained_power, result.power_one_topic_fewer)
        shown = [rounded(v, lambda p: p >= 1 - wanted.beta, digits=4, style="f") for v in values if v]
    beside = f" (with one topic fewer {shown[1]})" if len(shown) > 1 else ""
    return f"The {name} is {shown[0]}{beside}"
