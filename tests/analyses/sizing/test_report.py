"""Paragraphs for a paper: their numbers are those of the answers, their LaTeX is LaTeX."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.designs.refusing import MODULES, name_of, valid
from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core import __version__
from topicset_core.analyses.sizing import compare_designs, reported_result
from topicset_core.analyses.sizing.comparison_report import comparison_text
from topicset_core.analyses.sizing.report import design_text
from topicset_core.analyses.sizing.reported_report import paragraph
from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import Method

PROFILE = settings(derandomize=True, deadline=None, database=None)
STATED_TEXTS: dict[str, Any] = {"measure": "AP", "variance_source": "TREC03new"}
VARIANCES = {"AP": 0.0471, "nERR_10": 0.0798}
SAKAI_2016, SAKAI_2018 = "10.1007/s10791-015-9273-z", "10.1145/3234944.3234971"
UNPAIRED = (two_sample_t, two_sample_confidence_interval)


def methods_text(result: Any, **options: Any) -> str:
    return design_text(result, **options)[0]


def methods_latex(result: Any, **options: Any) -> str:
    return design_text(result, **options)[1]


def evidence(text: str) -> str:
    """Return the sentence of the paragraph on the attained power and its computation."""
    paragraph = text.partition("\n\n")[0]
    (result,) = [one for one in re.split(r"(?<=\.) (?=[A-Z])", paragraph) if "(Topicset " in one]
    return result


def answer(design: Any, method: Any = "exact", **changes: float) -> Any:
    return design.required_topics(design.Requirements(**valid(design) | changes), method=method)


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_evidence_method_and_version_are_the_results(
    design: Any, method: Any, golden: SnapshotAssertion
) -> None:
    result = answer(design, method)
    text = methods_text(result, **STATED_TEXTS)
    assert f"n = {result.required_topics:,} " in text
    if design in (confidence_interval, two_sample_confidence_interval):
        attained, fewer = result.attained_width, result.width_one_topic_fewer
    else:
        attained, fewer = result.attained_power, result.power_one_topic_fewer
    sentence = evidence(text)
    assert numbers_in(sentence)[:2] == pytest.approx([attained, fewer], abs=0.5e-4)
    assert f"(Topicset {__version__})" in sentence
    assert without_versions(sentence) == golden


def test_evidence_of_large_sizes_has_enough_digits() -> None:
    """At 78,490 topics one more adds 4e-6 to the power, and four digits would show .8000 for both."""
    result = answer(paired_t, min_d=0.01, difference_variance=1.0)
    assert result.required_topics > 70_000
    text = methods_text(result, **STATED_TEXTS)
    attained, fewer = numbers_in(evidence(text))[:2]
    assert fewer < 0.8 <= attained
    assert f"n = {result.required_topics:,} " in text  # with a comma for the thousands
    wide = answer(confidence_interval, max_width=0.01)
    attained, fewer = numbers_in(evidence(methods_text(wide, **STATED_TEXTS)))[:2]
    assert attained <= 0.01 < fewer


def test_error_probabilities_are_not_rounded_away() -> None:
    text = methods_text(answer(confidence_interval, alpha=1e-7), **STATED_TEXTS)
    assert " 99.99999 % " in text
    text = methods_text(answer(paired_t, beta=1e-7), **STATED_TEXTS)
    assert "1 − β = 0.9999999 " in text


@pytest.mark.parametrize("design", [paired_t, two_sample_t, one_way_anova], ids=name_of)
def test_differences_are_written_in_full(design: Any) -> None:
    assert " minD = 0.0625 " in methods_text(answer(design, min_d=0.0625), **STATED_TEXTS)


def test_evidence_for_one_topic_is_left_out(golden: SnapshotAssertion) -> None:
    text = methods_text(answer(paired_t, min_d=100.0), **STATED_TEXTS)
    assert "n = 2 " in text
    assert numbers_in(evidence(text).partition("(")[0]) == [1.0]  # rounded, and no second number
    assert without_versions(text) == golden


@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_works_are_cited_and_listed(design: Any) -> None:
    works = [SAKAI_2016, SAKAI_2018] if design in UNPAIRED else [SAKAI_2016]
    plain, latex = methods_text(answer(design), **STATED_TEXTS), methods_latex(answer(design), **STATED_TEXTS)
    paragraph, _, listed = plain.partition("\n\n")
    assert f"[{', '.join(str(number + 1) for number in range(len(works)))}]" in paragraph
    lines = listed.splitlines()
    assert len(lines) == len(works)
    for number, (line, doi) in enumerate(zip(lines, works, strict=True), start=1):
        assert line.startswith(f"[{number}] Sakai, Tetsuya. ")
        assert line.endswith(f"https://doi.org/{doi}")
    paragraph, *entries = latex.split("\n\n")
    cited = re.search(r"\\cite\{([^}]*)\}", paragraph)
    assert cited is not None
    assert [re.match(r"@\w+\{([^,]+),", entry)[1] for entry in entries] == cited[1].split(",")  # type: ignore[index]
    assert [doi in entry for doi, entry in zip(works, entries, strict=True)] == [True] * len(works)


def test_bibtex_entries_have_the_fields_of_their_kind() -> None:
    _, journal, proceedings = methods_latex(answer(two_sample_t), **STATED_TEXTS).split("\n\n")
    assert journal.startswith("@article{sakai2016topicsetsize,\n")
    assert proceedings.startswith("@inproceedings{sakai2018paired,\n")
    for entry, fields in (
        (journal, ["author", "title", "journal", "volume", "pages", "year", "doi"]),
        (proceedings, ["author", "title", "booktitle", "pages", "year", "doi"]),
    ):
        assert re.findall(r"^  (\w+) = \{.+\},?$", entry, flags=re.MULTILINE) == fields
        assert entry.count("{") == entry.count("}")
    assert "  volume = {19},\n  pages = {256--283},\n  year = {2016}," in journal
    assert "  pages = {199--202},\n  year = {2018}," in proceedings


@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_latex_has_the_same_text_with_formulas(design: Any) -> None:
    plain = methods_text(answer(design), **STATED_TEXTS).partition("\n\n")[0]
    latex = methods_latex(answer(design), **STATED_TEXTS).partition("\n\n")[0]
    back = re.sub(r"\\cite\{[^}]*\}", "[1, 2]" if design in UNPAIRED else "[1]", latex)
    for tex, symbol in (
        (r"$\sigma_t^2$", "σₜ²"),
        (r"$\sigma^2$", "σ²"),
        (r"$\alpha$", "α"),
        (r"$1-\beta$", "1 − β"),
        (r"$\delta$", "δ"),
        (r"\%", "%"),
    ):
        back = back.replace(tex, symbol)
    assert back == plain
    assert latex.isascii()  # nothing is left that the first fonts of LaTeX do not have


def typeset(latex: str) -> str:
    """Read a paragraph as LaTeX does, as far as it uses it; refuse what LaTeX would refuse."""
    names = {
        "textasciitilde": "~",
        "textasciicircum": "^",
        "textbackslash": "\\",
        "textless": "<",
        "textgreater": ">",
        "textbar": "|",
    }
    formulas = {
        r"\sigma_t^2": "σₜ²",
        r"\sigma^2": "σ²",
        r"\sigma": "σ",
        r"\alpha": "α",
        r"1-\beta": "1 − β",
        r"\beta": "β",
        r"\delta": "δ",
        r"\times": "×",
        "-": "−",
    }
    token = re.compile(
        r"\\cite\{[\w,]+\}|\\([a-z]+)\{\}|\\([%_&#${}])|\$([^$]+)\$|([^\\%_&#${}~^])", re.DOTALL
    )
    text, place = "", 0
    while place < len(latex):
        match = token.match(latex, place)
        assert match is not None, latex[place - 20 : place + 20]
        name, escaped, formula, plain = match.groups()
        text += names[name] if name else formulas[formula] if formula else escaped or plain or "CITED"
        place = match.end()
    return text


@PROFILE
@given(
    st.text(alphabet=st.sampled_from("%_&#${}~^\\<>|×−αβδσ²ₜ1 −aZ.,()'\"\t\n")),
    st.text("\\{}$ab", max_size=5),
)
def test_any_name_is_typeset_unchanged(measure: str, source: str) -> None:
    """Nothing is lost but the kind of white space, and no name can open a group, a formula or a comment."""
    result = answer(paired_t)
    latex = methods_latex(result, measure=measure, variance_source=source).partition("\n\n@")[0]
    plain = methods_text(result, measure=measure, variance_source=source).rpartition("\n\n[1]")[0]
    assert typeset(latex) == " ".join(plain.replace("[1]", "CITED", 1).split())


def comparison(method: Method) -> tuple[str, str]:
    return comparison_text(
        compare_designs(VARIANCES, alpha=0.05, beta=0.20, method=method),
        {measure: (variance, f"{measure} of TREC") for measure, variance in VARIANCES.items()},
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
def test_the_comparison_names_its_row(
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
    tables = compare_designs({"AP": 0.0471}, alpha=0.05, beta=0.20, differences=[0.02], systems=[2])
    plain, _ = comparison_text(tables, {"AP": (0.0471, "typed in")}, method="exact")
    assert " 1,850 " in plain  # sizes_t_and_anova_of_two.csv


# The worked example of Sakai's scripts (SIGIR 2016): t0 = .953 with 28 topics, and a replication needs 244 topics.
def test_the_audit_of_a_paired_t_against_sakai_2016_scripts(golden: SnapshotAssertion) -> None:
    plain, latex = paragraph(reported_result.from_paired_t(0.953, n_topics=28, alpha=0.05, beta=0.20))
    # Statistic, topics, effect .953 / sqrt(28), p value.
    assert numbers_in(plain)[:4] == [0.953, 28, 0.18, 0.35]
    assert 244 in numbers_in(plain)
    assert r"\cite{sakai2016statistical,sakai2016topicsetsize}" in latex
    assert without_versions(f"{plain}\n\n{latex}") == golden
