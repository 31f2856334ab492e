"""A methods paragraph that can be pasted into a paper, with its references, plain or LaTeX."""

from topicset_core import __version__
from topicset_core.designs import design_named
from topicset_core.designs.results import PowerResult, WidthResult, rounded
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain

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
    return cite_plain(_paragraph(result, measure, variance_source), design_named(result.design).works)


def methods_latex(result: PowerResult | WidthResult, *, measure: str, variance_source: str) -> str:
    """Return the paragraph as LaTeX with citations, and the BibTeX entries below it."""
    return cite_latex(_paragraph(result, measure, variance_source), design_named(result.design).works)


def _paragraph(result: PowerResult | WidthResult, measure: str, variance_source: str) -> str:
    design, wanted = design_named(result.design), result.requirements
    per_system = "" if design.is_paired else " per system"
    variance = "variance of the difference σₜ²" if design.is_paired else "within-system variance σ²"
    return (
        f"The topic set size was determined by topic set size design {CITATION}. "
        f"With n = {result.required_topics:,} topics{per_system}, {design.claimed(wanted, measure)}, given "
        f"a {variance} = {wanted.variance:.4g} ({variance_source}). {_evidence(result)}, computed with "
        f"{HOW[result.method]} (Topicset {__version__})."
    )


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
