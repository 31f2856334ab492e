"""The paragraph and the record on a design of topics and pool depth."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.analyses.pool_depth.small_runs import judged
from topicset_core import __version__
from topicset_core.analyses.pool_depth import DepthDesign, DepthStudy, study
from topicset_core.analyses.variance_topics import one_way_anova_topics
from topicset_core.exports.citing import CITATION
from topicset_core.exports.pool_depth_text import RecordedStudy, pool_depth_text
from topicset_core.exports.record import json_record
from topicset_core.measures import AP, measure_named

RULE = one_way_anova_topics(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
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
    return pool_depth_text(
        chosen,
        _study(lost),
        design="One-way ANOVA",
        values={"α": 0.05, "minD": 0.1},
        relevance_level=2,
        gains=gains,
        collections=r"2 runs on 3 topics (q_1 & 50% <b>\x{}$)",
        definitions=definitions,
    )


def test_the_paragraph_says_every_number_and_cites() -> None:
    plain, latex = _text(DESIGN)
    for said in (
        r"studied as by Sakai [1] on 2 runs on 3 topics (q_1 & 50% <b>\x{}$)",
        "those of pools of depth 1, 2 were made, the runs scored anew by AP",
        "(One-way ANOVA; α = 0.05, minD = 0.1)",
        "Documents are relevant from grade 2, the gain of grade x is x",
        "and topics without a relevant document in the pool are kept",
        "At depth 10 the variance of AP is σ² = 0.06571, so that 1,207 topics with 59 judged documents each",
        "71,213 judgments in all",  # 1,207 times 59
        "Kendall's tau 0.882.",
        f"Computed with Topicset {__version__}.",
        "https://doi.org/10.1007/s10791-015-9273-z",
    ):
        assert said in plain
    assert r"Sakai \cite{sakai2016topicsetsize} on" in latex
    assert r"(q\_1 \& 50\% \textless{}b\textgreater{}\textbackslash{}x\{\}\$)" in latex
    assert r"$\alpha$ = 0.05" in latex
    assert CITATION not in plain + latex


def test_conventions_are_said() -> None:
    plain, latex = _text(DESIGN, gains="exponential", lost="drop")
    assert (
        "the gain of grade x is 2^x - 1, and topics without a relevant document in the pool are left out"
        in plain
    )
    assert r"2\textasciicircum{}x - 1" in latex


def test_what_was_not_found_is_not_said() -> None:
    assert "Kendall" not in _text(replace(DESIGN, kendall_tau=None))[0]
    assert "At depth" not in _text(None)[0]


@pytest.mark.parametrize("is_chosen", [True, False])
def test_the_record_keeps_question_and_answer(is_chosen: bool) -> None:
    found = _study()
    chosen = found.designs[1] if is_chosen else None
    kept = json.loads(
        json_record(
            [RecordedStudy({"budget": 100}, found, chosen)], measure="AP", variance_source="", link=""
        )
    )["results"][0]
    assert kept["analysis"] == "pool depth"
    assert kept["asked"] == {"budget": 100}
    assert kept["n_topics"] == 3
    assert [row["pool_depth"] for row in kept["depths"]] == [1, 2]
    for row, design in zip(kept["depths"], found.designs, strict=True):
        assert row["total_judgments"] == design.total_judgments
        assert row["within_system_variance"] == design.within_system_variance
    assert kept["chosen"] == (kept["depths"][1] if is_chosen else None)
    assert kept["remarks"] == list(found.said)
    assert kept["judged_depth"]["depth"] == found.judged.depth


def test_measures_of_diversity_are_defined_and_have_gains_of_their_own() -> None:
    measure = measure_named("D#-nDCG@10")
    plain, latex = _text(DESIGN, definitions=f"{measure.name}: {measure.definition}")
    assert "the gain of grade x in nDCG and Q is x, and topics" in plain
    assert "are kept with what they score. D#-nDCG@10: 0.5 I-rec@10 + 0.5 D-nDCG@10" in plain
    assert r"D\#-nDCG@10: 0.5 I-rec@10" in latex
    assert "in nDCG and Q" not in _text(DESIGN)[0]
