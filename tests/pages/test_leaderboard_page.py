"""The leaderboard page: the top k, few flips and all of them."""

import json

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from pages.parts import rank_resolution as parts
from tests.pages.app import (
    emphasised,
    errors,
    finished,
    go,
    heading,
    healthy,
    linked,
    open_app,
    open_page,
    press,
    text_of,
    tile,
)
from tests.words import numbers_in
from topicset_core.analyses.rank_resolution import Request, resolve
from topicset_core.samples.simulated import simulated_task

PAGE, KEY = "pages/rank_resolution.py", "leaderboard"
AP = simulated_task()[0]


def test_the_top_k_is_shown_to_those_who_chose_it_and_never_in_the_headline() -> None:
    plain, old = open_page(PAGE), open_page(PAGE, k="1")
    assert "Another test, valid" not in " ".join(one.value for one in plain.markdown)
    assert "top_k" not in linked(plain)
    assert any("Unknown link parameter k was ignored" in error for error in errors(old))
    chosen = open_page(PAGE, top_k="1")
    assert text_of(plain, "answer") == text_of(old, "answer")
    assert heading(chosen) == heading(plain)
    assert "Another test, valid for k = 1" in text_of(chosen, "answer")


def test_two_chosen_rows_are_compared_and_a_third_replaces_the_first() -> None:
    app = open_page(PAGE, system_a="sim09", system_b="sim04")
    systems = list(app.dataframe[0].value["system"])
    assert _rows(app) == sorted(map(systems.index, ("sim04", "sim09")))
    assert text_of(app, "two-systems").startswith("sim04 leads sim09 by 0.214 ")
    app = _choose(app, *_rows(app), 0)
    assert (linked(app)["system_a"], linked(app)["system_b"]) == (["sim04"], [systems[0]])
    assert _rows(app) == [0, systems.index("sim04")]
    app = healthy(app.toggle(key=f"{KEY}/lower_is_better").set_value(True).run())
    assert {list(app.dataframe[0].value["system"])[row] for row in _rows(app)} == {"sim04", systems[0]}
    app = _choose(app)
    assert "system_a" not in linked(app)
    assert "Choose two rows" in text_of(app, "two-systems")


def test_score_matrices_names_as_many_candidates_as_this_page_by_its_present_values() -> None:
    app = open_app(PAGE)
    before = tile(app, "systems that may be the best")
    healthy(app.number_input(key=f"{KEY}/alpha").set_value(0.001).run())
    best = tile(app, "systems that may be the best")
    assert best > before
    go(app, "pages/score_matrices.py")
    links = [one.proto.label for one in app.get("page_link")]
    assert f"Which ranks are real? {best:g} may be best" in links


def _rows(app: AppTest) -> list[int]:
    """The rows that are chosen in the table."""
    return list(app.session_state[f"{KEY}/chosen"]["selection"]["rows"])


def _choose(app: AppTest, *rows: int) -> AppTest:
    """Choose rows of the table, as a browser would."""
    table = app.dataframe[0]
    state = WidgetState(id=table.proto.id, string_value=json.dumps({"selection": {"rows": sorted(rows)}}))
    others = app._tree.get_widget_states()
    others.widgets.append(state)
    return healthy(app._run(others))


def test_few_flips_at_once_and_all_flips_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts.ANSWERS, "preview_seconds", 0.0)
    app = open_page(PAGE, n_trials="30000", seed="2")
    assert numbers_in(text_of(app, "preview"))[0] == 1000
    app = finished(press(app, f"{KEY}/run"))
    result = resolve(AP, Request(n_trials=30_000, seed=2))
    assert text_of(app, "preview") == ""
    assert numbers_in(emphasised(app)[0]) == [result.n_resolved, 190]
