"""The page on runs and judgments: from files to scores that other pages plan with."""

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.pages.app import (
    errors,
    finished,
    go,
    heading,
    healthy,
    is_offered,
    open_app,
    open_page,
    press,
    text_of,
    uploaders,
)
from tests.pages.uploading import ANOVA, bring
from tests.pages.uploading import RUNS as PAGE
from tests.words import numbers_in

RUN = b"".join(
    b"%d Q0 d%d 0 %d one\n" % (topic, (k + topic) % 5, 9 - k) for topic in (1, 2, 3) for k in range(5)
)
QRELS = b"".join(b"%d 0 d%d %d\n" % (topic, k, k % 2) for topic in (1, 2, 3) for k in range(5))
N_MEASURES = 4  # that runs are scored by unless others are chosen


def _bring(runs: dict[str, bytes], qrels: dict[str, bytes], app: AppTest | None = None) -> AppTest:
    return bring(app or open_page(PAGE), runs, qrels)


def _scored(app: AppTest) -> AppTest:
    return finished(press(app, "runs/score"))


def _with_level(app: AppTest, level: int) -> AppTest:
    return healthy(app.segmented_control(key="runs/level-now").set_value(level).run())


def _is_sample(app: AppTest) -> bool:
    return is_offered(app, "runs/other-sample")


def test_a_bad_file_is_named_and_the_others_stay(golden: SnapshotAssertion) -> None:
    app = _bring({"one.txt": RUN, "bad.txt": b"1 Q0 d1 1\n"}, {"q.txt": QRELS})
    (error,) = errors(app)
    assert error.startswith("bad.txt, line 1: ")  # the golden record has all of it
    assert numbers_in(text_of(app, "data-in-use")) == [1, 3]  # run, judged topics
    before = heading(app)
    _bring({"again.txt": RUN}, {}, app)
    assert errors(app) == golden  # a tag that another run has
    assert heading(app) == before


def _notes(app: AppTest) -> list[str]:
    """Return what the form tells of files, without what the page needs for an answer."""
    return [info.value for info in app.info if info.value not in text_of(app, "prompt")]


def test_runs_without_judgments_wait_for_them() -> None:
    app = _bring({"one.txt": RUN}, {})
    (waiting,) = _notes(app)
    assert numbers_in(waiting)[0] == 1
    assert _is_sample(app)
    assert "You have loaded runs" in text_of(app, "prompt")
    _bring({}, {"q.txt": QRELS}, app)
    assert numbers_in(text_of(app, "data-in-use")) == [1, 3]
    assert not app.info


def test_files_uploaded_after_the_click_are_imported_on_arrival(
    golden: SnapshotAssertion,
) -> None:
    app = _bring({}, {}, open_app(PAGE))
    assert _notes(app) == golden
    uploaders(app)[1].upload("mine.qrels", QRELS, "text/plain")
    app = finished(healthy(app.run()))
    assert _notes(app) == golden
    uploaders(app)[0].upload("one.run", RUN, "text/plain")
    app = finished(healthy(app.run()))
    assert app.dataframe[1].value["judgments"].tolist() == ["mine"]
    # Both boxes were read: further files wait for the button again.
    uploaders(app)[0].upload("two.run", RUN.replace(b"one", b"two"), "text/plain")
    app = finished(healthy(app.run()))
    assert app.dataframe[2].value["run"].tolist() == ["one"]


def test_conventions_change_the_scores_and_an_unknown_measure_is_named() -> None:
    app = open_page(PAGE)
    before = heading(app)
    app = finished(_with_level(app, 2))
    assert heading(app) != before  # the golden record has the message
    before = heading(app)
    app.multiselect(key="runs/measure-names").set_value(["AP", "MAPP"])
    assert heading(_scored(app)) == before
    (error,) = errors(app)
    assert "'MAPP'" in error


@pytest.mark.slow
def test_removing_the_runs_removes_their_scores_and_corrected_files_are_scored_from_the_start() -> None:
    app = _bring({"one.txt": RUN}, {"q.txt": QRELS}, open_app(PAGE))
    before = heading(app)
    press(app, "runs/forget")
    assert _is_sample(app)
    go(app, ANOVA)
    assert numbers_in(text_of(app, "data-in-use")) == []  # the simulated scores
    go(app, PAGE)
    corrected = QRELS.replace(b"1 0 d1 1\n", b"1 0 d1 0\n")
    assert corrected != QRELS
    _bring({"one.txt": RUN}, {"q.txt": corrected}, app)
    assert heading(app) != before
    go(app, ANOVA)
    assert numbers_in(text_of(app, "data-in-use")) == [N_MEASURES]


def test_names_with_markup_or_column_names_are_shown_unchanged() -> None:
    tags = [b"<b>x</b>", b"$a$", b"*", b"topic", b"=1+1"]
    app = _bring(
        {f"{place}.txt": RUN.replace(b"one", tag) for place, tag in enumerate(tags)},
        {"<i>q*.txt": QRELS, "$i$q_.txt": QRELS},
    )
    assert not errors(app)
    assert sorted(app.dataframe[2].value["run"].unique()) == sorted(tag.decode() for tag in tags)
    assert list(app.dataframe[1].value["judgments"]) == ["<i>q*", "$i$q_"]


def test_topics_without_relevant_documents_are_counted_at_the_level_in_use() -> None:
    graded = b"1 0 d1 2\n1 0 d2 1\n2 0 d1 1\n3 0 d1 1\n"
    app = _bring({"one.txt": RUN}, {"q.txt": graded})
    assert app.dataframe[1].value["topics without relevant"][0] == 0
    assert finished(_with_level(app, 2)).dataframe[1].value["topics without relevant"][0] == 2


def _choose(app: AppTest, topics: str = "", systems: str = "") -> AppTest:
    app.text_input(key="runs/choose/topics").set_value(topics)
    app.text_input(key="runs/choose/systems").set_value(systems)
    return finished(press(app, "runs/choose/apply"))


def test_topics_and_runs_are_chosen_and_scored_again() -> None:
    other = RUN.replace(b" one", b" two").replace(b"d1 0 9", b"d1 0 1")
    app = finished(_bring({"one": RUN, "two": other}, {"qrels": QRELS}))
    app = finished(app)
    assert app.session_state["loaded_scores"][0].matrix.n_topics == 3
    _choose(app, "2-3", "t*")
    assert not errors(app)
    uploads = app.session_state["loaded_scores"]
    assert {(one.matrix.topics, one.matrix.systems) for one in uploads} == {(("2", "3"), ("two",))}
    _choose(app, "9")
    assert "'9'" in errors(app)[0]
    assert app.session_state["loaded_scores"][0].matrix.topics == ("2", "3")
    _choose(app)
    assert app.session_state["loaded_scores"][0].matrix.n_topics == 3
