"""Topics in groups: named by a table or a pattern, kept, and counted on other pages."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import (
    as_on_a_new_server,
    errors,
    go,
    heading,
    healthy,
    in_tab,
    link_of,
    open_app,
    press,
    text_of,
    texts,
)
from tests.pages.test_saved_work import _opened, _saved
from tests.pages.uploading import PAGE, choose, small_matrix, upload, with_small
from topicset_core.analyses.rank_resolution import resolve
from topicset_core.collection import ScoreMatrix
from topicset_core.variance import group_components

GROUPS = "score_matrices/groups"
LEADERBOARD, ERROR_RATE, CHECK = (
    f"pages/{name}.py" for name in ("rank_resolution", "error_rate", "achieved_power")
)


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    as_on_a_new_server()
    yield
    as_on_a_new_server()


def in_pairs() -> ScoreMatrix:
    """The table with its 12 topics in six groups: q0 and q1, q2 and q3, ..."""
    matrix = small_matrix("first_ap")
    return matrix.grouped({topic: f"g{place // 2}" for place, topic in enumerate(matrix.topics)})


def with_groups(matrix: ScoreMatrix) -> AppTest:
    """The page with this table uploaded, and its groups uploaded next to it."""
    rows = zip(matrix.topics, matrix.groups or (), strict=True)
    app = in_tab(with_small("first_ap"), "Groups")
    text = "topic,group,level\n" + "".join(f"{topic},{group},easy\n" for topic, group in rows)
    app.file_uploader(key=f"{GROUPS}/file-0").upload("pairs.csv", text.encode(), "text/csv").run()
    return press(healthy(app), f"{GROUPS}/apply")


def test_a_table_of_groups_is_shown_counted_and_saved() -> None:
    matrix = in_pairs()
    app = with_groups(matrix)
    parts = group_components(matrix)
    assert "Columns of pairs.csv that were not read: 'level'." in texts(app)
    shown = text_of(app, "groups")
    assert "12 topics in 6 groups of 2." in shown
    assert f"intraclass correlation {parts.intraclass_correlation:.3g}" in shown
    assert f"design effect {parts.design_effect:.3g}" in shown
    saved = _saved(app)
    # The leaderboard flips groups: six of them have 64 patterns of signs.
    go(app, LEADERBOARD)
    found = resolve(matrix)
    assert found.n_flips == 64
    assert f"{found.n_resolved} of {found.n_pairs} pairs" in heading(app) + texts(app)
    assert "in 6 groups), at a familywise" in text_of(app, "answer")
    linked = link_of(app)
    for page, form in ((ERROR_RATE, "error-rate"), (CHECK, "check-scores")):
        go(app, page)
        assert "12 topics in 6 groups: whole groups are drawn" in text_of(app, "preparation")
        assert "topic" not in app.number_input(key=f"{form}/n_topics").label
    assert "Type I error by topic" in [one.label for one in app.metric]
    # Saved work has them, and a link to data with groups does not open on data without.
    app = _opened(open_app(PAGE), saved)
    assert "12 topics in 6 groups of 2." in text_of(in_tab(app, "Groups"), "groups")
    assert matrix.digest[:12] in linked
    press(app, f"{GROUPS}/remove")
    assert "in 6 groups" not in texts(go(app, LEADERBOARD))


def test_patterns_and_refusals() -> None:
    app = in_tab(with_small("first_ap"), "Groups")
    app.text_input(key=f"{GROUPS}/pattern").set_value("x*")
    press(app, f"{GROUPS}/apply")
    assert "Nothing changed" in errors(app)[0]
    press(app, f"{GROUPS}/apply")  # neither table nor pattern
    app.text_input(key=f"{GROUPS}/pattern").set_value("q*")
    press(app, f"{GROUPS}/apply")
    assert "Each topic is a group of its own, so topics have no groups." in texts(app)
    text = small_matrix("first_ap")
    rows = [
        "topic,A,B",
        *(f"{'ab'[place % 2]}_{place},{one[0]},{one[1]}" for place, one in enumerate(text.scores)),
    ]
    app = in_tab(upload(open_app(PAGE), mine_ap="\n".join(rows)), "Groups")
    app.text_input(key=f"{GROUPS}/pattern").set_value("*_*")
    press(app, f"{GROUPS}/apply")
    assert "12 topics in 2 groups of 6." in text_of(app, "groups")


def test_matrices_of_a_measure_are_joined_and_given_back() -> None:
    """Two tables of the same runs on other topics become one with two groups; undone, they are as before."""
    first, second = (
        f"topic,A,B\n{rows}" for rows in ("q1,.5,.2\nq2,.3,.3\nq3,.1,.4\n", "q3,.6,.2\nq4,.4,.5\n")
    )
    more = "topic,A,B\nq1,.5,.2\nq2,.3,.3\n"
    app = upload(open_app(PAGE), DL19_ap=first, DL19_err20=more, DL20_ap=second)
    app = in_tab(choose(app, "closer", 1), "Groups")  # the newest is shown, and joined into the one shown
    before = list(app.session_state["loaded_scores"])
    press(app, f"{GROUPS}/join")
    shown = text_of(app, "groups")
    assert "5 topics in 2 groups of 2 to 3." in shown
    joined, other = app.session_state["loaded_scores"]
    assert joined.matrix.topics == ("q1", "q2", "DL19_ap/q3", "DL20_ap/q3", "q4")
    assert other.matrix.measure == "ERR@20"
    assert "5 topics of 2 matrices were joined" in texts(app)
    app = in_tab(_opened(open_app(PAGE), _saved(app)), "Groups")
    press(app, f"{GROUPS}/undo")
    assert app.session_state["loaded_scores"] == before


def test_matrices_without_a_common_run_are_not_joined() -> None:
    app = in_tab(with_small("first_ap", "second_ap"), "Groups")
    before = list(app.session_state["loaded_scores"])
    press(app, f"{GROUPS}/join")
    assert "a run in common" in errors(app)[0]
    assert app.session_state["loaded_scores"] == before
