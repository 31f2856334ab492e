"""The paragraph and the record on a design of topics and pool depth."""

import json
from dataclasses import replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import judged, study
from tests.exports.paragraphs import in_a_row
from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core import __version__
from topicset_core.analyses.pool_depth import Choice, DepthDesign, DepthStudy, Request, choose
from topicset_core.analyses.pool_depth.report import methods_text, report
from topicset_core.analyses.sizing import topics_rule
from topicset_core.exports.citing import CITATION
from topicset_core.exports.report import Report
from topicset_core.measures import AP, measure_named

RULE = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
RUNS = {"one": {"1": "abcd", "2": "cabd", "3": "abcd"}, "two": {"1": "bxay", "2": "cbya", "3": "xyab"}}
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "c": 1, "b": 1}, "3": {"c": 1, "x": 0}}
DESIGN = DepthDesign(
    pool_depth=10,
    measure="AP",
    judged_per_topic=58.64,
    n_lost_topics=0,
    within_system_variance=0.0657063,
    required_topics=1207,
    kendall_tau=0.88235,
    tau_ap=0.8547,
    relevant_known=0.2053,
)


def _study(lost_topics: Any = "zero") -> DepthStudy:
    return study([judged(RUNS, QRELS)], [AP()], RULE, depths=[1, 2], lost_topics=lost_topics)


def _text(
    chosen: DepthDesign | None, *, gains: Any = "linear", lost: str = "zero", definitions: str = ""
) -> tuple[str, str]:
    return methods_text(
        chosen,
        _study(lost),
        design="DESIGN",
        values={"alpha": 0.05, "min_d": 0.1},
        relevance_level=2,
        gains=gains,
        collections=r"2 runs on 3 topics (q_1 & 50% <b>\x{}$)",
        definitions=definitions,
    )


def test_the_paragraph_says_every_number_and_cites(golden: SnapshotAssertion) -> None:
    plain, latex = _text(DESIGN)
    assert r"(q_1 & 50% <b>\x{}$)" in plain
    assert "(DESIGN; α = 0.05, minD = 0.1)" in plain
    # Depth, variance, topics, documents each, judgments in all: 1,207 times 59; tau.
    assert in_a_row([10, 0.06571, 1207, 59, 71_213, 0.882], plain)
    assert f"Topicset {__version__}" in plain
    assert "https://doi.org/10.1007/s10791-015-9273-z" in plain
    assert r"\cite{sakai2016topicsetsize}" in latex
    assert r"(q\_1 \& 50\% \textless{}b\textgreater{}\textbackslash{}x\{\}\$)" in latex
    assert r"$\alpha$ = 0.05" in latex
    assert CITATION not in plain + latex
    assert without_versions(f"{plain}\n\n{latex}") == golden


def test_conventions_are_said(golden: SnapshotAssertion) -> None:
    plain, latex = _text(DESIGN, gains="exponential", lost="drop")
    assert r"2\textasciicircum{}x - 1" in latex
    assert without_versions(plain) == golden


def test_what_was_not_found_is_not_said(golden: SnapshotAssertion) -> None:
    assert 0.882 not in numbers_in(_text(replace(DESIGN, kendall_tau=None))[0])
    nothing, _ = _text(None)
    assert not {0.06571, 0.882, 1207} & {*numbers_in(nothing)}
    assert without_versions(nothing) == golden


def _report(found: DepthStudy, choice: Choice | None) -> Report:
    return report(
        found,
        choice,
        request=Request(measures=[AP()], rule=RULE, depths=[1, 2]),
        collections=[judged(RUNS, QRELS)],
        values={"alpha": 0.05, "min_d": 0.1},
        gains="linear",
        asked={"budget": 100},
    )


@pytest.mark.parametrize("is_chosen", [True, False])
def test_the_record_keeps_question_and_answer(is_chosen: bool) -> None:
    found = _study()
    choice = (
        replace(choose(found.designs), cheapest=found.designs[1]) if is_chosen else choose(found.designs, 1)
    )
    kept = json.loads(_report(found, choice).json())["results"][0]
    assert kept["analysis"] == "pool depth"
    assert kept["asked"] == {"budget": 100}
    assert kept["n_topics"] == 3
    assert [row["pool_depth"] for row in kept["depths"]] == [1, 2]
    for row, design in zip(kept["depths"], found.designs, strict=True):
        assert row["total_judgments"] == design.total_judgments
        assert row["within_system_variance"] == design.within_system_variance
    assert kept["chosen"] == (kept["depths"][1] if is_chosen else None)
    assert kept["remarks"] == list(found.notes)
    assert kept["judged_depth"]["depth"] == found.judged.depth


def test_measures_of_diversity_are_defined_and_have_gains_of_their_own(golden: SnapshotAssertion) -> None:
    measure = measure_named("D#-nDCG@10")
    plain, latex = _text(DESIGN, definitions=f"{measure.name}: {measure.definition}")
    assert f"{measure.name}: {measure.definition}" in plain
    assert r"D\#-nDCG@10: " in latex
    assert "nDCG" not in _text(DESIGN)[0]  # the gain is that of all measures
    assert without_versions(plain) == golden
