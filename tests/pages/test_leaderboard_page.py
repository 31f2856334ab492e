"""The leaderboard page: the answer at once, two systems, links, wrong input, few flips and all of them."""

import pytest

from pages.parts import rank_resolution as parts
from tests.pages.app import (
    charts,
    complained_of,
    emphasised,
    errors,
    finished,
    linked,
    open_page,
    press,
    text_of,
    typed,
    unfolded,
)
from tests.words import numbers_in
from topicset_core.analyses.rank_resolution import Request, resolve
from topicset_core.analyses.rank_resolution.two_systems import two_systems
from topicset_core.samples.simulated import simulated_task

PAGE, KEY = "pages/rank_resolution.py", "leaderboard"
AP = simulated_task()[0]


def test_answers_at_once_on_the_sample() -> None:
    result = resolve(AP)
    app = open_page(PAGE)
    assert numbers_in(emphasised(app)[0]) == [result.n_resolved, 190]
    assert set(charts(app)) == {"ranks"}
    assert text_of(app, "preview") == ""
    for system in result.candidates(1):
        assert system in text_of(app, "answer")


def test_two_systems_by_name() -> None:
    app = unfolded(open_page(PAGE, system_a="sim04", system_b="sim09", n_again="100"), f"{KEY}/show-two")
    expected = two_systems(resolve(AP), "sim04", "sim09", n_again=100)
    assert numbers_in(text_of(app, "two-systems")) == numbers_in(expected.sentence)
    assert linked(app)["system_a"] == ["sim04"]


def test_a_link_repeats_the_request() -> None:
    first = open_page(PAGE, alpha="0.0123456789012345", top_k="3", seed="5", n_trials="2000", floor="0.1")
    link = linked(first)
    assert (link["alpha"], link["floor"], link["n_trials"]) == (["0.0123456789012345"], ["0.1"], ["2000"])
    assert AP.digest[:12] in link["data"][0]
    second = open_page(PAGE, **link)
    assert linked(second) == link
    assert text_of(second, "answer") == text_of(first, "answer")


def test_the_top_k_is_shown_to_those_who_chose_it_and_never_in_the_headline() -> None:
    plain, old = open_page(PAGE), open_page(PAGE, k="1")
    assert "Another test, valid" not in " ".join(one.value for one in plain.markdown)
    assert "top_k" not in linked(plain)
    assert any("Unknown link parameter k was ignored" in error for error in errors(old))
    chosen = open_page(PAGE, top_k="1")
    assert text_of(chosen, "answer") == text_of(plain, "answer") == text_of(old, "answer")
    assert any("Another test, valid for k = 1" in one.value for one in chosen.markdown)


def test_an_invalid_value_is_named() -> None:
    app = typed(open_page(PAGE), KEY, top_k=20)
    assert any("from 1 to 19" in error for error in errors(app))
    app = typed(open_page(PAGE), KEY, alpha=1.5)
    assert complained_of(app) == {"alpha"}
    app = typed(open_page(PAGE), KEY, alpha=0.001, n_trials=500)
    assert any("999" in error for error in errors(app))


def test_few_flips_at_once_and_all_flips_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_QUICK_SECONDS", 0.0)
    app = open_page(PAGE, n_trials="30000", seed="2")
    assert numbers_in(text_of(app, "preview"))[0] == 1000
    app = finished(press(app, f"{KEY}/run"))
    result = resolve(AP, Request(n_trials=30_000, seed=2))
    assert text_of(app, "preview") == ""
    assert numbers_in(emphasised(app)[0]) == [result.n_resolved, 190]
