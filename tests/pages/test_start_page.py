"""Start takes any file: scores at once, runs and judgments as on their own page, and refusals in place."""

import gzip
import io
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, finished, go, healthy, open_app, press, text_of, uploaders
from tests.pages.test_runs_page import N_MEASURES, QRELS, RUN
from tests.pages.uploading import RUNS, SMALL, small_matrix, with_small
from tests.words import numbers_in
from topicset_core.designs import blocked_anova
from topicset_core.variance import two_way

PAGE, BLOCKS = "pages/start.py", "pages/topics_as_blocks.py"
OTHER_RUN = RUN.replace(b" one\n", b" two\n").replace(b" d1 ", b" x1 ")


def _drop(app: AppTest, **files: bytes) -> AppTest:
    for name, content in files.items():
        uploaders(app)[0].upload(name, content, "application/octet-stream")
    return finished(healthy(app.run()))


def _topics(name: str) -> int:
    """Return the topics of a two-way ANOVA at the values that its page starts with."""
    matrix = small_matrix(name)
    plan = blocked_anova.DESIGN.plan(
        alpha=0.05,
        beta=0.20,
        min_d=0.10,
        n_systems=min(10, matrix.n_systems),
        residual_variance=two_way(matrix),
    )
    return plan.required_topics().required_topics


def test_scores_are_planned_with_at_once_and_the_last_upload_decides() -> None:
    app = _drop(open_app(PAGE), **{"first_ap.csv": SMALL["first_ap"].encode()})
    assert big_number(app) == _topics("first_ap")
    _drop(app, **{"second_err20.csv": gzip.compress(SMALL["second_err20"].encode())})
    assert big_number(app) == _topics("second_err20")
    assert big_number(go(app, BLOCKS)) == _topics("second_err20")


def test_a_typed_variance_gives_way_to_uploaded_scores() -> None:
    app = open_app(PAGE, residual_variance="0.5")
    before = big_number(app)
    _drop(app, **{"first_ap.csv": SMALL["first_ap"].encode()})
    assert big_number(app) == _topics("first_ap") != before


@pytest.mark.parametrize("is_zip", [False, True])
def test_runs_and_judgments_are_read_and_scored_as_on_their_page(*, is_zip: bool) -> None:
    files = {"one.txt": RUN, "two.txt": OTHER_RUN}
    if is_zip:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        files = {"runs.zip": packed.getvalue()}
    app = _drop(open_app(PAGE), **files, **{"q.txt": QRELS})
    assert not errors(app)
    here = text_of(app, "data-in-use")
    assert N_MEASURES in numbers_in(here)
    topics = big_number(app)
    go(app, RUNS)
    assert numbers_in(text_of(app, "data-in-use")) == [2, 3]  # runs, judged topics
    finished(press(app, "runs/score"))
    assert big_number(go(app, PAGE)) == topics
    assert text_of(app, "data-in-use") == here


def test_runs_wait_for_judgments_next_to_scores_of_the_same_upload() -> None:
    app = _drop(open_app(PAGE), **{"one.txt": RUN, "first_ap.csv": SMALL["first_ap"].encode()})
    assert big_number(app) == _topics("first_ap")
    assert [1] in [numbers_in(info.value) for info in app.info]  # one run is read
    _drop(app, **{"q.txt": QRELS})
    assert not app.info
    assert sum(numbers_in(text_of(app, "data-in-use"))) == 1 + N_MEASURES  # in the plan, and left out of it


def test_bad_files_are_named_by_file_and_line_and_nothing_is_lost() -> None:
    app = go(with_small("first_ap"), PAGE)
    bad = {
        "scores.csv": b"topic,x,y\n401,0.10,0.20\n402,high,0.35\n",
        "run.txt": RUN.replace(b"d2 0 8", b"d2 0 high", 1),
        "qrels.txt": QRELS.replace(b"d1 1", b"d1 relevant", 1),
    }
    _drop(app, **bad)
    lines = {"scores.csv": 3, "run.txt": 2, "qrels.txt": 2}
    assert {error.partition(": ")[0] for error in errors(app)} == {
        f"{name}, line {line}" for name, line in lines.items()
    }
    assert big_number(app) == _topics("first_ap")


def test_missing_scores_wait_for_a_choice_on_this_page() -> None:
    holed = SMALL["first_ap"].splitlines()
    holed[1] = f"{holed[1].rpartition(',')[0]},"
    app = _drop(open_app(PAGE), **{"first_ap.csv": "\n".join(holed).encode()})
    press(app, "score_matrices/read-1")
    assert len(app.success) == 1
