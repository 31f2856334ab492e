"""The audit view of the topic subsets page: lists typed and uploaded, good and bad ones."""

from functools import cache

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from pages.parts.chosen_topics import fits_in_link
from tests.pages.app import (
    big_number,
    charts,
    complained_of,
    errors,
    heading,
    healthy,
    is_offered,
    linked,
    open_page,
    press,
    text_of,
    wait_for_work,
)
from tests.pages.test_topic_subsets_page import KEY, PAGE
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.held_out.audit import SubsetAudit, audit_subset
from topicset_core.analyses.topic_subsets.held_out.audit_report import (
    findings,
    place_sentence,
    share_in_title,
)
from topicset_core.analyses.topic_subsets.request import AuditRequest
from topicset_core.exports.findings import texts as texts_on
from topicset_core.samples.simulated import simulated_task

AP = simulated_task()[0]
TOPICS = (AP.topics[0], AP.topics[3], AP.topics[4])
FEW = {"n_trials": "200", "n_splits": "4", "n_starts": "0"}
AUDIT = f"{KEY}/audit"


@pytest.fixture(autouse=True)
def _audits_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for_work(monkeypatch)


@cache
def expected(runs: tuple[str, ...] | None = None) -> SubsetAudit:
    return audit_subset(AP, AuditRequest(topics=TOPICS, runs=runs, n_trials=200, n_splits=4, n_starts=0))


def audits(**query: str | list[str]) -> AppTest:
    return open_page(PAGE, view="audit", **(FEW | query))


def give(app: AppTest, text: str) -> AppTest:
    app.text_area(key=f"{AUDIT}/text").set_value(text)
    return press(app, f"{AUDIT}/run")


@pytest.mark.slow
def test_a_typed_list_is_audited() -> None:
    first, second, third = TOPICS
    app = give(audits(), f"{first}, {second};\n{third}")
    result = expected()
    assert big_number(app) == numbers_in(share_in_title(result.by("pearson")))[0]
    *on_page, changes = texts_on(findings(result), "page")
    assert len(on_page) == 3  # on all runs, on halves of them, pairs
    for sentence in on_page:
        assert sentence in text_of(app, "answer")
    assert text_of(app, "ranks") == changes
    assert set(charts(app)) == {"audit-place", "audit-ranks"}


@pytest.mark.slow
def test_a_text_file_fills_the_box_and_a_binary_file_is_refused() -> None:
    app = audits()
    file = app.file_uploader(key=f"{AUDIT}/file")
    file.upload("nano.gz", b"\x1f\x8b\x08\x00", "application/gzip")
    healthy(app.run())
    (error,) = errors(app)
    assert error.startswith("nano.gz")
    file = app.file_uploader(key=f"{AUDIT}/file")
    healthy(file.set_value(("nano.txt", "\n".join(TOPICS).encode(), "text/plain")).run())
    assert not errors(app)
    assert place_sentence(expected()) in text_of(app, "answer")
    assert app.text_area(key=f"{AUDIT}/text").value == "\n".join(TOPICS)


def test_a_long_list_stays_out_of_the_link() -> None:
    assert fits_in_link(TOPICS)
    assert not fits_in_link(tuple(f"a-rather-long-topic-{number}" for number in range(100)))


@pytest.mark.slow
def test_selection_runs_are_left_out_unless_too_few_remain(golden: SnapshotAssertion) -> None:
    app = audits(topic=list(TOPICS))
    out = app.multiselect(key=f"{AUDIT}/left_out_run")
    healthy(out.set_value(list(AP.systems[:5])).run())
    result = expected(tuple(AP.systems[5:]))
    assert result.n_systems == 15
    assert place_sentence(result) in text_of(app, "answer")
    assert linked(app)["left_out_run"] == list(AP.systems[:5])
    healthy(app.multiselect(key=f"{AUDIT}/left_out_run").set_value(list(AP.systems[:15])).run())
    assert text_of(app, "refusal") == golden
    assert not text_of(app, "answer")
    assert not is_offered(app, f"{KEY}-audit/again")


@pytest.mark.slow
def test_a_bad_list_is_named_and_kept_next_to_the_last_answer(golden: SnapshotAssertion) -> None:
    app = give(audits(), "\n".join(TOPICS))
    before = text_of(app, "answer")
    for text, line in (
        (f"{TOPICS[0]}\nnone", 2),
        (f"{TOPICS[0]}\n\n{TOPICS[0]}", 3),
        (" \n", None),
        ("\n".join(AP.topics), None),
    ):
        give(app, text)
        assert complained_of(app) == {"topic"}
        (error,) = errors(app)
        assert line is None or line in numbers_in(error)
        assert error == golden
        assert app.text_area(key=f"{AUDIT}/text").value == text
        assert text_of(app, "answer") == before


@pytest.mark.slow
def test_an_example_is_offered() -> None:
    app = press(audits(), f"{AUDIT}/example")
    assert app.text_area(key=f"{AUDIT}/text").value == "\n".join(AP.topics[:10])
    assert numbers_in(heading(app))[0] == 10


def test_names_in_a_link_are_shown_unchanged() -> None:
    app = audits(topic="<b>[x](http://y)</b>")
    (error,) = errors(app)
    assert "'<b>[x](http://y)</b>'" in error
