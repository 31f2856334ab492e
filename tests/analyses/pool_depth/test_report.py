"""The paragraph and the record on a design of topics and pool depth."""

import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import judged, study
from tests.exports.paragraphs import in_a_row
from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core import __version__
from topicset_core.analyses.pool_depth import Choice, DepthDesign, DepthStudy, choose
from topicset_core.analyses.pool_depth.report import (
    Answer,
    answer,
    designs_table,
    methods_text,
    report,
    studied_in_words,
)
from topicset_core.analyses.sizing import topics_rule
from topicset_core.exports.citing import CITATION
from topicset_core.exports.report import Report
from topicset_core.measures import AP, Conventions
from topicset_core.measures.precision_and_recall import Precision

RULE = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
RUNS = {"one": {"1": "abcd", "2": "cabd", "3": "abcd"}, "two": {"1": "bxay", "2": "cbya", "3": "xyab"}}
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "c": 1, "b": 1}, "3": {"c": 1, "x": 0}}
DESIGN = DepthDesign(
    pool_depth=10,
    measure="AP",
    pooled_per_topic=58.64,
    judged_per_topic=55.708,
    judged_share=0.95,
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
    chosen: DepthDesign | None,
    *,
    conventions: Conventions = Conventions(relevance_level=2),  # noqa: B008 (a frozen value)
    lost: str = "zero",
    definitions: str = "",
) -> tuple[str, str]:
    return methods_text(
        Answer(number="Depth 1 to 2", rest=": 4 to 6 judgments"),
        chosen,
        replace(_study(lost), designs=() if chosen is None else (chosen,)),
        rule=replace(RULE, design="DESIGN", values={"alpha": 0.05, "min_d": 0.1}),
        conventions=conventions,
        source=r"2 runs on 3 topics (q_1 & 50% <b>\x{}$)",
        definitions=definitions,
    )


def test_the_paragraph_contains_every_number_and_cites(golden: SnapshotAssertion) -> None:
    plain, latex = _text(DESIGN)
    assert r"(q_1 & 50% <b>\x{}$)" in plain
    assert "(DESIGN; α = 0.05, minD = 0.1)" in plain
    # Depth, variance, topics, documents each, judgments in all: 1,207 times 59; judged share in per cent; tau.
    assert in_a_row([10, 0.06571, 1207, 59, 71_213, 95, 0.882], plain)
    assert f"Topicset {__version__}" in plain
    assert "https://doi.org/10.1007/s10791-015-9273-z" in plain
    assert r"\cite{sakai2016topicsetsize}" in latex
    assert r"(q\_1 \& 50\% \textless{}b\textgreater{}\textbackslash{}x\{\}\$)" in latex
    assert r"$\alpha$ = 0.05" in latex
    assert CITATION not in plain + latex
    assert without_versions(f"{plain}\n\n{latex}") == golden


def _report(result: DepthStudy, choice: Choice | None) -> Report:
    return report(
        result,
        choice,
        rule=RULE,
        source=studied_in_words([judged(RUNS, QRELS)]),
        settings={"budget": 100},
        measures=[AP()],
    )


@pytest.mark.parametrize("is_chosen", [True, False])
def test_the_record_keeps_question_and_answer(is_chosen: bool) -> None:
    result = _study()
    choice = choose(result.designs, 10**9 if is_chosen else 1, 0.0)
    kept = json.loads(_report(result, choice).json())["results"][0]
    assert kept["analysis"] == "pool depth"
    assert kept["asked"] == {"budget": 100}
    assert kept["n_topics"] == 3
    assert [row["pool_depth"] for row in kept["depths"]] == [1, 2]
    for row, design in zip(kept["depths"], result.designs, strict=True):
        assert row["total_judgments"] == design.total_judgments
        assert row["within_system_variance"] == design.within_system_variance
    assert kept["chosen"] == (kept["depths"][1] if is_chosen else None)
    assert kept["remarks"] == [*answer(result, choice, RULE).doubts, *result.notes]
    assert result.judged is not None
    assert kept["judged_depth"] == asdict(result.judged)
    assert kept["recommended_depths"] == [1, 2]


USUAL = [
    replace(DESIGN, pool_depth=depth, pooled_per_topic=documents, required_topics=topics, judged_share=share)
    for depth, documents, topics, share in ((10, 60, 200, 1.0), (50, 240, 160, 0.9), (100, 470, 150, 0.5))
]


@pytest.mark.parametrize(
    ("budget", "number", "rest"),
    [
        pytest.param(None, [10, 50], [12_000, 38_400], id="no budget: the range of what is recommended"),
        pytest.param(40_000, [50, 160], [38_400], id="the deepest within"),
        pytest.param(10**6, [50, 160], [38_400], id="no depth beyond the judgments, whatever the budget"),
        pytest.param(6_000, [6_000, 100], [10, 0.144], id="what a small budget buys"),
        pytest.param(100, [100], [], id="less than two topics"),
    ],
)
def test_headlines(
    budget: float | None, number: list[float], rest: list[float], golden: SnapshotAssertion
) -> None:
    text = answer(_study_of(USUAL), choose(USUAL, budget), RULE)
    assert numbers_in(text.number) == number
    # minD of 100 topics: sqrt(2 sigma^2 lambda / n) = .1434 with lambda = 15.65, and 991 degrees of freedom.
    assert numbers_in(text.rest) == pytest.approx(rest, abs=1e-12)
    assert "100" in text.warning
    assert 12_000 in numbers_in(" ".join([text.headline, *text.sentences]))  # the cheapest is always there
    assert [text.headline, text.sentences] == golden


def test_where_no_pool_is_judged_nothing_is_recommended(golden: SnapshotAssertion) -> None:
    text = answer(_study_of(USUAL[2:]), choose(USUAL[2:], 10**6), RULE)
    assert numbers_in(text.headline) == [50]  # the largest share, in per cent
    assert text.sentences == text.purchases == ()
    # Depth, the requested share; documents in the pool, judged documents, their share.
    assert numbers_in(text.warning) == [100, 80, 100, 470, 56, 50]
    assert [text.headline, text.doubts] == golden


def test_the_most_demanding_measure_decides_and_all_are_named(golden: SnapshotAssertion) -> None:
    result = study([judged(RUNS, QRELS)], [AP(), Precision(depth=1)], RULE, depths=[1])
    each = [one.required_topics for one in result.designs]
    assert len(set(each)) == 2
    for budget in (None, 10**9):
        text = answer(result, choose(result.most_demanding, budget), RULE)
        assert {*each} <= {*numbers_in(text.sentences[0])}
        assert f"{max(one or 0 for one in each):,} topics" in " ".join([text.headline, *text.sentences])
        assert text == golden


def test_columns_that_existed_keep_their_names() -> None:
    table = designs_table(_study().designs)
    before = ["pool depth", "measure", "judged per topic", "σ²", "topics", "judgments", "τ", "τ AP"]
    assert {*before, "relevant known", "topics lost"} <= {*table}
    assert "full pool per topic" not in table
    (estimated,) = designs_table([replace(DESIGN, full_pool_per_topic=117.3)])["full-pool judgments"]
    assert estimated == 1207 * 117


def _study_of(designs: list[DepthDesign]) -> DepthStudy:
    depths = tuple(one.pool_depth for one in designs)
    return replace(_study(), designs=tuple(designs), depths=depths, n_judgments=0, n_unexplained=0)
