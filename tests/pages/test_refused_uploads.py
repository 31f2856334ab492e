"""A refused upload: headlines say whose answer they are; the newest scores lead; who judged is never guessed."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import (
    blocks,
    errors,
    go,
    heading,
    healthy,
    open_app,
    open_page,
    press,
    text_of,
    texts,
    uploaders,
)
from tests.pages.uploading import PAGE, SMALL, shows_variance, small_matrix, upload
from topicset_core.analyses.judge_study import study
from topicset_core.parsing.scores.replicated import read_labels

JUDGES, ERROR_RATE, START, RUNS = (
    f"pages/{name}.py" for name in ("judges", "error_rate", "start", "runs_and_qrels")
)
NO_SCORES = "topic,A\n1,first\n2,second\n3,third\n"


def whose(app: AppTest) -> str:
    """Return what stands above the headline after a refusal; "" without one."""
    return text_of(app, "whose-answer")


def _table(seed: int, topics: range) -> bytes:
    """Scores of three systems; those of other topics are left out, so that one table is part of another."""
    scores = np.random.default_rng(seed).uniform(0, 1, (20, 3)).round(3)
    rows = [f"q{topic},{','.join(map(str, scores[topic]))}\n" for topic in topics]
    return "".join(["topic,a,b,c\n", *rows]).encode()


MODEL, FEW, ALL = _table(1, range(20)), _table(2, range(8)), _table(2, range(20))


def _judged(*files: tuple[str, bytes]) -> AppTest:
    app = open_page(JUDGES)
    for name, content in files:
        uploaders(app)[0].upload(name, content, "text/csv")
    return healthy(app.run())


@pytest.mark.parametrize("page", [PAGE, START])
def test_a_refused_file_of_scores_is_named_on_all_pages_until_one_is_accepted(page: str) -> None:
    app = upload(open_app(page), words=NO_SCORES)
    assert errors(app)
    for other in (page, ERROR_RATE, RUNS):
        app = go(app, other)
        assert whose(app) == "This is the answer for the simulated sample; words.csv was refused."
    app = upload(go(app, PAGE), mine_ap=SMALL["first_ap"])
    assert not whose(app)
    assert shows_variance(app, small_matrix("first_ap"))
    app = upload(app, more=NO_SCORES)
    assert whose(app) == "This answer is not for your last upload; more.csv was refused."
    assert not whose(press(app, "whose-answer/keep"))


def test_scores_with_an_open_choice_are_no_answer_yet() -> None:
    holes = SMALL["first_ap"].replace(SMALL["first_ap"].split(",")[12], "", 1)
    app = upload(open_app(PAGE), holes=holes)
    assert whose(app) == "This is the answer for the simulated sample; holes.csv waits for your choice."
    (leave,) = [str(one.key) for one in app.button if str(one.key).startswith("score_matrices/leave-")]
    assert not whose(press(app, leave))


def test_a_refused_run_is_named_until_runs_are_accepted() -> None:
    app = open_app(RUNS)
    uploaders(app)[0].upload("broken.run", b"1 Q0 d1 1 0.5\n", "text/plain")
    app = press(app, "runs/read")
    app = healthy(app.run())
    assert whose(app) == "This is the answer for the simulated sample; broken.run was refused."


def test_the_newest_upload_leads() -> None:
    """The page of scores shows its variance, and a page with a choice of scores has chosen it."""
    app = upload(open_app(PAGE), **{name: SMALL[name] for name in ("first_ap", "second_err20")})
    assert shows_variance(app, small_matrix("second_err20"))
    assert app.session_state["planning/scores"] == "ERR@20"
    app = go(app, ERROR_RATE)
    assert app.selectbox(key="error-rate/matrix").options[0] == "ERR@20, second_err20"
    assert app.selectbox(key="error-rate/matrix").value == 0
    app.selectbox(key="error-rate/matrix").set_value(1)
    first = heading(healthy(app.run()))
    app = go(upload(go(app, PAGE), third_ap=SMALL["second_ap"]), ERROR_RATE)
    assert app.selectbox(key="error-rate/matrix").value == 0
    assert heading(app) != first


@pytest.mark.parametrize("files", [("model", "people"), ("people", "model")])
def test_labels_on_fewer_topics_are_those_of_people_in_any_order(files: tuple[str, str]) -> None:
    contents = {"model": MODEL, "people": FEW}
    app = _judged(*((f"{name}.csv", contents[name]) for name in files))
    result = study(read_labels("model.csv", MODEL, ("people.csv", FEW)), "b", "a")
    assert f"{result.combined.difference:+.4f}" in heading(app)
    assert "The labels of people are in people.csv, on 8 of 20 topics." in texts(app)


def test_who_judged_is_asked_where_two_files_have_the_same_topics() -> None:
    app = _judged(("one.csv", MODEL), ("other.csv", ALL))
    assert (
        whose(app) == "This is the answer for the simulated sample; one.csv, other.csv wait for your choice."
    )
    (choice,) = [one for one in app.radio if one.label == "People's labels are in"]
    assert choice.value is None
    assert [*choice.options] == ["one.csv", "other.csv"]
    for place, (judge, people) in enumerate(
        [(("other.csv", ALL), ("one.csv", MODEL)), (("one.csv", MODEL), ("other.csv", ALL))]
    ):
        (choice,) = [one for one in app.radio if one.label == "People's labels are in"]
        app = healthy(choice.set_value(place).run())
        result = study(read_labels(*judge, people), "b", "a")
        assert f"{result.combined.difference:+.4f}" in heading(app)
        assert not whose(app)


def test_more_than_two_files_of_a_judge_are_refused() -> None:
    app = _judged(("one.csv", MODEL), ("two.csv", FEW), ("three.csv", ALL))
    assert "expected one file, or one of the judge and one of people, found 3 files" in errors(app)[0]
    assert "three.csv were refused" in whose(app)
    uploaders(app)[0].set_value([])
    assert not whose(healthy(app.run()))


def test_no_headline_speaks_of_refusals_before_one() -> None:
    assert "whose-answer" not in blocks(open_app(PAGE))
