"""Paragraphs about a comparison and about a reported result: their numbers are those of the analyses."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core import __version__
from topicset_core.analyses.sizing import compare_designs, reported_result
from topicset_core.designs.results import Method
from topicset_core.exports.analysis_text import audit_text, comparison_text

VARIANCES = {"AP": 0.0471, "nERR_10": 0.0798}


def comparison(method: Method) -> tuple[str, str]:
    *_, of_ten_systems, _ = compare_designs(VARIANCES, alpha=0.05, beta=0.20, method=method)
    return comparison_text(
        of_ten_systems,
        0.10,
        {measure: (variance, f"{measure} of TREC") for measure, variance in VARIANCES.items()},
        alpha=0.05,
        beta=0.20,
        method=method,
    )


# Sizes at minD .10 of tests/reference/sizes_interval_and_anova.csv.
@pytest.mark.parametrize(
    ("method", "sizes"),
    [
        pytest.param("exact", (149, 251), id="exact"),
        pytest.param("published", (148, 249), id="published"),
    ],
)
def test_the_comparison_says_its_row(
    method: Method, sizes: tuple[int, int], golden: SnapshotAssertion
) -> None:
    plain, latex = comparison(method)
    assert {0.0471, 0.0798, 0.1, *sizes} <= {*numbers_in(plain)}
    assert {0.0471, 0.0798, 0.1, *sizes} <= {*numbers_in(latex)}
    assert f"Topicset {__version__}" in plain
    assert plain.count("https://doi.org/") == 2
    assert r"\cite{sakai2016topicsetsize,sakai2018paired}" in latex
    assert latex.partition("\n\n")[0].isascii()
    assert without_versions(f"{plain}\n\n{latex}") == golden


def test_a_large_size_has_its_comma() -> None:
    tables = compare_designs({"AP": 0.0471}, alpha=0.05, beta=0.20)
    plain, _ = comparison_text(
        tables[2], 0.02, {"AP": (0.0471, "typed in")}, alpha=0.05, beta=0.20, method="exact"
    )
    assert " 1,850 " in plain  # sizes_t_and_anova_of_two.csv


# The worked example of Sakai's scripts (SIGIR 2016): t0 = .953 with 28 topics has power .151, and a
# replication needs 244 topics.
def test_the_audit_of_a_paired_t_against_sakai_2016_scripts(golden: SnapshotAssertion) -> None:
    audit = reported_result.from_paired_t(0.953, n_topics=28, alpha=0.05, beta=0.20)
    plain, latex = audit_text(audit, "28 topics")
    # Statistic, topics, effect .953 / sqrt(28), p value, power, alpha.
    assert numbers_in(plain)[:6] == [0.953, 28, 0.1801, 0.349, 0.151, 0.05]
    assert {0.8, 244} <= {*numbers_in(plain)}
    assert r"\cite{sakai2016statistical,sakai2016topicsetsize}" in latex
    assert without_versions(f"{plain}\n\n{latex}") == golden


# Two published pilot studies with these scripts: m 2, n 5, F0 2.145 asks for 16.
def test_the_audit_of_an_f_against_a_published_pilot_study(golden: SnapshotAssertion) -> None:
    audit = reported_result.from_one_way_f(2.145, n_systems=2, n_topics=5, alpha=0.05, beta=0.20)
    plain, _ = audit_text(audit, "2 x 5")
    # Statistic, systems and topics, effect sqrt(2.145 / 8), p value, power .3032 of the same source.
    assert numbers_in(plain)[:6] == [2.145, 2, 5, 0.5178, 0.181, 0.303]
    assert 16 in numbers_in(plain)
    assert without_versions(plain) == golden
