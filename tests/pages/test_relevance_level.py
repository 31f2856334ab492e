"""One relevance level for all pages that score the runs in use: shown, changed and linked on each of them."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import finished, go, heading, healthy, linked, open_app, open_page, text_of
from tests.pages.uploading import RUNS, bring
from topicset_core.collection.judged_runs import join
from topicset_core.measures.binary import AP
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_runs

POOL, OTHER, TUNING = "pages/pool_depth.py", "pages/topic_variance.py", "pages/training_sensitivity.py"
LEVEL = "runs/level-now"


def _level(app: AppTest) -> object:
    return app.segmented_control(key=LEVEL).value


def _with_level(app: AppTest, level: int) -> AppTest:
    return finished(healthy(app.segmented_control(key=LEVEL).set_value(level).run()))


def test_each_page_shows_changes_and_links_the_one_level() -> None:
    app = _with_level(open_app(RUNS), 2)
    for page in (POOL, OTHER):
        app = finished(go(app, page))
        assert _level(app) == 2
        assert linked(app)["relevance_level"] == ["2"]
    at_2 = heading(app)
    assert heading(_with_level(app, 1)) != at_2
    assert linked(app)["relevance_level"] == ["1"]
    for page in (RUNS, POOL):
        assert _level(finished(go(app, page))) == 1


@pytest.mark.parametrize("page", [RUNS, POOL, OTHER])
def test_a_link_opens_with_its_level_and_one_without_a_level_with_1(page: str) -> None:
    assert _level(finished(open_page(page, relevance_level="2"))) == 2
    assert _level(finished(open_page(page))) == 1


def _graded(level_2: int) -> bytes:
    """Grade 2 for the first documents of each topic, grade 1 for some more, 0 for the rest."""
    return "".join(
        f"{topic} 0 d{k} {2 if k < level_2 else int(k < 9)}\n" for topic in range(1, 7) for k in range(20)
    ).encode()


def _run(tag: str, step: int) -> bytes:
    return "".join(
        f"{topic} Q0 d{(place * step + topic) % 20} 0 {-place} {tag}\n"
        for topic in range(1, 7)
        for place in range(20)
    ).encode()


OWN = {"a.txt": _run("a", 1), "b.txt": _run("b", 3), "c.txt": _run("c", 7)}


def _ap(level: int) -> np.ndarray:
    runs = [run for name, text in OWN.items() for run in read_runs([(name, text)]).runs]
    return AP(relevance_level=level).scores(join(runs, read_qrels("q.txt", _graded(4)).qrels))


def _scores_in_use(app: AppTest) -> np.ndarray:
    return next(one.matrix.scores for one in app.session_state["loaded_scores"] if one.matrix.measure == "AP")


def test_scores_that_all_pages_plan_with_follow_the_level_wherever_it_is_changed() -> None:
    app = bring(open_app(RUNS), OWN, {"q.txt": _graded(4)})
    assert np.array_equal(_scores_in_use(app), _ap(1))
    app = _with_level(finished(go(app, POOL)), 2)
    assert not np.array_equal(_ap(1), _ap(2))
    assert np.array_equal(_scores_in_use(app), _ap(2))
    at_2 = heading(finished(go(app, RUNS)))
    assert heading(_with_level(app, 1)) != at_2
    assert np.array_equal(_scores_in_use(app), _ap(1))


def test_other_judgments_without_that_grade_have_level_1() -> None:
    app = _with_level(bring(open_app(RUNS), OWN, {"q.txt": _graded(4)}), 2)
    healthy(app.button(key="runs/forget").click().run())
    assert _level(app) == 1  # removed with its runs
    app = bring(_with_level(app, 2), OWN, {"q.txt": _graded(0)})
    assert not text_of(app, "relevance-level")  # grades leave no choice
    assert np.array_equal(_scores_in_use(app), _ap(1))


def test_a_sweep_loaded_with_the_runs_is_tuned_by_their_level() -> None:
    sweep = {
        f"b{name}": text.replace(b" " + name[:1].encode() + b"\n", b" b" + str(place).encode() + b"\n")
        for place, (name, text) in enumerate(OWN.items(), 1)
    }
    app = _with_level(bring(open_app(RUNS), sweep, {"q.txt": _graded(4)}), 2)
    app = finished(go(app, TUNING))
    assert linked(app)["relevance_level"] == ["2"]
    assert app.segmented_control(key="training-sensitivity/level-now").value == 2
    finished(healthy(app.segmented_control(key="training-sensitivity/level-now").set_value(1).run()))
    assert linked(app)["relevance_level"] == ["1"]
    assert _level(finished(go(app, POOL))) == 1
