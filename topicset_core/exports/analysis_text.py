"""A paragraph for a paper about a comparison of designs, or about a reported result."""

from collections.abc import Mapping

from topicset_core import __version__
from topicset_core.analyses.sizing import ComparisonTable, ReportedResult
from topicset_core.designs import one_way_anova, paired_t, two_sample_t
from topicset_core.designs.results import Method
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.methods_text import HOW
from topicset_core.references import SAKAI_2016, SAKAI_2016_REVIEW, SAKAI_2018
from topicset_core.wording import joined


def comparison_text(
    table: ComparisonTable,
    difference: float,
    variances: Mapping[str, tuple[float, str]],
    *,
    alpha: float,
    beta: float,
    method: Method,
) -> tuple[str, str]:
    """Return what one row of a comparison says, in plain text and in LaTeX.

    Parameters
    ----------
    table : ComparisonTable
        Of the method to write about.
    difference : float
        One of the table's.
    variances : mapping of str to (float, str)
        Within-system variance of each measure and where it comes from.
    alpha, beta : float
        Error probabilities.
    method : {"exact", "published"}
        How the table was computed.
    """
    row = table.topics[table.differences.index(difference)]
    measured = joined(
        [f"σ² = {value:.4g} for {measure} ({source})" for measure, (value, source) in variances.items()]
    )
    needed = joined(
        [f"{topics:,} topics with {measure}" for measure, topics in zip(table.measures, row, strict=True)]
    )
    paragraph = (
        f"Topic set sizes were compared by topic set size design {CITATION} at significance level "
        f"α = {alpha:g} and power 1 − β = {1 - beta:g}, given within-system variances {measured}. For a "
        f"difference of {difference:g}, the method {table.method_label} asks for {needed} per system, computed "
        f"with {HOW[method]} (Topicset {__version__})."
    )
    works = SAKAI_2016, SAKAI_2018
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def audit_text(audit: ReportedResult, study: str) -> tuple[str, str]:
    """Return what a reported result amounts to, in plain text and in LaTeX.

    Parameters
    ----------
    audit : ReportedResult
        The audit.
    study : str
        Size of the reported study in words, for example "28 topics".
    """
    wanted = audit.replication.requirements
    symbol, unit = ("F", "(Cohen's f)") if audit.test == one_way_anova.NAME else ("t", "standard deviations")
    per_system = "" if audit.test == paired_t.NAME else " per system"
    paragraph = (
        f"The reported statistic {symbol} = {audit.statistic:g} ({_INLINE[audit.test]}, {study}) amounts to an "
        f"effect of {audit.effect_size:.4g} {unit} in the sample, p = {audit.p_value:.3g}; a study of that size "
        f"detects an effect so large with power {audit.achieved_power:.3g} at significance level "
        f"α = {wanted.alpha:g}. To detect it with power 1 − β = {1 - wanted.beta:g}, a replication needs "
        f"n = {audit.replication.required_topics:,} topics{per_system} {CITATION}, computed with {HOW['exact']} "
        f"(Topicset {__version__})."
    )
    works = SAKAI_2016_REVIEW, SAKAI_2016
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


_INLINE = {
    paired_t.NAME: "paired t test",
    two_sample_t.NAME: "two-sample t test",
    one_way_anova.NAME: "one-way ANOVA",
}
