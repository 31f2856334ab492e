"""The audit view of the topic subsets page: lists typed, uploaded and of links, good and bad ones."""

from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.subsets_audit_form import fits_in_link
from tests.pages.app import big_number, errors, healthy, open_page
from tests.pages.test_topic_subsets_page import PAGE, press, says, until
from topicset_core.analyses.topic_subsets.held_out.answers import (
    audit_answer,
    halves_sentence,
    ranking_sentence,
    share_in_title,
)
from topicset_core.analyses.topic_subsets.held_out.audit import audit
from topicset_core.analyses.topic_subsets.held_out.audit_result import SubsetAudit
from topicset_core.samples.simulated import simulated_task

AP = simulated_task()[0]
TOPICS = (AP.topics[0], AP.topics[3], AP.topics[4])
FEW = {"n_trials": "200", "n_splits": "4", "n_starts": "0"}


@cache
def expected(runs: tuple[str, ...] | None = None) -> SubsetAudit:
    return audit(AP, TOPICS, runs=runs, n_trials=200, n_splits=4, n_starts=0)


def audits(**query: str) -> AppTest:
    return open_page(PAGE, view="audit", **(FEW | query))


def give(app: AppTest, text: str) -> AppTest:
    app.text_area(key="topic-subsets/audit/text").set_value(text)
    return press(app, "Audit these topics")


def answered(app: AppTest) -> None:
    until(app, lambda app: says(app, "# Your ") or bool(app.error))


def link_of(app: AppTest) -> str:
    (found,) = [code.value for code in app.code if "goodness=" in code.value]
    return found


@pytest.mark.parametrize("between", ["\n", ", ", ";\n"])
def test_a_typed_list_is_audited(between: str) -> None:
    app = give(audits(), between.join(TOPICS))
    answered(app)
    found = expected()
    assert big_number(app) == f"{share_in_title(found.by('pearson'))} of sets"
    for sentence in (
        audit_answer(found, "pearson"),
        halves_sentence(found, "pearson"),
        ranking_sentence(found),
    ):
        assert says(app, sentence)
    assert len(app.get("plotly_chart")) == 2
    healthy(app.radio(key="topic-subsets/goodness").set_value("kendall").run())
    assert says(app, audit_answer(found, "kendall"))  # known already, not computed anew


def test_a_file_fills_the_box() -> None:
    app = audits()
    app.file_uploader(key="topic-subsets/audit/file").upload(
        "nano.txt", "\n".join(TOPICS).encode(), "text/plain"
    )
    healthy(app.run())
    answered(app)
    assert says(app, audit_answer(expected(), "pearson"))
    assert app.text_area(key="topic-subsets/audit/text").value == "\n".join(TOPICS)


def test_a_link_carries_the_list() -> None:
    app = give(audits(), "\n".join(TOPICS))
    answered(app)
    link = link_of(app)
    assert all(f"topic={topic}" in link for topic in TOPICS)
    second = open_page(PAGE, view="audit", topic=list(TOPICS), **FEW)  # type: ignore[arg-type]
    answered(second)
    assert big_number(second) == big_number(app)
    assert link_of(second) == link


def test_a_long_list_stays_out_of_the_link() -> None:
    assert fits_in_link(TOPICS)
    assert not fits_in_link(tuple(f"a-rather-long-topic-{number}" for number in range(100)))


def test_runs_that_it_was_chosen_by_are_left_out() -> None:
    app = audits()
    out = list(AP.systems[:5])
    app.multiselect(key="topic-subsets/audit/left_out_run").set_value(out)
    healthy(app.run())
    give(app, "\n".join(TOPICS))
    answered(app)
    found = expected(tuple(AP.systems[5:]))
    assert found.n_systems == 15
    assert says(app, audit_answer(found, "pearson"))
    assert f"left_out_run={out[0]}" in link_of(app)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{TOPICS[0]}\nnone",
            "Your list, line 2: expected a topic that has scores or judgments, found 'none'.",
        ),
        (
            f"{TOPICS[0]}\n\n{TOPICS[0]}",
            f"Your list, line 3: expected each topic once, found '{TOPICS[0]}' again after line 1.",
        ),
        (" \n", "Your list: expected topic ids, one a line, and found none."),
        ("\n".join(AP.topics), "Your list: expected a topic to be left out"),
    ],
)
def test_a_bad_list_is_named_and_stays_and_so_does_the_last_answer(text: str, said: str) -> None:
    app = give(audits(), "\n".join(TOPICS))
    answered(app)
    before = big_number(app)
    give(app, text)
    (error,) = errors(app)
    assert said in error
    assert error.endswith("The answer below is for the list before.")
    assert app.text_area(key="topic-subsets/audit/text").value == text
    assert big_number(app) == before


def test_a_file_that_is_no_text_is_refused() -> None:
    app = audits()
    app.file_uploader(key="topic-subsets/audit/file").upload(
        "nano.gz", b"\x1f\x8b\x08\x00", "application/gzip"
    )
    healthy(app.run())
    (error,) = errors(app)
    assert error.startswith("nano.gz")


def test_too_few_runs_to_judge_by_are_refused_in_words() -> None:
    app = give(audits(), "\n".join(TOPICS))
    answered(app)
    app.multiselect(key="topic-subsets/audit/left_out_run").set_value(list(AP.systems[:15]))
    healthy(app.run())
    (error,) = errors(app)
    assert error == (
        "This cannot be audited: there must be at least 6 runs to be split in halves, and there are 5."
    )
    assert not [button for button in app.button if button.label == "Audit again"]


def test_an_example_is_offered() -> None:
    app = press(audits(), "Try the first 10")
    answered(app)
    assert app.text_area(key="topic-subsets/audit/text").value == "\n".join(AP.topics[:10])
    assert says(app, "Your 10 topics rank the 20 runs as all 50 do with r = ")


def test_names_of_a_link_are_shown_as_they_are() -> None:
    app = open_page(PAGE, view="audit", topic="<b>[x](http://y)</b>")
    (error,) = errors(app)
    assert "found '<b>[x](http://y)</b>'" in error
