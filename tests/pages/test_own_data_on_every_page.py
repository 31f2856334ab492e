"""The sample's answer is for those who have loaded nothing: a page uses other data or says what it needs."""

from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import data, frame
from pages.parts.contents import PAGES
from tests.pages.app import (
    blocks,
    charts,
    errors,
    finished,
    go,
    heading,
    healthy,
    open_app,
    press,
    text_of,
    uploaders,
)
from tests.pages.test_judges_page import SEEDS

START, JUDGES = "pages/start.py", "pages/judges.py"
N_TOPICS = 12  # few, so that every page answers at once
_RNG = np.random.default_rng(3)
_OF_RUNS = {"topic_variance", "runs_and_qrels", "pool_depth", "training_sensitivity"}
_OF_SCORES = {
    "two_systems",
    "rank_resolution",
    "error_rate",
    "achieved_power",
    "topic_subsets",
    "score_matrices",
}


def _opened(page: str) -> AppTest:
    """Open the app as a visitor who has chosen nothing."""
    app = open_app(page)
    app.session_state["planning/scores"] = data.SIMILAR
    return healthy(app.run())


def _table(scores: list[list[str]]) -> bytes:
    return "\n".join(
        ["topic,old,new", *(f"t{place},{','.join(row)}" for place, row in enumerate(scores))]
    ).encode()


def _with_two_systems() -> AppTest:
    scores = _RNG.uniform(0.1, 0.9, (N_TOPICS, 2))
    return _uploaded(("mine_ap.csv", _table([[f"{score:.3f}" for score in row] for row in scores])))


def _with_scores_of_0_and_1() -> AppTest:
    scores = _RNG.random((N_TOPICS, 2)) < 0.5
    return _uploaded(("right.csv", _table([[f"{score:d}" for score in row] for row in scores])))


def _uploaded(*files: tuple[str, bytes]) -> AppTest:
    app = _opened(START)
    for name, content in files:
        uploaders(app)[0].upload(name, content, "text/plain")
    return finished(healthy(app.run()))


def _with_runs() -> AppTest:
    files = []
    for run in range(3):
        lines = [
            f"{topic} Q0 d{topic}-{document} {rank} {100 - rank} run{run}"
            for topic in range(1, 9)
            for rank, document in enumerate(_RNG.permutation(20)[:10], 1)
        ]
        files.append((f"run{run}.txt", "\n".join(lines).encode()))
    judged = [
        f"{topic} 0 d{topic}-{document} {document % 3 == 0:d}"
        for topic in range(1, 9)
        for document in range(20)
    ]
    return _uploaded(*files, ("qrels.txt", "\n".join(judged).encode()))


def _with_repeats() -> AppTest:
    app = _opened(JUDGES)
    app = healthy(app.radio(key="judges/about").set_value("repeats").run())
    uploaders(app)[0].upload("seeds.csv", SEEDS, "text/csv")
    return healthy(app.run())


@pytest.mark.parametrize(
    ("load", "without"),
    [
        (_with_two_systems, _OF_RUNS | {"judges"}),
        (_with_scores_of_0_and_1, _OF_RUNS | {"judges"}),
        (_with_runs, {"judges"}),
        (_with_repeats, _OF_RUNS | _OF_SCORES),
    ],
    ids=["two systems", "0 and 1", "runs", "repeats"],
)
def test_no_page_shows_the_sample_to_a_user_with_data(load: Callable[[], AppTest], without: set[str]) -> None:
    app, told = load(), set()
    for page in PAGES:
        app = go(app, page.file)
        if "prompt" in blocks(app) and "This page needs" in text_of(app, "prompt"):
            told.add(page.name)
            assert not charts(app)
            assert "headline-row" not in blocks(app)
        else:
            assert not app.session_state[frame.ON_SAMPLE] or errors(app), page.name
    assert told == without


def test_the_example_is_shown_to_those_who_ask_for_it() -> None:
    app = go(_with_repeats(), "pages/rank_resolution.py")
    assert "needs one score per topic and system. You have loaded repeated scores." in text_of(app, "prompt")
    assert "Sample data" in heading(press(app, "example/show"))
    assert "prompt" in blocks(go(app, "pages/error_rate.py"))
    assert "Sample data" in heading(go(app, "pages/rank_resolution.py"))


def test_with_nothing_loaded_every_page_has_its_example() -> None:
    app = _opened(START)
    for name in ("two_systems", "rank_resolution", "judges", "runs_and_qrels"):
        app = go(app, f"pages/{name}.py")
        assert "Sample data" in heading(app)


def _scores(n_topics: int, name: str) -> tuple[str, bytes]:
    rows = [[f"t{topic}", *(f"{score:.3f}" for score in _RNG.random(3))] for topic in range(n_topics)]
    return f"{name}.csv", "\n".join(",".join(row) for row in [["topic", "a", "b", "c"], *rows]).encode()


@pytest.mark.parametrize("order", [1, -1])
def test_scores_of_a_judge_and_labels_of_people_lead_to_their_page(order: int) -> None:
    app = _uploaded(*[_scores(40, "gpt"), _scores(15, "human")][::order])
    assert "15 of 40 topics" in text_of(go(app, JUDGES), "form-and-answer")
    assert "Sample data" not in heading(app)
    assert app.session_state[frame.PAGE] == "judges"


def test_other_scores_of_the_same_systems_stay_on_start() -> None:
    app = _uploaded(_scores(40, "first"), _scores(15, "second"))
    assert app.session_state[frame.PAGE] == "start"
    assert "judges/own-judge" not in app.session_state


def test_repeats_and_files_of_two_systems_go_along_to_judges() -> None:
    app = _uploaded(("seeds.csv", SEEDS))
    (button,) = (button for button in app.button if "Judges and repeats" in button.label)
    app = healthy(button.click().run())
    assert app.session_state[frame.PAGE] == "judges"
    assert app.radio(key="judges/about").value == "repeats"
    assert "Sample data" not in heading(app)
    assert not errors(go(app, START))

    app = go(_uploaded(_scores(40, "first_ap")), "pages/two_systems.py")
    (button,) = (button for button in app.button if "judge, or of repeats" in button.label)
    app = healthy(button.click().run())
    assert app.session_state[frame.PAGE] == "judges"
    assert errors(app)  # one score per topic and system: neither labels nor repeats


def _of_two_systems() -> list[tuple[str, bytes]]:
    """Return scores of two systems by a judge, which prefers B, and labels of people."""
    scores = 0.5 + 0.05 * _RNG.standard_normal((40, 2)) + [0, 0.1]
    files = []
    for name, n_topics in (("judge", 40), ("human", 15)):
        rows = [f"t{topic},{scores[topic, 0]:.3f},{scores[topic, 1]:.3f}" for topic in range(n_topics)]
        files.append((f"{name}.csv", "\n".join(["topic,A,B", *rows]).encode()))
    return files


def _added(app: AppTest, page: str, *files: tuple[str, bytes]) -> AppTest:
    app = go(app, page)
    for name, content in files:
        uploaders(app)[0].upload(name, content, "text/plain")
    return finished(healthy(app.run()))


def _loaded(app: AppTest) -> int:
    """Return how many matrices of scores are loaded."""
    return len(app.session_state[data.UPLOADS]) if data.UPLOADS in app.session_state else 0


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    "then", ["", START, "pages/two_systems.py"], ids=["together", "start", "two systems"]
)
def test_scores_by_a_judge_are_no_answer_on_other_pages(order: int, then: str) -> None:
    """Uploaded together, or the second one later; a file of two systems alone leads to their page."""
    files, plans = _of_two_systems()[::order], (START, "pages/paired_t.py")
    before = [heading(go(_opened(START), page)) for page in plans]
    app = _added(_uploaded(files[0]), then, files[1]) if then else _uploaded(*files)
    assert app.session_state[frame.PAGE] == "judges"
    assert np.isfinite(app.session_state["judges/own-judge"].human).sum() == 2 * 15
    shown = text_of(app, "form-and-answer")
    assert "The labels of people are in human.csv, on 15 of 40 topics." in shown
    assert f"{files[0][0]} and {files[1][0]} are read together, and used on this page only" in shown
    assert not errors(app)
    assert not _loaded(app)
    for page in ("two_systems", "rank_resolution"):
        app = go(app, f"pages/{page}.py")
        needs = "needs one score per topic and system. You have loaded scores by a judge."
        assert needs in text_of(app, "prompt")
        assert not charts(app)
    assert [heading(go(app, page)) for page in plans] == before


def test_plain_scores_of_a_judge_and_people_go_along_to_judges() -> None:
    """Uploaded on the page of scores, one by one, they are scores of systems until their link is followed."""
    app = _opened("pages/score_matrices.py")
    for file in _of_two_systems():
        app = _added(app, "pages/score_matrices.py", file)
    assert _loaded(app) == 2
    app = go(app, "pages/two_systems.py")
    assert charts(app)
    (button,) = (button for button in app.button if "judge, or of repeats" in button.label)
    app = healthy(button.click().run())
    assert app.session_state[frame.PAGE] == "judges"
    assert not errors(app)
    assert "15 of 40 topics" in text_of(app, "form-and-answer")
    assert not _loaded(app)


def test_labels_that_fit_no_loaded_scores_stay_scores() -> None:
    judge, (_, labels) = _of_two_systems()
    app = _added(_uploaded(judge), START, ("human.csv", labels.replace(b"t3,", b"x3,")))
    assert "judges/own-judge" not in app.session_state
    assert _loaded(app) == 2


def test_fields_have_no_names_of_the_sample_where_data_are_loaded() -> None:
    app = go(_opened(JUDGES), JUDGES)
    assert "rag-large" in app.selectbox(key="judges/first").options
    app = go(_added(app, START, _scores(12, "mine_ap")), JUDGES)
    assert not [box for box in app.selectbox if "rag-large" in box.options]
    assert "rag-large" not in text_of(app, "form-and-answer")
    assert "needs scores by a judge" in text_of(app, "prompt")
    app = _added(app, START, *_of_two_systems())
    assert set(app.selectbox(key="judges/first").options) == {"A", "B"}
    assert "rag-large" not in text_of(app, "form-and-answer")


def test_labels_next_to_several_calls_of_a_judge_are_no_scores_once_handed_over() -> None:
    _, labels = _of_two_systems()
    calls = [
        f"t{topic},{system},{score:.3f}" for topic in range(40) for system in "AB" for score in _RNG.random(2)
    ]
    app = _uploaded(("judge.csv", "\n".join(["topic,system,score", *calls]).encode()), labels)
    assert _loaded(app) == 1
    (button,) = (button for button in app.button if "They are of a judge" in button.label)
    app = healthy(button.click().run())
    assert app.session_state[frame.PAGE] == "judges"
    assert app.session_state["judges/own-judge"].judge.shape == (40, 2, 2)
    assert not _loaded(app)
