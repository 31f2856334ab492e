"""Paragraphs about a comparison and about a reported result: their numbers are those of the analyses."""

import pytest

from topicset_core import __version__
from topicset_core.analyses import reported_result
from topicset_core.analyses.design_comparison import compare_designs
from topicset_core.designs.results import Method
from topicset_core.exports.analysis_text import audit_text, comparison_text

VARIANCES = {"AP": 0.0471, "nERR_10": 0.0798}


def comparison(method: Method, label: str = "one-way ANOVA, m = 10") -> tuple[str, str]:
    tables = compare_designs(VARIANCES, alpha=0.05, beta=0.20, method=method)
    (table,) = [table for table in tables if table.method_label == label]
    return comparison_text(
        table,
        0.10,
        {measure: (variance, f"{measure} of TREC") for measure, variance in VARIANCES.items()},
        alpha=0.05,
        beta=0.20,
        method=method,
    )


# Sizes at minD .10 of tests/reference/sizes_interval_and_anova.csv.
@pytest.mark.parametrize(
    ("method", "sizes", "how"),
    [
        ("exact", (149, 251), "exact distributions"),
        ("published", (148, 249), "the approximation of Sakai's Excel tool"),
    ],
)
def test_the_comparison_says_its_row(method: Method, sizes: tuple[int, int], how: str) -> None:
    plain, latex = comparison(method)
    assert plain.startswith("Topic set sizes were compared by topic set size design [1, 2] at significance")
    assert "α = 0.05 and power 1 − β = 0.8" in plain
    assert "variances σ² = 0.0471 for AP (AP of TREC) and σ² = 0.0798 for nERR_10 (nERR_10 of TREC)" in plain
    assert "For a difference of 0.1, the method one-way ANOVA, m = 10 asks for" in plain
    assert f"{sizes[0]} topics with AP and {sizes[1]} topics with nERR_10 per system" in plain
    assert f"computed with {how} (Topicset {__version__})." in plain
    assert plain.count("https://doi.org/") == 2
    assert f"{sizes[1]} topics with nERR\\_10" in latex
    assert r"\cite{sakai2016topicsetsize,sakai2018paired}" in latex
    assert latex.partition("\n\n")[0].isascii()


def test_a_large_size_has_its_comma() -> None:
    tables = compare_designs({"AP": 0.0471}, alpha=0.05, beta=0.20)
    plain, _ = comparison_text(
        tables[2], 0.02, {"AP": (0.0471, "typed in")}, alpha=0.05, beta=0.20, method="exact"
    )
    assert "m = 2 asks for 1,850 topics with AP per system" in plain  # sizes_t_and_anova_of_two.csv


# The worked example of Sakai's scripts (SIGIR 2016): t0 = .953 with 28 topics has power .151, and a
# replication needs 244 topics.
def test_the_audit_of_a_paired_t_against_sakai_2016_scripts() -> None:
    audit = reported_result.from_paired_t(0.953, n_topics=28, alpha=0.05, beta=0.20)
    plain, latex = audit_text(audit, "28 topics")
    assert plain.startswith(
        "The reported statistic t = 0.953 (paired t test, 28 topics) amounts to an effect of"
    )
    assert "an effect of 0.1801 standard deviations in the sample" in plain  # .953 / sqrt(28)
    assert "with power 0.151 at significance level α = 0.05" in plain
    assert "with power 1 − β = 0.8, a replication needs n = 244 topics [1, 2]," in plain
    assert r"\cite{sakai2016statistical,sakai2016topicsetsize}" in latex


# Two published pilot studies with these scripts: m 2, n 5, F0 2.145 asks for 16.
def test_the_audit_of_an_f_against_a_published_pilot_study() -> None:
    audit = reported_result.from_one_way_f(2.145, n_systems=2, n_topics=5, alpha=0.05, beta=0.20)
    plain, _ = audit_text(audit, "2 systems, 5 topics each")
    assert "statistic F = 2.145 (one-way ANOVA, 2 systems, 5 topics each)" in plain
    assert "an effect of 0.5178 (Cohen's f) in the sample" in plain  # sqrt(2.145 / 8)
    assert "a replication needs n = 16 topics per system" in plain
    assert "with power 0.303" in plain  # .3032 of the same source
