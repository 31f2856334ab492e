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
    app = go(healthy(button.click().run()), JUDGES)
    assert app.radio(key="judges/about").value == "repeats"
    assert "Sample data" not in heading(app)
    assert not errors(go(app, START))

    app = go(_uploaded(_scores(40, "first_ap")), "pages/two_systems.py")
    (button,) = (button for button in app.button if "judge, or of repeats" in button.label)
    app = healthy(button.click().run())
    assert app.session_state[frame.PAGE] == "judges"
    assert errors(app)  # one score per topic and system: neither labels nor repeats
