"""Paragraphs for a paper: their numbers are those of the answers, their LaTeX is LaTeX."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analyses.planning.stating import plan_with
from tests.designs.refusing import MODULES, VALID, name_of
from tests.words import numbers_in
from topicset_core.analyses.planning import Stated
from topicset_core.analyses.planning.report import report
from topicset_core.analyses.sizing.cells import Target
from topicset_core.analyses.sizing.comparison_report import Comparison
from topicset_core.designs import (
    confidence_interval,
    paired_t,
    two_sample_confidence_interval,
)
from topicset_core.designs.results import Method
from topicset_core.version import __version__

PROFILE = settings(derandomize=True, deadline=None, database=None)
VARIANCES = {"AP": 0.0471, "nERR_10": 0.0798}


def methods_text(result: Any, measure: str = "AP") -> str:
    values = vars(result.requirements)
    found = plan_with(
        result.requirements.design, values, measure=measure, words="TREC03new", method=result.method
    )
    return report(found).text[0]


def evidence(text: str) -> list[float]:
    """Return the numbers of the sentence on what the topics attain, without that of the topics."""
    paragraph = text.partition("\n\n")[0]
    (result,) = [one for one in re.split(r"(?<=\.) (?=[A-Z0-9])", paragraph) if " topics give a" in one]
    return [one / (100 if "%" in result else 1) for one in numbers_in(result)[1:]]


def answer(design: Any, method: Any = "exact", **changes: float) -> Any:
    return design.required_topics(design.Requirements(**VALID[design] | changes), method=method)


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_evidence_method_and_version_are_the_results(design: Any, method: Any) -> None:
    result = answer(design, method)
    text = methods_text(result)
    assert f"n = {result.required_topics:,} " in text
    if design in (confidence_interval, two_sample_confidence_interval):
        attained, fewer = result.attained_width, result.width_one_topic_fewer
    else:
        attained, fewer = result.attained_power, result.power_one_topic_fewer
    assert evidence(text)[:2] == pytest.approx([attained, fewer], abs=0.5e-4)
    assert bool(re.search(r"Computed with [^.]*Sakai's Excel tool", text)) == (method == "published")
    assert f"(Topicset {__version__})" in text


def test_evidence_of_large_sizes_has_enough_digits() -> None:
    """At 78,490 topics one more adds 4e-6 to the power, and four digits would show .8000 for both."""
    result = answer(paired_t, min_d=0.01, difference_variance=1.0)
    assert result.required_topics > 70_000
    text = methods_text(result)
    attained, fewer = evidence(text)[:2]
    assert fewer < 0.8 <= attained
    assert f"n = {result.required_topics:,} " in text  # with a comma for the thousands
    wide = answer(confidence_interval, max_width=0.01)
    attained, fewer = evidence(methods_text(wide))[:2]
    assert attained <= 0.01 < fewer


def test_error_probabilities_are_not_rounded_away() -> None:
    text = methods_text(answer(confidence_interval, alpha=1e-7))
    assert " 99.99999 % " in text
    text = methods_text(answer(paired_t, beta=1e-7))
    assert " 99.99999 % power " in text


def test_differences_are_written_in_full() -> None:
    assert " minD = 0.0625 " in methods_text(answer(paired_t, min_d=0.0625))


def test_evidence_for_one_topic_is_left_out() -> None:
    text = methods_text(answer(paired_t, min_d=100.0), "seconds")
    assert "n = 2 " in text
    assert evidence(text) == [1.0, 0.02]  # rounded, and the fewest topics in place of a second power


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
        r"\mathit{minD}": "minD",
        "^2": "²",
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
    st.sampled_from(MODULES),
    st.text(alphabet=st.sampled_from("%_&#${}~^\\<>|×−αβδσ²ₜ1 −aZ.,()'\"\t\nminD-")),
    st.text("\\{}$ab", max_size=5),
)
def test_any_name_is_typeset_unchanged(design: Any, measure: str, source: str) -> None:
    """Nothing is lost but kinds of white space and minus; no name can open a group, a formula or a comment."""
    plain, latex = report(plan_with(design.DESIGN, VALID[design], measure=measure, words=source)).text
    latex, plain = latex.partition("\n\n@")[0], plain.rpartition("\n\n[1]")[0]
    plain = " ".join(re.sub(r"\[1(, 2)?\]", "CITED", plain, count=1).split())
    assert typeset(latex).replace("−", "-") == plain.replace("−", "-")  # numbers below 0 have a minus sign


# Sizes at minD .10 of tests/reference/sizes_interval_and_anova.csv, and at .02 of sizes_t_and_anova_of_two.csv.
@pytest.mark.parametrize(
    ("method", "more", "sizes"),
    [
        ("exact", {}, ["149", "251"]),
        ("published", {}, ["148", "249"]),
        ("exact", {"differences": [0.02], "systems": [2]}, ["1,850"]),
    ],
)
def test_the_comparison_names_its_row(method: Method, more: dict[str, Any], sizes: list[str]) -> None:
    asked: dict[str, Any] = {"differences": [0.1], "systems": [10]} | more
    target = dict.fromkeys(VARIANCES, asked["differences"][0])
    compared = Comparison(
        sources={
            measure: Stated(values={"within_system_variance": value}, words=f"{measure} of TREC")
            for measure, value in VARIANCES.items()
        },
        levels=[(0.05, 0.20)],
        method=method,
        topics="separate",
        target=Target(asked["systems"][0], target, target),
        of="AP",
        **asked,
    )
    texts = compared.report().text
    for text in texts:
        assert all(f" {n} topics" in text for n in sizes)
        assert ("Sakai's Excel tool" in text) == (method == "published")
