"""Answers from whole groups count groups: no text, table or figure of them says topics of what is counted."""

import json
import re
from typing import Any

import pytest

from tests.variance.test_group_components import drawn
from topicset_core.analyses.achieved_power.report import QUESTION as CHECK
from topicset_core.analyses.error_rate.report import QUESTION as ERROR_RATE
from topicset_core.analyses.rank_resolution.discriminative_power import POWER_QUESTION
from topicset_core.analyses.rank_resolution.report import QUESTION as LEADERBOARD
from topicset_core.analyses.stability.report import QUESTION as STABILITY
from topicset_core.exports.findings import texts
from topicset_core.question import Question

MATRIX = drawn((3,) * 12, 0.3, 4, 2)
ROWS = MATRIX.by_group(centred=True)

OF_TOPICS = re.compile(
    "36 topics in 12 groups|groups of 3 topics|other topics of the same groups"  # the scores
    "|25 (and|or) 50 topics|10 to 50 topics"  # of simulations
    "|by topic|type_one_by_topic|[Oo]n the topics of these groups|topics as independent"  # tests by topic
)
WRONG = re.compile(r".{0,60}topic(?!set).{0,20}", re.IGNORECASE)


@pytest.mark.parametrize(
    ("question", "data", "values"),
    [
        (ERROR_RATE, ROWS, {"difference": 0.4, "n_trials": 50, "runs_pair": ("s0", "s1")}),
        (ERROR_RATE, ROWS, {"difference": 0.4, "n_trials": 50, "with_replacement": True, "n_topics": 40}),
        (CHECK, ROWS, {"test": "paired-t", "min_d": 0.5, "n_trials": 50}),
        (CHECK, ROWS, {"test": "wilcoxon", "min_d": 0.5, "n_trials": 50, "n_topics": 30}),
        (
            CHECK,
            ROWS,
            {"test": "one-way-f", "topics": "shared", "min_d": 0.5, "n_trials": 50, "n_systems": 3},
        ),
        (CHECK, ROWS, {"test": "randomised-tukey", "min_d": 0.5, "n_trials": 50, "n_permutations": 49}),
        (LEADERBOARD, MATRIX, {"n_trials": 200, "pair": ("s0", "s1"), "top_k": 1}),
        (POWER_QUESTION, [MATRIX], {"n_trials": 50}),
        (STABILITY, ROWS, {}),
    ],
    ids=lambda one: one.slug if isinstance(one, Question) else "",
)
def test_what_is_counted_is_named_groups(
    question: Question[Any, Any], data: Any, values: dict[str, Any]
) -> None:
    answer = question.answer(data, question.request(**values))
    report = question.report(answer)
    shown = {
        "answer": report.cautioned,
        "text for a paper": report.text[0].partition("\n")[0],  # without titles of papers
        "terminal": "\n".join([*texts(report.findings, "terminal"), *question.text(answer)]),
        "settings": " ".join(f"{name} {text}" for name, text in report.settings.items()),
        "tables": " ".join(name for table in report.tables for name in table.columns()),
        "page": " ".join((report.page_table or report.tables[0].columns)()),
        "figures": " ".join(
            json.dumps(one.drawing.layout, default=str) + one.alt for one in report.figures()
        ),
    }
    wrong = {place: WRONG.findall(OF_TOPICS.sub("", text)) for place, text in shown.items()}
    assert not any(wrong.values()), wrong
    assert "group" in shown["answer"] or question is POWER_QUESTION
    for one in report.answers:
        assert (one["unit"], one["n_groups"]) == ("group", 12)
    assert [one["n_topics"] for one in report.record()["scores"]] == [36]
