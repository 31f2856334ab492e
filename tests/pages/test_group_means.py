"""The leaderboard page: which mean of a system where topics have groups, and a run that answered nothing."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import (
    as_it_reads,
    as_on_a_new_server,
    go,
    heading,
    healthy,
    in_tab,
    linked,
    open_app,
    press,
    text_of,
)
from tests.pages.test_groups import GROUPS, LEADERBOARD
from tests.pages.test_saved_work import _opened, _saved
from tests.pages.uploading import PAGE, upload

FIELD = "leaderboard/mean"
LARGE = "topic,A,B\n" + "".join(f"q{place},.{30 + place},.{40 + place}\n" for place in range(12))
SMALL = "topic,A,B\nq1,.70,.40\nq2,.71,.42\nq3,.74,.40\n"
"""B is better by .10 on 12 topics, A by .31 on average on 3: by topics B leads, by group means A."""


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    as_on_a_new_server()
    yield
    as_on_a_new_server()


def _first(app: AppTest) -> str:
    return str(app.dataframe[0].value["system"].iloc[0])


def test_joined_matrices_start_with_the_mean_of_group_means() -> None:
    app = in_tab(upload(open_app(PAGE), DL19_ap=LARGE, DL20_ap=SMALL), "Groups")
    press(app, f"{GROUPS}/join")
    saved = _saved(app)
    go(app, LEADERBOARD)
    assert "mean of 2 group means over 15 topics, each group counting the same" in text_of(app, "answer")
    assert _first(app) == "A"
    assert linked(app)["mean"] == ["groups"]
    healthy(app.selectbox(key=FIELD).set_value("topics").run())
    assert "(mean over 15 topics in 2 groups)" in text_of(app, "answer")
    assert _first(app) == "B"
    assert linked(app)["mean"] == ["topics"]
    # Saved work still has joined matrices; without groups there is one mean, and no choice.
    app = go(_opened(open_app(PAGE), saved), LEADERBOARD)
    assert _first(app) == "A"
    app = in_tab(go(app, PAGE), "Groups")
    press(app, f"{GROUPS}/remove")
    go(app, LEADERBOARD)
    assert FIELD not in [one.key for one in app.selectbox]
    assert "mean" not in linked(app)


def test_a_run_that_answered_nothing_is_in_the_headline() -> None:
    rows = "".join(f"q{place},.{30 + place},.{45 - place},0\n" for place in range(12))
    app = go(upload(open_app(PAGE), never_ap=f"topic,A,B,fts\n{rows}"), LEADERBOARD)
    assert "fts has the score 0 on every topic: did it run?" in as_it_reads(heading(app))
