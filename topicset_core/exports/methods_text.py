"""A methods paragraph that can be pasted into a paper, with its references, plain or LaTeX."""

from dataclasses import dataclass

from topicset_core import __version__
from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import PowerResult, WidthResult
from topicset_core.designs.trade_off import Requirements


@dataclass(frozen=True)
class Reference:
    """A work to cite: how it reads, its BibTeX key and fields."""

    key: str
    author: str
    title: str
    place: str
    year: int
    doi: str


SAKAI_2016 = Reference(
    "sakai2016topicsetsize",
    "Sakai, Tetsuya",
    "Topic set size design",
    "Information Retrieval Journal 19, 256-283",
    2016,
    "10.1007/s10791-015-9273-z",
)
SAKAI_2018 = Reference(
    "sakai2018paired",
    "Sakai, Tetsuya",
    "Topic set size design for paired and unpaired data",
    "Proceedings of ICTIR 2018, 199-202",
    2018,
    "10.1145/3234944.3234971",
)

_HOW = {
    "exact": "exact distributions",
    "published": "the approximation of Sakai's Excel tool",
}


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
    works = _works(result.requirements)
    numbers = ", ".join(str(position) for position in range(1, len(works) + 1))
    cited = [
        f"[{position}] {work.author}. {work.title}. {work.place} ({work.year}). https://doi.org/{work.doi}"
        for position, work in enumerate(works, start=1)
    ]
    return _paragraph(result, f"[{numbers}]", measure, variance_source) + "\n\n" + "\n".join(cited)


def methods_latex(result: PowerResult | WidthResult, *, measure: str, variance_source: str) -> str:
    """Return the paragraph as LaTeX with citations, and the BibTeX entries below it."""
    works = _works(result.requirements)
    keys = ",".join(work.key for work in works)
    text = _paragraph(result, "CITATION", measure, variance_source)
    for plain, latex in _LATEX:
        text = text.replace(plain, latex)
    entries = [
        f"@article{{{work.key},\n  author = {{{work.author}}},\n  title = {{{{{work.title}}}}},\n"
        f"  journal = {{{work.place}}},\n  year = {{{work.year}}},\n  doi = {{{work.doi}}}\n}}"
        for work in works
    ]
    return text.replace("CITATION", f"\\cite{{{keys}}}") + "\n\n" + "\n\n".join(entries)


# The backslash first, as what follows brings new ones.
_LATEX = (
    ("\\", r"\textbackslash "),
    ("&", r"\&"),
    ("%", r"\%"),
    ("$", r"\$"),
    ("#", r"\#"),
    ("_", r"\_"),
    ("{", r"\{"),
    ("}", r"\}"),
    ("~", r"\textasciitilde "),
    ("^", r"\textasciicircum "),
    ("σₜ²", r"$\sigma_t^2$"),
    ("σ²", r"$\sigma^2$"),
    ("α", r"$\alpha$"),
    ("1 − β", r"$1-\beta$"),
    ("β", r"$\beta$"),
    ("δ", r"$\delta$"),
    ("×", r"$\times$"),
)


def _works(wanted: Requirements) -> tuple[Reference, ...]:
    if isinstance(wanted, two_sample_t.Requirements | two_sample_confidence_interval.Requirements):
        return SAKAI_2016, SAKAI_2018
    return (SAKAI_2016,)


def _paragraph(result: PowerResult | WidthResult, citation: str, measure: str, variance_source: str) -> str:
    per_system = " per system" if not isinstance(result.requirements, _PAIRED) else ""
    return (
        f"The topic set size was determined by topic set size design {citation}. "
        f"With n = {result.required_topics:,} topics{per_system}, {_claim(result.requirements, measure)}, given "
        f"a {_variance(result.requirements)} ({variance_source}). {_evidence(result)}, computed with "
        f"{_HOW[result.method]} (Topicset {__version__})."
    )


_PAIRED = (paired_t.Requirements, confidence_interval.Requirements)


def _claim(wanted: Requirements, measure: str) -> str:
    match wanted:
        case confidence_interval.Requirements() | two_sample_confidence_interval.Requirements():
            pairing = "paired" if isinstance(wanted, _PAIRED) else "unpaired"
            return (
                f"the {100 * (1 - wanted.alpha):g} % confidence interval of a {pairing} difference of two "
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
    power = f"power 1 − β = {1 - wanted.beta:g} at significance level α = {wanted.alpha:g}"
    return f"{test} detects {what} with {power}"


def _variance(wanted: Requirements) -> str:
    name = "variance of the difference σₜ²" if isinstance(wanted, _PAIRED) else "within-system variance σ²"
    return f"{name} = {wanted.variance:.4g}"


def _evidence(result: PowerResult | WidthResult) -> str:
    if isinstance(result, WidthResult):
        attained, fewer = f"expected width is {result.attained_width:.4g}", result.width_one_topic_fewer
    else:
        attained, fewer = f"attained power is {result.attained_power:.4f}", result.power_one_topic_fewer
    beside = "" if fewer is None else f" (with one topic fewer {fewer:.4g})"
    return f"The {attained}{beside}"
