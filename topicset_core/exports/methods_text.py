"""A methods paragraph that can be pasted into a paper, with its references."""

from topicset_core import __version__
from topicset_core.designs import one_way_anova, paired_t
from topicset_core.designs.results import PowerResult

SAKAI_2016 = (
    "T. Sakai. Topic set size design. Information Retrieval Journal 19, 256–283 (2016). "
    "https://doi.org/10.1007/s10791-015-9273-z"
)

_HOW = {
    "exact": "computed from the exact noncentral distribution",
    "published": "computed with the normal approximation of Sakai's Excel tool",
}


def anova_methods(result: PowerResult, *, measure: str, variance_source: str) -> str:
    """Return the paragraph for a one-way ANOVA design whose requirements give minD and a variance."""
    wanted: one_way_anova.Requirements = result.requirements
    design = (
        f"one-way ANOVA over m = {wanted.n_systems} systems detects a range of minD = {wanted.min_d:g} "
        f"in {measure} between the best and the worst system"
    )
    variance = f"within-system variance σ² = {wanted.within_system_variance:.4g}"
    return _paragraph(result, design, variance, variance_source)


def paired_t_methods(result: PowerResult, *, measure: str, variance_source: str) -> str:
    """Return the paragraph for a paired t test design whose requirements give minD and a variance."""
    wanted: paired_t.Requirements = result.requirements
    design = f"a two-sided paired t test detects a difference of minD = {wanted.min_d:g} in {measure}"
    variance = f"variance of the difference σₜ² = {wanted.difference_variance:.4g}"
    return _paragraph(result, design, variance, variance_source)


def _paragraph(result: PowerResult, design: str, variance: str, variance_source: str) -> str:
    alpha, beta = result.requirements.alpha, result.requirements.beta
    fewer = result.power_one_topic_fewer
    evidence = "" if fewer is None else f"; one topic fewer gives {fewer:.4f}"
    power = f"power 1 − β = {1 - beta:g} at significance level α = {alpha:g}"
    return (
        f"The topic set size was determined by topic set size design [1]. With n = "
        f"{result.required_topics:,} topics, {design} with {power}, given a {variance} ({variance_source}). "
        f"The attained power is {result.attained_power:.4f}{evidence}; power was {_HOW[result.method]} "
        f"(Topicset {__version__}).\n\n[1] {SAKAI_2016}"
    )
